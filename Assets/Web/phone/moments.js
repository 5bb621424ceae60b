// Moments of the shop's clock (RFC 3339 with its offset), and spans of time in words.

/** HH:MM on the shop's clock, so many milliseconds later: its time is computed with as if it were UTC. */
export function clock(moment, later = 0) {
  return new Date(Date.parse(`${moment.slice(0, 19)}Z`) + later).toISOString().slice(11, 16);
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

/** So many seconds, minutes, hours or days from now or ago, as `25 seconds ago` or `tomorrow`. */
export function relative(count, unit, language) {
  try {
    return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count, unit);
  } catch {
    return span(Math.abs(count), unit, language);
  }
}

/** How long ago something was, as `25 seconds ago`. */
export function ago(milliseconds, language) {
  const minutes = milliseconds / 60000;
  return minutes < 1.5 ? relative(-Math.floor(minutes * 60), "second", language)
    : minutes < 90 ? relative(-Math.round(minutes), "minute", language)
      : relative(-Math.round(minutes / 60), "hour", language);
}

/** A day (YYYY-MM-DD) in words; today and tomorrow are named so. */
export function dayInWords(day, today, language) {
  const distance = Math.round((Date.parse(day) - Date.parse(today)) / 86400000);
  return distance === 0 || distance === 1 ? relative(distance, "day", language)
    // The day before the month in English too.
    : new Intl.DateTimeFormat(language === "en" ? "en-GB" : language,
      { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day))
      // In French the first of a month is an ordinal number.
      .replace(/ 1 /, language === "fr" ? " 1er " : " 1 ");
}
