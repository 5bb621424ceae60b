// When to leave: the way from here, and a file for the calendar.

import { metresBetween } from "./distances.js";

/** Ways are longer than the straight line, and a calm walker goes 4.5 km in an hour. */
const DETOUR = 1.3;
const METRES_IN_A_MINUTE = 75;

const minutes = (line) => Math.max(1, Math.ceil(line * DETOUR / METRES_IN_A_MINUTE));

/** The phone's position, which does not leave the page, or what is made of it. */
export function position(made = (coords) => coords) {
  return new Promise((done, failed) => {
    navigator.geolocation.getCurrentPosition(({ coords }) => done(made(coords)), failed,
      { maximumAge: 60000, timeout: 20000 });
  });
}

/** Minutes on foot from the phone's position. */
export const minutesTo = (there) => position((here) => minutes(metresBetween(here, there)));

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
