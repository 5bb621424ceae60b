// Whether a visit fits the day of a customer, with the way and with lunch; a part of calendar-check.js.

const MINUTE = 60000;
const HOUR = 3600000;
const DAY = 86400000;
/** On the clock of the shop, lunch is between these hours, and needs so much of them. */
const LUNCH = { from: 12 * HOUR, until: 14 * HOUR, needed: 30 * MINUTE };

const overlap = (one, other) => one.start < other.end && one.end > other.start;

/** Whether enough of the window is left beside what takes time. */
function hasRoom(window, busy) {
  let free = window.start;
  for (const { start, end } of busy.filter((one) => overlap(one, window)).sort((one, other) => one.start - other.start)) {
    if (start - free >= LUNCH.needed) return true;
    free = Math.max(free, end);
  }
  return window.end - free >= LUNCH.needed;
}

/**
 * Why a visit that begins at the moment `start` and lasts so many minutes does not fit: `{ event, isWay }` with an event
 * that it overlaps, only with the way if `isWay`, or `{ isLunch }` if it takes what was left for lunch; null if it fits. The
 * way takes `way` minutes before and after it. The events are busy ones, of that day and the days beside it; `zone` is
 * the clock of the shop.
 */
export function conflict(start, minutes, { way, keepsLunch }, events, zone) {
  const visit = { start, end: start + minutes * MINUTE };
  const taken = { start: visit.start - way * MINUTE, end: visit.end + way * MINUTE };
  const isDuring = events.find((event) => overlap(event, visit));
  const event = isDuring || events.find((one) => overlap(one, taken));
  if (event) return { event, isWay: !isDuring };
  const midnight = Math.floor((start + zone.offset(start)) / DAY) * DAY;
  const window = { start: zone.moment(midnight + LUNCH.from), end: zone.moment(midnight + LUNCH.until) };
  // Lunch that the events leave no time for is not what the visit takes.
  const takesLunch = keepsLunch && hasRoom(window, events) && !hasRoom(window, [...events, taken]);
  return takesLunch ? { isLunch: true } : null;
}
