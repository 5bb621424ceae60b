// The clocks of time zones that a calendar's file describes itself (VTIMEZONE, RFC 5545 3.6.5).

import { DAY, readTime } from "./calendar-times.js";
import { readRule, recurring } from "./recurrence.js";
import { clockOf } from "./zones.js";

/** So many observances, as summer time, and so many dates of theirs a zone may have. */
const MOST_OBSERVANCES = 100;
const MOST_DATES = 1000;
/** A rule's last change is looked for within so many days. */
const WINDOW = 800;
/** So many years of a rule are looked at for one moment. */
const MOST_STEPS = 1000;

/** A distance to UTC (RFC 5545 3.3.14) in milliseconds; null if it is none. */
function distance([line] = []) {
  const [all, sign, hours, minutes, seconds] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(line ? line.value.trim() : "") || [];
  const long = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds || 0)) * 1000;
  return !all || long > DAY ? null : sign === "-" ? -long : long;
}

/** What is read of an observance; null if a part of it is not understood. */
function observance({ DTSTART = [], TZOFFSETFROM, TZOFFSETTO, RRULE = [], RDATE = [] }) {
  const [from, to] = [distance(TZOFFSETFROM), distance(TZOFFSETTO)];
  const dates = [].concat(...[...DTSTART, ...RDATE].map(({ value }) => value.split(","))).map(readTime);
  const rule = RRULE.length ? readRule(RRULE[0].value.trim()) : null;
  const end = rule && rule.UNTIL ? readTime(rule.UNTIL) : null;
  const isRight = from !== null && to !== null && DTSTART.length === 1
    && dates.every((date) => date && !date.isUTC) && RRULE.length < 2
    && (!RRULE.length || rule && rule.FREQ === "YEARLY" && (rule.INTERVAL || 1) === 1 && !rule.COUNT
      && Boolean(rule.UNTIL) === Boolean(end));
  if (!isRight) return null;
  // The end of a rule is a moment; some programs write what the clock shows, or the day.
  const until = !end ? Infinity : end.isUTC ? end.local : end.local + (end.isDay ? DAY : 0) - from;
  return { from, to, dates: dates.map(({ local }) => local - from), first: dates[0].local, rule, until };
}

/** The last moment until `moment` at which an observance begins; -Infinity if there is none. */
function lastOnset({ from, dates, first, rule, until }, moment) {
  let found = -Infinity;
  for (const date of dates) if (date <= moment && date > found) found = date;
  if (!rule) return found;
  const last = Math.min(moment, until);
  const [start, day] = [Math.floor(first / DAY), Math.floor((last + from) / DAY)];
  for (const one of recurring(rule, start, day - WINDOW, day, { steps: MOST_STEPS }) || []) {
    const onset = first + (one - start) * DAY - from;
    if (onset <= last && onset > found) found = onset;
  }
  return found;
}

/** The clock of a zone of which these are the parts; null if one of them is not understood. */
export function zoneDescribed(parts) {
  const observances = parts.length <= MOST_OBSERVANCES ? parts.map(observance) : [];
  const dates = observances.reduce((sum, one) => sum + (one ? one.dates.length : 0), 0);
  if (!observances.length || !observances.every(Boolean) || dates > MOST_DATES) return null;
  const [earliest] = [...observances].sort((one, other) => one.first - other.first);
  return clockOf((moment) => {
    let [onset, offset] = [-Infinity, earliest.from];
    for (const one of observances) {
      const last = lastOnset(one, moment);
      if (last > onset) [onset, offset] = [last, one.to];
    }
    return offset;
  });
}
