// The page for joining the queue, which a customer opens with the symbol at the shop's door (rules: joining), or elsewhere with
// the address of the shop, `/join/TAG` (rules: elsewhere); and for booking a visit, `/visit/TAG`, or moving one
// (rules: visits, moved-visits).

import { isOver, keepAttempt, keepChoice, lastAttempt, leave, takeChoice } from "./attempts.js";
import { setClock, until } from "./clock.js";
import {
  capabilityOfLink, dayAndTime, isVisit, keepsSlot, nameOf, offered, refused, requestOfLink, sayHere, tag, toMove,
} from "./join-content.js";
import { joinTexts } from "./join-words.js";
import { forget, remember, remembered, setting } from "./memory.js";
import {
  addressLine, chooseLanguage, drawSymbol, keepPlacePage, onClick, part, readAloud, say, show, startChoices,
} from "./page.js";
import { wayTexts } from "./places-words.js";
import { newKey, send } from "./server.js";
import { solved } from "./work.js";
import { addTexts } from "./words.js";

const MINUTE = 60000;
/** How often the page does the work that the server asks for before it gives a place. */
const MOST_WORKS = 3;

/**
 * What was last begun: its `request` (with the invitation, or the shop and the slot of a visit), the `key` of its calls, `at`
 * which time of the phone, how many `works` were done for it, and the `offer` that came; null after its end.
 */
let attempt = null;
/**
 * `scan` (no invitation, or no such shop), `noCookies`, `choose` (the slot of a visit), `move` (its new slot is to be
 * confirmed), `moving`, `unmoved` (that got no answer), `asking`, `working` (before the server gives a place),
 * `number` (the shop asks for a mobile number first), `unanswered`, `refused`, `offer`, `taking` (the offer was
 * accepted), `unsure` (that got no answer), `expired`, or `released`.
 */
let step = "asking";
/** The place that is held for this phone. */
let offer = null;
/** The document of a refusal (RFC 9457). */
let problem = /** @type {any} */ ({});
/** The step that was read aloud last, and whether the last minute of the offer was. */
let said = "";
let isLastMinuteSaid = false;
/** What is only this opening of an address. */
let opened = {};
/** The part for the slots of visits, which is loaded for one, what shows them, and the shop as that part knows it. */
let visits = null;
let picker = null;
let about = null;
/** The name of the text that says why the slots are shown again. */
let reason = "";
/** The slot that was chosen, the place that is moved there, and the key of the move. */
let chosen = null;
let moved = null;
let moveKey = "";
/** The form for the mobile number that a shop asks for, which is loaded when one does, and the part of the page for it. */
let form = null;
const formPart = document.createElement("section");

// MARK: Calls

function become(next, found = null) {
  step = next;
  problem = found || {};
  draw();
}

/**
 * Begins again with the invitation or the shop of the address, and with a key of its own; `hasNumber` if the server has
 * just confirmed the number that the shop asks for.
 */
function begin(hasNumber = false) {
  const request = { ...requestOfLink(), ...(chosen && { visit: chosen }) };
  attempt = { request, key: newKey(), at: Date.now(), works: 0, hasNumber };
  keepAttempt(attempt);
  hold();
}

/** Asks for a place. A window that is opened again asks with the same key, and gets the same place. */
async function hold() {
  const own = attempt;
  offer = null;
  isLastMinuteSaid = false;
  if (!own.works) become("asking");
  const { status, body } = await send("holds", own.request, own.key);
  if (own !== attempt) return;
  if (nameOf(body) === "work-needed" && own.works < MOST_WORKS) return work(own, body.work);
  // A window that is opened again after a refusal asks once more.
  if (status && status !== 201) keepAttempt(null);
  if (status === 404) return become("scan");
  if (nameOf(body) === "slot-taken") return backToSlots("taken");
  if (nameOf(body) === "device-unknown") return become("noCookies");
  if (nameOf(body) === "number-needed" && !own.hasNumber) return askForNumber(own, body);
  if (status !== 201) return become(status || body ? "refused" : "unanswered", body);
  own.offer = body;
  keepAttempt(own);
  showOffer();
}

/** Does the work, and asks again: with another key, as the request is another one. */
async function work(own, { challenge, bits }) {
  become("working");
  const done = await solved(challenge, bits).catch(() => "");
  if (own !== attempt) return;
  // A browser that cannot compute has no other way.
  if (!done) return become("refused");
  Object.assign(own, {
    request: { ...own.request, work: done }, key: newKey(), at: Date.now(), works: own.works + 1,
  });
  keepAttempt(own);
  hold();
}

/** Shows the form for the mobile number that the shop asks for; after its confirmation the place is asked for again. */
async function askForNumber(own, found) {
  const made = form || await import("/sms.js").catch(() => null);
  if (own !== attempt) return;
  if (!made) return become("unanswered");
  if (!form) {
    form = made.numberForm({
      use: ["useToJoin", "cost", "kept"],
      request: requestOfLink,
      confirmed: () => begin(true),
      refused: (name) => {
        const next = { "device-unknown": "noCookies", "not-found": "scan" }[name];
        if (next) become(next);
        return next;
      },
    });
    formPart.append(form.form);
  }
  form.start(found.prefixes);
  become("number", found);
}

/** Shows the offer, which came some time ago if the window was opened again: at the earliest when it was asked for. */
function showOffer() {
  offer = attempt.offer;
  const past = Math.max(0, Date.now() - attempt.at);
  setClock(offer.place.now, { page: performance.now() - past, phone: Date.now() - past });
  chooseLanguage(offer.languages);
  become("offer");
  // Later, as the worker fetches a page, and this one has a slow network for itself.
  setTimeout(keepPlacePage, 2000);
}

/** Takes the place; once more with the same key if no answer came. */
async function take() {
  const own = attempt;
  become("taking");
  const { status, body } = await send("confirmation", { ticket: offer.ticket }, `${own.key}-confirmation`);
  if (own !== attempt) return;
  if (status === 201) return arrive(body);
  if (!status) become("unsure");
  else if (nameOf(body) === "device-unknown") become("noCookies");
  // A ticket of another window's place is not known to this one.
  else become(/hold-lapsed|not-found/.test(nameOf(body)) ? "expired" : "refused", body);
  part("first").focus();
}

/** Goes to the page of the place, which shows at once what is known by now. */
function arrive({ id, kind, number, shopName, wait, visit, link }, { place, languages, address, calendar } = offer) {
  const reservation = { id, kind, number, shopName, now: place.now, state: "planned", wait: wait || place.wait, visit };
  const at = attempt ? attempt.at : Date.now();
  remember(new URL(link).hash.slice(1), { view: { languages, address, reservation }, at, calendar });
  keepAttempt(null);
  go(link);
}

/** The server may be known by more than one address: its own pages are opened where this one was. */
function go(link) {
  const { host, pathname, hash } = new URL(link);
  location.replace(host === location.host ? pathname + hash : link);
}

/** Shows the slots of the day that was opened last, and why they are shown again. */
function choose() {
  become("choose");
  if (!picker) {
    picker = visits.slotPicker({
      tag, capability: capabilityOfLink(),
      about(shop) {
        about = shop;
        chooseLanguage(shop.languages);
        draw();
      },
      chosen(slot, place) {
        chosen = slot;
        moved = place;
        moveKey = newKey();
        takeSlot();
      },
      elsewhere(other, slot) {
        if (slot) keepChoice(other, slot);
        location.assign(`/${slot ? "visit" : "join"}/${other}`);
      },
      refused(status, found) {
        become(!status ? "unanswered" : status === 404 ? "scan" : "refused", found);
      },
    });
    part("choice").before(picker.section);
  }
  picker.start((history.state || {}).day, reason, chosen ? chosen.start : "");
  reason = "";
  draw();
}

/** Goes on with the slot that was chosen. */
function takeSlot() {
  // The browser's way back leads to the slots again.
  history.pushState({ ...history.state, isSlot: true }, "");
  if (moved) become("move");
  else begin();
  part("first").focus();
}

/** Leads from a chosen slot back to the slots, as the browser's way back does; `why` is the name of a text. */
function backToSlots(why = "") {
  reason = why;
  if (history.state && history.state.isSlot) history.back();
  else showSlots();
}

/** Shows the slots; a place that was held meanwhile is given back. */
async function showSlots() {
  const held = step === "offer" && send("release", { ticket: offer.ticket }, `${attempt.key}-release`);
  attempt = offer = null;
  keepAttempt(null);
  choose();
  if (await held) picker.ask();
}

/** Moves the visit to the chosen slot, again with the same key if no answer came; a calendar has the old one. */
async function move() {
  become("moving");
  const { status, body } = await send("move", {
    capability: capabilityOfLink(), code: moved.entry.typedCode, visit: chosen,
  }, moveKey);
  if (status === 201) {
    const { calendar } = remembered(capabilityOfLink()) || /** @type {any} */ ({});
    forget(capabilityOfLink());
    return arrive(body, { ...about, calendar, place: { now: about.now, wait: body.wait } });
  }
  if (!status) become("unmoved");
  else if (nameOf(body) === "slot-taken") return backToSlots("taken");
  else become("refused", body);
  part("first").focus();
}

/** Gives the place back. Without a network it is given back when its time is over. */
function decline() {
  if (moved) return go(`${location.origin}/t#${capabilityOfLink()}`);
  if (isVisit) return backToSlots();
  send("release", { ticket: offer.ticket }, `${attempt.key}-release`);
  attempt = null;
  keepAttempt(null);
  become("released");
  part("first").focus();
}

/** What the large button does. */
function act() {
  if (problem.link) return go(problem.link);
  if (step === "move" || step === "unmoved") return move();
  if (step === "offer" || step === "unsure") return take();
  if (isVisit && !visits) return open();
  // A lost answer is asked for again with its key.
  if (isVisit && step === "unanswered" && attempt) return hold();
  if (isVisit) return backToSlots();
  begin();
  part("first").focus();
}

// MARK: Drawing

/** What the page shows: its look, its symbol, the lines of the card, what is above the buttons, and the buttons. */
function content() {
  const ended = { look: "ended", symbol: "bad" };
  const calm = { look: "calm", symbol: "scan" };
  switch (step) {
    case "asking": return { look: "planned", range: say("moment") };
    case "working": return { look: "planned", range: say("moment"), second: say("manyAsk") };
    case "scan":
      if (tag) return { ...ended, first: say("unknownShop"), hint: say("unknownShopNow") };
      return { ...calm, first: say("scan"), hint: say("noneNow") };
    case "noCookies": return { ...ended, first: say("noCookies"), hint: sayHere("noCookiesNow") };
    case "choose": return { ...ended, look: "choose", symbol: "" };
    case "move": case "moving": case "unmoved": return toMove(step, moved, chosen, visits.choiceInWords(chosen));
    case "unanswered": return { ...ended, first: say("offline"), hint: tag ? "" : say("orLater"), button: "tryAgain" };
    case "expired": return { ...ended, first: say("expired"), hint: sayHere("expiredNow"), button: isVisit ? "chooseTime" : "askAgain" };
    case "released":
      if (tag) return { look: "calm", first: say("released"), hint: say("releasedNowAway"), button: "askAgain" };
      return { ...calm, first: say("released"), hint: say("releasedNow") };
    case "refused": {
      const shown = refused(problem);
      return moved && !shown.isOver ? { ...shown, hint: say("notMoved", { moment: dayAndTime(moved.reservation.visit.start) }) } : shown;
    }
    case "number": return { look: "calm", first: say("number"), hint: `${say("numberWhy")} ${say("noNumber")}` };
  }
  const words = { unsure: ["unsure", "tryAgain"], taking: ["", "moment"] }[step];
  return offered(offer.place, words);
}

function draw() {
  if (step === "offer" && !until(offer.place.expires)) {
    step = "expired";
    if (part("choice").contains(document.activeElement)) part("first").focus();
  }
  const shown = /** @type {any} */ (content());
  document.body.dataset.look = shown.look;
  drawSymbol(shown.symbol);
  for (const line of ["first", "range", "second", "hint", "kept"]) show(line, shown[line] || "");
  const shop = offer || about;
  show("shop", shop ? shop.shopName : say(isVisit ? "titleVisit" : "title"));
  document.title = part("shop").textContent;
  show("address", addressLine(shop && shop.address || {}));
  part("card").hidden = step === "choose";
  if (picker && step !== "choose") picker.hide();
  if (picker) picker.draw();
  // Who gets no place now, or wants none yet, may book a visit.
  const mayBook = tag && !isVisit && (step === "offer" || step === "refused" && !problem.link);
  show("book", mayBook ? say("bookVisit") : "");
  part("book").className = mayBook && !shown.button ? "main" : "";
  show("act", shown.button ? say(shown.button) : "");
  part("myPlaces").hidden = step !== "refused" || nameOf(problem) !== "too-many-visits";
  // Who is elsewhere and gets no place here may get one at another shop.
  part("others").hidden = !tag || !/scan|number|unanswered|refused|expired|released/.test(step) || problem.link;
  part("others").className = shown.button || mayBook || step === "number" ? "" : "main";
  part("choice").hidden = !shown.button && part("others").hidden && !mayBook;
  const declines = /^(offer|taking|move|moving|unmoved)$/.test(step) ? "decline"
    // A day on which the customer has a place is not the only one.
    : step === "refused" && isVisit && !shown.isOver && (moved || problem.link) ? "chooseTime" : "";
  show("decline", declines && sayHere(!moved ? declines : chosen && keepsSlot(moved, chosen) ? "keepLength" : "keepMine"));
  for (const id of ["act", "decline"]) /** @type {HTMLButtonElement} */ (part(id)).disabled = /^(taking|moving)$/.test(step);
  formPart.hidden = step !== "number";
  if (form) form.draw();
  announce(shown);
}

/** Reads each step aloud, and once that the place is kept for a minute more. */
function announce(shown) {
  const isLastMinute = step === "offer" && until(offer.place.expires) <= MINUTE;
  if (said !== step + nameOf(problem)) {
    said = step + nameOf(problem);
    readAloud([shown.first, shown.range, shown.second, shown.hint, shown.kept].filter(Boolean).join(" "));
  } else if (isLastMinute && !isLastMinuteSaid) readAloud(shown.kept);
  isLastMinuteSaid = isLastMinute;
}

// MARK: Start

async function open() {
  chooseLanguage();
  attempt = offer = null;
  const { shop, invitation } = requestOfLink();
  // Who has an order here may have come to collect it.
  if (invitation && !location.search && (setting("clup-collect") || "").includes(invitation.slice(0, 4))) {
    return location.replace(`/orders?queue#${invitation}`);
  }
  if (!(shop ? /^[0-9A-Z]{4}$/ : /^[0-9A-Z]{20}$/).test(shop || invitation)) return become("scan");
  if (!navigator.cookieEnabled) return become("noCookies");
  const own = opened = {};
  if (isVisit && !visits) {
    become("asking");
    visits = await import("/visit.js").catch(() => null);
    if (own !== opened) return;
    if (!visits) return become("unanswered");
    addTexts(visits.pageTexts);
  }
  const last = lastAttempt();
  const { request } = last || /** @type {any} */ ({});
  const isSame = request && request.shop === shop && request.invitation === invitation && !request.visit === !isVisit
    && !(isVisit && capabilityOfLink());
  if (isSame && !(shop && isOver(last))) {
    attempt = last;
    chosen = request.visit || null;
    if (attempt.offer) showOffer();
    else hold();
    return;
  }
  become("asking");
  keepAttempt(null);
  if (request) await leave(last);
  // Another address may have been opened meanwhile.
  if (own !== opened) return;
  const choice = isVisit && takeChoice(shop);
  if (choice) {
    chosen = choice;
    takeSlot();
  } else if (isVisit) choose();
  else begin();
}

addTexts({ ...joinTexts, ...wayTexts });
part("book").setAttribute("href", `/visit/${tag}`);
part("choice").before(formPart);
startChoices(() => {
  chooseLanguage((offer || about || { languages: [] }).languages);
  draw();
});
onClick("act", act);
onClick("decline", decline);
document.addEventListener("visibilitychange", draw);
addEventListener("hashchange", () => isVisit ? location.reload() : open());
addEventListener("popstate", () => { if (visits && !/^(taking|moving)$/.test(step)) showSlots(); });
// A page of visits that the browser has kept shows what it was left with.
addEventListener("pageshow", (event) => { if (event.persisted && isVisit) location.reload(); });
setInterval(() => {
  draw();
  if (picker) picker.tick();
}, 1000);

open();
