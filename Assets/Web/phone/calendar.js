// A file for the phone's calendar.

/** A line of a calendar in pieces of at most 75 octets (RFC 5545 3.1). */
function folded(line) {
  const encoder = new TextEncoder();
  let made = "";
  let size = 0;
  for (const letter of line) {
    const { length } = encoder.encode(letter);
    if (size + length > 75) {
      made += "\r\n ";
      size = 1;
    }
    made += letter;
    size += length;
  }
  return `${made}\r\n`;
}

/** A calendar with one event and a reminder so many minutes before it; all times are milliseconds. */
export function calendar({ id, title, place, start, end, now, minutes }) {
  const utc = (time) => `${new Date(time).toISOString().replace(/[-:]/g, "").slice(0, 15)}Z`;
  const escaped = (words) => words.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
  return [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//CLup//Place//EN",
    "BEGIN:VEVENT", `UID:${escaped(id)}`, `DTSTAMP:${utc(now)}`, `DTSTART:${utc(start)}`, `DTEND:${utc(end)}`,
    `SUMMARY:${escaped(title)}`, `LOCATION:${escaped(place)}`,
    "BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(title)}`, `TRIGGER:-PT${minutes}M`, "END:VALARM",
    "END:VEVENT", "END:VCALENDAR",
  ].map(folded).join("");
}
