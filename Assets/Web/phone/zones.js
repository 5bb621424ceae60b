// The clocks of time zones.

const SECOND = 1000;
const DAY = 86400000;
/** For so many days the distance to UTC is remembered. */
const MOST_DAYS = 5000;

/** The clock of UTC. */
export const utc = { offset: () => 0, moment: (local) => local };

/**
 * The clock that is so much later than UTC, in milliseconds, as `exact` says of each moment; it changes at most once a day. A
 * `local` time is what a clock shows, as if it were UTC, in milliseconds since 1970.
 */
export function clockOf(exact) {
  /** By the day, the distance at its start, and the moment of a change within it. */
  const known = new Map();
  const changes = new Map();

  function atStart(day) {
    if (!known.has(day)) {
      if (known.size >= MOST_DAYS) known.clear();
      known.set(day, exact(day * DAY));
    }
    return known.get(day);
  }

  /** The moment of the change within a day, to a second. */
  function changeOn(day) {
    if (changes.has(day)) return changes.get(day);
    if (changes.size >= MOST_DAYS) changes.clear();
    const before = atStart(day);
    let [last, next] = [day * DAY, (day + 1) * DAY];
    while (next - last > SECOND) {
      const middle = Math.floor((last + next) / 2 / SECOND) * SECOND;
      if (exact(middle) === before) last = middle;
      else next = middle;
    }
    changes.set(day, next);
    return next;
  }

  /** How much later than UTC the clock is at a moment, in milliseconds. */
  function offset(moment) {
    const day = Math.floor(moment / DAY);
    const [first, next] = [atStart(day), atStart(day + 1)];
    return first === next || moment < changeOn(day) ? first : next;
  }

  return {
    offset,
    /**
     * When the clock shows a local time: the first moment if there are two. A time that is left out in spring is that of the
     * clock before the change (RFC 5545 3.3.5).
     */
    moment(local) {
      const [before, after] = [offset(local - DAY), offset(local + DAY)];
      const first = local - before;
      if (before === after || offset(first) === before) return first;
      return offset(local - after) === after ? local - after : first;
    },
  };
}

/** The clock of a zone by its name in the IANA time zone database; a RangeError if the browser knows none. */
export function zoneNamed(name) {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: name, hour12: false, year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
    second: "numeric",
  });
  return clockOf((moment) => {
    const shown = {};
    for (const { type, value } of format.formatToParts(moment)) shown[type] = Number(value);
    const { year, month, day, hour, minute, second } = /** @type {any} */ (shown);
    // Some browsers call midnight 24.
    return Date.UTC(year, month - 1, day, hour % 24, minute, second) - Math.floor(moment / 1000) * 1000;
  });
}
