// Times as a calendar's file writes them (RFC 5545 3.3.4 and 3.3.5); a part of calendar-reader.js.

/** A day in milliseconds. */
export const DAY = 86400000;

/**
 * A day or a time of the clock: `local` is what the clock shows, as if it were UTC, in milliseconds since 1970; `isDay`
 * whether it is a day, and `isUTC` whether it is of UTC's clock. Null if it is none, or before the year 1000.
 */
export function readTime(text) {
  const [all, year, month, day, hour, minute, second, z] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i.exec(text.trim()) || [];
  const local = all ? Date.UTC(+year, +month - 1, +day, +(hour || 0), +(minute || 0), Math.min(+(second || 0), 59)) : 0;
  const isRight = all && +year >= 1000 && +(hour || 0) < 24 && +(minute || 0) < 60 && +(second || 0) <= 60
    && new Date(local).getUTCDate() === +day && new Date(local).getUTCMonth() === +month - 1;
  return isRight ? { local, isDay: !hour, isUTC: Boolean(z) } : null;
}
