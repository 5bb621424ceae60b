// The list of the places that this phone knows, soonest first, with the ways to their pages, and to give one up [UC6, UC7].

import { cardContent } from "./card.js";
import { OLD, age, cameAt, milliseconds, now, until } from "./clock.js";
import { forgetCodes } from "./kept-codes.js";
import { phrase, spelled } from "./languages.js";
import { forget, places, remember, remembered } from "./memory.js";
import { orders } from "./order-memory.js";
import { ago, clock, dayInWords } from "./moments.js";
import {
  addressLine, chooseLanguage, keepPlacePage, language, part, readAloud, say, show, startChoices, threeDigits,
} from "./page.js";
import { orderWayTexts } from "./order-words.js";
import { stateTexts } from "./place-words.js";
import { placesTexts, shopsWayTexts, wayTexts } from "./places-words.js";
import { cardTexts, questionTexts, visitTexts } from "./question-words.js";
import { call, command } from "./server.js";
import { forgetSent } from "./subscriptions.js";
import { showText } from "./text.js";
import { entry, isWaiting, mayGiveUp, reservation, setEntry, setView, view } from "./view.js";
import { addTexts } from "./words.js";

/** How often the places are asked for while the list is seen. */
const REFRESH = 30000;

/**
 * The places by their capabilities, as the phone remembers them, each with the moments at which its view `came`; and those
 * that were found to be over since the page was opened, `isUnknown` if the server knows one no more. These are forgotten
 * at once, so that they are shown with the reason until the page is left, and never again: a customer reads once what
 * became of a place, and need not clear the list.
 */
const known = new Map();
const ended = new Map();
/** The elements of each place. */
const drawn = new Map();
let order = "";
let made = 0;
/** The capability of the place of which a question is open, and whether its answer is under way. */
let asked = "";
let isSending = false;
/** The name of the text that says why a place was not given up, and the place. */
let mistake = { name: "", capability: "" };
/** Says what was done last, in the language of the moment. */
let done = () => "";
/** Whether a refresh is under way, when it began, when the next one may, and the name of the text for what went wrong. */
let isAsking = false;
let begun = -Infinity;
let notBefore = 0;
let failure = "";

// MARK: The places

/** Whether the shown place can neither be used nor be taken back any more. */
const isOver = () => !isWaiting() && reservation.state !== "inside" && !until(reservation.reclaimBy);

/** Makes a place the one that `view`, `reservation` and `entry` are of. */
function select(one) {
  setView(one.view || null, one.came);
  setEntry(one.entry || null);
}

/** Reads what the phone remembers, which other windows change too. What is over there was shown by its own page. */
function load() {
  const kept = new Map(places().map((one) => [one.capability, one]));
  for (const capability of known.keys()) {
    // A question stays until it is answered: only then the customer reads what became of the place.
    if (!kept.has(capability) && asked !== capability) known.delete(capability);
  }
  for (const [capability, one] of kept) {
    const last = known.get(capability);
    if (!last || last.at !== one.at) known.set(capability, { ...one, came: cameAt(one.at) });
  }
  for (const [capability, one] of known) check(capability, () => {
    select(one);
    if (view && isOver() && asked !== capability) drop(capability);
  });
}

function drop(capability) {
  known.delete(capability);
  forget(capability);
  forgetSent("/t", capability);
}

/** Does something with a remembered place, which is forgotten if it is not of these pages: its parts may be anything. */
function check(capability, act) {
  try {
    act();
  } catch {
    ended.delete(capability);
    drop(capability);
  }
}

/** The slot of a visit, if the last view has it. */
const slotOf = (one) => one.view ? one.view.reservation.visit : undefined;

/** Takes the server's answer about a place; says why there is none, by the name of a text. */
function take(capability, answer) {
  const { status, body, retryAfter } = answer || { status: 0, body: null, retryAfter: 0 };
  // Another window has given it up or removed it meanwhile, or this one is just giving it up.
  const last = known.get(capability);
  if (!last || !remembered(capability) || isSending && asked === capability) return "";
  // Any other refusal may come from what is before the server.
  const isUnknown = status === 404 && /:not-found$/.test(body && body.type);
  if (status !== 200 && !isUnknown) {
    if (status === 429 || status >= 500) notBefore = performance.now() + retryAfter;
    return status ? "outOfDate" : "offline";
  }
  const moments = { page: performance.now(), phone: Date.now() };
  const one = { ...last, isUnknown };
  if (!isUnknown) {
    Object.assign(one, { view: body, entry: body.entry || last.entry, at: moments.phone, came: moments });
  }
  // A visit that is over may have its slot no more.
  one.visit = slotOf(one) || slotOf(last) || last.visit;
  select(one);
  if (isUnknown || isOver()) {
    drop(capability);
    ended.set(capability, one);
    if (asked === capability) {
      asked = "";
      mistake = { name: "gone", capability };
    }
    return "";
  }
  const before = last.view && last.view.reservation.state;
  if (reservation.state === "called" && before !== "called") announce();
  known.set(capability, one);
  remember(capability, { view: one.view, entry: one.entry, at: one.at });
  return "";
}

function announce() {
  const { first, range } = /** @type {any} */ (cardContent());
  readAloud(`${reservation.shopName}, ${threeDigits(reservation.number)}: ${first} ${range}`);
  if (navigator.vibrate) navigator.vibrate([400, 200, 400]);
}

/**
 * Finds the places that this device has taken and the phone has forgotten: browsers delete what pages keep sooner than a cookie.
 */
async function findForgotten() {
  const answer = await call("device-places", {}).catch(() => null);
  if (!answer || answer.status !== 200) return;
  const found = answer.body.capabilities.filter((capability) => !remembered(capability) && !ended.has(capability));
  if (!found.length) return;
  for (const capability of found) remember(capability, {});
  // What the phone remembered instead, and the server does not know, is of no use beside them.
  for (const [capability, one] of ended) if (one.isUnknown) ended.delete(capability);
  load();
  await refresh();
}

/** Asks for the places one after the other; after one that is not answered the others wait for the next time. */
async function refresh() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  begun = performance.now();
  load();
  failure = "";
  for (const capability of [...known.keys()]) {
    const answer = await call("place", { capability }).catch(() => null);
    const wasAsked = asked;
    check(capability, () => { failure = take(capability, answer); });
    draw();
    // The buttons of the question are there no more.
    if (wasAsked && !asked) drawn.get(capability).error.focus();
    if (failure || document.hidden) break;
  }
  isAsking = false;
  draw();
}

// MARK: Giving up

/** What the texts of the selected place name. */
const names = () => ({ shop: reservation.shopName, number: threeDigits(reservation.number) });

/** What is said of the selected visit in place of a ticket, by its day and hour; the day is named by its date, also today. */
function sayOfVisit(name, { start }) {
  const [day, time] = [start.slice(0, 10), clock(start)];
  return phrase(visitTexts, name, language, { day: dayInWords(day, "", language), time: spelled(time, language) });
}

/** The question about the selected place. */
function question() {
  if (!entry) return say("removePlace", names());
  const { visit } = reservation;
  return visit ? sayOfVisit("finalPhone", visit) : `${say("giveUpPlace", names())} ${say("finalPhone")}`;
}

/** Opens the question of a place, or closes it; the focus is where the customer goes on. */
function ask(capability, isOpen) {
  if (isSending) return;
  asked = isOpen ? capability : "";
  mistake = { name: "", capability: "" };
  done = () => "";
  draw();
  const { words, opener } = drawn.get(capability);
  (isOpen ? words : opener).focus();
}

/** The place is not in the list any more: says so, and puts the focus there. */
function finish(capability, words) {
  asked = "";
  drop(capability);
  ended.delete(capability);
  done = words;
  draw();
  part("done").focus();
  part("done").scrollIntoView({ block: "nearest" });
}

/** Carries out what was asked. Nothing leaves the list before the server has said that the place is given up. */
async function answerYes(capability) {
  const one = known.get(capability);
  if (isSending || asked !== capability || !one) return;
  select(one);
  const { visit } = reservation;
  const values = names();
  if (!one.entry) return finish(capability, () => say("placeRemoved", values));
  isSending = true;
  mistake = { name: "", capability };
  draw();
  const status = await command("withdrawal", { capability, code: one.entry.typedCode });
  const isRefused = status && status !== 204;
  // Another window may have given it up, or the customer has been let in meanwhile.
  const latest = isRefused ? await call("place", { capability }).catch(() => null) : null;
  isSending = false;
  const state = latest && latest.status === 200 && latest.body.reservation.state;
  if (status === 204 || state === "deleted") {
    return finish(capability, () => visit ? sayOfVisit("deleted", visit) : say("placeGivenUp", values));
  }
  if (latest) check(capability, () => { take(capability, latest); });
  mistake.name = !status ? "notGivenUp" : { 409: "gone", 404: "gone", 429: "tooMany" }[status] || "didNotWork";
  if (mistake.name === "gone") asked = "";
  draw();
  const { error } = drawn.get(capability) || /** @type {any} */ ({});
  (error || part("myPlaces")).focus();
}

// MARK: Drawing

/** What is shown of a place: its look and its lines. */
function content(one) {
  select(one);
  if (one.isUnknown) return { look: "ended", first: say("over") };
  if (!view) return { look: "planned", range: say("moment") };
  const { state, kind, visit, answerBy } = reservation;
  const shown = /** @type {any} */ (cardContent());
  if (state === "inside") return { ...shown, look: "inside" };
  if (state === "planned" && kind === "visit" && visit) {
    return { ...shown, first: "", range: `${shown.first}, ${shown.range}` };
  }
  if (one.visit && isOver() && /deleted|missed/.test(state)) {
    return { ...shown, first: sayOfVisit(state, one.visit), hint: sayOfVisit("missedNowPhone", one.visit) };
  }
  return { ...shown, asked: state === "planned" && answerBy ? say("coming") : "" };
}

/** Where the selected place stands in the list: those that are called and those inside first, then by time, and the rest. */
function position(capability) {
  if (ended.has(capability)) return [3, 0];
  if (!view) return [2, 0];
  const { state, visit, wait, enterBy } = reservation;
  if (state === "called") return [0, milliseconds(enterBy)];
  if (state === "inside") return [1, 0];
  return [2, visit ? milliseconds(visit.start) : wait ? milliseconds(wait.earliest) : now()];
}

/** The elements of a place, which stay the same while the page is open. */
function elements(capability) {
  const last = drawn.get(capability);
  if (last) return last;
  const item = document.createElement("li");
  const id = `place${made++}`;
  item.innerHTML = `<a><span class="label"></span><span class="number"></span><h2 id="${id}"></h2><span class="town"></span>
    <span class="first"></span><span class="when"></span><span class="second"></span><span class="asked"></span>
    <span class="hint"></span><span class="age"></span><span class="go"></span></a>
    <button class="opener" aria-describedby="${id}"></button>
    <div class="question" role="group" aria-labelledby="${id}ask"><p id="${id}ask" class="words" tabindex="-1"></p>
    <button class="yes"></button><button class="keep"></button></div>
    <p class="error" role="alert" tabindex="-1"></p>`;
  const of = (name) => /** @type {HTMLElement} */ (item.querySelector(name));
  const parts = /** @type {any} */ ({
    item, link: /** @type {HTMLAnchorElement} */ (of("a")), shop: of("h2"), box: of(".question"),
    ...Object.fromEntries(["label", "number", "town", "first", "when", "second", "asked", "hint", "age", "go", "opener", "words",
      "yes", "keep", "error"].map((name) => [name, of(`.${name}`)])),
  });
  parts.opener.addEventListener("click", () => ask(capability, true));
  parts.keep.addEventListener("click", () => ask(capability, false));
  parts.yes.addEventListener("click", () => answerYes(capability));
  drawn.set(capability, parts);
  return parts;
}

function drawPlace(one) {
  const { capability } = one;
  const parts = elements(capability);
  const shown = content(one);
  const { shopName, number, kind } = view ? reservation : /** @type {any} */ ({});
  parts.item.dataset.look = shown.look;
  showText(parts.label, view ? say(kind === "visit" ? "yourVisit" : "yourNumber") : "");
  showText(parts.number, view ? threeDigits(number) : "");
  showText(parts.shop, shopName || "");
  showText(parts.town, view ? addressLine({ street: "", town: (view.address || {}).town }) : "");
  showText(parts.when, shown.range || "");
  for (const line of ["first", "second", "asked", "hint"]) showText(parts[line], shown[line] || "");
  const isOpen = known.has(capability);
  showText(parts.age, isOpen && view && age() >= OLD ? say("old", { ago: ago(age(), language) }) : "");
  // The server has no page of a place that it does not know.
  if (one.isUnknown) parts.link.removeAttribute("href");
  else parts.link.href = `/t#${capability}`;
  showText(parts.go, one.isUnknown ? "" : say(shown.asked ? "answer" : isOpen && entry ? "showCode" : "details"));
  parts.go.classList.toggle("main", !!shown.asked || /called|inside/.test(shown.look));
  drawQuestion(capability, parts);
}

/** Draws the ways to give up the selected place, or to remove it from the list if this phone has no code of it. */
function drawQuestion(capability, parts) {
  const isOwn = !!entry;
  const isAsked = asked === capability;
  const can = known.has(capability) && view && (!isOwn || mayGiveUp());
  const ofVisit = view && reservation.visit;
  const sayIt = (name) => ofVisit ? sayOfVisit(name, reservation.visit) : say(name);
  showText(parts.opener, can && !isAsked ? say(isOwn ? "notComing" : "remove") : "");
  parts.box.hidden = !isAsked;
  parts.box.classList.toggle("final", isOwn);
  showText(parts.words, isAsked ? question() : "");
  showText(parts.yes, isAsked ? isSending ? say("moment") : isOwn ? sayIt("giveBack") : say("remove") : "");
  parts.yes.className = isOwn ? "yes danger" : "yes main";
  showText(parts.keep, isAsked ? isOwn ? sayIt("keep") : say("leave") : "");
  showText(parts.error, mistake.name && mistake.capability === capability ? say(mistake.name) : "");
  for (const button of [parts.opener, parts.yes, parts.keep]) button.disabled = isSending;
}

function draw() {
  document.title = say("myPlaces");
  const all = new Map([...ended, ...known]);
  for (const [capability, one] of all) {
    check(capability, () => {
      drawPlace(one);
      one.position = position(capability);
    });
    if (!known.has(capability) && !ended.has(capability)) all.delete(capability);
  }
  const sorted = [...all.values()].sort(({ position: one }, { position: other }) => one[0] - other[0] || one[1] - other[1]);
  drawOrder(sorted.map(({ capability }) => capability));
  part("empty").hidden = part("emptyNow").hidden = sorted.length > 0;
  show("emptyWords", sorted.length ? "" : say("empty"));
  part("toList").hidden = orders().length === 0;
  part("toShops").className = sorted.length ? "" : "main";
  show("notice", failure && (failure === "offline" ? `${say("offline")} ${say("lastKnown")}` : say(failure)));
  show("done", done());
}

/** Puts the places into their order, if it is another one. */
function drawOrder(capabilities) {
  if (order === capabilities.join()) return;
  order = capabilities.join();
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  part("list").replaceChildren(...capabilities.map((capability) => elements(capability).item));
  // An element that was moved has lost the focus.
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

// MARK: Start

addTexts({ ...stateTexts, ...cardTexts, coming: questionTexts.coming, ...placesTexts, ...shopsWayTexts, ...wayTexts, ...orderWayTexts });
chooseLanguage();
startChoices(() => {
  chooseLanguage();
  draw();
});
document.addEventListener("visibilitychange", refresh);
addEventListener("online", refresh);
addEventListener("offline", () => {
  failure = "offline";
  draw();
});
addEventListener("storage", () => {
  load();
  draw();
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  ended.clear();
  refresh();
});
setInterval(() => {
  const time = performance.now();
  if (time - begun >= REFRESH && time >= notBefore) refresh();
  draw();
}, 1000);

forgetCodes();
load();
draw();
refresh().then(findForgotten);
// Later, as the worker fetches the page once more, and the first answers have a slow network for themselves.
setTimeout(keepPlacePage, 2000);
