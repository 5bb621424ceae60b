// The page at a desk: the orders whose customers are here, and what an assistant does with each (rules: order-desks).

import { keepAwake } from "/web/awake.js";
import { age, call, clock, isNews, milliseconds, newKey, start } from "/web/device.js";
import { setLanguage, showHelp, takeHelp } from "/web/help.js";
import { DIGITS, makeKeypad, showTyped, typedAfter } from "/web/keypad.js";
import { offerLanguages, renewLanguages } from "/web/language.js";
import { counted, drawn, element, put } from "/web/parts.js";
import { listenToScanner } from "/web/scanner.js";
import { arrival, bad, good, isAudible } from "/web/sounds.js";
import { dayOf, known, text } from "/web/words.js";

/** Messages come every second: after so long without one the page is not connected. */
const LOST = 3000;
/** So long a button tries to reach the backend, and so long each of its requests waits for an answer. */
const TRY = 10000;
const ATTEMPT = 1500;
/** How long it is shown that a button did not work. */
const FAILURE = 15000;
/** An order that has just moved takes no touch: it was meant for what was there before. */
const AT_REST = 700;
/** So long the hand-over of an order that left the page can be taken back. */
const UNDO = 10000;
/** So long the second touch may take with which a step is confirmed. */
const CONFIRM = 5000;
/** So long the answer to a code is shown. */
const ANSWER = 15000;
/** The same code that is sent again within this time after no answer is the same request. */
const UNRESOLVED = 60000;
/** So often the buttons and times are drawn. */
const DRAW = 250;

const part = (id) => document.getElementById(id);

let news = null;
let language = "en";
let startedAt = performance.now();
/** The orders whose customers were here at the last message. */
let present = null;
/** The orders of the last answers, and when these came: a message may be older. */
const answered = new Map();
/** What was pressed and has no answer yet, as `ID STEP`. */
const pending = new Set();
/** Why a button did not work, and when, by the order's id. */
const failures = new Map();
/** The step that needs a second touch, as `ID STEP`, since when and until when. */
let confirming = { name: "", since: 0, until: 0 };
/** The card of each order: its element, where it is, and since when. */
const cards = new Map();
let answer = null;
let unresolved = null;
let isBusy = false;
let typed = "";

/** The shop's time in milliseconds. */
const now = () => milliseconds(news.now) + age("desk");

// MARK: Which desk this is

const DESK = "clup-desk";

/** The number of this desk; null if it is not known, or if the shop has no such desk any more. */
function ownDesk() {
  if (!news) return null;
  if (news.desks === 1) return 1;
  try {
    const kept = Number(localStorage.getItem(DESK));
    return kept >= 1 && kept <= news.desks ? kept : null;
  } catch {
    return null;
  }
}

function chooseDesk() {
  const buttons = Array.from({ length: news.desks }, (_, index) => {
    const button = element("button", { type: "button", textContent: String(index + 1) });
    button.addEventListener("click", () => {
      try { localStorage.setItem(DESK, String(index + 1)); } catch { /* it is asked for again */ }
      part("choose").hidden = true;
      draw();
    });
    return button;
  });
  part("choose").querySelector("h2").textContent = text("whichDesk", language);
  part("choose").querySelector("div").replaceChildren(...buttons);
  part("choose").hidden = false;
}

// MARK: Orders

/** The steps of a card: their words, and whether a second touch confirms them; `others` on the card of another desk. */
const steps = {
  "fetch": { words: "iFetch" },
  "ready": { words: "readyHere" },
  "not-found": { words: "notFoundHere" },
  "release": { words: "giveBack", others: { words: "deskDoesNotFetch", isConfirmed: true } },
  "put-back": { words: "putBack", isConfirmed: true },
  "hand-over": { words: "handOverAnyway", isConfirmed: true },
  "undo": { words: "undo" },
};

const number = ({ number: value }) => `C-${String(value).padStart(3, "0")}`;
const isOwn = ({ desk }) => desk === ownDesk();
const stepOf = (step, order) => (order && !isOwn(order) && steps[step].others) || steps[step];

/** The steps that an assistant at this desk may take, the one that usually comes next in front. */
function stepsOf(order) {
  const own = isOwn(order);
  const undo = own && order.undoBy && now() < milliseconds(order.undoBy) ? ["undo"] : [];
  switch (order.state) {
    case "arrived": return ["fetch", "put-back"];
    case "not-found": return ["fetch", "put-back", ...undo];
    case "fetching": return own ? ["ready", "not-found", "release"] : ["release"];
    case "called": return own ? ["hand-over", "put-back", ...undo] : ["put-back"];
    default: return [];
  }
}

/** In which column an order is. */
const columnOf = ({ state }) => state === "fetching" || state === "called" ? state : "waiting";

/** What is said of an order besides its number and parcels; empty while it waits to be fetched. */
function wordsOf(order) {
  const values = { desk: String(order.desk), time: clock(order.since) };
  switch (order.state) {
    case "fetching": return isOwn(order) ? text("youFetch", language) : text("deskFetches", language, values);
    case "not-found": return text("notFoundBy", language, values);
    case "called": return text(order.waitsForPlace ? "waitsForPlace" : "calledTo", language, values);
    default: return "";
  }
}

function makeCard({ id }) {
  const button = (step) => {
    const made = element("button", { type: "button", className: `order-${step}` });
    made.addEventListener("click", () => press(id, step));
    return made;
  };
  const made = element("article", { className: "order" },
    element("h3", { className: "order-number" }), element("p", { className: "order-time" }),
    element("p", { className: "order-name" }), element("ul", { className: "order-parcels" }),
    element("p", { className: "order-words" }),
    element("div", { className: "order-steps" }, ...Object.keys(steps).map(button)),
    element("p", { className: "order-failure", role: "alert" }));
  made.dataset.order = id;
  return made;
}

function drawCard(made, order) {
  const { id, state, arrived, reference, parcels } = order;
  made.dataset.state = state;
  made.dataset.own = String(isOwn(order));
  put(made, ".order-number", number(order));
  put(made, ".order-time", counted(Math.max(0, now() - milliseconds(arrived)), language));
  put(made, ".order-name", reference);
  const list = made.querySelector(".order-parcels");
  const content = JSON.stringify([parcels, language]);
  if (list.dataset.content !== content) {
    list.dataset.content = content;
    list.replaceChildren(...parcels.map(({ size, shelf }) => element("li", {},
      element("b", { textContent: shelf ?? "?" }), element("span", { textContent: text(size, language) }))));
  }
  put(made, ".order-words", wordsOf(order), wordsOf(order) !== "");
  const shown = stepsOf(order);
  for (const step of Object.keys(steps)) {
    const { words } = stepOf(step, order);
    const name = `${id} ${step}`;
    const isPending = pending.has(name);
    const isAsked = confirming.name === name && performance.now() < confirming.until;
    const caption = isPending ? "checking" : isAsked ? "touchAgain" : words;
    put(made, `.order-${step}`, text(caption, language, { desk: String(step === "release" ? order.desk : ownDesk()) }), shown.includes(step));
    const button = made.querySelector(`.order-${step}`);
    button.classList.toggle("main", step === shown[0] && step !== "hand-over" && step !== "release" && step !== "put-back");
    button.classList.toggle("pending", isPending);
    button.classList.toggle("asked", isAsked);
  }
  const failure = failures.get(id);
  const failed = failure && performance.now() - failure.at < FAILURE;
  put(made, ".order-failure", failed ? text(failure.words, language) : "", Boolean(failed));
}

function drawOrders() {
  const orders = ownDesk() === null ? [] : news.orders;
  for (const [id, { made }] of cards) {
    if (orders.some((one) => one.id === id)) continue;
    made.remove();
    cards.delete(id);
    failures.delete(id);
  }
  for (const column of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".column"))) {
    const name = column.dataset.column;
    const own = orders.filter((one) => columnOf(one) === name);
    // What this desk fetches is what its assistant works on.
    const shown = name === "fetching" ? [...own.filter(isOwn), ...own.filter((one) => !isOwn(one))] : own;
    column.querySelector("h2").textContent = `${text(`${name}Orders`, language)} ${own.length || ""}`.trim();
    column.classList.toggle("empty", own.length === 0);
    const list = column.querySelector("div");
    for (const one of shown) {
      if (!cards.has(one.id)) cards.set(one.id, { made: makeCard(one), place: null, movedAt: 0 });
      drawCard(cards.get(one.id).made, one);
    }
    const wanted = shown.map(({ id }) => cards.get(id).made);
    if ([...list.children].some((made, index) => made !== wanted[index]) || list.children.length !== wanted.length) {
      list.replaceChildren(...wanted);
    }
  }
  for (const card of cards.values()) {
    // Another state has other buttons in the same place.
    const place = `${card.made.dataset.state} ${card.made.offsetLeft} ${card.made.offsetTop}`;
    if (place === card.place) continue;
    card.place = place;
    card.movedAt = performance.now();
  }
}

// MARK: Steps

async function press(id, step) {
  const name = `${id} ${step}`;
  if (pending.has(name) || performance.now() - (cards.get(id)?.movedAt ?? Infinity) < AT_REST) return;
  const order = news.orders.find((one) => one.id === id);
  const time = performance.now();
  const isAsked = confirming.name === name && time < confirming.until;
  if (stepOf(step, order).isConfirmed && !isAsked) {
    confirming = { name, since: time, until: time + CONFIRM };
    return draw();
  }
  // The second of two quick touches was meant as the first.
  if (isAsked && time - confirming.since < AT_REST) return;
  confirming = { name: "", since: 0, until: 0 };
  pending.add(name);
  failures.delete(id);
  draw();
  const outcome = await take(id, step);
  pending.delete(name);
  if (outcome === true) {
    if (step === "hand-over" && order) say("handedOver", order, { undo: id });
  } else {
    failures.set(id, { at: performance.now(), words: outcome });
  }
  draw();
}

/** Takes a step with an order; resolves to true, or to the words for what went wrong. */
async function take(id, step) {
  const reply = await call("POST", `/v1/desk/orders/${id}/state`, { step, desk: ownDesk() },
    { patience: TRY, attempt: ATTEMPT, idempotencyKey: newKey() });
  if (!reply) return "didNotWork";
  if (reply.status === 409) return "otherDeskWasFaster";
  if (reply.status >= 300) return reply.status === 429 ? "waitMinutes" : "didNotWork";
  takeOrder(reply.body);
  // Another page of the same desk had begun to fetch it.
  return step === "fetch" && reply.status === 200 ? "otherDeskWasFaster" : true;
}

/** Shows an order as an answer has it, which may be newer than the next message. */
function takeOrder(order) {
  answered.set(order.id, { order, at: performance.now() });
  news = { ...news, orders: further(news.orders) };
}

/** The orders of a message, each as it is by the last answer if that is newer. */
function further(orders) {
  const isHere = ({ number: value, state }) => value !== undefined && state !== "handed-over";
  for (const [id, { at }] of answered) if (performance.now() - at > LOST) answered.delete(id);
  const newer = [...answered.values()].map(({ order }) => order).filter((order) => {
    const other = orders.find(({ id }) => id === order.id);
    return !other || milliseconds(other.since) < milliseconds(order.since);
  });
  const rest = orders.map((one) => newer.find(({ id }) => id === one.id) ?? one);
  return [...rest, ...newer.filter(({ id }) => !orders.some((one) => one.id === id))].filter(isHere);
}

// MARK: Codes

/**
 * Shows an answer to a code: its words, an order, what can be done next, and whether it is good or bad.
 *
 * @param {string} words
 * @param {any} [order]
 * @param {{ undo?: string, registered?: { id: string, code: string }, values?: object, kind?: string }} more
 */
function say(words, order, more = {}) {
  const { undo, registered, values = {}, kind = "yes" } = more;
  const desk = order?.desk === undefined ? "" : String(order.desk);
  answer = {
    words, values: { desk, time: order ? clock(order.since) : "", ...values }, undo, registered, kind,
    title: order?.number ? number(order) : order?.reference ?? "", until: performance.now() + (undo ? UNDO : ANSWER),
  };
  if (kind === "yes") good();
  else bad();
  draw();
}

/** What is said of an order that was not handed over, by its state. */
function sayWhy(order, code) {
  const isReady = order.state === "on-shelf" || order.ready;
  if (order.state === "promised" && !isReady) {
    const values = { day: dayOf(order.promised), time: clock(order.promised) };
    return say("orderLater", order, { kind: "wait", values });
  }
  if (isReady) return say("notHereYet", order, { kind: "wait", registered: { id: order.id, code } });
  const words = {
    "arrived": "mustBeFetched", "not-found": "notFoundBy", "fetching": "deskFetches", "called": "isAtDesk",
    "handed-over": "handedOverBefore", "cancelled": "orderCancelled", "expired": "orderExpired",
  }[order.state];
  say(words ?? "didNotWork", order, { kind: ["arrived", "fetching", "called"].includes(order.state) ? "wait" : "no" });
}

/** What is wrong with a code, by the problem of the contract. */
const reasons = {
  "other-shop": "otherShop", "not-found": "unknown", "unreadable-code": "noOrderCode", "malformed": "noOrderCode",
  "too-many-requests": "tooMany", "shop-closed": "shopClosed", "unsupported-kind": "noDesk",
};

function sayRefusal({ type = "" }) {
  say(reasons[type.replace("urn:clup:problem:", "")] ?? "didNotWork", null, { kind: "no" });
}

function sayToWait() {
  answer = { words: "checking", values: {}, kind: "wait", title: "", until: performance.now() + TRY };
  draw();
}

/** A customer shows a code at this desk. */
async function show(code) {
  if (isBusy || ownDesk() === null) return;
  isBusy = true;
  closeKeypad();
  sayToWait();
  // A request without an answer may have been carried out: sent again, it gets the same answer.
  const at = performance.now();
  const isAgain = unresolved?.code === code && at - unresolved.at < UNRESOLVED;
  const idempotencyKey = isAgain ? unresolved.key : newKey();
  const reply = await call("POST", "/v1/desk/handovers", { code, desk: ownDesk() },
    { patience: TRY, attempt: ATTEMPT, idempotencyKey });
  unresolved = reply ? null : { code, key: idempotencyKey, at };
  isBusy = false;
  if (!reply) return say("didNotWork", null, { kind: "no" });
  if (reply.status >= 300) return sayRefusal(reply.body);
  takeOrder(reply.body);
  if (reply.status === 201) say("handedOver", reply.body, { undo: reply.body.id });
  else sayWhy(reply.body, code);
}

/** The customer came to the desk without having registered at the machine: does that here. */
async function register({ id, code }) {
  isBusy = true;
  sayToWait();
  const reply = await call("POST", `/v1/orders/${id}/arrival`, { code },
    { patience: TRY, attempt: ATTEMPT, idempotencyKey: newKey() });
  isBusy = false;
  if (!reply) return say("didNotWork", null, { kind: "no" });
  if (reply.status >= 300) return sayRefusal(reply.body);
  if (reply.body.number !== undefined) say("isRegistered", reply.body);
  else sayWhy(reply.body, code);
}

async function act() {
  const { undo, registered } = answer ?? {};
  answer = null;
  draw();
  if (registered) return register(registered);
  if (!undo) return;
  const undone = await take(undo, "undo");
  if (undone === true) draw();
  else say(undone, null, { kind: "no" });
}

function drawAnswer() {
  if (answer && performance.now() > answer.until) answer = null;
  part("answer").hidden = answer === null;
  part("scan").hidden = answer !== null || ownDesk() === null;
  if (!answer) return;
  part("answer").dataset.kind = answer.kind;
  put(part("answer"), "h2", answer.title, answer.title !== "");
  put(part("answer"), "p", text(answer.words, language, answer.values));
  part("answer-act").textContent =
    text(answer.undo ? "undo" : answer.registered ? "customerIsHere" : "close", language);
}

function closeKeypad() {
  part("keypad").hidden = true;
  typed = "";
}

function openKeypad() {
  typed = "";
  part("keypad-words").textContent = text("typeOrderCode", language);
  part("keypad-close").textContent = text("close", language);
  showTyped(part("typed"), typed);
  part("keypad").hidden = false;
}

function pressKey(key) {
  typed = typedAfter(typed, key);
  showTyped(part("typed"), typed);
  if (typed.length === DIGITS) show(typed);
}

// MARK: Drawing

function draw() {
  const old = news ? age("desk") : performance.now() - startedAt;
  part("old").hidden = old <= LOST;
  if (!part("old").hidden) {
    // The seconds, which are not read aloud, are beside what is.
    put(part("old"), "[role]", `${text("noConnection", language)}${news ? ". " : ""}`);
    put(part("old"), "[role] + span", news ? text("old", language, { seconds: Math.floor(old / 1000) }) : "");
  }
  if (!news) return;
  const desk = ownDesk();
  part("clock").textContent = clock(news.now, { later: old });
  part("own").hidden = desk === null || news.desks === 1;
  part("own").textContent = text("desk", language, { desk: String(desk) });
  if (desk === null && news.desks > 0 && part("choose").hidden) chooseDesk();
  put(part("scan"), "#scan-words", text("scanToHandOver", language));
  put(part("scan"), "#type", text("typeDigits", language));
  drawAnswer();
  drawOrders();
  const isCalm = news.orders.length === 0;
  part("columns").hidden = isCalm;
  part("calm").hidden = !isCalm;
  const calm = text(news.desks === 0 ? "noDesk" : "noneWaitsForOrder", language);
  if (part("calm").lastElementChild?.textContent !== calm) {
    part("calm").replaceChildren(drawn("done"), element("span", { textContent: calm }));
  }
  const more = news.here - news.orders.length;
  part("further").hidden = more <= 0;
  part("further").textContent = text("moreHere", language, { count: String(more) });
}

function speak(chosen) {
  language = chosen;
  setLanguage(language);
  draw();
}

function takeMessage(message) {
  takeHelp(message);
  if (isNews(message)) {
    part("shop").textContent = message.shopName;
    renewLanguages(known(message.languages));
  }
  if (!isNews(message, "desk")) return;
  const before = present;
  const asOf = news ? milliseconds(news.now) - LOST : 0;
  news = { ...message, orders: further(message.orders) };
  present = new Set(message.orders.map(({ id }) => id));
  if (before && news.orders.some(({ id, state, arrived }) => state === "arrived" && !before.has(id) && milliseconds(arrived) > asOf)) {
    if (isAudible()) arrival();
    navigator.vibrate?.([200, 100, 200]);
  }
  draw();
}

start((shop) => {
  const languages = known(shop.languages);
  document.title = `${shop.shopName}: desk`;
  part("shop").textContent = shop.shopName;
  part("desk").hidden = false;
  startedAt = performance.now();
  if (part("keys").children.length) return;
  showHelp(part("help"), shop, languages[0]);
  offerLanguages(part("languages"), languages, speak);
  makeKeypad(part("keys"), text("delete", languages[0]), pressKey);
  part("own").addEventListener("click", chooseDesk);
  part("type").addEventListener("click", openKeypad);
  part("keypad-close").addEventListener("click", closeKeypad);
  part("answer-act").addEventListener("click", act);
  listenToScanner(() => {}, show, () => {});
  setInterval(draw, DRAW);
  keepAwake();
}, takeMessage);
