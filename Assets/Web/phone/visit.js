// The part of the page for joining in which a customer chooses the slot of a visit (rules 39), loaded apart from it: first
// the day, then the quarter of an hour, each with how much of it is free. The language is that of the document.

import { milliseconds } from "./clock.js";
import { phrase, spelled } from "./languages.js";
import { clock, dayInWords, span } from "./moments.js";
import { call } from "./server.js";
import { pageTexts, visitTexts } from "./visit-words.js";

export { pageTexts };

const QUARTER = 900000;
/** How often the slots are asked for while the page is seen. */
const REFRESH = 60000;
/** How long a customer may say to stay, in minutes; 0 leaves it to the shop. */
const LENGTHS = [0, 15, 30, 45, 60, 90, 120];
/** What stands for how much is free: its shape says it without colours. */
const MARKS = ["", "●○○", "●●○", "●●●"];
const LEVELS = ["full", "few", "some", "many"];
/** The hours with which the parts of a day begin, by the names of their texts. */
const PARTS = [["morning", 0], ["afternoon", 12], ["evening", 17]];

const language = () => document.documentElement.lang;
const say = (name, values) => phrase(visitTexts, name, language(), values);
const timeOf = (moment) => spelled(clock(moment), language());

/** Changes an element only if its text is another one, so that nothing is read aloud twice. */
function show(element, words) {
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}

/** The moment so many milliseconds later, with the same offset (RFC 3339). */
function later(moment, time) {
  const shown = new Date(Date.parse(`${moment.slice(0, 19)}Z`) + time).toISOString().slice(0, 19);
  return shown + moment.slice(19);
}

/** The days of a list, each with its slots in order: `{ day, slots: [{ start, level }] }`. */
function daysOf({ periods }) {
  const days = new Map();
  for (const { first, levels } of periods) {
    [...levels].forEach((digit, place) => {
      const start = later(first, place * QUARTER);
      const day = start.slice(0, 10);
      if (!days.has(day)) days.set(day, []);
      days.get(day).push({ start, level: Number(digit) });
    });
  }
  return [...days].map(([day, slots]) => ({ day, slots }));
}

/** How much of a day is free, as the level of a slot: 0 only if none of its slots is. */
function levelOf({ slots }) {
  const sum = slots.reduce((all, { level }) => all + level, 0);
  return sum && Math.max(1, Math.min(3, Math.ceil(sum / slots.length)));
}

/**
 * Makes the part, hidden until `start`. Its owner has
 *
 * - `tag`, that of the shop;
 * - `capability`, that of the visit which is to be moved; empty for a new one;
 * - `about(shop)`, which is called with what is known of the shop: `{ shopName, languages, address }`;
 * - `chosen(slot, place)`, which is called with the slot that was touched, and the place that is moved, if one is;
 * - `refused(status, document)`, which is called if the slots cannot be had.
 */
export function slotPicker(owner) {
  /** The last list, its days, and which of them is open; empty while a day is to be chosen. */
  let list = null;
  let days = [];
  let open = "";
  let minutes = 0;
  /** The place that is moved. */
  let place = null;
  /** The name of the text that says why the customer is here again, and the slot that it is about. */
  let note = "";
  let missed = "";
  let asked = 0;
  let last = 0;

  const section = document.createElement("section");
  section.id = "picker";
  section.innerHTML = '<h2 tabindex="-1"></h2><p></p><p role="alert"></p><label for="stay"></label><select id="stay"></select>'
    + '<p id="legend"></p><h3 tabindex="-1"></h3><button></button><div id="slots"></div><a></a>';
  const [title, what, alert, label, stay, legend, heading, back, slots, link] =
    /** @type {any[]} */ ([...section.children]);
  for (const length of LENGTHS) stay.append(new Option("", String(length)));
  stay.addEventListener("change", () => {
    minutes = Number(stay.value);
    ask();
  });
  back.addEventListener("click", () => {
    open = "";
    draw();
    heading.focus();
  });
  link.href = owner.capability ? `/t#${owner.capability}` : `/join/${owner.tag}`;

  // MARK: Calls

  async function ask() {
    const own = ++last;
    asked = performance.now();
    const lost = { status: 0, body: null };
    if (owner.capability && !place) {
      const { status, body } = await call("place", { capability: owner.capability }).catch(() => lost);
      if (own !== last) return;
      const isMovable = body && body.entry && body.reservation.visit && body.reservation.state === "planned";
      if (!isMovable) return owner.refused(status, body);
      place = body;
      minutes = 0;
    }
    const { status, body } = await call("slots", { shop: owner.tag, minutes: minutes || null }).catch(() => lost);
    if (own !== last) return;
    // What is shown stays as long as no answer comes.
    if (status !== 200) return list && status !== 404 && status !== 409 ? null : owner.refused(status, body);
    list = body;
    days = daysOf(list);
    if (open && !days.some(({ day }) => day === open)) open = "";
    owner.about(list);
    draw();
  }

  // MARK: Drawing

  const present = () => place && place.reservation.visit.start;
  const dayWords = (day) => dayInWords(day, list.now.slice(0, 10), language());

  function button(words, level, isPressed) {
    const made = document.createElement("button");
    made.dataset.level = String(level);
    made.disabled = !level;
    if (isPressed) made.setAttribute("aria-current", "true");
    for (const word of words) made.appendChild(document.createElement("span")).textContent = word;
    return made;
  }

  function dayButton(one) {
    const level = levelOf(one);
    const date = Date.parse(one.day);
    const format = (options) => new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(),
      { timeZone: "UTC", ...options }).format(date);
    const near = Math.round((date - Date.parse(list.now.slice(0, 10))) / 86400000) < 2;
    const week = near ? dayWords(one.day) : format({ weekday: "short" });
    const isPresent = present() && present().slice(0, 10) === one.day;
    const made = button([week, format({ day: "numeric", month: "short" }), level ? MARKS[level] : say("full")], level, isPresent);
    made.setAttribute("aria-label", `${dayWords(one.day)}: ${say(LEVELS[level])}`);
    made.addEventListener("click", () => {
      open = one.day;
      note = "";
      draw();
      heading.focus();
    });
    return made;
  }

  function slotButton({ start, level }) {
    const isPresent = present() && milliseconds(present()) === milliseconds(start);
    const made = button([timeOf(start), isPresent ? say("yours") : level ? MARKS[level] : say("full")], isPresent ? 0 : level, isPresent);
    made.setAttribute("aria-label", `${timeOf(start)}: ${say(isPresent ? "yours" : LEVELS[level])}`);
    if (start === missed) made.dataset.missed = "";
    made.addEventListener("click", () => {
      note = "";
      owner.chosen({ start, ...(minutes && { minutes }) }, place);
    });
    return made;
  }

  /** The slots of the open day in the parts of a day, each with its title. */
  function slotParts() {
    const { slots: all } = days.find(({ day }) => day === open);
    const made = [];
    PARTS.forEach(([name, from], part) => {
      const until = part + 1 < PARTS.length ? PARTS[part + 1][1] : 24;
      const own = all.filter(({ start }) => {
        const hour = Number(start.slice(11, 13));
        return hour >= from && hour < until;
      });
      if (!own.length) return;
      const words = document.createElement("h4");
      words.textContent = say(/** @type {string} */ (name));
      const grid = document.createElement("div");
      grid.className = "slots";
      // A row is an hour: slots that are over, or in a break, leave their places.
      own.forEach((slot, place) => {
        const element = slotButton(slot);
        const column = Math.floor(Number(slot.start.slice(14, 16)) / 15) + 1;
        if (!place || column === 1) element.style.gridColumnStart = String(column);
        grid.append(element);
      });
      made.push(words, grid);
    });
    return made;
  }

  function draw() {
    if (section.hidden) return;
    show(title, say(owner.capability ? "moveTitle" : "title"));
    const moved = place && { day: list && dayWords(present().slice(0, 10)), time: timeOf(present()) };
    show(what, !list ? say("moment") : moved ? say("now", moved) : open ? "" : say("what"));
    show(alert, note ? say(note) : "");
    show(label, list ? say("stay") : "");
    stay.hidden = !list;
    [...stay.options].forEach((option, place) => {
      option.textContent = LENGTHS[place] ? span(LENGTHS[place], "minute", language()) : say("usual");
    });
    show(legend, list ? say("legend") : "");
    show(heading, list ? open ? dayWords(open) : say("day") : "");
    const focused = slots.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    const grid = document.createElement("div");
    grid.className = "days";
    grid.append(...open || !list ? [] : days.map(dayButton));
    slots.replaceChildren(...open && list ? slotParts() : [grid]);
    const same = focused && [...slots.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === focused);
    if (same) same.focus({ preventScroll: true });
    show(back, open ? say("otherDay") : "");
    show(link, owner.capability ? say("keep") : list && list.ticket ? say("join") : "");
  }

  return {
    section,
    /** Shows the part; `why` is the name of the text that says why the customer is here again, about a slot. */
    start(why = "", slot = "") {
      note = why;
      missed = slot;
      section.hidden = false;
      draw();
      ask();
    },
    hide() { section.hidden = true; },
    draw,
    /** To be called every second. */
    tick() {
      if (!section.hidden && !document.hidden && performance.now() - asked >= REFRESH) ask();
    },
    focus() { title.focus(); },
  };
}
