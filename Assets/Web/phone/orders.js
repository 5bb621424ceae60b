// The page of orders that a customer collects (rules: order-pages): the list of those that this phone knows
// [Click-And-Collect UC13], one of them with its code and state [Click-And-Collect UC8, Click-And-Collect UC11], and,
// loaded apart, the question whether the customer is at the door. The address of an order has its capability, which
// shows it and no more; the code is taken out of the address and kept with the order.

import { forgetLock, stayAwake } from "./awake.js";
import { OLD, age, cameAt, milliseconds, setClock } from "./clock.js";
import { places } from "./memory.js";
import { ago } from "./moments.js";
import { isCapability, isCode, numberInWords, tagOf } from "./order-code.js";
import { orderContent, parcelsInWords, promisedInWords } from "./order-content.js";
import { forget, forgetCodes, isOpen, orders, remember, remembered } from "./order-memory.js";
import { orderTexts, orderWayTexts } from "./order-words.js";
import {
  addressLine, chooseLanguage, drawSymbol, keepPage, language, onClick, part, range, readAloud, say, show, startChoices,
} from "./page.js";
import { ageTexts } from "./place-words.js";
import { wayTexts } from "./places-words.js";
import { call } from "./server.js";
import { drawModules, grouped } from "./symbol.js";
import { showText } from "./text.js";
import { addTexts } from "./words.js";

/** How often an order is asked for while its customer is in the shop, and otherwise. */
const OFTEN = 5000;
const SELDOM = 30000;
/** For so long after it was scanned the door's symbol shows that the customer is here: as long as the server takes it. */
const DOOR = 180000;
const isHere = ({ state }) => /^(arrived|fetching|called|not-found)$/.test(state);

/** The part that asks whether the customer is at the door, and the pause before it is loaded again if that failed. */
const ARRIVAL = "/arrival.js";
const RETRY = 3000;

/**
 * The name of the order that is shown: its capability, or the code with which the page was opened until there is an answer.
 * Empty for the list.
 */
let shown = "";
/** The text of the door's symbol, and when the page was opened with it. */
let door = { invitation: "", at: -Infinity };
/** Whether that symbol is also for joining the queue: the page for joining has led here. */
let mayQueue = false;
/** The orders by their names, each with the moments at which its view `came`. */
const known = new Map();
/** The names that neither the server nor this phone knows. */
const unknown = new Set();
/** Whether a refresh is under way, when the last one began, when the next may, and the name of the text for what went wrong. */
let isAsking = false;
let begun = -Infinity;
let notBefore = 0;
let failure = "";
/** Whether the order of the page is asked to be removed. */
let isRemoving = false;
/** Whether the page was opened with a link that has no code: a mail program has cut it off. */
let isCut = false;
/** The name of the text that says why no order was found by its name and digits. */
let mistake = "";
/** The state that was read aloud last. */
let said = "";
/** The parts that offer notices, and that ask whether the customer is at the door, which are loaded apart. */
let notices = null;
let arrival = null;

// MARK: The orders

/** Whether an order can be collected, as far as is known. */
const isCollectable = ({ view, isUnknown }) => isOpen(view.order) && !isUnknown;

/** Reads what the phone remembers, which other windows change too; a phone that keeps nothing has what this page knows. */
function load() {
  const kept = new Map(orders().map((one) => [one.name, one]));
  for (const [name, one] of known) if (one.isKept && !kept.has(name) && name !== shown) known.delete(name);
  for (const [name, one] of kept) {
    const last = known.get(name);
    if (!last || last.at < one.at) known.set(name, { ...one, isKept: true, asked: -Infinity, came: cameAt(one.at) });
  }
}

/**
 * Takes the server's answer about an order, to a call that was begun at a moment of the page; says why there is none, by
 * the name of a text. An answer that was overtaken by a newer one changes nothing.
 */
function take(name, answer, asked) {
  const { status, body, retryAfter } = answer || { status: 0, body: null, retryAfter: 0 };
  const last = known.get(name);
  if (last ? last.asked > asked : name !== shown) return "";
  // Any other refusal may come from what is before the server.
  const isUnknown = status === 404 && /:not-found$/.test(body && body.type);
  if (isUnknown && !last) unknown.add(name);
  else if (isUnknown) keep(name, { ...last, isUnknown, asked });
  if (status !== 200 && !isUnknown) {
    if (status === 429 || status >= 500) notBefore = performance.now() + retryAfter;
    return status === 429 ? "tooMany" : status ? "didNotWork" : "offline";
  }
  if (isUnknown) return "";
  const moments = { page: performance.now(), phone: Date.now() };
  unknown.delete(name);
  const isShown = name === shown;
  const own = body.capability && body.capability !== name ? rename(name, body.capability) : name;
  keep(own, { ...last, ...known.get(own), view: body, isUnknown: false, at: moments.phone, came: moments, asked });
  if (!last && isShown) chooseLanguage(body.languages);
  if (last && last.view.order.state !== "called" && body.order.state === "called") announce(body.order);
  return "";
}

/** Keeps an entry, also in the phone's memory. */
function keep(name, entry) {
  const { view, isUnknown, at, code, notices } = entry;
  remember(name, { view, isUnknown, at, ...code && { code }, ...notices && { notices } });
  known.set(name, { ...entry, name, isKept: entry.isKept || !!remembered(name) });
}

/** An order that was opened with its code has the name by which all pages know it, also in the address; returns that. */
function rename(code, capability) {
  known.set(capability, { ...known.get(code), ...known.get(capability), code });
  known.delete(code);
  forget(code);
  if (shown === code) {
    shown = capability;
    history.replaceState(null, "", `${location.pathname}#${capability}`);
  }
  return capability;
}

function announce({ shopName, number, desk }) {
  if (navigator.vibrate) navigator.vibrate([400, 200, 400]);
  readAloud(`${shopName}, ${numberInWords(number)}: ${say("called", { n: desk })}`);
}

/** Asks for the shown order, or for all that can be collected; after one that is not answered the others wait. */
async function refresh() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  begun = performance.now();
  load();
  let found = "";
  // Those that older pages named by their codes get their names.
  const wanted = shown ? [shown]
    : [...known.values()].filter((one) => isCollectable(one) || isCode(one.name)).map((one) => one.name);
  for (const name of wanted) {
    found = await ask(name);
    if (found || document.hidden) break;
  }
  failure = found;
  isAsking = false;
  draw();
}

async function ask(name) {
  const asked = performance.now();
  const code = codeOf(name);
  return take(name, await call("order", code ? { code } : { capability: name }).catch(() => null), asked);
}

/** The code of an order, if this phone has it. */
const codeOf = (name) => isCode(name) ? name : (known.get(name) || /** @type {any} */ ({})).code;

/** Those of the door's shop that this phone can collect and whose customers have not said to be here. */
function collectable() {
  const tag = door.invitation.slice(0, 4);
  return [...known.values()].filter((one) =>
    tagOf(one.name) === tag && codeOf(one.name) && isCollectable(one) && !isHere(one.view.order));
}

const isAtDoor = () => performance.now() - door.at < DOOR;

// MARK: An order whose link was cut off

/** Opens the order with the typed name and ten digits. */
async function find() {
  const reference = input("reference").value.trim().replace(/^#\s*/, "");
  const typedCode = input("digits").value.replace(/\D/g, "");
  if (!reference || typedCode.length !== 10) return explain("findWrong");
  const { status, body } = await call("order", { reference, typedCode }).catch(() => ({ status: 0, body: null }));
  if (status !== 200) return explain(status === 404 ? "findWrong" : status ? "didNotWork" : "offline");
  const moments = { page: performance.now(), phone: Date.now() };
  const { ticket } = body.order;
  keep(body.capability, {
    view: body, isUnknown: false, at: moments.phone, came: moments, asked: moments.page, ...ticket && { code: ticket.code },
  });
  location.hash = body.capability;
}

const input = (id) => /** @type {HTMLInputElement} */ (part(id));

function explain(name) {
  mistake = name;
  draw();
  part("findError").focus();
}

// MARK: The door

function leaveDoor() { door = { invitation: "", at: -Infinity }; }

/** Loads the part that asks whether the customer is here. */
function loadArrival() {
  if (arrival || !isAtDoor()) return;
  import(ARRIVAL).then((made) => {
    if (arrival) return;
    arrival = made;
    arrival.start({
      addTexts, askAgain, arrived, codeOf, door: () => door, draw, isAtDoor, isHere, isOpen, leaveDoor, onClick, parcelsInWords, part,
      range, say, show, shown: () => shown,
    });
    draw();
  }).catch(() => setTimeout(loadArrival, RETRY));
}

/** Takes the answer to the arrival, which has the order as it is then. */
function arrived(name, order) {
  const last = known.get(name);
  if (!last) return;
  const { ticket } = last.view.order;
  take(name, { status: 200, body: { ...last.view, order: { ...last.view.order, ...order, ticket } } }, performance.now());
}

async function askAgain(name) {
  failure = await ask(name);
  draw();
}

// MARK: Drawing

/** The name of a place of the list, by the state of its order. */
const listOf = (one) => !isCollectable(one) ? "over" : isHere(one.view.order) ? "busy" : "open";

function item(one) {
  const { name, view, came } = one;
  const { order } = view;
  setClock(order.now, came);
  const lines = /** @type {any} */ (orderContent(one));
  const element = document.createElement("li");
  element.dataset.look = lines.look;
  element.innerHTML = `<a><h3></h3><span class="number"></span><span class="shop"></span><span class="first"></span>
    <span class="when"></span><span class="parcels"></span><span class="age"></span></a>`;
  const fill = (part, words) => showText(element.querySelector(part), words);
  /** @type {HTMLAnchorElement} */ (element.querySelector("a")).href = `#${name}`;
  fill("h3", say("order", { reference: order.reference }));
  fill(".number", isHere(order) ? numberInWords(order.number) : "");
  fill(".shop", [order.shopName, addressLine({ street: "", town: (view.address || {}).town })].filter(Boolean).join(", "));
  fill(".first", lines.first || lines.range);
  fill(".when", lines.first ? lines.range || "" : "");
  fill(".parcels", parcelsInWords(order.parcels));
  fill(".age", isCollectable(one) && age() >= OLD ? say("old", { ago: ago(age(), language) }) : "");
  return element;
}

function drawList() {
  const all = [...known.values()];
  for (const name of ["busy", "open", "over"]) {
    const own = all.filter((one) => listOf(one) === name).sort(({ view: one }, { view: other }) =>
      name === "over" ? milliseconds(other.order.since) - milliseconds(one.order.since)
        : Number(other.order.state === "called") - Number(one.order.state === "called")
          || milliseconds(one.order.promised) - milliseconds(other.order.promised)
          || one.order.reference.localeCompare(other.order.reference));
    const focused = document.activeElement && document.activeElement.getAttribute("href");
    const made = own.map(item);
    if (made.map(({ outerHTML }) => outerHTML).join() !== [...part(name).children].map(({ outerHTML }) => outerHTML).join()) {
      part(name).replaceChildren(...made);
      const again = focused && part(name).querySelector(`[href="${CSS.escape(focused)}"]`);
      if (again) /** @type {HTMLElement} */ (again).focus({ preventScroll: true });
    }
    part(name).hidden = part(`${name}Title`).hidden = own.length === 0;
  }
  part("empty").hidden = all.length > 0;
  part("find").hidden = all.length > 0 && !isCut;
  show("findError", mistake && say(mistake));
}

function drawOrder(one) {
  const { view } = one;
  const { order } = view;
  setClock(order.now, one.came);
  const isAsked = !!arrival && arrival.draw(order, isAtDoor() && collectable().includes(one));
  const lines = /** @type {any} */ (orderContent(one));
  document.body.dataset.look = lines.look;
  drawSymbol(lines.symbol);
  show("label", say("order", { reference: order.reference }));
  show("number", isHere(order) ? numberInWords(order.number) : "");
  for (const line of ["first", "range", "second"]) show(line, lines[line] || "");
  // The question is the way on of an order that is ready.
  show("hint", isAsked && !order.wasAtDesk ? "" : lines.hint || "");
  show("age", isOpen(order) && age() >= OLD ? say("old", { ago: ago(age(), language) }) : "");
  part("entry").hidden = !view.symbol;
  if (view.symbol) {
    drawModules(part("modules"), view.symbol);
    show("entryDigits", grouped(order.ticket.typedCode));
  }
  part("details").hidden = false;
  show("parcels", parcelsInWords(order.parcels));
  show("promised", isOpen(order) ? promisedInWords(order) : "");
  show("address", [order.shopName, addressLine(view.address || {})].filter(Boolean).join(", "));
  if (said !== shown + order.state) {
    if (said.startsWith(shown) && order.state !== "called") readAloud([lines.first, lines.range, lines.hint].filter(Boolean).join(" "));
    said = shown + order.state;
  }
}

/** An order that the server does not know, also no more, or of which nothing has come yet. */
function drawNone() {
  const isUnknown = unknown.has(shown) || known.has(shown);
  document.body.dataset.look = isUnknown ? "ended" : "planned";
  drawSymbol(isUnknown ? "bad" : "");
  for (const id of ["label", "number", "second", "age"]) show(id, "");
  show("first", isUnknown ? say("unknown") : "");
  show("range", isUnknown ? "" : failure ? say("offline") : say("moment"));
  show("hint", isUnknown ? say("unknownNow") : "");
  hideOrder();
}

function hideOrder() {
  if (arrival) arrival.draw(null);
  part("entry").hidden = part("details").hidden = true;
}

function draw() {
  const one = shown ? known.get(shown) : null;
  const isToChoose = !shown && isAtDoor() && collectable().length > 0;
  show("title", one ? one.view.order.shopName : say(isToChoose ? "whichOrder" : "toList"));
  document.title = part("title").textContent;
  part("lists").hidden = !!shown;
  part("card").hidden = !shown;
  if (!shown) {
    delete document.body.dataset.look;
    hideOrder();
    drawList();
  } else if (one && !one.isUnknown) drawOrder(one);
  else drawNone();
  show("notice", failure && (one || !shown) ? failure === "offline" ? `${say("offline")} ${say("lastKnown")}` : say(failure) : "");
  const mayRemove = shown && one && (one.isUnknown || !isHere(one.view.order));
  part("removal").hidden = !mayRemove;
  show("removeWords", mayRemove && isRemoving ? say("removeWords") : "");
  show("remove", say("remove"));
  part("leave").hidden = !isRemoving;
  part("toList").hidden = !shown;
  part("toQueue").hidden = !isAtDoor() || !mayQueue;
  if (isAtDoor()) part("toQueue").setAttribute("href", `/j?queue#${door.invitation}`);
  part("myPlaces").hidden = !!shown || places().length === 0;
  // While the customer waits for the call.
  stayAwake(!!one && isCollectable(one) && isHere(one.view.order));
  if (notices) {
    const hasNotices = one && one.view.pushKey && isCollectable(one);
    notices.draw(shown, hasNotices ? { pushKey: one.view.pushKey, reservation: { state: "planned" } } : null);
  }
}

// MARK: Start

/** Opens what the address names: an order, the door's symbol, or the list. */
function open() {
  const code = /** @type {any} */ (window).takeCode();
  isCut = location.pathname === "/C" && !code && location.hash.length < 2;
  mistake = "";
  // The parts of the page, and its worker, know it by this address.
  if (location.pathname === "/C") history.replaceState(null, "", "/orders");
  const [name] = /^\w*/.exec(location.hash.slice(1).toUpperCase());
  // Filters of mails and programs that count clicks write something behind a link.
  if (name && location.hash.length > name.length + 1) history.replaceState(null, "", `${location.pathname}#${name}`);
  const isDoor = /^[0-9A-Z]{20}$/.test(name);
  isRemoving = false;
  forgetCodes();
  load();
  if (arrival) arrival.open(isDoor);
  shown = code || (isCapability(name) ? name : "");
  if (isDoor) {
    door = { invitation: name, at: performance.now() };
    mayQueue = location.search === "?queue";
    const found = collectable();
    // Who collects nothing here has scanned the symbol to join the queue.
    if (!found.length && mayQueue) return location.replace(`/j?queue#${name}`);
    shown = found.length === 1 ? found[0].name : "";
    history.replaceState(null, "", location.pathname + (shown ? `#${shown}` : ""));
    loadArrival();
  }
  const one = known.get(shown);
  chooseLanguage(one ? one.view.languages : []);
  begun = -Infinity;
  draw();
  refresh();
  scrollTo(0, 0);
}

/** Goes to the list, also from what has no address of its own. */
function showList() {
  history.pushState(null, "", "/orders");
  open();
  part("title").focus();
}

addTexts({ ...orderTexts, ...orderWayTexts, ...wayTexts, ...ageTexts });
startChoices(() => {
  chooseLanguage();
  draw();
});
onClick("remove", () => {
  const one = known.get(shown);
  // One that is over is of no use; one that can be collected is asked about.
  if (!isRemoving && one && isOpen(one.view.order)) {
    isRemoving = true;
    draw();
    return part("removeWords").focus();
  }
  const own = shown;
  // A phone that is passed on hears nothing more of it.
  if ((remembered(own) || /** @type {any} */ ({})).notices && notices) notices.end(own);
  shown = "";
  forget(own);
  known.delete(own);
  showList();
});
onClick("leave", () => {
  isRemoving = false;
  draw();
  part("remove").focus();
});
part("find").addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
onClick("toList", (event) => {
  event.preventDefault();
  showList();
});
addEventListener("hashchange", () => {
  open();
  part("title").focus();
});
document.addEventListener("visibilitychange", () => {
  forgetLock();
  refresh();
});
addEventListener("online", refresh);
addEventListener("offline", () => {
  failure = "offline";
  draw();
});
addEventListener("storage", () => {
  load();
  draw();
});
addEventListener("pageshow", (event) => { if (event.persisted) open(); });
setInterval(() => {
  const one = known.get(shown);
  const pause = one && isHere(one.view.order) ? OFTEN : SELDOM;
  const time = performance.now();
  if (time - begun >= pause && time >= notBefore && !(one && !isCollectable(one))) refresh();
  draw();
}, 1000);

open();
// Later, as the worker fetches the page once more, and the first answers have a slow network for themselves.
setTimeout(() => {
  keepPage("/orders", "/C");
  import("/notices.js").then((made) => {
    notices = made;
    draw();
  }).catch(() => {});
}, 1000);
