// Notices on the page of a place, or of an order that is collected: the part that offers them, and subscribes this browser
// (rules: notices, order-pages). It is loaded apart from the page, which works without it. The page has a language of its
// own, that of its document.

import { digitsForm } from "./digits-form.js";
import { phrase } from "./languages.js";
import * as placeMemory from "./memory.js";
import { noticesTexts } from "./notices-words.js";
import { isCode } from "./order-code.js";
import * as orderMemory from "./order-memory.js";
import { send } from "./server.js";
import { allSent, forgetSent, keepSent, subscribe } from "./subscriptions.js";

/** The longest that the browser, with its push service, may take. */
const LONGEST = 30000;
/** The shortest time after which the subscription is sent again to a backend that was busy or out of reach. */
const AGAIN = 300000;
/** The first iOS whose pages on the Home Screen get notices. */
const HOME_SCREEN = 16.4;

const language = () => document.documentElement.lang;

/** Whether the page is that of orders, which has a worker and a memory of its own. */
const isOfOrders = location.pathname === "/orders";
const SCOPE = isOfOrders ? "/orders" : "/t";
const { remember, remembered } = isOfOrders ? orderMemory : placeMemory;

/** The place whose page is shown, or the name of the order, and its last view. */
let capability = "";
let view = null;
/** `unknown`, `off`, `on`, `busy`, or `impossible`: the backend sends nothing to the push service of this browser. */
let step = "unknown";
/** The ten digits, if the page knows them or they were typed here. */
let known = "";
let typed = "";
/** Whether the last touch on the button did not work. */
let hasFailed = false;
/** The language and the key with which the subscription of this place was last sent. */
let sent = "";
/** The last sending that the page began by itself, and when the next one may come. */
let renewal = Promise.resolve();
let again = Infinity;

// MARK: The browser

const canSubscribe = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Whether the page would get notices if it was opened from the Home Screen of an iPhone or iPad. */
const needsHomeScreen = (() => {
  const { userAgent, platform, maxTouchPoints, standalone } = /** @type {any} */ (navigator);
  // An iPad presents itself as a Mac, which has no touchscreen.
  const isMobile = /iPhone|iPad|iPod/.test(userAgent) || platform === "MacIntel" && maxTouchPoints > 1;
  const [, major, minor] = /(?:OS |Version\/)(\d+)[._](\d+)/.exec(userAgent) || [];
  return !canSubscribe && isMobile && !standalone && Number(`${major}.${minor}`) >= HOME_SCREEN;
})();

/** Fails if the work takes too long. */
function inTime(work) {
  return Promise.race([work, new Promise((_, fail) => setTimeout(() => fail(new Error("too long")), LONGEST))]);
}

/** The worker's registration, with a worker that runs. */
async function registration() {
  const made = await navigator.serviceWorker.register("/worker.js", { scope: SCOPE });
  // `ready` would be that of the address with which the page was opened, which is another one for the link of a symbol.
  const worker = made.installing || made.waiting;
  while (worker && !made.active) await new Promise((changed) => worker.addEventListener("statechange", changed, { once: true }));
  return made;
}

async function subscription() {
  const known = await navigator.serviceWorker.getRegistration(SCOPE);
  return known && known.pushManager.getSubscription();
}

// MARK: The backend

/** What `sent` is when the backend has what this page would send. */
const wanted = () => `${language()} ${view.pushKey}`;

/** What opens the place or the order at the backend: this phone may have the code of an order. */
const opener = (own) => isOfOrders && (remembered(own) || /** @type {any} */ ({})).code || own;

/** Subscribes, and sends the subscription of a place to the backend; resolves to its answer, of status 0 if none came. */
async function subscribePlace(own, pushKey) {
  again = Infinity;
  try {
    const spoken = language();
    sent = `${spoken} ${pushKey}`;
    const made = registration().then(({ pushManager }) => subscribe(pushManager, pushKey));
    const { endpoint, keys } = (await inTime(made)).toJSON();
    const typedCode = known || typed || undefined;
    const body = { endpoint, ...keys, language: spoken };
    const answer = await send("subscription", { capability: opener(own), typedCode, ...body });
    // A name that is a code lets its holder in.
    if (answer.status === 204 && !(isOfOrders && isCode(own))) {
      await keepSent(SCOPE, own, { capability: own, ...body }, pushKey);
    }
    return answer;
  } catch {
    return { status: 0, body: null };
  }
}

/** Keeps and shows what came of an attempt to subscribe. */
function finish(own, { status, body }) {
  const has = status === 204;
  remember(own, { notices: has });
  if (!has) forgetSent(SCOPE, own);
  const isImpossible = status === 422 && /push-service-unknown/.test(body && body.type);
  become(own, has ? "on" : isImpossible ? "impossible" : "off", !has);
}

async function switchOn() {
  const own = capability;
  // The page may show another one before this one has its notices.
  const { pushKey } = view;
  become(own, "busy");
  // It must be asked for before anything else is awaited, while the browser knows of the touch.
  if (await Notification.requestPermission() !== "granted") return become(own, "off");
  let answer = await subscribePlace(own, pushKey);
  // As many as may have the notices with the link alone have them, or others have tried too much with it.
  while (own === capability && !isOfOrders && needsDigits(answer)) {
    typed = await asking.ask("taken", typed && "wrong");
    if (!typed) break;
    become(own, "busy");
    answer = await subscribePlace(own, pushKey);
  }
  finish(own, answer);
}

const needsDigits = ({ status, body }) => status === 403 || /notices-taken/.test(body && body.type);

/** Ends the notices of an order that is removed from the phone, as far as the network lets it. */
export async function end(own) {
  forgetSent(SCOPE, own);
  try {
    const { endpoint } = await inTime(subscription()) || {};
    if (endpoint) await send("subscription-end", { capability: opener(own), endpoint });
  } catch { /* they end with the order */ }
}

/** Ends the notices of this place at the backend. The browser stays subscribed, for its other places. */
async function switchOff() {
  const own = capability;
  become(own, "busy");
  await renewal;
  try {
    const { endpoint } = await inTime(subscription()) || {};
    // Without a subscription of the browser nothing arrives, and a place that the backend does not know has no notices.
    const status = endpoint && (await send("subscription-end", { capability: opener(own), endpoint })).status;
    if (!endpoint || status === 204 || status === 404) {
      remember(own, { notices: false });
      await forgetSent(SCOPE, own);
      return become(own, "off");
    }
  } catch { /* they stay on */ }
  become(own, "on", true);
}

/** Sends the subscription once more: browsers change them, and the language may be another one. */
async function renew() {
  const own = capability;
  const answer = await subscribePlace(own, view.pushKey);
  if (answer.status === 429 || !answer.status && await inTime(subscription()).catch(() => null)) {
    // The backend may have this browser, or may not: what is shown becomes true with the next attempt.
    again = performance.now() + Math.max(AGAIN, answer.retryAfter || 0);
  } else if (answer.status !== 204) finish(own, answer);
}

// MARK: Drawing

// What is too old is forgotten.
allSent(SCOPE);

const section = document.createElement("section");
section.hidden = true;
section.setAttribute("aria-labelledby", "notices");
section.innerHTML = '<h2 id="notices"></h2><p role="status" tabindex="-1"></p><p></p><button id="notify"></button>';
(document.getElementById("noticesHere") || document.getElementById("sms") || document.getElementById("leave")).before(section);
const [title, now, what, button] = /** @type {HTMLElement[]} */ ([...section.children]);
now.style.fontWeight = "700";
now.style.outline = "none";
const asking = digitsForm("notices");
section.append(asking.form);

button.addEventListener("click", () => {
  if (step === "on") switchOff();
  else if (step !== "busy") switchOn();
});

if (needsHomeScreen) {
  // The manifest names no page to start with, so that it is this one, with its capability.
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = "/manifest.json";
  document.head.append(link);
}

/** The names of the texts that are shown: what is so now, what notices are, and what the button does. */
function content() {
  if (needsHomeScreen) {
    return { what: ["homeScreen", ...isOfOrders || document.getElementById("entry").hidden ? [] : ["codeStays"]] };
  }
  if (!canSubscribe) return { what: ["impossible"] };
  if (Notification.permission === "denied") return { now: ["denied"] };
  switch (step) {
    case "off": return { ...hasFailed ? { now: ["failed"] } : { what: ["what"] }, button: ["turnOn"] };
    case "on": return { now: [hasFailed ? "stillOn" : "on"], what: ["what"], button: ["turnOff"] };
    case "busy": return { what: ["what"], button: ["moment"] };
    default: return { now: ["impossible"] };
  }
}

/** Changes an element only if its text is another one, so that nothing is read aloud twice. */
function show(element, names = []) {
  const ownName = (name) => isOfOrders && `${name}Order` in noticesTexts ? `${name}Order` : name;
  const words = names.map((name) => phrase(noticesTexts, ownName(name), language())).join(" ");
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}

function become(own, next, failed = false) {
  if (own !== capability) return;
  step = next;
  hasFailed = failed;
  drawSection();
}

function drawSection() {
  section.hidden = !view || !view.pushKey || view.reservation.state !== "planned";
  if (section.hidden) return asking.end();
  asking.draw();
  const shown = content();
  const hadFocus = document.activeElement === button;
  show(title, ["notices"]);
  show(now, shown.now);
  show(what, shown.what);
  show(button, shown.button);
  button.className = step === "on" ? "" : "main";
  if (hadFocus && button.hidden) now.focus();
}

/** Finds out whether the place has notices, as its page is opened, and sends the subscription when that is due. */
function check() {
  const isNew = step === "unknown";
  if (isNew) {
    const { notices } = remembered(capability) || /** @type {any} */ ({});
    become(capability, notices && Notification.permission === "granted" ? "on" : "off");
  }
  if (step === "on" && (isNew || sent !== wanted() || performance.now() >= again)) renewal = renew();
}

/**
 * To be called every second, and whenever there is something new, with the place of the page, its last view, and the ten
 * digits if the page knows them.
 */
export function draw(place, latest, digits = "") {
  known = digits;
  if (place !== capability) {
    typed = "";
    asking.end();
  }
  if (place !== capability || canSubscribe && Notification.permission === "denied") step = "unknown";
  capability = place;
  view = latest;
  // A place that has ended may be taken back, which the page shows as planned.
  if (canSubscribe && view && view.pushKey && /planned|called/.test(view.reservation.state)) check();
  drawSection();
}
