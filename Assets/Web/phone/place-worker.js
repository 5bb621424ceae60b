// The service worker of the page of a place and, with registrations of their own, of the list of places and of the page of
// orders: opens its page from the phone's memory, also without network, and renews it; and shows the notices that are pushed to
// the phone (rules: notices, order-pages).

import { isKnown, phrase, spelled } from "./languages.js";
import { isCapability, numberInWords } from "./order-code.js";
import { send } from "./server.js";
import { allSent, forgetSent, keepSent, subscribe } from "./subscriptions.js";
import { workerTexts } from "./worker-words.js";

const worker = /** @type {any} */ (self);
const PAGE = "/t";
const ORDERS = "/orders";
/** The parts of the pages that are loaded apart; the list of places has none. */
const PARTS = { [PAGE]: ["/extras.js", "/notices.js", "/opening.js", "/question.js", "/sms.js"], [ORDERS]: ["/arrival.js", "/notices.js"] };
const CACHE = "clup-place";

// MARK: The page without network

/** The path with which the page of this worker is opened. Several workers share the memory. */
const ownPath = () => new URL(worker.registration.scope).pathname;
/** The page that this worker is for: that of a symbol's link is the same. */
const ownPage = () => ({ "/T": PAGE, "/C": ORDERS })[ownPath()] || ownPath();
/** The files that it keeps. */
const keptFiles = () => [ownPage(), ...PARTS[ownPage()] || []];

/** Fetches a part of the page and keeps it if it is the part: no error and no redirect. */
async function renewed(path) {
  const answer = await fetch(path, { cache: "no-cache", credentials: "omit" });
  if (answer.status === 200 && !answer.redirected) {
    try {
      const cache = await caches.open(CACHE);
      await cache.put(path, answer.clone());
    } catch { /* the phone is full: it is not kept */ }
  }
  return answer;
}

worker.addEventListener("install", (event) => {
  const [page, ...parts] = keptFiles();
  const files = [renewed(page), ...parts.map((path) => renewed(path).catch(() => {}))];
  event.waitUntil(Promise.all(files).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  // The scope /t is that of /turnstile too.
  const [page, ...parts] = keptFiles();
  if (!parts.includes(pathname) && (event.request.mode !== "navigate" || pathname !== ownPath())) return;
  const path = parts.includes(pathname) ? pathname : page;
  const renewal = renewed(path);
  event.waitUntil(renewal.catch(() => {}));
  event.respondWith(
    caches.match(path, { cacheName: CACHE }).catch(() => null).then((known) => known || renewal));
});

// MARK: Notices

/** The message of a push; empty if it is none. */
function messageOf(data) {
  try { return data.json() || {}; } catch { return {}; }
}

/** The language of a notice, or one that the phone prefers. */
const languageOf = (language) =>
  [language, ...navigator.languages].map((code) => String(code).slice(0, 2)).find(isKnown) || "en";

/**
 * The title and the options of a message's notice. A browser must show each push, so that one that is not understood shows a
 * plain notice.
 */
function noticeOf(message) {
  if ("order" in message) return noticeOfOrder(message);
  const { kind, capability, number, shopName, language, time } = message;
  const spoken = languageOf(language);
  const isOfPlace = /^[0-9A-Z]{38}$/.test(capability);
  const name = isOfPlace && `${kind}Now` in workerTexts ? kind : "place";
  const moment = /T(\d\d:\d\d)/.exec(time);
  const body = moment && `${name}By` in workerTexts ? `${name}By` : `${name}Now`;
  const isCalled = name === "called";
  const isAsked = name === "question";
  return {
    title: [Number.isInteger(number) && isOfPlace && String(number).padStart(3, "0"), phrase(workerTexts, name, spoken)]
      .filter(Boolean).join(" · "),
    options: {
      body: [phrase(workerTexts, body, spoken, { time: moment && spelled(moment[1], spoken) }),
        isOfPlace && typeof shopName === "string" && shopName].filter(Boolean).join("\n"),
      lang: spoken,
      // A later notice of a place replaces the former. These characters of the capability are no secret.
      tag: isOfPlace ? capability.slice(0, 12) : "place",
      renotify: true,
      requireInteraction: isCalled || isAsked,
      vibrate: isCalled ? [400, 200, 400, 200, 800] : isAsked ? [400, 200, 400] : [400],
      icon: "/icon.png",
      data: { capability: isOfPlace ? capability : "", message },
    },
  };
}

/** The same of an order: its number and what is new, the order's own name and the shop. */
function noticeOfOrder(message) {
  const { order, capability, reference, number, desk, shopName, language } = message;
  const spoken = languageOf(language);
  const isOfOrder = isCapability(capability);
  const name = isOfOrder && `order-${order}` in workerTexts ? `order-${order}` : "order";
  const isCalled = name === "order-called";
  const text = (end) => `${name}${end}` in workerTexts ? phrase(workerTexts, `${name}${end}`, spoken, { desk }) : "";
  return {
    title: [isOfOrder && numberInWords(number), text("")].filter(Boolean).join(" · "),
    options: {
      body: [text("Now"), isOfOrder && phrase(workerTexts, "orderName", spoken, { reference, shop: shopName })]
        .filter(Boolean).join("\n"),
      lang: spoken,
      // A later notice of an order replaces the former. These characters of the capability are no secret.
      tag: isOfOrder ? capability.slice(0, 30) : "order",
      renotify: true,
      requireInteraction: isCalled,
      vibrate: isCalled ? [400, 200, 400, 200, 800] : [400],
      icon: "/icon.png",
      data: { order: isOfOrder ? capability : "", message },
    },
  };
}

/** Shows a message; or once more, in silence, the shown one of the same place if that was written later. */
async function showNotice(message) {
  const { title, options } = noticeOf(message);
  const shown = await worker.registration.getNotifications({ tag: options.tag }).catch(() => []);
  const newer = shown.map(({ data }) => data && data.message).find((one) => one && one.made > message.made);
  if (!newer) return worker.registration.showNotification(title, options);
  const again = noticeOf(newer);
  // A silent notice may have no vibration.
  const silent = { renotify: false, silent: true, vibrate: undefined };
  return worker.registration.showNotification(again.title, { ...again.options, ...silent });
}

worker.addEventListener("push", (event) => event.waitUntil(showNotice(messageOf(event.data))));

/** Brings a page to the front, of the place or the order that a text opens: its open window, or a new one. */
async function openPage(page, opener) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = windows.find(({ url }) => {
    const { pathname, hash } = new URL(url);
    return pathname === page && (!opener || hash.slice(1).toUpperCase() === opener);
  });
  // A browser may refuse to bring a window to the front.
  return own && await own.focus().catch(() => null)
    || worker.clients.openWindow(opener ? `${page}#${opener}` : page);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { capability = "", order } = event.notification.data || /** @type {any} */ ({});
  event.waitUntil(order === undefined ? openPage(PAGE, capability) : openPage(ORDERS, order));
});

// MARK: Subscriptions

/**
 * Sends the browser's new subscription for all places or orders that have notices. The former one is ended first, as only a
 * few may have the notices of a place.
 */
async function renewSubscriptions(subscription) {
  const scope = ownPath();
  const all = await allSent(scope);
  if (!all.length) return;
  const { pushKey } = all.reduce((one, other) => one.at > other.at ? one : other);
  const { endpoint, keys } = (subscription || await subscribe(worker.registration.pushManager, pushKey)).toJSON();
  for (const { own, body } of all) {
    await send("subscription-end", { capability: body.capability, endpoint: body.endpoint });
    const changed = { ...body, endpoint, ...keys };
    const { status } = await send("subscription", changed);
    if (status === 204) await keepSent(scope, own, changed, pushKey);
    else if (status === 404) await forgetSent(scope, own);
  }
}

worker.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(renewSubscriptions(/** @type {any} */ (event).newSubscription)));
