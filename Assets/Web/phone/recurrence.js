// Rules by which an event recurs (RFC 5545 3.3.10), and the days that they give. A day is a number: the days since 1970.

const SECOND = 1000;
const MINUTE = 60000;
const HOUR = 3600000;
const DAY = 86400000;
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** The longest list of a rule, of which the RFC allows 31 days of a month with both signs. */
const LONGEST = 62;
/** So many times of the clock a rule may name for each day. */
const MOST_TIMES = 48;
/** The greatest number in a rule. */
const MOST = 1e9;

const dayOf = (year, month, day = 1) => Math.floor(Date.UTC(year, month, day) / DAY);
/** 0 is Monday; 1 January 1970 was a Thursday. */
const weekday = (day) => (((day + 3) % 7) + 7) % 7;
const dateOf = (day) => new Date(day * DAY);

function numbers(text, most, isSigned) {
  const found = text.split(",").map((one) => /^[+-]?\d{1,2}$/.test(one) ? Number(one) : 0);
  const isRight = (one) => one !== 0 && Math.abs(one) <= most && (isSigned || one > 0);
  return found.length <= LONGEST && found.every(isRight) ? found : null;
}

function weekdays(text) {
  const found = text.split(",").map((one) => {
    const [, place, name] = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(one) || [];
    const order = Number(place || 0);
    return name && (!place || order) && Math.abs(order) <= 53 ? { order, day: WEEKDAYS.indexOf(name) } : null;
  });
  return found.length <= LONGEST && found.every(Boolean) ? found : null;
}

/** Numbers of hours, minutes or seconds. */
function clockNumbers(text, most) {
  const found = text.split(",").map((one) => /^\d{1,2}$/.test(one) ? Number(one) : most + 1);
  return found.length <= LONGEST && found.every((one) => one <= most) ? found : null;
}

const count = (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST ? Number(text) : null;

/** How each part of a rule is read; null if it is not understood. */
const PARTS = {
  FREQ: (text) => /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(text) ? text : null,
  INTERVAL: count,
  COUNT: count,
  UNTIL: (text) => text,
  WKST: (text) => WEEKDAYS.includes(text) ? text : null,
  BYDAY: weekdays,
  BYMONTHDAY: (text) => numbers(text, 31, true),
  BYMONTH: (text) => numbers(text, 12, false),
  BYSETPOS: (text) => numbers(text, 99, true),
  BYHOUR: (text) => clockNumbers(text, 23),
  BYMINUTE: (text) => clockNumbers(text, 59),
  BYSECOND: (text) => clockNumbers(text, 59),
};

/** Reads a rule: its parts by their names; null if there is one that is not understood, which is never guessed. */
export function readRule(text) {
  const rule = /** @type {any} */ ({});
  for (const part of text.toUpperCase().split(";").filter(Boolean)) {
    const [name, value, more] = part.split("=");
    const read = Object.prototype.hasOwnProperty.call(PARTS, name) && value && more === undefined && !(name in rule)
      ? PARTS[name](value) : null;
    if (read === null) return null;
    rule[name] = read;
  }
  const isShort = /^(DAILY|WEEKLY)$/.test(rule.FREQ);
  if (!rule.FREQ || rule.COUNT && rule.UNTIL) return null;
  // Only months and years have a second Monday, and weeks have no days of a month.
  if (isShort && (rule.BYDAY || []).some(({ order }) => order)) return null;
  if (rule.FREQ === "WEEKLY" && rule.BYMONTHDAY) return null;
  // A place is one among the days of which the rule speaks.
  if (rule.BYSETPOS && !rule.BYDAY && !rule.BYMONTHDAY && !rule.BYMONTH) return null;
  // Each of some weekdays is a day of each week.
  const isEachDay = rule.FREQ === "DAILY" && (rule.INTERVAL || 1) === 1;
  if (isEachDay && rule.BYDAY && !rule.BYMONTHDAY && !rule.BYSETPOS) rule.FREQ = "WEEKLY";
  return rule;
}

/**
 * The times of the clock, in milliseconds after midnight, at which an event recurs on each of its days; null if there are too
 * many, or several where occurrences are counted. `start` is the event's own, with its `local` time and whether it `isDay`.
 */
export function clockTimes(rule, { local, isDay }) {
  const own = local - Math.floor(local / DAY) * DAY;
  if (!rule.BYHOUR && !rule.BYMINUTE && !rule.BYSECOND) return [own];
  const [hours, minutes, seconds] = [
    rule.BYHOUR || [Math.floor(own / HOUR)], rule.BYMINUTE || [Math.floor(own / MINUTE) % 60],
    rule.BYSECOND || [Math.floor(own / SECOND) % 60],
  ];
  if (isDay || hours.length * minutes.length * seconds.length > MOST_TIMES) return null;
  const found = [];
  for (const hour of hours) {
    for (const minute of minutes) for (const second of seconds) found.push(hour * HOUR + minute * MINUTE + second * SECOND);
  }
  return found.length > 1 && (rule.COUNT || rule.BYSETPOS) ? null : found;
}

/** The days from `first` to `last` that are some weekdays, or the second or the last but one of them there. */
function daysBy(list, first, last) {
  const found = [];
  for (const { order, day } of list) {
    const earliest = first + (day - weekday(first) + 7) % 7;
    const latest = last - (weekday(last) - day + 7) % 7;
    const one = order > 0 ? earliest + 7 * (order - 1) : latest + 7 * (order + 1);
    if (order && one >= first && one <= last) found.push(one);
    for (let each = earliest; !order && each <= last; each += 7) found.push(each);
  }
  return found;
}

/** The days of a month by its number, 0 for January of the year 0, of which a rule speaks. */
function daysOfMonth(rule, month, start) {
  const [year, place] = [Math.floor(month / 12), month % 12];
  const [first, last] = [dayOf(year, place), dayOf(year, place + 1) - 1];
  if (rule.BYMONTH && !rule.BYMONTH.includes(place + 1)) return [];
  const byWeekday = rule.BYDAY && daysBy(rule.BYDAY, first, last);
  if (!rule.BYMONTHDAY && byWeekday) return byWeekday;
  const found = (rule.BYMONTHDAY || [dateOf(start).getUTCDate()])
    .map((day) => day > 0 ? first + day - 1 : last + day + 1)
    .filter((day) => day >= first && day <= last);
  return byWeekday ? found.filter((day) => byWeekday.includes(day)) : found;
}

function daysOfYear(rule, year, start) {
  const months = [...Array(12).keys()].filter((month) => rule.BYMONTH || rule.BYMONTHDAY || rule.BYDAY
    || month === dateOf(start).getUTCMonth());
  // Without months, weekdays are counted within the year.
  const isOfYear = rule.BYDAY && !rule.BYMONTH;
  const inYear = isOfYear ? daysBy(rule.BYDAY, dayOf(year, 0), dayOf(year + 1, 0) - 1) : [];
  if (isOfYear && !rule.BYMONTHDAY) return inYear;
  const own = isOfYear ? { ...rule, BYDAY: null } : rule;
  const found = [].concat(...months.map((month) => daysOfMonth(own, year * 12 + month, start)));
  return isOfYear ? found.filter((day) => inYear.includes(day)) : found;
}

/** For each frequency, the number of the period that has a day, and the days of a period of which the rule speaks. */
const PERIODS = {
  DAILY: {
    of: (day) => day,
    days(rule, day) {
      const { BYMONTH, BYDAY, BYMONTHDAY } = rule;
      const month = dateOf(day).getUTCFullYear() * 12 + dateOf(day).getUTCMonth();
      const isNamed = !BYMONTH && !BYDAY && !BYMONTHDAY || daysOfMonth(rule, month, day).includes(day);
      return isNamed ? [day] : [];
    },
  },
  WEEKLY: {
    of: (day, { WKST }) => Math.floor((day + 3 - WEEKDAYS.indexOf(WKST || "MO")) / 7),
    days({ WKST, BYDAY, BYMONTH }, week, start) {
      const first = week * 7 - 3 + WEEKDAYS.indexOf(WKST || "MO");
      const days = daysBy(BYDAY || [{ order: 0, day: weekday(start) }], first, first + 6);
      return days.filter((day) => !BYMONTH || BYMONTH.includes(dateOf(day).getUTCMonth() + 1));
    },
  },
  MONTHLY: { of: (day) => dateOf(day).getUTCFullYear() * 12 + dateOf(day).getUTCMonth(), days: daysOfMonth },
  YEARLY: { of: (day) => dateOf(day).getUTCFullYear(), days: daysOfYear },
};

/** The days of one period in order, each once, not before the start. */
function daysIn(rule, index, start) {
  const days = PERIODS[rule.FREQ].days(rule, index, start);
  const found = days.length < 2 ? days : [...new Set(days)].sort((one, other) => one - other);
  // The first or the last but one of the period's days, those before the start among them.
  const isChosen = (place) => rule.BYSETPOS.includes(place + 1) || rule.BYSETPOS.includes(place - found.length);
  return found.filter((day, place) => day >= start && (!rule.BYSETPOS || isChosen(place)));
}

/**
 * The days from `first` to `last` on which an event recurs that begins on the day `start`; null if too many periods have to
 * be counted. Periods before `first` are passed over, except where a number of times must be counted and cannot be
 * computed; `budget.steps` is how many periods may still be looked at, for all rules of a file together.
 */
export function recurring(rule, start, first, last, budget) {
  const { of } = PERIODS[rule.FREQ];
  const interval = rule.INTERVAL || 1;
  const base = of(start, rule);
  let skipped = Math.max(0, Math.floor((of(first, rule) - base) / interval));
  let times = 0;
  if (rule.COUNT && skipped) {
    const isDaily = rule.FREQ === "DAILY" && !rule.BYMONTH && !rule.BYDAY && !rule.BYMONTHDAY;
    if (isDaily) times = skipped;
    else if (rule.FREQ === "WEEKLY" && !rule.BYMONTH) {
      // The first week may be a part of one; all others have as many days as the second.
      times = daysIn(rule, base, start).length + (skipped - 1) * daysIn(rule, base + interval, start).length;
    } else skipped = 0;
  }
  const found = [];
  const end = of(last, rule);
  for (let index = base + skipped * interval; index <= end; index += interval) {
    budget.steps -= 1;
    if (budget.steps < 0) return null;
    for (const day of daysIn(rule, index, start)) {
      times += 1;
      if (day > last || rule.COUNT && times > rule.COUNT) return found;
      if (day >= first) found.push(day);
    }
  }
  return found;
}
