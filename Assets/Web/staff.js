// The page of the staff: calls for help, what is going on in the queue, and blocks of customers that are lifted.

import { keepAwake } from "/web/awake.js";
import { setBlocksLanguage, showBlocks } from "/web/blocks.js";
import { age, clock, isNews, number, start } from "/web/device.js";
import { endedCalls, endingOf, isCalm, namesAreShown, ownName, setLanguage, setOwnName, showHelp, takeHelp } from "/web/help.js";
import { offerLanguages, renewLanguages } from "/web/language.js";
import { drawn, element } from "/web/parts.js";
import { known, spelled, text } from "/web/words.js";

/** The newest called numbers, as many as a phone shows in two lines. */
const MOST_CALLED = 6;
/** Older facts about the queue are not shown. */
const STALE = 15000;

const part = (id) => document.getElementById(id);

let news = null;
let language = "en";

/** Takes over the language that is chosen at this page. */
function speak(chosen) {
  language = chosen;
  part("name").querySelector("span").textContent = text("yourName", language);
  setLanguage(language);
  setBlocksLanguage(language);
}

const nameField = () => /** @type {HTMLInputElement} */ (part("name").querySelector("input"));

// MARK: Drawing

function drawEnded() {
  const ended = endedCalls();
  part("ended").hidden = ended.length === 0;
  part("ended").querySelector("h2").textContent = text("ended", language);
  const lines = ended.map((one) => [
    one.machine, text("since", language, { time: clock(one.since) }), endingOf(one), one.by ?? ""]);
  const list = part("ended").querySelector("ul");
  const content = JSON.stringify(lines);
  if (list.dataset.content === content) return;
  list.dataset.content = content;
  list.replaceChildren(...lines.map(([machine, ...rest]) => element("li", {},
    element("b", { textContent: machine }), ...rest.filter(Boolean).map((words) => element("span", { textContent: words })))));
}

function drawQueue() {
  const isKnown = news !== null && age() < STALE;
  part("queue").hidden = !isKnown;
  if (!isKnown) return;
  const fill = (id, title, content) => {
    part(id).querySelector("h2").textContent = title;
    part(id).querySelector("p").textContent = content;
  };
  const numbers = news.called.slice(0, MOST_CALLED).map((turn) => number(turn.number)).join("  ");
  const more = news.called.length > MOST_CALLED ? "  …" : "";
  if (news.open || numbers) fill("called", text("lastCalled", language), numbers ? numbers + more : "–");
  else {
    const opens = news.opens ? text("opens", language, { time: clock(news.opens) }) : "";
    fill("called", text("closed", language), opens);
  }
  fill("waiting", text("waiting", language), String(news.waiting));
}

function draw() {
  const isShown = isCalm();
  part("calm").hidden = !isShown;
  if (isShown && part("calm").lastElementChild?.textContent !== text("noCalls", language)) {
    part("calm").replaceChildren(drawn("done"), element("span", { textContent: text("noCalls", language) }));
  }
  drawEnded();
  drawQueue();
  part("clock").textContent = news ? spelled(clock(news.now, { later: age() }), language) : "";
  if (part("name").hidden === namesAreShown()) {
    part("name").hidden = !namesAreShown();
    nameField().value = ownName();
  }
}

function take(message) {
  takeHelp(message);
  if (!isNews(message)) return;
  news = message;
  part("shop").textContent = news.shopName;
  renewLanguages(known(news.languages));
}

start((shop) => {
  const languages = known(shop.languages);
  document.title = `${shop.shopName}: staff`;
  part("shop").textContent = shop.shopName;
  part("staff").hidden = false;
  showHelp(part("help"), shop, languages[0], draw);
  showBlocks(part("block"), languages[0]);
  offerLanguages(part("languages"), languages, speak);
  nameField().addEventListener("input", () => setOwnName(nameField().value));
  keepAwake();
}, take);
