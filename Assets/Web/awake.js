// Keeps the screen on: a phone or a tablet that sleeps shows no call and no customer.

async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  // TypeScript's library does not know of `wakeLock` before its version 5.
  await /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => {});
}

/** Keeps the screen on from now on, while the page is seen. */
export function keepAwake() {
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
}
