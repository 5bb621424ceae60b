// The page of one place in the queue, which a customer opens with the code of their ticket.

import { forgetLock, stayAwake } from "./awake.js";
import { cardContent, sayOfPlace } from "./card.js";
import { drawChanges, forgetChanges, isFormOpen, known, startChanges } from "./change.js";
import { age, came, milliseconds, now, until } from "./clock.js";
import { drawEntry } from "./entry.js";
import { forget, remember, remembered } from "./memory.js";
import { ago } from "./moments.js";
import {
  addressLine, chooseLanguage, drawSymbol, inMinutes, keepPlacePage, language, onClick, part, people, readAloud,
  say, show, startChoices, threeDigits, timeOf,
} from "./page.js";
import { placeTexts, stateTexts } from "./place-words.js";
import { follow } from "./server.js";
import { entry, isWaiting, reservation, setEntry, setPaper, setView, STALE, view } from "./view.js";
import { addTexts } from "./words.js";

/** Views older than this are shown with the advice to watch the display. */
const LOST = 60000;
/** The screen stays on if the call may come within this time. */
const AWAKE = 600000;
/** How long the changes since the last look are shown. */
const CHANGES = 120000;
/** The range is read aloud again if the time to come in has moved by so much. */
const NOTICEABLE = 300000;
/** The part that opens a place with the code of its paper, and the pause before it is loaded again if that failed. */
const OPENING = "/opening.js";
const RETRY = 3000;
/** The letters of numbers in a capability (Crockford's base 32). */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const ways = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#minutes button"));

let capability = "";
let feed = null;
/** `asking`, `known`, `unknown` (to the server) or `none` (no capability). */
let link = "asking";
/** The code of a paper that has no answer yet. */
let code = "";
let isUnreachable = false;
/** The view of the last look, and when its changes were first shown. */
let lastLook = null;
let changesShown = 0;
/** Minutes of the way, and what is said about the position. */
let way = 0;
let wayWords = null;
let shownState = "";
let said = { words: "", from: 0 };
/** What is loaded apart, by its name; without it the page works all the same. */
const parts = {};

/** The address of the shop, whose parts may be missing. */
const addressOf = (one) => one && one.address || /** @type {any} */ ({});

// MARK: Views

function take(message, isAnswer) {
  // If the server's clock was set back, a view that is old by now is replaced all the same.
  const isLate = view && link === "known" && age() < STALE && milliseconds(message.reservation.now) < milliseconds(reservation.now);
  if (message.type !== "place") return;
  // The code, the key of notices and what is known of SMS come with an answer, and not with the messages of the socket. An
  // answer without them means that they are not offered any more.
  if (message.entry) {
    setEntry(message.entry);
    // Kept at once: the page may be hidden, or its view newer than the answer that has the code.
    remember(capability, { entry });
  }
  const { pushKey, sms } = isAnswer ? message : /** @type {any} */ ({ ...view });
  Object.assign(isLate ? view : message, { pushKey, sms });
  if (isLate) return;
  setView(message);
  loadParts();
  link = "known";
  isUnreachable = false;
  if (!document.hidden) remember(capability, { view, at: came.phone });
  draw();
}

function start() {
  if (feed) feed.end();
  feed = null;
  isUnreachable = false;
  if (!/asking|known/.test(link)) loadParts();
  if (link === "asking" || link === "known") {
    feed = follow(capability, {
      take,
      unknown() {
        feed.end();
        forget(capability);
        setView(null);
        link = "unknown";
        loadParts();
        draw();
      },
      unreachable() {
        isUnreachable = true;
        loadParts();
        draw();
      },
    });
  }
  draw();
}

/** Opens the place of the address; the last known view is shown before any answer, if it can be. */
function open(isKnown = true) {
  code = /** @type {any} */ (window).takeCode();
  // Programs that read mails and messages write more behind a link, or take a stop with it.
  [capability] = /^\w*/.exec(location.hash.slice(1).toUpperCase());
  lastLook = wayWords = null;
  setView(null);
  setEntry(null);
  setPaper(null);
  way = changesShown = 0;
  shownState = "";
  forgetChanges();
  link = code ? "asking" : !capability ? "none" : /^[0-9A-Z]{38}$/.test(capability) ? "asking" : "unknown";
  const former = isKnown && !code && link === "asking" && remembered(capability);
  try {
    if (former) {
      way = former.minutes || 0;
      setEntry(former.entry);
      setPaper(former.paper);
      const past = Date.now() - former.at;
      // The clock was set back: the age is not known.
      if (former.view) setView(former.view, { page: performance.now() - (past < 0 ? LOST : past), phone: former.at });
      lastLook = view;
    }
    choose();
    draw();
  } catch {
    // What is remembered is not of these pages.
    forget(capability);
    return open(false);
  }
  if (code) openWith(code);
  else start();
}

/** Opens the place of a paper's code, whose capability is then in the address. */
async function openWith(own) {
  const lost = () => {
    if (own === code) {
      isUnreachable = true;
      draw();
    }
    return own === code;
  };
  if (feed) feed.end();
  feed = null;
  const found = await import(OPENING).then(({ opening }) => opening(own, lost)).catch(() => {
    lost();
    setTimeout(() => { if (own === code) openWith(own); }, RETRY);
  });
  if (own !== code || found === undefined) return;
  code = "";
  if (!found) {
    link = "unknown";
    loadParts();
    return draw();
  }
  history.replaceState(null, "", `/t#${found.capability}`);
  open();
  setPaper(found.symbol);
}

/**
 * Loads the parts that the place needs after the first answer, which has a slow network for itself. If that fails, the next
 * view tries again.
 */
function loadParts() {
  const needed = {
    extras: true,
    ...(view && {
      notices: view.pushKey, sms: view.sms,
      question: view.onPhone && (reservation.visit || reservation.answerBy || !isWaiting()),
    }),
  };
  for (const name in needed) {
    if (needed[name] && !parts[name]) parts[name] = import(`/${name}.js`).catch(() => { parts[name] = null; });
  }
}

const choose = () => chooseLanguage(view && view.languages || []);

/** The number is a part of the capability: it is shown before the first answer. */
function numberOfLink() {
  let number = 0;
  for (const letter of capability.slice(8, 12)) number = number * 32 + LETTERS.indexOf(letter);
  return number;
}

// MARK: Drawing

/** What the card shows: its look, symbol and lines. */
function content() {
  if (link === "none") return { look: "calm", symbol: "scan", first: say("none"), hint: say("noneNow") };
  if (link === "unknown") return { look: "ended", symbol: "bad", first: say("unknown"), hint: sayOfPlace(entry ? "missedNow" : "unknownNow") };
  if (!view) return { look: "planned", range: say("moment") };
  return cardContent();
}

/** What has changed noticeably since the last look; empty if nothing has. */
function changes() {
  const wait = (one) => one && one.reservation.state === "planned" && one.reservation.wait;
  const [old, young] = [wait(lastLook), wait(view)];
  if (!old || !young || lastLook === view) return "";
  if (changesShown && performance.now() - changesShown > CHANGES) return "";
  const lines = [];
  const fewer = old.peopleAhead - young.peopleAhead;
  if (fewer) lines.push(say(fewer > 0 ? "fewer" : "more", { people: people(Math.abs(fewer)) }));
  const earlier = Math.round((milliseconds(old.earliest) - milliseconds(young.earliest)) / 60000);
  // A time that has come already is no later one.
  if (Math.abs(earlier) >= 2 && milliseconds(young.earliest) > now()) {
    lines.push(say(earlier > 0 ? "earlier" : "later", { minutes: inMinutes(Math.abs(earlier)) }));
  }
  if (!lines.length) return "";
  changesShown = changesShown || performance.now();
  return say("since", { time: timeOf(lastLook.reservation.now), changes: lines.join(", ") });
}

function drawCard() {
  const shown = content();
  const number = link === "none" || link === "unknown" || code ? ""
    : threeDigits(view ? reservation.number : numberOfLink());
  document.body.dataset.look = shown.look;
  document.body.dataset.kind = view ? reservation.kind : "";
  drawSymbol(shown.symbol);
  show("shop", view ? reservation.shopName : say("title"));
  show("label", number && say(view && reservation.kind === "visit" ? "yourVisit" : "yourNumber"));
  show("number", number);
  part("turn").hidden = !number;
  for (const line of ["first", "range", "second", "hint"]) show(line, shown[line] || "");
  show("address", addressLine(addressOf(view)));
  const isCalled = shown.look === "called";
  const title = number ? `${number} · ${isCalled ? shown.first : part("shop").textContent}` : say("title");
  document.title = isCalled && Math.floor(performance.now() / 1000) % 2 ? `● ${number}` : title;
  announce(shown, isCalled ? `${number}: ${shown.first} ${shown.range}. ${shown.hint}` : "");
}

/** Reads the call aloud at once, and the range when the time to come in has moved noticeably or has come. */
function announce(shown, call) {
  // A missed call that cannot be made good any more is another state.
  const state = view ? reservation.state + !until(reservation.reclaimBy) : link;
  if (part("alarm").textContent !== call) part("alarm").textContent = call;
  if (call && /planned/.test(shownState)) {
    if (!isFormOpen) scrollTo(0, 0);
    if (navigator.vibrate) navigator.vibrate([400, 200, 400, 200, 800]);
  }
  const words = call ? "" : [shown.first, shown.range, shown.hint].filter(Boolean).join(" ");
  const time = coming();
  const start = time ? milliseconds(time.from) : 0;
  const from = start > now() ? start : 0;
  if (words !== said.words && (state !== shownState || Math.abs(from - said.from) >= NOTICEABLE)) {
    said = { words, from };
    readAloud(words);
  }
  shownState = state;
}

function drawAge() {
  const isOffline = !navigator.onLine || isUnreachable;
  // What is over does not become old.
  const isOpen = view ? isWaiting() || until(reservation.reclaimBy) : link === "asking";
  const old = age();
  show("age", isOpen && view && old >= STALE ? say("old", { ago: ago(old, language) }) : "");
  const words = isOffline ? "offline" : old >= LOST ? "outOfDate" : "";
  const notice = isOpen && words ? say(words) : "";
  show("notice", notice && `${notice} ${say("watch")}`);
  show("since", view ? changes() : "");
}

// MARK: When to leave

/** When the customer may come in at the earliest, and at the latest; null if that is not known, or past. */
function coming() {
  const { state, wait, visit } = view ? reservation : /** @type {any} */ ({});
  if (state !== "planned") return null;
  return visit ? { from: visit.start, to: visit.end } : wait ? { from: wait.earliest, to: wait.latest } : null;
}

function drawLeave() {
  const time = coming();
  part("leave").hidden = !time;
  if (!time) return;
  for (const button of ways) {
    button.setAttribute("aria-pressed", String(way === Number(button.value)));
  }
  const { latitude } = addressOf(view);
  part("near").hidden = !navigator.geolocation || latitude === undefined;
  show("walk", wayWords ? wayWords() : "");
  const isNow = milliseconds(time.from) - way * 60000 <= now();
  // The time is not read aloud with each minute by which it moves.
  show("leaveAt", way && !isNow ? say("leaveAt", { time: timeOf(time.from, -way * 60000) }) : "");
  show("leaveNow", way && isNow ? say("leaveNow") : "");
}

function chooseWay(minutes, words = null) {
  way = minutes;
  wayWords = words;
  remember(capability, { minutes });
  draw();
  readAloud(part("leaveAt").textContent);
}

async function usePosition() {
  const here = capability;
  wayWords = () => say("moment");
  draw();
  try {
    const { minutesTo } = await parts.extras;
    const minutes = await minutesTo(view.address);
    if (here === capability) chooseWay(minutes, () => say("onFoot", { minutes: inMinutes(minutes) }));
  } catch {
    wayWords = () => say("noPosition");
    draw();
  }
}

// MARK: Screen

/** Whether a call is near, so that the screen stays on. */
function isNear() {
  const time = coming();
  return /called/.test(shownState) || !!time && milliseconds(time.from) - now() <= AWAKE;
}

function draw() {
  // A call is brought into sight once no form is open.
  drawChanges();
  drawCard();
  drawEntry();
  drawAge();
  drawLeave();
  for (const part of Object.values(parts)) if (part) part.then((one) => one && one.draw(capability, view, known(), way, addTexts));
  stayAwake(isNear());
}

// MARK: Start

addTexts({ ...stateTexts, ...placeTexts });
for (const button of ways) button.addEventListener("click", () => chooseWay(Number(button.value)));
startChoices(() => {
  choose();
  draw();
});
onClick("position", usePosition);
startChanges({
  capability: () => capability,
  askAgain: () => feed.askAgain(),
  draw,
  changed(isEnded) {
    // Without a network the end is shown all the same, since the server has made it.
    if (isEnded) setView({ ...view, reservation: { ...reservation, state: "deleted" } }, came);
    // What is new is read aloud at once.
    said.from = -Infinity;
    draw();
  },
});

const refresh = () => { if (feed && !document.hidden) feed.refresh(); };
document.addEventListener("visibilitychange", () => {
  forgetLock();
  if (document.hidden) {
    lastLook = view;
    changesShown = 0;
  }
  refresh();
  draw();
});
addEventListener("online", refresh);
addEventListener("offline", draw);
addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
addEventListener("hashchange", () => open());
setInterval(() => {
  if (feed) feed.tick();
  draw();
}, 1000);

open();
// Later, as the worker fetches the page once more, and the first answer has a slow network for itself.
setTimeout(keepPlacePage, 2000);
