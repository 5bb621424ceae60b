// The service worker of the phone's page: opens it from the phone's memory, also without network, and renews it.

const worker = /** @type {any} */ (self);
const PAGE = "/t";
const CACHE = "clup-place";

/** Fetches the page and keeps it if it is the page: no error and no redirect. */
async function renewed() {
  const answer = await fetch(PAGE, { cache: "no-cache", credentials: "omit" });
  if (answer.status === 200 && !answer.redirected) {
    try {
      const cache = await caches.open(CACHE);
      await cache.put(PAGE, answer.clone());
    } catch { /* the phone is full: it is not kept */ }
  }
  return answer;
}

worker.addEventListener("install", (event) => {
  event.waitUntil(renewed().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  // The scope /t is that of /turnstile too.
  if (event.request.mode !== "navigate" || new URL(event.request.url).pathname !== PAGE) return;
  const renewal = renewed();
  event.waitUntil(renewal.catch(() => {}));
  event.respondWith(caches.match(PAGE, { cacheName: CACHE }).catch(() => null).then((known) => known || renewal));
});
