// The events of a calendar's file (RFC 5545) within a range of time, each of its occurrences apart; a part of
// calendar-reader.js.

import { eachComponent } from "./calendar-lines.js";
import { readRule, recurring } from "./recurrence.js";
import { utc, zoneNamed } from "./zones.js";

const SECOND = 1000;
const DAY = 86400000;
/** How many periods of rules are looked at, and how many occurrences are given; what is left is counted as unread. */
const MOST_STEPS = 1000000;
const MOST_OCCURRENCES = 20000;
/** The longest event, in days. */
const LONGEST = 1000;
/** So many dates a list may have for one event. */
const MOST_DATES = 2000;
/** The longest title in characters; what is more is cut. */
const LONGEST_TITLE = 60;

/** What an event has that cannot be read. */
class Unread extends Error {}

function title(text) {
  const words = text.replace(/\\([\\;,nN])/g, (_, one) => /n/i.test(one) ? " " : one)
    // Neither control characters nor such as turn the direction of writing.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/g, " ").trim();
  const letters = [...words];
  return letters.length > LONGEST_TITLE ? `${letters.slice(0, LONGEST_TITLE - 1).join("")}…` : words;
}

/** A length of time: whole days of the clock, and the rest in milliseconds. */
function duration(text) {
  const [all, sign, weeks, days, time, hours, minutes, seconds] =
    /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i.exec(text) || [];
  if (!all || sign === "-" || time === "T" || /P$/i.test(all)) throw new Unread();
  const of = (number) => Number(number || 0);
  return { days: of(weeks) * 7 + of(days), rest: (of(hours) * 3600 + of(minutes) * 60 + of(seconds)) * SECOND };
}

/**
 * Reads the events of a file's text that are, at least in part, between the moments `from` and `until`. Times without a zone
 * are those of `timeZone`; the event of a visit with the identifier `own` is left out. The answer has
 *
 * - `events`, by their start: `{ title, start, end, isWholeDay, isBusy }` in milliseconds. An event of whole days is busy
 *   only if it says so (TRANSP:OPAQUE); others that are free or cancelled are left out;
 * - `unread`, how many events could not be read, and `broken`, how many lines;
 * - `hasUnknownZone`, whether an event is in a zone that is not known, and was taken as one of `timeZone`.
 */
export function readEvents(text, { from, until, timeZone, own }) {
  const shop = zoneNamed(timeZone);
  const zones = new Map();
  /** The names that time zones of the file have elsewhere. */
  const places = new Map();
  const components = [];
  const answer = { events: [], unread: 0, broken: 0, hasUnknownZone: false };
  const read = eachComponent(text, (name, component) => {
    const { TZID, "X-LIC-LOCATION": location } = component;
    if (name === "VEVENT") components.push(component);
    else if (TZID && location) places.set(TZID[0].value, location[0].value);
  });
  answer.broken = read.broken;
  answer.unread = read.unfinished;

  // MARK: Times

  function known(id) {
    const [path] = /[A-Z]\w+\/[A-Z][\w/+-]*$/.exec(id) || [];
    for (const name of [places.get(id), id, path]) {
      try {
        if (name) return zoneNamed(name);
      } catch { /* The next name may be known. */ }
    }
    return null;
  }

  function zoneOf({ TZID: id }) {
    if (!id) return { zone: shop, isUnknown: false };
    if (!zones.has(id)) zones.set(id, known(id));
    return { zone: zones.get(id) || shop, isUnknown: !zones.get(id) };
  }

  /** A moment, or a day: `local` is what its clock shows. */
  function time(value, parameters) {
    const [all, year, month, day, hour, minute, second, z] =
      /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i.exec(value.trim()) || [];
    const local = all ? Date.UTC(+year, +month - 1, +day, +(hour || 0), +(minute || 0), Math.min(+(second || 0), 59)) : 0;
    const isRight = all && +year >= 1000 && +(hour || 0) < 24 && +(minute || 0) < 60 && +(second || 0) <= 60
      && new Date(local).getUTCDate() === +day && new Date(local).getUTCMonth() === +month - 1;
    if (!isRight) throw new Unread();
    const isDay = !hour;
    const { zone, isUnknown } = z ? { zone: utc, isUnknown: false } : zoneOf(isDay ? {} : parameters);
    return { local, isDay, zone, isUnknown, moment: zone.moment(local) };
  }

  /** All times of the lines of one name, each with its length if it has one of its own. */
  function times(lines = []) {
    const found = [];
    for (const { value, parameters } of lines) {
      for (const one of value.split(",")) {
        if (found.length >= MOST_DATES) throw new Unread();
        const [start, end] = one.split("/");
        const first = time(start, parameters);
        found.push({ ...first, span: end ? span(first, end, parameters) : null });
      }
    }
    return found;
  }

  /** The length of a period, whose end is a time or a length. */
  function span(start, end, parameters) {
    if (/P/i.test(end)) return duration(end);
    return { days: 0, rest: time(end, parameters).moment - start.moment };
  }

  // MARK: Events

  /** The value of a property that an event has once. */
  const only = (event, name) => event[name] ? event[name][0].value.trim() : "";

  function spanOf(event, start) {
    const { DTEND } = event;
    const end = DTEND && time(DTEND[0].value, DTEND[0].parameters);
    const given = !end ? event.DURATION ? duration(only(event, "DURATION")) : { days: start.isDay ? 1 : 0, rest: 0 }
      // Some programs give an event of one day its own day as its end.
      : start.isDay ? { days: Math.max(1, Math.round((end.local - start.local) / DAY)), rest: 0 }
        : { days: 0, rest: end.moment - start.moment };
    if (given.rest < 0 || given.days + given.rest / DAY > LONGEST) throw new Unread();
    return given;
  }

  /** The occurrences of an event that are not left out: `{ local, span }`. */
  function occurrences(event, start, length, left, budget) {
    const found = new Map([[start.local, length]]);
    const { RRULE = [], EXRULE } = event;
    if (RRULE.length > 1 || EXRULE) throw new Unread();
    for (const { value } of RRULE) {
      const rule = readRule(value.trim());
      if (!rule) throw new Unread();
      const end = rule.UNTIL && time(rule.UNTIL, {});
      const day = Math.floor(start.local / DAY);
      const before = length.days + Math.ceil(length.rest / DAY) + 1;
      const days = recurring(rule, day, Math.floor(from / DAY) - before, Math.ceil(until / DAY) + 1, budget);
      if (!days) throw new Unread();
      for (const one of days) {
        const local = start.local + (one - day) * DAY;
        const isOver = end && (end.isDay || start.isDay ? Math.floor(local / DAY) > Math.floor(end.local / DAY)
          : end.zone === utc ? start.zone.moment(local) > end.moment : local > end.local);
        if (!isOver) found.set(local, length);
      }
    }
    for (const date of times(event.RDATE)) {
      // What the event's own clock shows then.
      const local = date.isDay ? date.local : date.moment + start.zone.offset(date.moment);
      found.set(start.isDay ? Math.floor(local / DAY) * DAY : local, date.span || length);
    }
    for (const date of [...times(event.EXDATE), ...left]) {
      for (const local of found.keys()) {
        const isSame = date.isDay || start.isDay ? Math.floor(local / DAY) === Math.floor(date.local / DAY)
          : start.zone.moment(local) === date.moment;
        if (isSame) found.delete(local);
      }
    }
    return found;
  }

  function add(event, changed, budget) {
    if (budget.isFull) throw new Unread();
    const start = time(event.DTSTART ? event.DTSTART[0].value : "", event.DTSTART ? event.DTSTART[0].parameters : {});
    const { isDay: isWholeDay, zone } = start;
    const busy = only(event, "TRANSP").toUpperCase();
    if (busy === "TRANSPARENT" && !isWholeDay) return;
    const length = spanOf(event, start);
    const left = event["RECURRENCE-ID"] ? [] : changed.get(only(event, "UID")) || [];
    const made = [];
    for (const [local, { days, rest }] of occurrences(event, start, length, left, budget)) {
      const first = zone.moment(local);
      const last = (days ? zone.moment(local + days * DAY) : first) + rest;
      if (first < until && (last > from || first >= from)) {
        made.push({
          title: title(only(event, "SUMMARY")), start: first, end: last, isWholeDay,
          isBusy: !isWholeDay || busy === "OPAQUE",
        });
      }
    }
    budget.isFull = answer.events.length + made.length > MOST_OCCURRENCES;
    if (budget.isFull) throw new Unread();
    answer.events.push(...made);
    if (made.length && start.isUnknown) answer.hasUnknownZone = true;
  }

  /** Does what may find something that cannot be read, which is counted. */
  function counting(act) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      answer.unread += 1;
    }
  }

  const budget = { steps: MOST_STEPS, isFull: false };
  /** The occurrences of an event, by its identifier, that have an event of their own. */
  const changed = new Map();
  const isOwn = (event) => own && only(event, "UID").startsWith(`${own}@`);
  const readable = components.filter((event) => {
    let isReadable = !isOwn(event);
    const [id] = event["RECURRENCE-ID"] || [];
    if (id && isReadable) {
      const number = answer.unread;
      counting(() => {
        // A change of this and all later occurrences is not understood.
        if (id.parameters.RANGE) throw new Unread();
        const uid = only(event, "UID");
        if (!changed.has(uid)) changed.set(uid, []);
        changed.get(uid).push(time(id.value, id.parameters));
      });
      isReadable = number === answer.unread;
    }
    return isReadable && only(event, "STATUS").toUpperCase() !== "CANCELLED";
  });
  for (const event of readable) counting(() => add(event, changed, budget));
  answer.events.sort((one, other) => one.start - other.start);
  return answer;
}
