// The elements of the page, and words in its language.

import { clock, span } from "./moments.js";
import { spelled, text } from "./words.js";

export let language = "en";

export function setLanguage(code) { language = code; }

export const part = (id) => document.getElementById(id);

export const onClick = (id, act) => part(id).addEventListener("click", act);

/** Changes an element only if its text is another one, so that nothing is read aloud twice. */
export function show(id, words) {
  const element = part(id);
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}

export const say = (name, values) => text(name, language, values);
export const timeOf = (moment, later) => spelled(clock(moment, later), language);
export const inMinutes = (count) => span(count, "minute", language);
/** A time that passes, in seconds near its end. */
export const timeLeft = (time) => time < 120000 ? span(Math.floor(time / 1000), "second", language)
  : inMinutes(Math.floor(time / 60000));
export const people = (count) => say(count === 1 ? "person" : "people", { n: count });
