// The button that puts a visit into the phone's own calendar, and later changes or removes it there (rules: own-calendar); a
// part of question.js. The file is the server's, which knows how often the visit was moved.

import { calendarTexts as wayTexts } from "./extras-words.js";
import { handOver } from "./file.js";
import { phrase } from "./languages.js";
import { remember, remembered } from "./memory.js";
import { calendarTexts, questionTexts } from "./question-words.js";
import { call } from "./server.js";
import { showText } from "./text.js";

/** The place whose page is shown, and its last view. */
let capability = "";
let view = null;
let isAsking = false;
/** The name of the text about the last touch, the name of the file that came, and the visit of which it speaks. */
let said = "";
let file = "";
let saidOf = "";

const texts = { ...wayTexts, ...calendarTexts, ...questionTexts };
const say = (name, values) => phrase(texts, name, document.documentElement.lang, values);

const section = document.createElement("section");
section.id = "visitCalendar";
section.hidden = true;
section.innerHTML = '<button></button><p role="status"></p>';
document.getElementById("leave").after(section);
const [button, status] = /** @type {HTMLElement[]} */ ([...section.children]);
button.addEventListener("click", giveFile);

const reservation = () => view ? view.reservation : /** @type {any} */ ({});

/** The slot in a text that differs after a move. */
const slot = ({ visit }) => `${visit.start} ${visit.end}`;

/** What the button does: `add`, `update` or `remove`; empty for a ticket, and if there is nothing to do. */
function action() {
  const { kind, visit, state } = reservation();
  if (kind !== "visit" || !visit) return "";
  // Only what was put into the calendar on this phone is changed there.
  const { calendar } = remembered(capability) || /** @type {any} */ ({});
  if (/deleted|missed|closed/.test(state)) return calendar ? "remove" : "";
  if (state !== "planned") return "";
  return calendar && calendar !== slot(reservation()) ? "update" : "add";
}

/** Fetches the file, and hands it to the phone. */
async function giveFile() {
  if (isAsking) return;
  const [own, what, given, shown] = [capability, action(), reservation(), slot(reservation())];
  isAsking = true;
  said = "";
  drawSection();
  const answer = await call("calendar", { capability: own, language: document.documentElement.lang }, "",
    (reply) => reply.text()).catch(() => null);
  isAsking = false;
  if (own !== capability) return;
  if (answer && answer.status === 200) {
    file = `${say("file")}-${given.visit.start.slice(0, 10)}.ics`;
    const outcome = await handOver(answer.body, file);
    if (own !== capability) return;
    said = outcome === "failed" ? "failed" : outcome === "closed" ? "" : what === "remove" ? "removeNow" : "openNow";
    if (outcome === "given" && what !== "remove") remember(own, { calendar: shown });
  } else said = answer ? "failed" : "noNetwork";
  drawSection();
}

function drawSection() {
  const what = action();
  section.hidden = !what;
  const words = what && say(what === "add" ? "calendar" : what);
  showText(button, isAsking ? say("sending") : words);
  // The file's name is not broken at its hyphens.
  showText(status, said && say(said, { file: file.replace(/-/g, "\u2011") }));
}

/** To be called every second, and whenever there is something new, with the place of the page and its last view. */
export function drawCalendar(place, latest) {
  capability = place;
  view = latest;
  const { visit, state } = reservation();
  const about = visit ? `${place} ${slot(reservation())} ${state}` : "";
  if (about !== saidOf) said = "";
  saidOf = about;
  drawSection();
}
