// The page of orders that a customer collects (rules 41): the list of those that this phone knows [Click-And-Collect UC13], one of
// them with its code and state [Click-And-Collect UC8, Click-And-Collect UC11], and the question whether the customer is at the
// door, after its symbol was scanned [Click-And-Collect UC10].

import { forgetLock, stayAwake } from "./awake.js";
import { OLD, age, cameAt, milliseconds, setClock } from "./clock.js";
import { places } from "./memory.js";
import { ago } from "./moments.js";
import { isCode, numberInWords, tagOf } from "./order-code.js";
import { orderContent, parcelsInWords, promisedInWords, wouldBe } from "./order-content.js";
import { forget, isOpen, orders, remember, remembered } from "./order-memory.js";
import { orderTexts, orderWayTexts } from "./order-words.js";
import {
  addressLine, chooseLanguage, drawSymbol, keepPage, language, onClick, part, readAloud, say, show, startChoices,
} from "./page.js";
import { ageTexts } from "./place-words.js";
import { wayTexts } from "./places-words.js";
import { call, newKey, send } from "./server.js";
import { drawModules, grouped } from "./symbol.js";
import { showText } from "./text.js";
import { addTexts } from "./words.js";

/** How often an order is asked for while its customer is in the shop, and otherwise. */
const OFTEN = 5000;
const SELDOM = 30000;
/** For so long after it was scanned the door's symbol shows that the customer is here: as long as the server takes it. */
const DOOR = 180000;
const isHere = ({ state }) => /^(arrived|fetching|called|not-found)$/.test(state);

/** The code of the order that is shown; empty for the list. */
let code = "";
/** The text of the door's symbol, and when the page was opened with it. */
let door = { invitation: "", at: -Infinity };
/** Whether that symbol is also for joining the queue: the page for joining has led here. */
let mayQueue = false;
/** The orders by their codes, each with the moments at which its view `came`. */
const known = new Map();
/** The codes that neither the server nor this phone knows. */
const unknown = new Set();
/** Whether a refresh is under way, when the last one began, when the next may, and the name of the text for what went wrong. */
let isAsking = false;
let begun = -Infinity;
let notBefore = 0;
let failure = "";
/** Whether the arrival is being said, the key with which that is repeated, and the name of the text that says why it was not. */
let isSaying = false;
let arrivalKey = "";
let mistake = "";
/** The order of which the customer said not now, and whether the order of the page is asked to be removed. */
let declined = "";
let isRemoving = false;
/** The state that was read aloud last. */
let said = "";
/** The part that offers notices, which is loaded apart. */
let notices = null;

// MARK: The orders

/** Whether an order can be collected, as far as is known. */
const isCollectable = ({ view, isUnknown }) => isOpen(view.order) && !isUnknown;

/** Reads what the phone remembers, which other windows change too; a phone that keeps nothing has what this page knows. */
function load() {
  const kept = new Map(orders().map((one) => [one.code, one]));
  for (const [name, one] of known) if (one.isKept && !kept.has(name) && name !== code) known.delete(name);
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
  if (last ? last.asked > asked : name !== code) return "";
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
  keep(name, { ...last, code: name, view: body, isUnknown: false, at: moments.phone, came: moments, asked });
  if (!last && name === code) chooseLanguage(body.languages);
  if (last && last.view.order.state !== "called" && body.order.state === "called") announce(body.order);
  return "";
}

/** Keeps an entry, also in the phone's memory. */
function keep(name, entry) {
  const { view, isUnknown, at } = entry;
  remember(name, { view, isUnknown, at });
  known.set(name, { ...entry, isKept: entry.isKept || !!remembered(name) });
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
  const wanted = code ? [code] : [...known.values()].filter(isCollectable).map((one) => one.code);
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
  return take(name, await call("order", { code: name }).catch(() => null), asked);
}

/** Those of the door's shop that can be collected and whose customers have not said to be here. */
function collectable() {
  const tag = door.invitation.slice(0, 4);
  return [...known.values()].filter((one) => tagOf(one.code) === tag && isCollectable(one) && !isHere(one.view.order));
}

const isAtDoor = () => performance.now() - door.at < DOOR;

// MARK: Saying to be here

/** Says that the customer is here; once more with the same key if no answer came. */
async function sayToBeHere() {
  if (isSaying || !code) return;
  const own = code;
  const { invitation } = door;
  isSaying = true;
  mistake = "";
  arrivalKey = arrivalKey || newKey();
  draw();
  const { status, body } = await send("arrival", { code: own, invitation }, arrivalKey);
  isSaying = false;
  const name = /[^:]*$/.exec(body && body.type || "")[0];
  if (status) arrivalKey = "";
  const isDone = status === 200 || status === 201;
  const last = known.get(own);
  // Its number is known at once, also if the next call gets no answer.
  if (isDone && last) {
    const order = { ...last.view.order, ...body, ticket: last.view.order.ticket };
    take(own, { status: 200, body: { ...last.view, order } }, performance.now());
  }
  if (name === "invitation-over" && door.invitation === invitation) door = { invitation: "", at: -Infinity };
  if (own === code) {
    mistake = isDone ? ""
      : !status ? "notHereYet"
        : { "invitation-over": "scanAgain", "shop-closed": "shopClosed", "too-many-requests": "atMachine" }[name] || "didNotWork";
  }
  draw();
  if (own !== code) return;
  (mistake ? part("error") : part("turn")).focus();
  if (status) {
    failure = await ask(own);
    draw();
  }
}

// MARK: Drawing

/** The name of a place of the list, by the state of its order. */
const listOf = (one) => !isCollectable(one) ? "over" : isHere(one.view.order) ? "busy" : "open";

function item(one) {
  const { code: name, view, came } = one;
  const { order } = view;
  setClock(order.now, came);
  const shown = /** @type {any} */ (orderContent(one));
  const element = document.createElement("li");
  element.dataset.look = shown.look;
  element.innerHTML = `<a><h3></h3><span class="number"></span><span class="shop"></span><span class="first"></span>
    <span class="when"></span><span class="parcels"></span><span class="age"></span></a>`;
  const fill = (part, words) => showText(element.querySelector(part), words);
  /** @type {HTMLAnchorElement} */ (element.querySelector("a")).href = `#${name}`;
  fill("h3", say("order", { reference: order.reference }));
  fill(".number", isHere(order) ? numberInWords(order.number) : "");
  fill(".shop", [order.shopName, addressLine({ street: "", town: (view.address || {}).town })].filter(Boolean).join(", "));
  fill(".first", shown.first || shown.range);
  fill(".when", shown.first ? shown.range || "" : "");
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
}

/** The question whether the customer is at the shop, which the door's symbol opens; or the way there. */
function drawQuestion(one) {
  const { order } = one.view;
  if (isHere(order) || !isOpen(order)) mistake = "";
  const wasAsked = !part("iAmHere").hidden;
  const isAsked = isAtDoor() && collectable().includes(one) && order.ready && declined !== code;
  if (wasAsked && !isAsked && door.invitation && !isAtDoor() && !isHere(order)) {
    // The door has another code by now.
    door = { invitation: "", at: -Infinity };
    mistake = "scanAgain";
    if (part("here").contains(document.activeElement)) requestAnimationFrame(() => part("error").focus());
  }
  part("here").hidden = !isAsked && !mistake;
  show("askHere", isAsked ? say("askHere", { reference: order.reference, parcels: parcelsInWords(order.parcels) }) : "");
  show("wouldBe", isAsked ? wouldBe(order) : "");
  show("iAmHere", isAsked ? say(isSaying ? "moment" : "iAmHere") : "");
  for (const id of ["iAmHere", "notNow"]) /** @type {HTMLButtonElement} */ (part(id)).disabled = isSaying;
  part("notNow").hidden = !isAsked;
  show("error", mistake ? say(mistake) : "");
  return isAsked;
}

function drawOrder(one) {
  const { view } = one;
  const { order } = view;
  setClock(order.now, one.came);
  const isAsked = drawQuestion(one);
  const shown = /** @type {any} */ (orderContent(one));
  document.body.dataset.look = shown.look;
  drawSymbol(shown.symbol);
  show("label", say("order", { reference: order.reference }));
  show("number", isHere(order) ? numberInWords(order.number) : "");
  for (const line of ["first", "range", "second"]) show(line, shown[line] || "");
  // The question is the way on of an order that is ready.
  show("hint", isAsked && !order.wasAtDesk ? "" : shown.hint || "");
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
  if (said !== code + order.state) {
    if (said.startsWith(code) && order.state !== "called") readAloud([shown.first, shown.range, shown.hint].filter(Boolean).join(" "));
    said = code + order.state;
  }
}

/** An order that the server does not know, also no more, or of which nothing has come yet. */
function drawNone() {
  const isUnknown = unknown.has(code) || known.has(code);
  document.body.dataset.look = isUnknown ? "ended" : "planned";
  drawSymbol(isUnknown ? "bad" : "");
  for (const id of ["label", "number", "second", "age"]) show(id, "");
  show("first", isUnknown ? say("unknown") : "");
  show("range", isUnknown ? "" : failure ? say("offline") : say("moment"));
  show("hint", isUnknown ? say("unknownNow") : "");
  part("here").hidden = part("entry").hidden = part("details").hidden = true;
}

function draw() {
  const one = code ? known.get(code) : null;
  const isToChoose = !code && isAtDoor() && collectable().length > 0;
  show("title", one ? one.view.order.shopName : say(isToChoose ? "whichOrder" : "toList"));
  document.title = part("title").textContent;
  part("lists").hidden = !!code;
  part("card").hidden = !code;
  if (!code) {
    delete document.body.dataset.look;
    part("here").hidden = part("entry").hidden = part("details").hidden = true;
    drawList();
  } else if (one && !one.isUnknown) drawOrder(one);
  else drawNone();
  show("notice", failure && (one || !code) ? failure === "offline" ? `${say("offline")} ${say("lastKnown")}` : say(failure) : "");
  const mayRemove = code && one && (one.isUnknown || !isHere(one.view.order));
  part("removal").hidden = !mayRemove;
  show("removeWords", mayRemove && isRemoving ? say("removeWords") : "");
  show("remove", say("remove"));
  part("leave").hidden = !isRemoving;
  part("toList").hidden = !code;
  part("toQueue").hidden = !isAtDoor() || !mayQueue;
  if (isAtDoor()) part("toQueue").setAttribute("href", `/j?queue#${door.invitation}`);
  part("myPlaces").hidden = !!code || places().length === 0;
  // While the customer waits for the call.
  stayAwake(!!one && isCollectable(one) && isHere(one.view.order));
  if (notices) {
    const hasNotices = one && one.view.pushKey && isCollectable(one);
    notices.draw(code, hasNotices ? { pushKey: one.view.pushKey, reservation: { state: "planned" } } : null);
  }
}

// MARK: Start

/** Opens what the address names: an order, the door's symbol, or the list. */
function open() {
  const name = decodeURIComponent(location.hash.slice(1)).toUpperCase();
  mistake = "";
  isRemoving = false;
  load();
  code = isCode(name) ? name : "";
  if (/^[0-9A-Z]{20}$/.test(name)) {
    door = { invitation: name, at: performance.now() };
    mayQueue = location.search === "?queue";
    const found = collectable();
    // Who collects nothing here has scanned the symbol to join the queue.
    if (!found.length && mayQueue) return location.replace(`/j?queue#${name}`);
    code = found.length === 1 ? found[0].code : "";
    declined = "";
    history.replaceState(null, "", location.pathname + (code ? `#${code}` : ""));
  }
  const one = known.get(code);
  chooseLanguage(one ? one.view.languages : []);
  begun = -Infinity;
  draw();
  refresh();
  scrollTo(0, 0);
}

addTexts({ ...orderTexts, ...orderWayTexts, ...wayTexts, ...ageTexts });
startChoices(() => {
  chooseLanguage();
  draw();
});
onClick("iAmHere", sayToBeHere);
onClick("notNow", () => {
  declined = code;
  draw();
  part("turn").focus();
});
onClick("remove", () => {
  const one = known.get(code);
  // One that is over is of no use; one that can be collected is asked about.
  if (!isRemoving && one && isOpen(one.view.order)) {
    isRemoving = true;
    draw();
    return part("removeWords").focus();
  }
  const own = code;
  // A phone that is passed on hears nothing more of it.
  if ((remembered(own) || /** @type {any} */ ({})).notices && notices) notices.end(own);
  code = "";
  forget(own);
  known.delete(own);
  location.hash = "";
});
onClick("leave", () => {
  isRemoving = false;
  draw();
  part("remove").focus();
});
onClick("toList", (event) => {
  event.preventDefault();
  location.hash = "";
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
  const one = known.get(code);
  const pause = one && isHere(one.view.order) ? OFTEN : SELDOM;
  const time = performance.now();
  if (time - begun >= pause && time >= notBefore && !(one && !isCollectable(one))) refresh();
  draw();
}, 1000);

open();
// Later, as the worker fetches the page once more, and the first answers have a slow network for themselves.
setTimeout(() => {
  keepPage("/orders");
  import("/notices.js").then((made) => {
    notices = made;
    draw();
  }).catch(() => {});
}, 1000);
