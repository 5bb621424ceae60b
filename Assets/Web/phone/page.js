// What both pages for phones share: their elements, their language and size, and words in that language.

import { milliseconds, now } from "./clock.js";
import { keepSetting, setting } from "./memory.js";
import { clock, span } from "./moments.js";
import { showText } from "./text.js";
import { isKnown, spelled, text } from "./words.js";

const SIZES = 3;
/** The symbols in the hand of the other pages, as lines in a square of 24 units: a door, a cross, a tick. */
const SYMBOLS = {
  called: "M13 3H20V21H13M3 12H14.4M10 7.4L14.6 12L10 16.6",
  bad: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM8.2 8.2L15.8 15.8M15.8 8.2L8.2 15.8",
  done: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM7.4 12.2L10.8 15.6L16.8 8.8",
  scan: "M2.4 8V2.4H8M16 2.4H21.6V8M21.6 16V21.6H16M8 21.6H2.4V16M8 8H16V16H8Z",
};

export let language = "en";
let size = 0;

export const part = (id) => document.getElementById(id);

export const onClick = (id, act) => part(id).addEventListener("click", act);

export const show = (id, words) => showText(part(id), words);

/** Draws a symbol of this name on the card, or none. */
export function drawSymbol(name) {
  part("symbol").parentElement.toggleAttribute("hidden", !name);
  part("symbol").setAttribute("d", SYMBOLS[name] || "");
}

export const say = (name, values) => text(name, language, values);
export const timeOf = (moment, later) => spelled(clock(moment, later), language);
export const inMinutes = (count) => span(count, "minute", language);
export const inSeconds = (count) => span(count, "second", language);
/** A time that passes, in seconds near its end. */
export const timeLeft = (time) => time < 120000 ? inSeconds(Math.floor(time / 1000)) : inMinutes(Math.floor(time / 60000));
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

/** The language that was chosen on this page: a browser may keep nothing. */
let chosen = "";

/** The chosen language, or one that the phone prefers, or the shop's first. */
export function chooseLanguage(ofShop = []) {
  const own = [chosen, setting("clup-language"), ...navigator.languages, ...ofShop];
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
    chosen = choice.value;
    keepSetting("clup-language", chosen);
    changed();
  });
  onClick("size", () => {
    setSize((size + 1) % SIZES);
    keepSetting("clup-size", String(size));
  });
  setSize(Number(setting("clup-size")) || 0);
}

/** Makes the browser keep pages, so that they open without a network. */
export async function keepPage(...scopes) {
  for (const scope of navigator.serviceWorker ? scopes : []) {
    await navigator.serviceWorker.register("/worker.js", { scope }).catch(() => {});
  }
}

export const keepPlacePage = () => keepPage("/t", "/T", "/places");
