// The page of orders that a customer collects (rules 41): the list of those that this phone knows [Click-And-Collect UC13], one of
// them with its code and state [Click-And-Collect UC8, Click-And-Collect UC11], and the question whether the customer is at the
// door, after its symbol was scanned [Click-And-Collect UC10].

import { age, milliseconds, setClock } from "./clock.js";
import { places } from "./memory.js";
import { ago } from "./moments.js";
import { numberInWords, orderContent, parcelsInWords, promisedInWords, wouldBe } from "./order-content.js";
import { forget, isCode, isOpen, orders, remember, tagOf } from "./order-memory.js";
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
const OFTEN = 4000;
const SELDOM = 30000;
/** Views older than this are shown with their age. */
const OLD = 60000;
/** For so long after it was scanned the door's symbol shows that the customer is here: as long as the server takes it. */
const DOOR = 180000;
const isHere = ({ state }) => /^(arrived|fetching|called|not-found)$/.test(state);

/** The code of the order that is shown; empty for the list. */
let code = "";
/** The text of the door's symbol, and when the page was opened with it. */
let door = { invitation: "", at: -Infinity };
/** The orders by their codes, each with the moments at which its view `came`. */
const known = new Map();
/** The codes that the server does not know. */
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

function cameAt(at) {
  const past = Date.now() - at;
  return { page: performance.now() - (past < 0 ? OLD : past), phone: at };
}

/** Reads what the phone remembers, which other windows change too. */
function load() {
  const kept = new Map(orders().map((one) => [one.code, one]));
  for (const one of known.keys()) if (!kept.has(one)) known.delete(one);
  for (const [name, one] of kept) {
    const last = known.get(name);
    if (!last || last.at !== one.at) known.set(name, { ...one, came: cameAt(one.at) });
  }
}

/** Takes the server's answer about an order; says why there is none, by the name of a text. */
function take(name, answer) {
  const { status, body, retryAfter } = answer || { status: 0, body: null, retryAfter: 0 };
  // Any other refusal may come from what is before the server.
  if (status === 404 && /:not-found$/.test(body && body.type)) {
    unknown.add(name);
    return "";
  }
  if (status !== 200) {
    if (status === 429 || status >= 500) notBefore = performance.now() + retryAfter;
    return status ? "didNotWork" : "offline";
  }
  unknown.delete(name);
  const last = known.get(name);
  const before = last && last.view.order;
  const moments = { page: performance.now(), phone: Date.now() };
  const isBack = body.order.state === "on-shelf" && !!before && (isHere(before) || last.putBack === true);
  known.set(name, { ...last, code: name, view: body, putBack: isBack, at: moments.phone, came: moments });
  remember(name, { view: body, putBack: isBack, at: moments.phone });
  if (before && before.state !== "called" && body.order.state === "called" && navigator.vibrate) {
    navigator.vibrate([400, 200, 400]);
  }
  return "";
}

/** Asks for the shown order, or for all that can be collected; after one that is not answered the others wait. */
async function refresh() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  begun = performance.now();
  load();
  let found = "";
  const wanted = code ? [code] : [...known.values()].filter(({ view }) => isOpen(view.order)).map((one) => one.code);
  for (const name of wanted) {
    found = take(name, await call("order", { code: name }).catch(() => null));
    if (found || document.hidden) break;
  }
  failure = found;
  isAsking = false;
  draw();
}

/** Those of the door's shop that can be collected and whose customers have not said to be here. */
function collectable() {
  const tag = door.invitation.slice(0, 4);
  return [...known.values()].filter(({ code: name, view }) =>
    tagOf(name) === tag && isOpen(view.order) && !isHere(view.order));
}

const isAtDoor = () => performance.now() - door.at < DOOR;

// MARK: Saying to be here

/** Says that the customer is here; once more with the same key if no answer came. */
async function sayToBeHere() {
  if (isSaying || !code) return;
  const own = code;
  isSaying = true;
  mistake = "";
  arrivalKey = arrivalKey || newKey();
  draw();
  const { status, body } = await send("arrival", { code: own, invitation: door.invitation }, arrivalKey);
  isSaying = false;
  const name = /[^:]*$/.exec(body && body.type || "")[0];
  if (status) arrivalKey = "";
  mistake = status === 200 || status === 201 ? ""
    : !status ? "notHereYet"
      : name === "invitation-over" ? "scanAgain" : name === "shop-closed" ? "shopClosed" : "didNotWork";
  if (mistake === "scanAgain") door = { invitation: "", at: -Infinity };
  if (status) failure = take(own, await call("order", { code: own }).catch(() => null));
  draw();
  (mistake ? part("error") : part("turn")).focus();
}

// MARK: Drawing

/** The name of a place of the list, by the state of its order. */
const listOf = ({ order }) => isHere(order) ? "busy" : isOpen(order) ? "open" : "over";

function item({ code: name, view, putBack, came }) {
  const { order } = view;
  setClock(order.now, came);
  const shown = /** @type {any} */ (orderContent(order, putBack));
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
  fill(".age", isOpen(order) && age() >= OLD ? say("old", { ago: ago(age(), language) }) : "");
  return element;
}

function drawList() {
  const all = [...known.values()];
  for (const name of ["busy", "open", "over"]) {
    const own = all.filter(({ view }) => listOf(view) === name).sort(({ view: one }, { view: other }) =>
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
  const isAsked = isAtDoor() && tagOf(code) === door.invitation.slice(0, 4) && isOpen(order) && !isHere(order) && order.ready
    && declined !== code;
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
  const shown = /** @type {any} */ (orderContent(order, one.putBack));
  document.body.dataset.look = shown.look;
  drawSymbol(shown.symbol);
  show("label", say("order", { reference: order.reference }));
  show("number", isHere(order) ? numberInWords(order.number) : "");
  for (const line of ["first", "range", "second"]) show(line, shown[line] || "");
  // The question is the way on of an order that is ready.
  show("hint", isAsked && !one.putBack ? "" : shown.hint || "");
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
    if (said.startsWith(code)) readAloud([shown.first, shown.range, shown.hint].filter(Boolean).join(" "));
    said = code + order.state;
  }
}

/** An order that the server does not know, or of which nothing has come yet. */
function drawNone() {
  const isUnknown = unknown.has(code);
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
  } else if (one && !unknown.has(code)) drawOrder(one);
  else drawNone();
  show("notice", failure && (one || !code) ? failure === "offline" ? `${say("offline")} ${say("lastKnown")}` : say(failure) : "");
  const mayRemove = code && one && !isHere(one.view.order);
  part("removal").hidden = !mayRemove;
  show("removeWords", mayRemove && isRemoving ? say("removeWords") : "");
  show("remove", say("remove"));
  part("leave").hidden = !isRemoving;
  part("toList").hidden = !code;
  part("toQueue").hidden = !isAtDoor();
  if (isAtDoor()) part("toQueue").setAttribute("href", `/j?queue#${door.invitation}`);
  part("myPlaces").hidden = !!code || places().length === 0;
  if (notices) {
    const hasNotices = one && one.view.pushKey && isOpen(one.view.order) && !unknown.has(code);
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
    const found = collectable();
    // Who collects nothing here has scanned the symbol to join the queue.
    if (!found.length) return location.replace(`/j?queue#${name}`);
    const [{ code: only }] = found;
    code = found.length === 1 ? only : "";
    declined = "";
    history.replaceState(null, "", code ? `#${code}` : location.pathname);
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
  forget(code);
  known.delete(code);
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
addEventListener("pageshow", (event) => { if (event.persisted) open(); });
setInterval(() => {
  const one = known.get(code);
  const pause = one && isHere(one.view.order) ? OFTEN : SELDOM;
  const time = performance.now();
  if (time - begun >= pause && time >= notBefore && !(one && !isOpen(one.view.order))) refresh();
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
