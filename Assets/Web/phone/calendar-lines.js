// The lines of a calendar's file (RFC 5545 3.1), put together to the events and the time zones that it has; a part of
// calendar-reader.js.

/** The components that are read, and the parts of a time zone; alarms within events are not. */
const COMPONENTS = new Set(["VEVENT", "VTIMEZONE", "VFREEBUSY"]);
const OBSERVANCES = new Set(["STANDARD", "DAYLIGHT"]);
/** The properties that are read. */
const KEPT = new Set(["UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID",
  "STATUS", "TRANSP", "X-MICROSOFT-CDO-BUSYSTATUS", "X-MICROSOFT-CDO-ALLDAYEVENT", "ATTENDEE", "ORGANIZER", "FREEBUSY", "TZID",
  "X-LIC-LOCATION", "TZOFFSETFROM", "TZOFFSETTO"]);
/** A longer line is cut. */
const LONGEST = 50000;

/** A calendar begins within so many characters; before it may be the head of a mail. */
const LONGEST_HEAD = 100000;

/** The part of a mail (RFC 2045) that is a calendar, decoded; the text itself if it has no such part. */
function decoded(text) {
  const at = text.slice(0, LONGEST_HEAD).search(/^content-type:[ \t]*(text\/calendar|application\/ics)/im);
  const end = at < 0 ? at : text.indexOf("\n\n", at);
  if (end < 0) return text;
  const head = text.slice(text.lastIndexOf("\n\n", at) + 1, end);
  const [, encoding] = /^content-transfer-encoding:[ \t]*([\w-]+)/im.exec(head) || [];
  const body = text.slice(end + 2);
  const inUTF8 = (octets) => new TextDecoder().decode(Uint8Array.from(octets));
  if (/^base64$/i.test(encoding)) {
    const [lines] = /^[\w+/=\s]*?(?=\n\n|\n--|$)/.exec(body) || [""];
    return inUTF8(Array.from(atob(lines), (one) => one.charCodeAt(0)));
  }
  if (!/^quoted-printable$/i.test(encoding)) return text;
  return body.replace(/=\n/g, "").replace(/(?:=[\da-f]{2})+/gi, (escaped) =>
    inUTF8(escaped.slice(1).split("=").map((one) => parseInt(one, 16))));
}

/** The calendar that a file's text has, from its first line; empty if it has none. */
export function calendarIn(text) {
  const isStart = /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text.slice(0, 1000));
  // Old programs end lines with CR alone.
  const lines = text.includes("\n") ? text : text.replace(/\r/g, "\n");
  if (isStart) return lines;
  const body = decoded(lines.replace(/\r\n/g, "\n"));
  const at = body.slice(0, LONGEST_HEAD).search(/^BEGIN:VCALENDAR[ \t]*$/im);
  return at < 0 ? "" : body.slice(at);
}

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
 * Calls `use` with each component that is read: its name, its properties, each a list of `{ parameters, value }`, and the
 * properties of each observance of a time zone. Returns how many lines of components are `broken`, how many events are
 * `unfinished`, and the `names` of the calendars (X-WR-CALNAME).
 */
export function eachComponent(text, use) {
  let name = "";
  let component = null;
  let observances = [];
  /** How many parts of the component, as alarms, have begun and not ended; and the properties of the observance that has. */
  let depth = 0;
  let observance = null;
  let broken = 0;
  let unfinished = 0;
  const names = [];
  const drop = () => {
    if (component && name !== "VTIMEZONE") unfinished += 1;
    component = null;
  };
  eachLine(text, (line) => {
    const [, what, part] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) || [];
    const [isBegin, one] = [what && what.toUpperCase() === "BEGIN", part && part.toUpperCase()];
    if (isBegin && COMPONENTS.has(one)) {
      drop();
      [name, component, depth, observances, observance] = [one, {}, 0, [], null];
    } else if (component && what && !isBegin && one === name) {
      use(name, component, observances);
      component = null;
    } else if (component && what) {
      if (one === "VCALENDAR") drop();
      depth = Math.max(0, depth + (isBegin ? 1 : -1));
      observance = isBegin && depth === 1 && name === "VTIMEZONE" && OBSERVANCES.has(one) ? {} : null;
      if (observance) observances.push(observance);
    } else if (component && (!depth || observance)) {
      const [first] = /^[A-Za-z0-9-]*/.exec(line);
      if (first && !KEPT.has(first.toUpperCase()) && line.includes(":")) return;
      const found = property(line);
      const properties = observance || component;
      if (!found) broken += 1;
      else if (KEPT.has(found.name)) (properties[found.name] = properties[found.name] || []).push(found);
    } else if (!component && /^X-WR-CALNAME[;:]/i.test(line)) names.push(line.slice(line.indexOf(":") + 1));
  });
  drop();
  return { broken, unfinished, names };
}
