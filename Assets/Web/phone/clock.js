// The server's clock, by the last answer that named its time.

/** The server's time of that answer in milliseconds. */
let named = 0;
/** When the answer came: by the page's clock, which may stand still in sleep, and by the phone's. */
export let came = moment();

function moment() { return { page: performance.now(), phone: Date.now() }; }

export const milliseconds = Date.parse;

export function setClock(time, moments = moment()) {
  named = milliseconds(time);
  came = moments;
}

/** In lists, views older than this are shown with their age: a refresh did not come. */
export const OLD = 60000;

/** When a remembered view came, by the phone's clock then. If that was set back since, the view is shown as old. */
export function cameAt(at) {
  const past = Date.now() - at;
  return { page: performance.now() - (past < 0 ? OLD : past), phone: at };
}

/** Milliseconds since the answer came. A clock that is set while the page is open may make it older, but not newer. */
export const age = () => Math.max(performance.now() - came.page, Date.now() - came.phone);
/** The server's time now. */
export const now = () => named + age();
/** Milliseconds until a moment that the server names; 0 if it names none, or if it has passed. */
export const until = (moment) => moment ? Math.max(0, milliseconds(moment) - now()) : 0;
