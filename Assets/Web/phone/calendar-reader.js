// The worker that reads the file of a customer's own calendar, so that the page is not held up (rules 39). It gets a message
// `{ file, from, until, timeZone, own }`, and answers with what calendar-events.js says of the file, or with a `problem`:
// `notCalendar` or `unreadable`. The policy that comes with it allows it no call.

import { readEvents } from "./calendar-events.js";
import { isCalendar } from "./calendar-lines.js";

const worker = /** @type {any} */ (self);

worker.onmessage = ({ data }) => {
  let answer = /** @type {any} */ ({ problem: "unreadable" });
  try {
    const text = new worker.FileReaderSync().readAsText(data.file);
    answer = isCalendar(text) ? readEvents(text, data) : { problem: "notCalendar" };
  } catch {
    // The answer says so; the text of the error might have words of the file.
  }
  worker.postMessage(answer);
};
