// The question whether a customer is coming who took a place elsewhere (rules: coming-question), on the page of the place, the
// way on after a visit, and the ways to move a visit and to put it into the phone's calendar
// (rules: moved-visits, own-calendar). It is loaded apart from the page, whose language is that of its document.

import { digitsForm } from "./digits-form.js";
import { languages, phrase, spelled } from "./languages.js";
import { clock, dayInWords } from "./moments.js";
import { cardTexts, questionTexts, visitTexts } from "./question-words.js";
import { command } from "./server.js";
import { showText } from "./text.js";
import { drawCalendar } from "./visit-calendar.js";

/** How long the thanks are shown at least, since the next view may come at once. */
const THANKS = 10000;
/** After which time the question is asked again if the views go on asking it. */
const AGAIN = 20000;
/** What is read aloud is written later than the element for it appears: only then it is read. */
const READ_AFTER = 300;

/** The place whose page is shown, and its last view. */
let capability = "";
let view = null;
/** The ten digits, if the page knows them: the phone that took the place needs none. */
let known = "";
/** Whether the answer is under way. */
let isSending = false;
/** When the answer arrived. */
let answered = -Infinity;
/** The name of the text that says what went wrong. */
let mistake = "";
/** What was read aloud last. */
let read = "";
/** The slot of the visit of which the page's texts speak; empty for a ticket. */
let visitOfTexts = "";

const say = (name, values) => {
  const { lang } = document.documentElement;
  return phrase(questionTexts, name, lang, values);
};

// MARK: Elements

const section = document.createElement("section");
section.id = "question";
section.setAttribute("aria-labelledby", "coming");
section.innerHTML = '<h2 id="coming" tabindex="-1"></h2><p></p><p role="alert"></p>'
  + '<button id="yes" class="main"></button><a id="another" class="main" href="/shops"></a>';
const aloud = document.createElement("p");
aloud.className = "unseen";
aloud.setAttribute("aria-live", "assertive");
const move = document.createElement("a");
move.id = "move";
document.getElementById("card").after(section, aloud);
document.getElementById("open").before(move);
const [title, until, error, yes, another] = /** @type {HTMLElement[]} */ ([...section.children]);
// The page's policy allows these styles, which a script sets, and none within the text.
Object.assign(section.style, { padding: "calc(1rem - 4px)", border: "4px solid", scrollMargin: "0.6rem" });
Object.assign(title.style, { fontSize: "1.5rem", outline: "none" });
until.style.fontSize = "1.15rem";
Object.assign(error.style, { color: "var(--danger)", fontWeight: "700" });
Object.assign(yes.style, { minHeight: "4rem", fontSize: "1.15rem" });
for (const link of [another, move]) {
  Object.assign(link.style, {
    display: "grid", placeContent: "center", minHeight: "3rem", padding: "0.5rem", fontWeight: "700", textAlign: "center",
    borderRadius: "0.6rem", textDecoration: "none",
  });
}
Object.assign(move.style, { color: "inherit", border: "2px solid var(--line)" });
yes.addEventListener("click", () => answer());
const asking = digitsForm("coming");
section.append(asking.form);

// MARK: The answer

async function answer(code = known) {
  if (isSending) return;
  const own = capability;
  isSending = true;
  mistake = "";
  drawSection();
  const status = await command("coming", { capability: own, code: code || undefined });
  isSending = false;
  if (own !== capability) return;
  if (status === 403) {
    // This browser did not take the place, or has forgotten that.
    drawSection();
    const digits = await asking.ask("why", code && "wrong");
    return digits && own === capability ? answer(digits) : undefined;
  }
  if (status === 204) answered = performance.now();
  else mistake = { 404: "tooLate", 409: "tooLate", 429: "busy" }[status] || "notSent";
  drawSection();
  // The button that was touched is there no more.
  if (status === 204) title.focus();
}

// MARK: Drawing

/** What is shown: the title, the line below it, and the words of the button and of the link. */
function content() {
  const { state, answerBy } = view ? view.reservation : /** @type {any} */ ({});
  if (visitOfTexts && /deleted|missed|closed/.test(state)) return { another: say("book") };
  const time = performance.now() - answered;
  if (state === "planned" && time < (answerBy ? AGAIN : THANKS)) return { title: say("thanks") };
  if (state !== "planned" || !answerBy) return {};
  return { title: say("coming"), until: say("orNot"), yes: say(isSending ? "sending" : "yes") };
}

/** What the page says of a visit in place of what it says of tickets, in all languages. */
function textsOfVisit(start) {
  const [day, time] = [start.slice(0, 10), clock(start)];
  return Object.fromEntries(Object.keys(visitTexts).map((name) => [
    name, languages.map((lang) => phrase(visitTexts, name, lang, {
      // The day is named by its date, also today.
      day: dayInWords(day, "", lang), time: spelled(time, lang),
    })),
  ]));
}

/** Makes the page speak of its visit. A visit that is given back has its slot no more, and is still spoken of. */
function speakOfVisit(addTexts) {
  const { kind, visit } = view ? view.reservation : /** @type {any} */ ({});
  const start = kind === "visit" && visit ? visit.start : "";
  if (!start || start === visitOfTexts) return;
  visitOfTexts = start;
  const texts = textsOfVisit(start);
  addTexts(texts);
  // The page writes this one when a language is chosen.
  document.getElementById("keep").textContent = phrase(texts, "keep", document.documentElement.lang);
  /** @type {HTMLAnchorElement} */ (another).href = `/visit/${capability.slice(0, 4)}`;
}

/** A visit that was booked on this phone can be moved while it waits: the server has its code for this phone only. */
function drawMove() {
  const { state, visit } = view ? view.reservation : /** @type {any} */ ({});
  // The page shows the entry code only on the phone that booked the visit.
  const isOwn = document.body.hasAttribute("data-entry");
  showText(move, view && view.onPhone && isOwn && visit && state === "planned" ? say("move") : "");
  // The first four letters of a capability are the tag of its shop.
  /** @type {HTMLAnchorElement} */ (move).href = `/visit/${capability.slice(0, 4)}#${capability}`;
}

function drawSection() {
  const shown = content();
  const hadFocus = section.contains(document.activeElement);
  section.hidden = !shown.title && !shown.another;
  showText(title, shown.title || "");
  showText(until, shown.until || "");
  showText(yes, shown.yes || "");
  showText(error, shown.yes && mistake ? say(mistake) : "");
  showText(another, shown.another || "");
  section.style.borderColor = shown.yes ? "var(--accent)" : "transparent";
  if (section.hidden) asking.end();
  asking.draw();
  if (hadFocus && section.hidden) document.getElementById("turn").focus();
  readAloud([shown.title, shown.until].filter(Boolean).join(" "));
}

/** Reads the question and the thanks aloud, each once, and brings the question into sight. */
function readAloud(words) {
  if (words === read) return;
  const isAsked = words && !read;
  read = words;
  setTimeout(() => { aloud.textContent = words; }, READ_AFTER);
  if (!isAsked) return;
  // A customer who is using the form is not led away from it.
  if (document.getElementById("form").hidden) section.scrollIntoView({ block: "nearest" });
  if (navigator.vibrate) navigator.vibrate(400);
}

/**
 * To be called every second, and whenever there is something new, with the place of the page, its last view, the ten digits
 * if the page knows them, and what adds texts to those of the page, whose card says some.
 */
export function draw(place, latest, digits, _, addTexts) {
  known = digits;
  if (place !== capability) {
    asking.end();
    // The texts of a visit cannot be taken back.
    if (visitOfTexts) return location.reload();
    addTexts(cardTexts);
    answered = -Infinity;
    mistake = "";
  }
  capability = place;
  view = latest;
  speakOfVisit(addTexts);
  drawSection();
  drawMove();
  drawCalendar(place, latest);
}
