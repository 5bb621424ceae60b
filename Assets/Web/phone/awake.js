// Whether the phone's screen stays on.

/** The lock, or the promise of one. */
let lock = null;

/** Keeps the screen on while that is wanted. A lock ends by itself when the page is hidden. */
export async function stayAwake(isWanted) {
  // TypeScript's library does not know of `wakeLock` before its version 5.
  const locks = /** @type {any} */ (navigator).wakeLock;
  if (!locks || document.hidden) return;
  if (isWanted && !lock) {
    // A refusal, as with an empty battery, is the last word until the page is seen again.
    lock = locks.request("screen").catch(() => {});
  } else if (!isWanted && lock) {
    const last = await lock;
    lock = null;
    if (last) last.release();
  }
}

/** To be called when the page was hidden or is seen again, as a lock has ended by then. */
export function forgetLock() { lock = null; }
