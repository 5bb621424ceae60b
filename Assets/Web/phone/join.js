// The page for joining the queue, which a customer opens with the symbol at the shop's door (rules 35), or elsewhere with
// the address of the shop, `/join/TAG` (rules 37); and for booking a visit, `/visit/TAG`, or moving one (rules 39).

import { milliseconds, setClock, until } from "./clock.js";
import { joinTexts } from "./join-words.js";
import { forget, keepAttempt, lastAttempt, remember } from "./memory.js";
import { dayInWords } from "./moments.js";
import {
  addressLine, chooseLanguage, drawSymbol, inMinutes, inSeconds, keepPlacePage, language, onClick, part, people, range,
  readAloud, say, show, startChoices, threeDigits, timeOf,
} from "./page.js";
import { newKey, send } from "./server.js";
import { solved } from "./work.js";
import { addTexts, isText } from "./words.js";

const MINUTE = 60000;
/** So long before a place that was taken elsewhere can be called, its customer is asked whether they are coming. */
const QUESTION = 15 * MINUTE;
/** How often the page does the work that the server asks for before it gives a place. */
const MOST_WORKS = 3;
/** The longest time for which a place is kept that was not taken. */
const LONGEST_HOLD = 3 * MINUTE;

const [kind, name] = location.pathname.slice(1).split("/");
const isVisit = kind === "visit";
/** The shop of the address, for customers who are elsewhere; empty at the door. */
const tag = isVisit || kind === "join" ? (name || "").toUpperCase() : "";

/**
 * What was last begun: its `request` (with the invitation, or the shop and the slot of a visit), the `key` of its calls, `at` which time of the
 * phone, how many `works` were done for it, and the `offer` that came; null after its end.
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
/** What is loaded for visits, the part of the page for their slots, and the shop as that part knows it. */
let visits = null;
let picker = null;
let about = null;
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
  attempt = { request: { ...requestOfLink(), ...(chosen && { visit: chosen }) }, key: newKey(), at: Date.now(), works: 0, hasNumber };
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
  if (isVisit && nameOf(body) === "slot-taken") return choose("taken");
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

/**
 * Gives a place back that this window holds in another shop, whose page the customer has left: otherwise this shop could
 * give none.
 */
async function leave(old) {
  if (old.offer && !isOver(old)) await send("release", { ticket: old.offer.ticket }, `${old.key}-release`);
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
function arrive({ id, kind, number, shopName, wait, visit, link }, { place, languages, address } = offer) {
  const reservation = { id, kind, number, shopName, now: place.now, state: "planned", wait: wait || place.wait, visit };
  remember(new URL(link).hash.slice(1), { view: { languages, address, reservation }, at: attempt ? attempt.at : Date.now() });
  keepAttempt(null);
  go(link);
}

/** The server may be known by more than one address: its own pages are opened where this one was. */
function go(link) {
  const { host, pathname, hash } = new URL(link);
  location.replace(host === location.host ? pathname + hash : link);
}

/** Loads the part for visits, with what the page says of them; whether it is there. */
async function loadVisits() {
  visits = visits || await import("/visit.js").catch(() => null);
  if (visits) addTexts(visits.pageTexts);
  return visits;
}

/** Shows the slots of visits; `why` is the name of a text that says why they are shown again. */
function choose(why = "") {
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
        if (moved) become("move");
        else begin();
        part("first").focus();
      },
      refused(status, found) {
        become(!status ? "unanswered" : status !== 404 && status !== 200 ? "refused" : "scan", found);
      },
    });
    part("choice").before(picker.section);
  }
  picker.start(why, chosen ? chosen.start : "");
  draw();
  if (why) picker.focus();
}

/** Moves the visit to the chosen slot; again with the same key if no answer came. */
async function move() {
  become("moving");
  const { status, body } = await send("move", {
    capability: capabilityOfLink(), code: moved.entry.typedCode, visit: chosen,
  }, moveKey);
  if (status === 201) {
    forget(capabilityOfLink());
    return arrive(body, { languages: about.languages, address: about.address, place: { now: about.now, wait: body.wait } });
  }
  if (!status) become("unmoved");
  else if (nameOf(body) === "slot-taken") return choose("taken");
  else become("refused", body);
  part("first").focus();
}

/** Gives the place back. Without a network it is given back when its time is over. */
function decline() {
  if (moved) return go(`${location.origin}/t#${capabilityOfLink()}`);
  send("release", { ticket: offer.ticket }, `${attempt.key}-release`);
  attempt = null;
  keepAttempt(null);
  if (isVisit) return choose();
  become("released");
  part("first").focus();
}

/** What the large button does. */
function act() {
  if (problem.link) return go(problem.link);
  if (step === "move" || step === "unmoved") return move();
  if (step === "offer" || step === "unsure") return take();
  // A lost answer is asked for again with its key.
  if (isVisit && !visits) return open();
  if (isVisit && (step !== "unanswered" || !attempt)) return choose();
  if (isVisit) return hold();
  begin();
  part("first").focus();
}

// MARK: Drawing

const nameOf = (document) => String(document && document.type).split(":").pop();

/** A moment of the shop's clock with its day. */
function dayAndTime(moment) {
  const ofShop = Date.now() + milliseconds(`${moment.slice(0, 19)}Z`) - milliseconds(moment);
  const day = dayInWords(moment.slice(0, 10), new Date(ofShop).toISOString().slice(0, 10), language);
  return `${day}, ${say("at", { time: timeOf(moment) })}`;
}

/** The text by name, or the one for a visit, or for a customer who is elsewhere. */
const sayHere = (name, values) =>
  say(["Visit", "Away"].slice(isVisit ? 0 : 1).map((end) => name + end).find((one) => tag && isText(one)) || name, values);

/** What is shown of a refusal. */
function refused() {
  const { link, place, opens, until: end } = problem;
  const bad = (first, hint, button = "") => ({ look: "ended", symbol: "bad", first, hint, button });
  switch (nameOf(problem)) {
    case "invitation-over":
      return { look: "calm", symbol: "scan", first: say("over"), hint: say("overNow") };
    case "already-waiting":
      if (!link) return bad(sayHere("haveElsewhere"), sayHere("haveElsewhereNow"), isVisit ? "chooseTime" : "tryAgain");
      return {
        look: "calm", symbol: "done", button: "showPlace",
        first: place && place.number ? sayHere("haveNumber", { number: threeDigits(place.number) }) : sayHere("have"),
      };
    case "no-visits-on-phones": return bad(say("noVisits"), say("noVisitsNow"));
    case "too-many-visits": return bad(say("manyVisits"), say("manyVisitsNow"), "chooseTime");
    // The visit that was to be moved is called, or over.
    case "still-valid": case "inside": case "already-used": case "missed": case "already-deleted":
      return bad(say("cannotMove"), "", "");
    case "no-places-on-phones": return bad(say("noPhones"), sayHere("machine"));
    case "no-remote-places": return bad(say("noRemote"), say("noRemoteNow"));
    case "phone-places-taken": return bad(say("phonesTaken"), sayHere("orLater"), "tryAgain");
    case "remote-places-taken": return bad(say("remoteTaken"), sayHere("orLater"), "tryAgain");
    case "no-ticket-today": return bad(say("noTicket"), sayHere("noTicketNow"));
    case "shop-closed": return bad(say("shopClosed"), opens ? say("opens", { moment: dayAndTime(opens) }) : "");
    case "blocked":
      return bad(say("blocked"), `${say("blockedNow")} ${end ? say("blockedUntil", { moment: dayAndTime(end) }) : ""}`);
    case "too-many-requests": return bad(sayHere("tooMany"), tag ? say("tooManyNowAway") : say("machine"), "tryAgain");
    case "work-needed": return bad(say("manyAsk"), sayHere("orLater"), "tryAgain");
    default: return bad(say("didNotWork"), sayHere("machine"), "tryAgain");
  }
}

/** How long the place is kept, in words that change seldom. */
function keptFor(left) {
  const time = left > MINUTE ? inMinutes(Math.round(left / MINUTE)) : inSeconds(10 * Math.ceil(left / 10000));
  return say("kept", { time });
}

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
    case "move": case "moving": case "unmoved": return {
      look: "planned", first: say("moveTo"), range: dayAndTime(chosen.start),
      second: say("moveFrom", { moment: dayAndTime(moved.reservation.visit.start) }),
      kept: step === "unmoved" ? `${say("offline")} ${say("unsureMove")}` : "",
      button: step === "moving" ? "moment" : step === "move" ? "moveIt" : "tryAgain",
    };
    case "unanswered": return { ...ended, first: say("offline"), hint: tag ? "" : say("orLater"), button: "tryAgain" };
    case "expired": return { ...ended, first: say("expired"), hint: sayHere("expiredNow"), button: isVisit ? "chooseTime" : "askAgain" };
    case "released":
      if (tag) return { look: "calm", first: say("released"), hint: say("releasedNowAway"), button: "askAgain" };
      return { ...calm, first: say("released"), hint: say("releasedNow") };
    case "refused": return refused();
    case "number": return { look: "calm", first: say("number"), hint: `${say("numberWhy")} ${say("noNumber")}` };
  }
  const { wait, expires, visit } = offer.place;
  const ahead = wait.peopleAhead;
  const isUnsure = step === "unsure";
  const isLater = milliseconds(wait.earliest) - milliseconds(offer.place.now) > QUESTION;
  const words = {
    kept: isUnsure ? `${say("offline")} ${say("unsure")}` : keptFor(until(expires)),
    button: isUnsure ? "tryAgain" : step === "taking" ? "moment" : visit ? "takeVisit" : "take",
  };
  if (visit) {
    const [day, today] = [visit.start, offer.place.now].map((moment) => moment.slice(0, 10));
    return {
      look: "planned", first: dayInWords(day, today, language), range: say("at", { time: timeOf(visit.start) }),
      second: say("untilAbout", { time: timeOf(visit.end) }), hint: say("visitNow"), ...words,
    };
  }
  return {
    look: "planned", first: say("offer"), range: range(wait),
    second: ahead === 0 ? say("next") : ahead > 0 ? say("before", { people: people(ahead) }) : "",
    hint: tag && [say("inTime"), isLater && say("willAsk")].filter(Boolean).join(" "), ...words,
  };
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
  show("act", shown.button ? say(shown.button) : "");
  // Who is elsewhere and gets no place here may get one at another shop.
  part("others").hidden = !tag || !/scan|number|unanswered|refused|expired|released/.test(step) || problem.link;
  part("others").className = shown.button || step === "number" ? "" : "main";
  part("choice").hidden = !shown.button && part("others").hidden && !mayBook;
  show("decline", /^(offer|taking|move|moving|unmoved)$/.test(step) ? sayHere(moved ? "keepMine" : "decline") : "");
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

/** The capability of the visit that is to be moved, which follows after # of its address; empty for a new visit. */
const capabilityOfLink = () => location.hash.slice(1).toUpperCase();

/** What is asked for a place with: the shop's tag, or the invitation of the symbol at its door. */
const requestOfLink = () => tag ? { shop: tag } : { invitation: location.hash.slice(1).toUpperCase() };

/** Whether the time is over for which the server kept a place for an attempt, or may have kept one. */
function isOver({ at, offer: made }) {
  const kept = made ? milliseconds(made.place.expires) - milliseconds(made.place.now) : LONGEST_HOLD;
  return Math.abs(Date.now() - at) > kept;
}

async function open() {
  chooseLanguage();
  attempt = offer = null;
  const { shop, invitation } = requestOfLink();
  if (!(shop ? /^[0-9A-Z]{4}$/ : /^[0-9A-Z]{20}$/).test(shop || invitation)) return become("scan");
  if (!navigator.cookieEnabled) return become("noCookies");
  const own = opened = {};
  if (isVisit && !await loadVisits()) return become("unanswered");
  if (own !== opened) return;
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
  if (isVisit) choose();
  else begin();
}

addTexts(joinTexts);
part("book").setAttribute("href", `/visit/${tag}`);
part("choice").before(formPart);
startChoices(() => {
  chooseLanguage((offer || about || { languages: [] }).languages);
  draw();
});
onClick("act", act);
onClick("decline", decline);
document.addEventListener("visibilitychange", draw);
addEventListener("hashchange", open);
setInterval(() => {
  draw();
  if (picker) picker.tick();
}, 1000);

open();
