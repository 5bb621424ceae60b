// Moments of the shop's clock (RFC 3339 with its offset), and spans of time in words.

/** HH:MM on the shop's clock, so many milliseconds later. */
export function clock(moment, later = 0) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(moment) || [null, "+", "0", "0"];
  const offset = (sign === "-" ? -1 : 1) * (+hours * 60 + +minutes) * 60000;
  return new Date(Date.parse(moment) + later + offset).toISOString().slice(11, 16);
}

/** A number of seconds or minutes in words, as `5 minutes`. */
export function span(count, unit, language) {
  try {
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  } catch {
    // Browsers before 2021 do not know units.
    return `${count} ${unit.slice(0, 3)}`;
  }
}

/** How long ago something was, as `25 seconds ago`. */
export function ago(milliseconds, language) {
  const format = new Intl.RelativeTimeFormat(language);
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 90 ? format.format(-seconds, "second")
    : seconds < 5400 ? format.format(-Math.round(seconds / 60), "minute")
      : format.format(-Math.round(seconds / 3600), "hour");
}

/** A day (YYYY-MM-DD) in words; today and tomorrow are named so. */
export function dayInWords(day, today, language) {
  const distance = Math.round((Date.parse(day) - Date.parse(today)) / 86400000);
  if (distance === 0 || distance === 1) {
    return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(distance, "day");
  }
  return new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    .format(Date.parse(day));
}
