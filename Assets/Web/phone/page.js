// What both pages for phones share: their elements, their language and size, and words in that language.

import { milliseconds, now } from "./clock.js";
import { keepSetting, setting } from "./memory.js";
import { clock, span } from "./moments.js";
import { isKnown, spelled, text } from "./words.js";

const SIZES = 3;

export let language = "en";
let size = 0;

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
export const inSeconds = (count) => span(count, "second", language);
export const people = (count) => say(count === 1 ? "person" : "people", { n: count });
export const threeDigits = (value) => String(value).padStart(3, "0");

/** The range of a wait in words. */
export function range({ earliest, latest }) {
  if (milliseconds(earliest) <= now() || milliseconds(latest) - now() < 60000) return say("soon");
  const [from, to] = [timeOf(earliest), timeOf(latest)];
  return from === to ? say("at", { time: from }) : say("between", { from, to });
}

/** The address of the shop, whose parts may be missing, in a line. */
export const addressLine = ({ street, town }) => [street, town].filter(Boolean).join(", ");

/** Reads words aloud once the reader is free. */
export function readAloud(words) { part("said").textContent = words; }

// MARK: Language and size

const choice = /** @type {HTMLSelectElement} */ (part("languages"));

/** The chosen language, or one that the phone prefers, or the shop's first. */
export function chooseLanguage(ofShop = []) {
  const own = [setting("clup-language"), ...navigator.languages, ...ofShop];
  language = own.map((code) => String(code).slice(0, 2)).find(isKnown) || "en";
  document.documentElement.lang = choice.value = language;
  choice.setAttribute("aria-label", say("language"));
  part("size").setAttribute("aria-label", `A+ ${say("larger")}`);
  // The other texts do not change: each has its name in the table as its element's id.
  for (const { id } of document.querySelectorAll("[data-text]")) part(id).textContent = say(id);
}

function setSize(next) {
  size = next;
  document.documentElement.dataset.size = String(size);
  part("size").setAttribute("aria-pressed", String(size > 0));
}

/** Makes the choice of the language and of the size work; `changed` is called after a language was chosen. */
export function startChoices(changed) {
  choice.addEventListener("change", () => {
    keepSetting("clup-language", choice.value);
    changed();
  });
  onClick("size", () => {
    setSize((size + 1) % SIZES);
    keepSetting("clup-size", String(size));
  });
  setSize(Number(setting("clup-size")) || 0);
}

/** Makes the browser keep the page of a place, so that it opens without a network. */
export function keepPlacePage() {
  if (navigator.serviceWorker) navigator.serviceWorker.register("/worker.js", { scope: "/t" }).catch(() => {});
}
