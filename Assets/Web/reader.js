// A reader at a door or a check-out: idle, reading, answering for five seconds, idle [UC14, UC15].

import { age, call, clock, isNews, newKey, number, role, showsHelp, start } from "/web/device.js";
import { showHelp, takeHelp } from "/web/help.js";
import { DIGITS, makeKeypad, showTyped, typedAfter } from "/web/keypad.js";
import { drawn, element } from "/web/parts.js";
import { listenToScanner } from "/web/scanner.js";
import { bad, good } from "/web/sounds.js";
import { dayOf, known, text } from "/web/words.js";

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
    lines.push(element("p", { textContent: content, className }));
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
  part("foot").replaceChildren(...lines.map((line) => element("span", { textContent: line })));
}

function invite() {
  typed = "";
  say("type");
  showTyped(part("typed"), typed);
  enter("typing", "reader", TYPING);
}

function wake() {
  say("checking");
  enter("reading", "reading", PATIENCE * 2);
}

function accepted(answer) {
  // An answer about an order that is collected names it.
  const isOrder = answer.order !== undefined;
  const values = { number: isOrder ? `C-${number(answer.number)}` : number(answer.number) };
  // A called customer who came in with the crowd may leave; it is not known whether they ever came in.
  const isUnread = !isOrder && role !== "entrance" && answer.staySeconds === undefined;
  const toDesk = isOrder && role === "entrance" && { name: "goToDesk", values: { desk: String(answer.desk) } };
  say(`${role}Yes`, values, toDesk || (isUnread ? { name: "notRead" } : role === "checkout" ? { name: "cashier" } : null));
  part("words").prepend(element("p", { className: isOrder ? "number order" : "number", textContent: values.number }));
  enter("yes", "done", ANSWER);
  good();
}

/** What is wrong and what to do next, by the problem of the contract; a typed code may have a next step of its own. */
const reasons = {
  missed: ["missed", "newOrStaff"], "closed-before-turn": ["closedBefore", "newOne"], inside: ["inside", "askStaff"],
  "already-used": ["used", "otherOne"], "already-deleted": ["deleted", "newOne"], "not-inside": ["notInside", "askStaff"],
  "other-shop": ["otherShop", "validThere"], "not-found": ["unknown", "otherOne", "checkDigits"],
  "unreadable-code": ["unreadable", "holdFlat", "checkDigits"], malformed: ["unreadable", "holdFlat", "checkDigits"],
  "symbol-for-phones": ["forPhones", "largeSymbol"], "symbol-for-calendars": ["forCalendars", "largeSymbol"],
  "too-large": ["unreadable", "holdFlat"], "too-many-requests": ["tooMany", "waitMinutes"], "shop-closed": ["shopClosed", "comeOpen"],
  "order-not-called": ["orderNotCalled", "showAtMachine"],
};

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
  if (busy) return;
  typed = typedAfter(typed, key);
  showTyped(part("typed"), typed);
  enter("typing", "reader", TYPING);
  if (typed.length === DIGITS) present(typed);
}

/** A touch on a call for help is no customer's. */
function startHelp(shop) {
  const help = part("help");
  help.hidden = false;
  help.addEventListener("pointerdown", (event) => event.stopPropagation());
  showHelp(help, shop, languages[0]);
}

start((shop) => {
  languages = known(shop.languages);
  document.documentElement.lang = languages[0];
  document.title = `${shop.shopName}: ${role}`;
  part("shop").textContent = shop.shopName;
  startedAt = performance.now();
  if (part("keys").children.length) return;
  makeKeypad(part("keys"), text("delete", languages[0]), press);
  idle();
  setInterval(foot, 1000);
  // The band of a call for help takes a part of the screen.
  new ResizeObserver(fit).observe(part("reader"));
  document.fonts.addEventListener("loadingdone", fit);
  const approach = () => { if (!busy && state !== "typing") invite(); };
  listenToScanner(() => { if (!busy) wake(); }, present, approach);
  addEventListener("pointerdown", approach);
  if (showsHelp) startHelp(shop);
}, (message) => {
  isNews(message);
  if (showsHelp) takeHelp(message);
});
