// The subscriptions for notices as the backend has them from this phone. They are kept for the worker, which cannot read the
// pages' own memory: browsers change a subscription while no page is open, and the worker then sends the new one.

const CACHE = "clup-notices";
/** How long one is kept: longer than ahead a visit is booked. */
const LONGEST = 40 * 86400000;

/** The address of a subscription in the memory: `own` is the place, or the name of the order. */
const pathOf = (scope, own) => `/notices${scope}/${own}`;

/**
 * Keeps what was sent to the backend: the body of `subscription`, without what lets a customer in or proves who it is, and the
 * key with which the backend sends.
 */
export async function keepSent(scope, own, body, pushKey) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(pathOf(scope, own), new Response(JSON.stringify({ at: Date.now(), own, body, pushKey })));
  } catch { /* the page sends it when it is opened the next time */ }
}

export async function forgetSent(scope, own) {
  try { await (await caches.open(CACHE)).delete(pathOf(scope, own)); } catch { /* it is forgotten after a while */ }
}

/** All that pages of this scope have sent; those that are too old are forgotten. */
export async function allSent(scope) {
  const sent = [];
  try {
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      if (!new URL(request.url).pathname.startsWith(pathOf(scope, ""))) continue;
      const one = await (await cache.match(request)).json();
      if (Math.abs(Date.now() - one.at) < LONGEST) sent.push(one); else await cache.delete(request);
    }
  } catch { /* what was read so far */ }
  return sent;
}

/**
 * The subscription of this browser, which is one for all places of a worker and stays. One with another key, with which the
 * backend could send nothing, is replaced.
 */
export async function subscribe(pushManager, pushKey) {
  const letters = atob(pushKey.replace(/-/g, "+").replace(/_/g, "/"));
  const options = { userVisibleOnly: true, applicationServerKey: Uint8Array.from(letters, (letter) => letter.charCodeAt(0)) };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const old = error.name === "InvalidStateError" && await pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  }
}
