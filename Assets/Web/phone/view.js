// The last view of the place, and the time since then.

/** Views older than this are shown with their age. */
export const STALE = 15000;

export let view = null;
/** That of the last view. */
export let reservation = null;
/** When the view came: by the page's clock, which may stand still in sleep, and by the phone's. */
export let came = moment();

function moment() { return { page: performance.now(), phone: Date.now() }; }

export function setView(next, moments = moment()) {
  view = next;
  reservation = next && next.reservation;
  came = moments;
}

export const milliseconds = Date.parse;
/** Milliseconds since the view came. A clock that is set while the page is open may make it older, but not newer. */
export const age = () => Math.max(performance.now() - came.page, Date.now() - came.phone);
/** The server's time now. */
export const now = () => milliseconds(reservation.now) + age();
/** Milliseconds until a moment that the server names; 0 if it names none, or if it has passed. */
export const until = (moment) => moment ? Math.max(0, milliseconds(moment) - now()) : 0;
/** Whether the place waits for its call, or for its holder at the door. */
export const isWaiting = () => /planned|called/.test(reservation.state);
