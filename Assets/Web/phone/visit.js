// The part of the page for joining in which a customer chooses the slot of a visit (rules: visits), loaded apart from it: first
// the day, then the quarter of an hour, each with how much of it is free. The language is that of the document. The texts that
// the page says for visits only come with it.

import { slotAdvice } from "./advice.js";
import { milliseconds } from "./clock.js";
import { phrase, spelled } from "./languages.js";
import { clock, dayInWords, span } from "./moments.js";
import { departmentChoice, departmentsInWords } from "./departments.js";
import { call } from "./server.js";
import { suggestionsFor } from "./suggestions.js";
import { showText } from "./text.js";
import { visitTexts } from "./visit-words.js";

export { pageTexts } from "./visit-words.js";

const QUARTER = 900000;
const DAY = 86400000;
/** How often the slots are asked for while the page is seen. */
const REFRESH = 60000;
/** How long a customer may say to stay, in minutes; 0 leaves it to the shop. */
const LENGTHS = [0, 15, 30, 45, 60, 90, 120];
/** What stands for how much is free: its shape says it without colours. */
const MARKS = ["", "●○○", "●●○", "●●●"];
/** What stands for a full day, other than for a closed one. */
const FULL = "○○○";
const LEVELS = ["full", "few", "some", "many"];
/**
 * The styles of a calendar, and of what has the width of a day: a button of 44 pixels at least, on the narrowest phone up to
 * the edges of the screen. The page's policy allows styles that a script sets.
 */
const CALENDAR = {
  gridTemplateColumns: "repeat(7, 1fr)", gap: "0.25rem 1px", marginInline: "min(-0.9rem, (100vw - 3.2rem - 316px) / 2)",
};
const SMALL = { overflow: "hidden", fontSize: "0.7rem", fontWeight: "400", textAlign: "center" };
/** The hours with which the parts of a day begin, by the names of their texts. */
const PARTS = [["night", 0], ["morning", 6], ["afternoon", 12], ["evening", 17]];

const language = () => document.documentElement.lang;
const say = (name, values) => phrase(visitTexts, name, language(), values);
const timeOf = (moment) => spelled(clock(moment), language());

/** The moment so many milliseconds later, with the same offset (RFC 3339). */
function later(moment, time) {
  const shown = new Date(Date.parse(`${moment.slice(0, 19)}Z`) + time).toISOString().slice(0, 19);
  return shown + moment.slice(19);
}

/** A length of stay in words, as `1 hour 30 minutes`; 0 is what the shop expects. */
function stayInWords(minutes) {
  if (!minutes) return say("usual");
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && span(hours, "hour", language()), rest && span(rest, "minute", language())].filter(Boolean).join(" ");
}

/** What a customer has said of a visit in words, as `1 hour 30 minutes · Fish · Wine`. */
export const choiceInWords = ({ minutes, departments }) =>
  [stayInWords(minutes), departmentsInWords(departments)].filter(Boolean).join(" · ");

/** A date in the language, by the options of Intl.DateTimeFormat; the day before the month in English too. */
const dateInWords = (day, options) => new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(),
  { timeZone: "UTC", ...options }).format(Date.parse(day))
  // In French the first of a month is an ordinal number.
  .replace(/\b1 /, language() === "fr" ? "1er " : "1 ");

/** The column of a day in a week that begins on Monday, from 1 on: 1 January 1970 was a Thursday. */
const weekdayOf = (day) => (Date.parse(day) / DAY + 3) % 7 + 1;

/** The days of a list, each with its slots in order: `{ day, slots: [{ start, level }] }`; a closed day has none. */
function daysOf({ periods, now, lastDay }) {
  const days = new Map();
  const today = now.slice(0, 10);
  // Today is left out once it has no slots any more.
  for (let time = Date.parse(today) + DAY; time <= Date.parse(lastDay); time += DAY) {
    days.set(new Date(time).toISOString().slice(0, 10), []);
  }
  for (const { first, levels } of periods) {
    [...levels].forEach((digit, place) => {
      const start = later(first, place * QUARTER);
      const day = start.slice(0, 10);
      if (!days.has(day)) days.set(day, []);
      days.get(day).push({ start, level: Number(digit) });
    });
  }
  return [...days].map(([day, slots]) => ({ day, slots })).sort((one, other) => one.day < other.day ? -1 : 1);
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
 * - `elsewhere(tag, slot)`, which is called with another shop that was touched instead, and its slot, or none for its queue;
 * - `refused(status, document)`, which is called if the slots cannot be had.
 */
export function slotPicker(owner) {
  /** The last list, its days, and which of them is open; empty while a day is to be chosen. */
  let list = null;
  let days = [];
  let open = "";
  let minutes = 0;
  /** Whether the customer has chosen that, or departments: a visit that is moved may get them and keep its slot. */
  let isOther = false;
  /** The place that is moved. */
  let place = null;
  /** The name of the text that says why the customer is here again. */
  let note = "";
  let asked = 0;
  let last = 0;
  /** What the buttons were made of: they are made again only for something else, as a touch needs them to stay. */
  let drawn = "";

  const section = document.createElement("section");
  section.id = "picker";
  section.innerHTML = '<h2 tabindex="-1"></h2><p></p><p role="alert"></p><label for="stay"></label><select id="stay"></select>'
    + '<p id="legend"></p><h3 tabindex="-1"></h3><button></button><div id="slots"></div><a></a>';
  const near = document.createElement("div");
  section.children[2].after(near);
  const [title, what, alert, , label, stay, legend, heading, back, slots, link] =
    /** @type {any[]} */ ([...section.children]);
  alert.tabIndex = -1;
  const dayNote = document.createElement("p");
  heading.after(dayNote);
  for (const length of LENGTHS) stay.append(new Option("", String(length)));
  stay.addEventListener("change", () => {
    minutes = Number(stay.value);
    changed();
  });
  const departments = departmentChoice(changed);
  stay.after(departments.element);
  const suggestions = suggestionsFor({
    tag: owner.tag, isMove: Boolean(owner.capability), button,
    marks: (level) => MARKS[level], inWords: (level) => say(LEVELS[level]),
    dateOf: shortDate,
    advise: (made, start) => advice.mark(made, start),
    chosen: consider,
    elsewhere: owner.elsewhere,
    changed: () => draw(),
  });
  const advice = slotAdvice({
    list: () => list, minutes: () => minutes, own: () => place ? place.reservation.id : "", timeOf, chosen,
    changed: () => draw(),
  });
  legend.before(advice.element);
  back.addEventListener("click", () => {
    const { day, isSlot } = history.state || {};
    forget();
    if (day && !isSlot) return history.back();
    history.replaceState(null, "");
    open = "";
    draw();
    heading.focus();
  });
  link.href = owner.capability ? `/t#${owner.capability}` : `/join/${owner.tag}`;

  // MARK: Choosing

  const slotOf = (start) => ({
    start, ...minutes && { minutes }, ...departments.named.length && { departments: departments.named },
  });

  /** The slots are others after another choice of what they are for. */
  function changed() {
    isOther = true;
    forget();
    ask();
  }

  /** Nothing is said any more of a slot that is not to be had. */
  function forget() {
    note = "";
    advice.forget();
    suggestions.forget();
  }

  /** Chooses a slot; one that does not fit the customer's day is first shown with the reason, and can still be chosen. */
  function consider(slot) {
    if (!advice.doubts(slot)) return chosen(slot);
    note = "";
    draw();
    alert.focus();
  }

  function chosen(slot) {
    forget();
    owner.chosen(slot, place);
  }

  /** Shows what may be had instead of a slot that is full, or that somebody else has just taken. */
  function suggest(start, isTaken = false) {
    advice.forget();
    suggestions.ask(slotOf(start), isTaken);
    draw();
    alert.focus();
  }

  // MARK: Calls

  async function ask() {
    const own = ++last;
    asked = performance.now();
    const lost = { status: 0, body: null };
    if (owner.capability && !place) {
      const { status, body } = await call("place", { capability: owner.capability }).catch(() => lost);
      if (own !== last) return;
      const isMovable = body && body.entry && body.reservation.visit && body.reservation.state === "planned";
      if (!isMovable) {
        const type = status === 200 || status === 404 ? "cannot-move" : body && body.type;
        return owner.refused(status && 409, { type, link: status === 200 && `${location.origin}/t#${owner.capability}` });
      }
      place = body;
      departments.named = place.reservation.visit.departments;
    }
    const asks = { shop: owner.tag, minutes: minutes || null, departments: departments.named };
    const { status, body } = await call("slots", asks).catch(() => lost);
    if (own !== last) return;
    // What is shown stays as long as no answer comes.
    if (status !== 200) return list && status !== 404 && status !== 409 ? null : owner.refused(status, body);
    list = body;
    days = daysOf(list);
    owner.about(list);
    draw();
  }

  // MARK: Drawing

  const present = () => place && place.reservation.visit.start;
  const dayWords = (day) => dayInWords(day, list.now.slice(0, 10), language());

  /** A button of lines of words, marked with how much is free. */
  function button(words, level, isPressed = false) {
    const made = document.createElement("button");
    made.dataset.level = String(level);
    if (isPressed) made.setAttribute("aria-current", "true");
    for (const word of words) made.appendChild(document.createElement("span")).textContent = word;
    return made;
  }

  function isNear(day) { return Date.parse(day) - Date.parse(list.now.slice(0, 10)) <= DAY; }

  /** A day in few words: `tomorrow`, or `Fri 28 Nov`. */
  function shortDate(day) {
    return isNear(day) ? dayWords(day) : dateInWords(day, { weekday: "short", day: "numeric", month: "short" });
  }

  function dayButton(one) {
    const level = levelOf(one);
    const isPresent = present() && present().slice(0, 10) === one.day;
    const words = [isPresent && say("yours"), say(!one.slots.length ? "closed" : LEVELS[level])].filter(Boolean);
    const mark = isPresent ? "✓" : one.slots.length && (MARKS[level] || FULL) || "";
    const made = button([String(Number(one.day.slice(8))), mark], level, isPresent);
    made.style.gridColumnStart = String(weekdayOf(one.day));
    Object.assign(/** @type {HTMLElement} */ (made.lastChild).style, SMALL);
    made.disabled = !one.slots.length;
    made.setAttribute("aria-label", `${dayWords(one.day)}: ${words.join(", ")}`);
    made.addEventListener("click", () => {
      // The browser's way back leads from the slots to the days.
      history.pushState({ day: one.day }, "");
      open = one.day;
      forget();
      draw();
      heading.focus();
      // Not only as far as the title is seen: the times are below it.
      heading.scrollIntoView();
    });
    return made;
  }

  function slotButton({ start, level }) {
    const isPresent = present() && milliseconds(present()) === milliseconds(start);
    const words = say(isPresent ? "yours" : LEVELS[level]);
    const shown = isPresent ? 0 : level;
    const made = button([timeOf(start), MARKS[shown] || words], shown, isPresent);
    made.disabled = isPresent && !isOther;
    made.setAttribute("aria-label", `${timeOf(start)}: ${words}`);
    if (shown) advice.mark(made, start);
    if (suggestions.isFor(start) || advice.isFor(start)) made.dataset.missed = "";
    made.addEventListener("click", () => {
      // A full slot leads to what is free near it.
      if (!shown && !isPresent) return suggest(start);
      suggestions.forget();
      consider(slotOf(start));
    });
    return made;
  }

  const slotsOf = (day) => (days.find((one) => one.day === day) || { slots: [] }).slots;

  /** The days as a calendar of each month, in which a row is a week. */
  function dayParts() {
    const made = [];
    let last = "";
    for (const one of days) {
      const month = one.day.slice(0, 7);
      if (month !== last) {
        const words = document.createElement("h4");
        words.textContent = dateInWords(one.day, { month: "long", year: "numeric" });
        const grid = document.createElement("div");
        grid.className = "days calendar";
        Object.assign(grid.style, CALENDAR);
        // A day's button says which weekday it is. 5 January 1970 was a Monday.
        for (let place = 4; place < 11; place += 1) {
          const name = grid.appendChild(document.createElement("b"));
          name.textContent = dateInWords(new Date(place * DAY).toISOString().slice(0, 10), { weekday: "short" });
          name.setAttribute("aria-hidden", "true");
          Object.assign(name.style, SMALL);
        }
        made.push(words, grid);
        last = month;
      }
      made[made.length - 1].append(dayButton(one));
    }
    return made;
  }

  /** The slots of the open day in the parts of a day, each with its title, and with the breaks between them. */
  function slotParts() {
    const all = slotsOf(open);
    const made = [];
    PARTS.forEach(([name, from], part) => {
      const until = part + 1 < PARTS.length ? PARTS[part + 1][1] : 24;
      const own = all.filter(({ start }) => {
        const hour = Number(start.slice(11, 13));
        return hour >= from && hour < until;
      });
      if (!own.length) return;
      let grid = null;
      own.forEach((slot, place) => {
        const isAfterBreak = place && milliseconds(slot.start) - milliseconds(own[place - 1].start) > QUARTER;
        if (!place || isAfterBreak) {
          const words = document.createElement("h4");
          words.textContent = isAfterBreak ? say("fromTime", { time: timeOf(slot.start) }) : say(/** @type {string} */ (name));
          grid = document.createElement("div");
          grid.className = "slots";
          made.push(words, grid);
        }
        const element = slotButton(slot);
        // A row is an hour: slots that are over, or in a break, leave their places.
        const column = Math.floor(Number(slot.start.slice(14, 16)) / 15) + 1;
        if (!grid.firstChild || column === 1) element.dataset.column = String(column);
        grid.append(element);
      });
    });
    return made;
  }

  function draw() {
    if (section.hidden) return;
    const isOpen = slotsOf(open).length;
    showText(title, say(owner.capability ? "moveTitle" : "title"));
    const moved = place && { day: list && dayWords(present().slice(0, 10)), time: timeOf(present()) };
    showText(what, !list ? say("moment") : moved ? say("now", moved) : isOpen ? "" : say("what"));
    showText(alert, [note && say(note), advice.words() || suggestions.words(note)].filter(Boolean).join(" "));
    showText(label, list ? say("stay") : "");
    stay.hidden = !list;
    [...stay.options].forEach((option, place) => {
      option.textContent = stayInWords(LENGTHS[place]);
    });
    departments.draw(say("departments"), list && list.departments || []);
    advice.draw();
    showText(dayNote, isOpen ? advice.note(open) : "");
    showText(legend, list ? say("legend") : "");
    showText(heading, list ? isOpen ? dayWords(open) : say("day") : "");
    showText(back, isOpen ? say("otherDay") : "");
    showText(link, owner.capability ? say("keep") : list && list.ticket ? say("join") : "");
    drawButtons(isOpen);
  }

  function drawButtons(isOpen) {
    const next = JSON.stringify([
      language(), open, isOther, suggestions.key(), advice.key(), days, present(), list && list.now.slice(0, 10),
    ]);
    if (!list || next === drawn) return;
    drawn = next;
    const focused = section.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    near.replaceChildren(...advice.parts(), ...suggestions.parts());
    slots.replaceChildren(...isOpen ? slotParts() : dayParts());
    const same = focused && [...slots.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === focused);
    if (same) same.focus({ preventScroll: true });
  }

  return {
    section,
    /**
     * Shows the part with a day, or all; `why` is the name of the text that says why a slot was not to be had, for which
     * others are suggested then.
     */
    start(day = "", why = "", slot = "") {
      const isAgain = list;
      open = day;
      note = why;
      for (const one of slotsOf(slot.slice(0, 10))) if (why && one.start === slot) one.level = 0;
      section.hidden = false;
      ask();
      if (why) return suggest(slot, true);
      advice.forget();
      suggestions.forget();
      draw();
      if (isAgain) heading.focus();
    },
    ask,
    hide() { section.hidden = true; },
    draw,
    /** To be called every second. */
    tick() {
      if (!section.hidden && !document.hidden && performance.now() - asked >= REFRESH) ask();
    },
  };
}
