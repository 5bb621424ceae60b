// The worker that reads the file of a customer's own calendar, so that the page is not held up (rules: own-calendar). It gets
// a message `{ file, from, until, timeZone, own }`, and answers with what calendar-events.js says of the file, or with
// a `problem`: `notCalendar` or `unreadable`. The policy that comes with it allows it no call.

import { readEvents } from "./calendar-events.js";
import { calendarIn } from "./calendar-lines.js";

const worker = /** @type {any} */ (self);

/** The text of a file in UTF-8 or UTF-16, or as old programs of Windows write it. */
function textOf(file) {
  const reader = new worker.FileReaderSync();
  const [first, second] = new Uint8Array(reader.readAsArrayBuffer(file.slice(0, 2)));
  // A byte order mark goes before the name of the encoding.
  const text = reader.readAsText(file, second === 0 ? "utf-16le" : first === 0 ? "utf-16be" : "utf-8");
  const isForeign = text.includes("\uFFFD") && !/[\u0080-\uFFFC]/.test(text);
  return isForeign ? reader.readAsText(file, "windows-1252") : text;
}

worker.onmessage = ({ data }) => {
  let answer = /** @type {any} */ ({ problem: "unreadable" });
  try {
    const text = calendarIn(textOf(data.file));
    answer = text ? readEvents(text, data) : { problem: "notCalendar" };
  } catch {
    // The answer says so; the text of the error might have words of the file.
  }
  worker.postMessage(answer);
};
