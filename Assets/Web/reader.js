// A reader at a door or a check-out: idle, reading, answering for five seconds, idle [UC14, UC15].

import { age, call, clock, isNews, newKey, number, role, start } from "/web/device.js";
import { listenToScanner } from "/web/scanner.js";
import { bad, good } from "/web/sounds.js";
import { known, text } from "/web/words.js";

/** How long an answer is shown. */
const ANSWER = 5000;
/** How long the keypad stays without a touch. */
const TYPING = 30000;
/** Without an answer after this time customers are sent to the staff; the requirement is 3 seconds. */
const PATIENCE = 2600;
/** The same code sent again within this time after no answer is the same request. */
const UNRESOLVED = 60000;
/** A feed that is silent for this long is no connection. */
const SILENT = 15000;
const DIGITS = 10;

const path = role === "entrance" ? "/v1/entries" : "/v1/exits";
const part = (id) => document.getElementById(id);

let languages = ["en"];
let state = "starting";
let typed = "";
let timer;
let busy = false;
let unresolved = null;
let startedAt = 0;

// MARK: What is shown

/** A sentence in every language, the shop's own first and largest; `second` is under the first. */
function say(name, values = {}, second = null) {
  const lines = [];
  const add = (content, className = "") =>
    lines.push(Object.assign(document.createElement("p"), { textContent: content, className }));
  languages.slice(0, 3).forEach((language, index) => {
    const line = text(name, language, values);
    const more = second && text(second.name, language, second.values);
    if (index === 0) {
      add(line);
      if (more) add(more, "second");
    } else {
      add(more ? `${line}. ${more}` : line);
    }
  });
  part("words").replaceChildren(...lines);
}

/** The symbols in the hand of the machine's icons, as lines in a square of 24 units. */
const symbols = {
  reader: "M2.4 8V2.4H8M16 2.4H21.6V8M21.6 16V21.6H16M8 21.6H2.4V16M5.4 12H18.6",
  leave: "M3 12H16.4M11 6.6L16.4 12L11 17.4M21 4V20",
  reading: "M5 12H5.01M12 12H12.01M19 12H19.01",
  done: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM7.4 12.2L10.8 15.6L16.8 8.8",
  clock: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM12 6.6V12L15.8 14.4",
  cross: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM8.2 8.2L15.8 15.8M15.8 8.2L8.2 15.8",
  help: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM9 9.6a3 3 0 1 1 4.7 2.4c-1 .7-1.7 1.2-1.7 2.2M12 17.2H12.01",
};

function drawn(symbol) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  const lines = document.createElementNS(space, "path");
  lines.setAttribute("d", symbols[symbol]);
  drawing.append(lines);
  return drawing;
}

function enter(next, symbol, time) {
  state = next;
  part("reader").dataset.state = next;
  part("symbol").replaceChildren(drawn(symbol));
  part("keypad").hidden = next !== "typing";
  clearTimeout(timer);
  if (time) timer = setTimeout(idle, time);
  foot();
  fit();
}

/** Makes symbol and sentences smaller until all of them have room. */
function fit() {
  const words = part("words");
  for (let size = 1; size >= 0.5; size -= 0.05) {
    part("reader").style.setProperty("--fit", String(size));
    if (words.scrollHeight <= words.clientHeight + 2) break;
  }
}

function idle() {
  typed = "";
  say(`${role}Idle`);
  enter("idle", role === "turnstile" ? "leave" : "reader");
}

function foot() {
  const isAway = performance.now() - startedAt > SILENT && age() > SILENT;
  const language = languages[0];
  part("foot").classList.toggle("alarm", isAway);
  const lines = isAway ? [`${text("noConnection", language)}. ${text("askStaff", language)}`]
    : state === "idle" ? languages.slice(0, 3).map((words) => text("touch", words)) : [];
  if (part("foot").textContent === lines.join("")) return;
  part("foot").replaceChildren(...lines.map((line) =>
    Object.assign(document.createElement("span"), { textContent: line })));
}

function invite() {
  typed = "";
  say("type");
  showTyped();
  enter("typing", "reader", TYPING);
}

/** The digits in the groups of the paper, and a line in the place of each that is still to come. */
function showTyped() {
  part("typed").replaceChildren(...Array.from({ length: DIGITS }, (_, index) => [
    ...(index === 4 || index === 7 ? [" "] : []), typed[index] ?? document.createElement("i"),
  ]).flat());
}

function wake() {
  say("checking");
  enter("reading", "reading", PATIENCE * 2);
}

function accepted(answer) {
  const values = { number: number(answer.number) };
  // A called customer who came in with the crowd may leave; it is not known whether they ever came in.
  const isUnread = role !== "entrance" && answer.staySeconds === undefined;
  say(`${role}Yes`, values, isUnread ? { name: "notRead" } : role === "checkout" ? { name: "cashier" } : null);
  part("words").prepend(Object.assign(
    document.createElement("p"), { className: "number", textContent: values.number }));
  enter("yes", "done", ANSWER);
  good();
}

/** What is wrong and what to do next, by the problem of the contract; a typed code may have a next step of its own. */
const reasons = {
  missed: ["missed", "newOrStaff"], "closed-before-turn": ["closedBefore", "newOne"], inside: ["inside", "askStaff"],
  "already-used": ["used", "otherOne"], "already-deleted": ["deleted", "newOne"], "not-inside": ["notInside", "askStaff"],
  "other-shop": ["otherShop", "validThere"], "not-found": ["unknown", "otherOne", "checkDigits"],
  "unreadable-code": ["unreadable", "holdFlat", "checkDigits"], malformed: ["unreadable", "holdFlat", "checkDigits"],
  "too-large": ["unreadable", "holdFlat"], "too-many-requests": ["tooMany", "waitMinutes"], "shop-closed": ["shopClosed", "comeOpen"],
};

/** The day of a moment of the shop's clock, in the words of a language. */
const dayOf = (at) => (language) =>
  new Date(`${at.slice(0, 10)}T00:00:00Z`)
    .toLocaleDateString(language === "en" ? "en-GB" : language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** Shows a refusal, of which each says what to do next. */
export function refused(problem, isTyped = false) {
  const name = (problem.type ?? "").replace("urn:clup:problem:", "");
  if (name === "not-today") {
    const at = problem.wait.expected;
    say("otherDay", {}, { name: "otherDayWhen", values: { day: dayOf(at), time: clock(at) } });
    enter("wait", "clock", ANSWER);
  } else if (name === "not-yet-called") {
    const second = problem.wait
      ? { name: "notYetWhen", values: { time: clock(problem.wait.expected) } } : { name: "watch" };
    say("notYet", {}, second);
    enter("wait", "clock", ANSWER);
  } else if (reasons[name]) {
    const [reason, step, stepIfTyped = step] = reasons[name];
    say(reason, {}, { name: isTyped ? stepIfTyped : step });
    enter("no", "cross", ANSWER);
  } else {
    return askStaff();
  }
  part("reader").dataset.reason = name;
  bad();
}

function askStaff() {
  say("askStaff");
  enter("staff", "help", ANSWER);
  part("reader").dataset.reason = "no-answer";
  bad();
}

// MARK: Events

async function present(code) {
  // One at a time; a ticket that is still held there is read again.
  if (busy) return;
  busy = true;
  delete part("reader").dataset.reason;
  wake();
  // A request without an answer may have been carried out: sent again, it gets the same answer.
  const now = performance.now();
  const isAgain = unresolved?.code === code && now - unresolved.at < UNRESOLVED;
  const idempotencyKey = isAgain ? unresolved.key : newKey();
  const answer = await call("POST", path, { code }, { patience: PATIENCE, idempotencyKey });
  unresolved = answer ? null : { code, key: idempotencyKey, at: now };
  busy = false;
  if (!answer) return askStaff();
  if (answer.status === 200) accepted(answer.body);
  else refused(answer.body, code.length === DIGITS);
}

function press(key) {
  if (key === "delete") typed = typed.slice(0, -1);
  else if (typed.length < DIGITS) typed += key;
  showTyped();
  enter("typing", "reader", TYPING);
  if (typed.length === DIGITS) present(typed);
}

function makeKeypad() {
  for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "delete", "0"]) {
    const button = document.createElement("button");
    button.dataset.key = key;
    button.textContent = key === "delete" ? text("delete", languages[0]) : key;
    button.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      if (!busy) press(key);
    });
    part("keys").append(button);
  }
}

start((shop) => {
  languages = known(shop.languages);
  document.documentElement.lang = languages[0];
  document.title = `${shop.shopName}: ${role}`;
  part("shop").textContent = shop.shopName;
  startedAt = performance.now();
  if (part("keys").children.length) return;
  makeKeypad();
  idle();
  setInterval(foot, 1000);
  addEventListener("resize", fit);
  document.fonts.addEventListener("loadingdone", fit);
  const approach = () => { if (!busy && state !== "typing") invite(); };
  listenToScanner(() => { if (!busy) wake(); }, present, approach);
  addEventListener("pointerdown", approach);
}, isNews);
