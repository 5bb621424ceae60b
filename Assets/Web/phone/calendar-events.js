// The events of a calendar's file (RFC 5545) within a range of time, each of its occurrences apart; a part of
// calendar-reader.js.

import { eachComponent } from "./calendar-lines.js";
import { DAY, readTime } from "./calendar-times.js";
import { zoneDescribed } from "./described-zones.js";
import { clockTimes, readRule, recurring } from "./recurrence.js";
import { placeOf } from "./windows-zones.js";
import { utc, zoneNamed } from "./zones.js";

const SECOND = 1000;
/** How many periods of rules are looked at, and how many occurrences are given; what is left is counted as unread. */
const MOST_STEPS = 1000000;
const MOST_OCCURRENCES = 20000;
/** The longest event, in days. */
const LONGEST = 1000;
/** So many dates a list may have for one event. */
const MOST_DATES = 2000;
/** The longest title in characters; what is more is cut. */
const LONGEST_TITLE = 60;

/** Whether an event takes time by its status in Outlook and Exchange, which goes before TRANSP ([MS-OXCICAL]). */
const STATUSES = new Map([["FREE", false], ["BUSY", true], ["OOF", true]]);

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
 *   only if it says so; others that are free, and all that are cancelled or declined, are left out;
 * - `unread`, how many events could not be read, and `broken`, how many lines;
 * - `hasUnknownZone`, whether an event is in a zone that is not known, and was taken as one of `timeZone`.
 */
export function readEvents(text, { from, until, timeZone, own }) {
  const shop = zoneNamed(timeZone);
  const zones = new Map();
  /** By their names, the time zones that the file describes: the `place` of each, if it is given, and its `observances`. */
  const described = new Map();
  const components = [];
  const busyTimes = [];
  const answer = { events: [], unread: 0, broken: 0, hasUnknownZone: false };
  const read = eachComponent(text, (name, component, observances) => {
    const { TZID, "X-LIC-LOCATION": location } = component;
    if (name === "VEVENT") components.push(component);
    else if (name === "VFREEBUSY") for (const line of component.FREEBUSY || []) busyTimes.push(line);
    else if (TZID) described.set(plain(TZID[0].value), { place: location && location[0].value, observances });
  });
  answer.broken = read.broken;
  answer.unread = read.unfinished;
  /** Some calendars are called by the address of the person whose they are. */
  const owners = read.names.map((name) => `mailto:${name.trim().toLowerCase()}`);

  // MARK: Times

  /** The name of a zone without the signs that only a property's value has (RFC 5545 3.3.11). */
  function plain(id) {
    return id.replace(/\\([\\;,])/g, "$1").replace(/"/g, "").trim();
  }

  function known(id) {
    const { place = "", observances = [] } = described.get(id) || {};
    const [path] = /[A-Z]\w+\/[A-Z][\w/+-]*$/.exec(id) || [];
    const named = (name) => () => name ? zoneNamed(name) : null;
    // What a browser knows of a place is better than what a file says. Other names, as EST, mean what the file says.
    for (const zone of [named(place), named(path), () => zoneDescribed(observances), named(id), named(placeOf(id))]) {
      try {
        const found = zone();
        if (found) return found;
      } catch { /* The next one may be known. */ }
    }
    return null;
  }

  function zoneOf({ TZID: name }) {
    if (!name) return { zone: shop, isUnknown: false };
    const id = plain(name);
    if (!zones.has(id)) zones.set(id, known(id));
    return { zone: zones.get(id) || shop, isUnknown: !zones.get(id) };
  }

  /** A moment, or a day: `local` is what its clock shows. */
  function time(value, parameters) {
    const found = readTime(value);
    if (!found) throw new Unread();
    const { local, isDay, isUTC } = found;
    const { zone, isUnknown } = isUTC ? { zone: utc, isUnknown: false } : zoneOf(isDay ? {} : parameters);
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
      const clocks = clockTimes(rule, start);
      if (!days || !clocks) throw new Unread();
      for (const local of [].concat(...days.map((one) => clocks.map((clock) => one * DAY + clock)))) {
        const isOver = end && (end.isDay || start.isDay ? Math.floor(local / DAY) > Math.floor(end.local / DAY)
          : end.zone === utc ? start.zone.moment(local) > end.moment : local > end.local);
        if (!isOver && local >= start.local) found.set(local, length);
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

  /** Whether the customer declined an event: they, or all who were invited if it is not known who the customer is. */
  function isDeclined({ ATTENDEE = [], ORGANIZER = [] }) {
    const [organizer] = ORGANIZER;
    const address = ({ value }) => value.trim().toLowerCase();
    const own = ATTENDEE.filter((one) => owners.includes(address(one)));
    const invited = own.length ? own : ATTENDEE.filter((one) => !organizer || address(one) !== address(organizer));
    return invited.length > 0 && invited.every(({ parameters: { PARTSTAT = "" } }) => /^declined$/i.test(PARTSTAT));
  }

  /** Some programs write the midnights of whole days. */
  function isWholeDays(event, { local, isDay, zone }, { days, rest }) {
    const end = zone.moment(local + days * DAY) + rest;
    const isMidnight = (time) => time % DAY === 0;
    return isDay || /^true$/i.test(only(event, "X-MICROSOFT-CDO-ALLDAYEVENT"))
      && isMidnight(local) && isMidnight(end + zone.offset(end));
  }

  function add(event, changed, budget) {
    if (budget.isFull) throw new Unread();
    const start = time(event.DTSTART ? event.DTSTART[0].value : "", event.DTSTART ? event.DTSTART[0].parameters : {});
    const { zone } = start;
    const length = spanOf(event, start);
    const isWholeDay = isWholeDays(event, start, length);
    const transparency = only(event, "TRANSP").toUpperCase();
    const status = STATUSES.get(only(event, "X-MICROSOFT-CDO-BUSYSTATUS").toUpperCase());
    const isBusy = status === undefined ? isWholeDay ? transparency === "OPAQUE" : transparency !== "TRANSPARENT" : status;
    if (!isBusy && !isWholeDay || isDeclined(event)) return;
    const left = event["RECURRENCE-ID"] ? [] : changed.get(only(event, "UID")) || [];
    const made = [];
    for (const [local, { days, rest }] of occurrences(event, start, length, left, budget)) {
      const first = zone.moment(local);
      const last = (days ? zone.moment(local + days * DAY) : first) + rest;
      if (first < until && (last > from || first >= from)) {
        made.push({
          title: title(only(event, "SUMMARY")), start: first, end: last, isWholeDay, isBusy,
        });
      }
    }
    budget.isFull = answer.events.length + made.length > MOST_OCCURRENCES;
    if (budget.isFull) throw new Unread();
    answer.events.push(...made);
    if (made.length && start.isUnknown) answer.hasUnknownZone = true;
  }

  /** Adds the times at which a calendar says that its person is busy, without saying why (RFC 5545 3.6.4). */
  function addBusyTimes(line, budget) {
    if (/^free$/i.test(line.parameters.FBTYPE || "")) return;
    for (const { moment, span: length } of times([line])) {
      if (!length) throw new Unread();
      const end = moment + length.days * DAY + length.rest;
      budget.isFull = budget.isFull || answer.events.length >= MOST_OCCURRENCES;
      if (budget.isFull) throw new Unread();
      if (moment < until && end > from) answer.events.push({ title: "", start: moment, end, isWholeDay: false, isBusy: true });
    }
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
  for (const line of busyTimes) counting(() => addBusyTimes(line, budget));
  answer.events.sort((one, other) => one.start - other.start);
  return answer;
}
