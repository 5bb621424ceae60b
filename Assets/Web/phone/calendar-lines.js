// The lines of a calendar's file (RFC 5545 3.1), put together to the events and the time zones that it has; a part of
// calendar-reader.js.

/** The properties that are read; those of alarms within events are not. */
const KEPT = new Set(["UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID",
  "STATUS", "TRANSP", "TZID", "X-LIC-LOCATION"]);
/** A longer line is cut. */
const LONGEST = 50000;

/** Whether a text begins as a calendar does. */
export const isCalendar = (text) => /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text.slice(0, 1000));

/** Calls `use` with each line, which may be folded into several. */
function eachLine(text, use) {
  let line = "";
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    const last = end < 0 ? text.length : end;
    const part = text.slice(at, text[last - 1] === "\r" ? last - 1 : last);
    if (part[0] === " " || part[0] === "\t") {
      if (line.length < LONGEST) line += part.slice(1);
    } else {
      if (line) use(line);
      line = part;
    }
    at = last + 1;
  }
  if (line) use(line);
}

/** A line as `{ name, parameters, value }`; null if it is none. */
function property(line) {
  const [name] = /^[A-Za-z0-9-]+/.exec(line) || [""];
  const parameters = {};
  let isQuoted = false;
  let from = name.length;
  for (let at = name.length; name && at < line.length; at += 1) {
    const letter = line[at];
    if (letter === '"') isQuoted = !isQuoted;
    if (isQuoted || letter !== ";" && letter !== ":") continue;
    const [key, value] = line.slice(from + 1, at).split("=");
    if (at > from && value !== undefined) parameters[key.toUpperCase()] = value.replace(/"/g, "");
    else if (at > from) return null;
    from = at;
    if (letter === ":") return { name: name.toUpperCase(), parameters, value: line.slice(at + 1) };
  }
  return null;
}

/**
 * Calls `use` with each event and each time zone: its name, `VEVENT` or `VTIMEZONE`, and its properties, each a list of
 * `{ parameters, value }`. Returns how many lines of events are `broken`, and how many events are `unfinished`.
 */
export function eachComponent(text, use) {
  let name = "";
  let component = null;
  /** How many parts of the component, as alarms, have begun and not ended. */
  let depth = 0;
  let broken = 0;
  let unfinished = 0;
  const drop = () => {
    if (component && name === "VEVENT") unfinished += 1;
    component = null;
  };
  eachLine(text, (line) => {
    const [, what, part] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) || [];
    const [isBegin, one] = [what && what.toUpperCase() === "BEGIN", part && part.toUpperCase()];
    if (isBegin && (one === "VEVENT" || one === "VTIMEZONE")) {
      drop();
      [name, component, depth] = [one, {}, 0];
    } else if (component && what && !isBegin && one === name) {
      use(name, component);
      component = null;
    } else if (component && what) {
      if (one === "VCALENDAR") drop();
      depth = Math.max(0, depth + (isBegin ? 1 : -1));
    } else if (component && !depth) {
      const [first] = /^[A-Za-z0-9-]*/.exec(line);
      if (first && !KEPT.has(first.toUpperCase()) && line.includes(":")) return;
      const found = property(line);
      if (!found) broken += 1;
      else if (KEPT.has(found.name)) (component[found.name] = component[found.name] || []).push(found);
    }
  });
  drop();
  return { broken, unfinished };
}
