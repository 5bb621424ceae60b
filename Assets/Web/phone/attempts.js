// What a window remembers of its last attempt to get a place, which may be refused or lost.

import { milliseconds } from "./clock.js";
import { send } from "./server.js";

const ATTEMPT = "clup-attempt";
const CHOICE = "clup-choice";
/** The longest time for which a place is kept that was not taken. */
const LONGEST_HOLD = 180000;

/** The last attempt to join a queue in this window: its `request`, its `key`, and `at` which time it began. */
export function lastAttempt() {
  try { return JSON.parse(sessionStorage.getItem(ATTEMPT)); } catch { return null; }
}

export function keepAttempt(attempt) {
  try { sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt)); } catch { /* it is not kept */ }
}

/** Remembers the slot of another shop that was suggested and touched, until the page of that shop is open in this window. */
export function keepChoice(shop, visit) {
  try { sessionStorage.setItem(CHOICE, JSON.stringify({ shop, visit })); } catch { /* it is not kept */ }
}

/** The slot that was chosen for a shop before its page was opened, once; null if there is none. */
export function takeChoice(shop) {
  try {
    const choice = JSON.parse(sessionStorage.getItem(CHOICE));
    sessionStorage.removeItem(CHOICE);
    return choice && choice.shop === shop && typeof choice.visit.start === "string" ? choice.visit : null;
  } catch { return null; }
}

/** Whether the time is over for which the server kept a place for an attempt, or may have kept one. */
export function isOver({ at, offer }) {
  const kept = offer ? milliseconds(offer.place.expires) - milliseconds(offer.place.now) : LONGEST_HOLD;
  return Math.abs(Date.now() - at) > kept;
}

/**
 * Gives a place back that this window holds in another shop, whose page the customer has left: otherwise this shop could
 * give none.
 */
export async function leave(old) {
  if (old.offer && !isOver(old)) await send("release", { ticket: old.offer.ticket }, `${old.key}-release`);
}
