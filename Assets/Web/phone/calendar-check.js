// What compares the slots of visits with a customer's own calendar (rules: own-calendar), loaded when it is wanted. The file
// is read in the page, by a worker that can send nothing; its events are kept in the page only, until it is left or
// they are forgotten.

import { checkTexts } from "./calendar-check-words.js";
import { milliseconds } from "./clock.js";
import { conflict } from "./day-fit.js";
import { phrase, spelled } from "./languages.js";
import { span } from "./moments.js";
import { showText } from "./text.js";
import { zoneNamed } from "./zones.js";

const DAY = 86400000;
/** The largest file, in bytes. */
const LARGEST = 10 * 1024 * 1024;
/** How long reading may take before it is given up, in milliseconds. */
const LONGEST = 30000;
/** How many days after the last one of a list are read too, for a page that stays open. */
const MORE_DAYS = 7;
/** The minutes of the way from which a customer chooses, and what is chosen first. */
const WAYS = [10, 20, 30, 45, 60];
const USUAL_WAY = 20;
/** So many events of whole days are named on a day. */
const MOST_NOTES = 5;

/** The styles of the part, which scripts may add to the page's own (CSP level 3). */
const STYLES = [
  // A long word of a title makes the page no wider.
  "#picker { min-width: 0; }",
  "#calendarCheck { display: grid; grid-template-columns: 100%; gap: 0.6rem; padding: 0.9rem; hyphens: auto;"
    + " border: 2px solid var(--line); border-radius: 0.6rem; }",
  "#picker #calendarCheck h3 { margin: 0; }",
  "#calendarCheck p.quiet { color: var(--soft); }",
  "#calendarCheck label.choice { display: flex; gap: 0.6rem; align-items: center; cursor: pointer; }",
  "#calendarCheck label.choice span { min-width: 0; }",
  "#calendarCheck input[type=checkbox] { flex: none; width: 2.75rem; height: 2.75rem; min-height: 2.75rem; margin: 0;"
    + " accent-color: var(--accent); }",
  "#picker button[data-busy] { grid-template-columns: 100%; color: var(--soft); border-color: transparent;"
    + " background: repeating-linear-gradient(135deg, var(--ground) 0 0.3rem, var(--card) 0.3rem 0.6rem) border-box; }",
  "#picker .slots button[data-busy] span:last-child { padding: 0 0.2rem; white-space: nowrap; text-overflow: ellipsis; }",
];

const language = () => document.documentElement.lang;
const say = (name, values = {}) => phrase(checkTexts, name, language(), values);

function addStyles() {
  const [sheet] = /** @type {CSSStyleSheet[]} */ ([...document.styleSheets]);
  for (const rule of STYLES) sheet.insertRule(rule, sheet.cssRules.length);
}

/**
 * Makes the part. Its owner has
 *
 * - `title()`, what the part is called;
 * - `list()`, the last list of slots;
 * - `minutes()`, how long the customer says to stay; 0 if they do not;
 * - `own()`, the identifier of the visit that is moved, whose event in the calendar is no obstacle; empty for a new one;
 * - `changed()`, which is called when slots may fit that did not, or the other way round.
 */
export function calendarCheck(owner) {
  /** What the file has, the text about it by its name, and how often it was changed. */
  let found = null;
  let said = "";
  let version = 0;
  let worker = null;
  let timer = 0;
  /** The clock of the shop. */
  let zone = null;
  /** The events of the day that was looked at last. */
  let near = { key: "", events: [] };

  const section = document.createElement("div");
  section.id = "calendarCheck";
  section.innerHTML = '<h3 tabindex="-1"></h3><p></p><p class="quiet"></p><button></button><input type="file" hidden>'
    + '<div role="status"><p></p><p class="quiet"></p></div><label for="way"></label><select id="way"></select>'
    + '<label class="choice"><input type="checkbox"><span></span></label><button></button>';
  const [title, stays, how, open, file, status, label, way, choice, forgets] =
    /** @type {any[]} */ ([...section.children]);
  const [outcome, details] = status.children;
  const [lunch, lunchWords] = choice.children;
  file.accept = ".ics,text/calendar";
  for (const minutes of WAYS) way.append(new Option("", String(minutes), false, minutes === USUAL_WAY));
  addStyles();

  function change(next, name) {
    found = next;
    said = name;
    version += 1;
    near = { key: "", events: [] };
    owner.changed();
  }

  // MARK: The file

  function stop() {
    clearTimeout(timer);
    if (worker) worker.terminate();
    worker = null;
  }

  function read(chosen) {
    stop();
    if (chosen.size > LARGEST) return change(null, "tooLarge");
    const { now, lastDay, timeZone } = owner.list();
    try {
      zone = zoneNamed(timeZone);
      worker = new Worker("/calendar-reader.js");
    } catch {
      return change(null, "unreadable");
    }
    const end = ({ data }) => {
      stop();
      change(data.problem ? null : data, data.problem || "read");
    };
    worker.onmessage = end;
    worker.onerror = () => end({ data: { problem: "unreadable" } });
    timer = setTimeout(worker.onerror, LONGEST);
    worker.postMessage({
      file: chosen, timeZone, own: owner.own(), from: milliseconds(now.slice(0, 10)) - DAY,
      until: milliseconds(lastDay) + MORE_DAYS * DAY,
    });
    change(null, "reading");
  }

  open.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    if (chosen) read(chosen);
    // The same file can be opened again after it was changed.
    file.value = "";
  });
  way.addEventListener("change", () => change(found, said));
  lunch.addEventListener("change", () => change(found, said));
  forgets.addEventListener("click", () => {
    stop();
    change(null, "forgotten");
    open.focus();
  });

  // MARK: What does not fit

  const local = (moment) => moment + zone.offset(moment);
  const midnight = (moment) => Math.floor(local(moment) / DAY) * DAY;
  const clock = (moment) => spelled(new Date(local(moment)).toISOString().slice(11, 16), language());

  /** The busy events of the day of a moment, and of the days beside it. */
  function eventsNear(moment) {
    const day = midnight(moment);
    const key = `${version} ${day}`;
    if (near.key !== key) {
      const isNear = ({ isBusy, start, end }) => isBusy && local(start) < day + 2 * DAY && local(end) > day - DAY;
      near = { key, events: found.events.filter(isNear) };
    }
    return near.events;
  }

  function conflictAt(start) {
    if (!found) return null;
    const moment = milliseconds(start);
    const settings = { way: Number(way.value), keepsLunch: lunch.checked };
    return conflict(moment, owner.minutes() || owner.list().usualMinutes, settings, eventsNear(moment), zone);
  }

  const titleOf = (event) => event.title || say("untitled");

  /** An event with its times, as far as they are on a day, which is given by its midnight. */
  function inWords(event, day) {
    const [starts, ends] = [midnight(event.start) < day, local(event.end) >= day + DAY];
    const name = event.isWholeDay || starts && ends ? "allDay" : starts ? "ending" : ends ? "starting" : "during";
    return say(name, { title: titleOf(event), from: clock(event.start), to: clock(event.end) });
  }

  // MARK: Drawing

  function detailWords() {
    if (!found) return "";
    const { events, unread, broken, hasUnknownZone } = found;
    return [
      events.some(({ isWholeDay }) => isWholeDay) && say("wholeDays"),
      unread && say(unread === 1 ? "oneUnread" : "unread", { n: unread }),
      broken && say("broken", { n: broken }),
      hasUnknownZone && say("unknownZone"),
    ].filter(Boolean).join(" ");
  }

  function draw() {
    // What is over today is none of the coming ones.
    const count = found ? found.events.filter(({ end }) => end > milliseconds(owner.list().now)).length : 0;
    showText(title, owner.title());
    showText(stays, found ? "" : say("stays"));
    showText(how, found ? "" : say("how"));
    showText(open, found ? "" : say("openFile"));
    open.disabled = said === "reading";
    showText(outcome, said && say(found ? ["none", "one"][count] || "several" : said, { n: count }));
    showText(details, detailWords());
    showText(label, found ? say("way") : "");
    way.hidden = choice.hidden = !found;
    for (const option of way.options) option.textContent = span(Number(option.value), "minute", language());
    lunchWords.textContent = say("lunch");
    showText(forgets, found || said === "reading" ? say("forget") : "");
  }

  return {
    section,
    draw,
    /** Reads the title aloud, and leads the keyboard there. */
    focus: () => title.focus(),
    /** What the slots are compared with: they are drawn again only for something else. */
    key: () => version,
    /** Why a slot does not fit, in few words; empty if it fits. */
    short(start) {
      const what = conflictAt(start);
      return !what ? "" : what.isLunch ? say("lunchTime") : titleOf(what.event);
    },
    /** Why a slot does not fit, as `Dentist, 10:00 to 11:00`; empty if it fits. */
    reason(start) {
      const what = conflictAt(start);
      if (!what || what.isLunch) return what ? say("noLunch") : "";
      const reason = inWords(what.event, midnight(milliseconds(start)));
      return what.isWay ? say("noWay", { reason }) : reason;
    },
    /** That the time of a slot does not fit, and what chooses it all the same. */
    doubt: (time) => say("doubt", { time }),
    anyway: (time) => say("anyway", { time }),
    /** The events of a whole day (YYYY-MM-DD) that make no time grey; empty if there are none. */
    note(day) {
      if (!found) return "";
      const start = milliseconds(day);
      return found.events.filter((one) => one.isWholeDay && !one.isBusy && local(one.start) < start + DAY && local(one.end) > start)
        .slice(0, MOST_NOTES).map((one) => say("allDay", { title: titleOf(one) })).join(" · ");
    },
  };
}
