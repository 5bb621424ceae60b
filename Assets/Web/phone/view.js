// The last view of the place, and the entry code that came with one.

import { setClock } from "./clock.js";

/** Views older than this are shown with their age. */
export const STALE = 15000;

export let view = null;
/** That of the last view. */
export let reservation = null;
/** What lets the customer in: only the phone that took the place gets it, and not with each view. */
export let entry = null;
/** The symbol of the paper, if its code opened the page: it shows, and has no digits with which the place is changed. */
export let paper = null;

/** Sets the last view; `moments` are those when it came, if that is not now. */
export function setView(next, moments) {
  view = next;
  reservation = next && next.reservation;
  if (next) setClock(reservation.now, moments);
}

export function setEntry(next) { entry = next; }

export function setPaper(next) { paper = next; }

/** Whether the place waits for its call, or for its holder at the door. */
export const isWaiting = () => /planned|called/.test(reservation.state);

/** Whether the place can be given up, as far as is known. */
export const mayGiveUp = () => isWaiting() && reservation.deletable !== false;
