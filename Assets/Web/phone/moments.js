// Moments of the shop's clock (RFC 3339 with its offset), and spans of time in words.

/** What the shop's clock shows so many milliseconds later: its time is computed with as if it were UTC. */
const local = (moment, later) => new Date(Date.parse(`${moment.slice(0, 19)}Z`) + later).toISOString();

/** HH:MM on the shop's clock, so many milliseconds later. */
export const clock = (moment, later = 0) => local(moment, later).slice(11, 16);

/** The day (YYYY-MM-DD) on the shop's clock, so many milliseconds later. */
export const dayOf = (moment, later = 0) => local(moment, later).slice(0, 10);

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

/** From so many hours on, days are counted: no language has words of its own for three of them. */
const DAYS = 72;

/** How long ago something was, as `25 seconds ago`. */
export function ago(milliseconds, language) {
  const minutes = milliseconds / 60000;
  return minutes < 1.5 ? relative(-Math.floor(minutes * 60), "second", language)
    : minutes < 90 ? relative(-Math.round(minutes), "minute", language)
      : minutes < DAYS * 60 ? relative(-Math.round(minutes / 60), "hour", language)
        : relative(-Math.round(minutes / 1440), "day", language);
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

/** A day with its date for what is looked at again another day, as `tomorrow, Sunday 29 November`. */
export function dayWithDate(day, today, language) {
  const [near, date] = [dayInWords(day, today, language), dayInWords(day, "", language)];
  return near === date ? date : `${near}, ${date}`;
}
