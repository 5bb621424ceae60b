// What may be had instead of a slot that is full (rules: slot-suggestions), a part of visit.js: free slots near it, and shops
// nearby.

import { milliseconds } from "./clock.js";
import { inMetres } from "./distances.js";
import { phrase, spelled } from "./languages.js";
import { clock } from "./moments.js";
import { call } from "./server.js";
import { visitTexts } from "./visit-words.js";

const language = () => document.documentElement.lang;
const say = (name, values) => phrase(visitTexts, name, language(), values);
const timeOf = (moment) => spelled(clock(moment), language());

/**
 * Makes what shows suggestions. Its owner has
 *
 * - `tag`, that of the shop;
 * - `isMove`, whether a visit is moved, which stays in its shop;
 * - `button(words, level)`, which makes a button of lines of words and marks it with how much is free;
 * - `marks(level)`, what stands for that, and `inWords(level)`;
 * - `advise(button, start)`, which marks a button of a slot that does not fit the customer's day;
 * - `dateOf(day)`, a day in few words;
 * - `chosen(slot)`, which is called with a slot of the shop that was touched, or that is free after all;
 * - `elsewhere(tag, slot)`, which is called with another shop that was touched, and its slot, or none to join its queue;
 * - `changed()`, which is called when there is something else to show.
 */
export function suggestionsFor(owner) {
  /** The slot that is full, and the answer of the server; null before. */
  let wanted = null;
  let found = null;
  let last = 0;

  function slotButton({ start, level }, first) {
    const when = first === timeOf(start) ? [first] : [first, timeOf(start)];
    const made = owner.button([...when, owner.marks(level)], level);
    made.setAttribute("aria-label", `${when.join(", ")}: ${owner.inWords(level)}`);
    owner.advise(made, start);
    made.addEventListener("click", () => owner.chosen({ ...wanted, start }));
    return made;
  }

  function shopButton({ tag, name, metres, slot, wait }) {
    const [from, to] = [wait && timeOf(wait.earliest), wait && timeOf(wait.latest)];
    const when = slot ? [timeOf(slot.start), owner.marks(slot.level)].join(" ")
      : from === to ? say("joinNow") : say("ticketNow", { from, to });
    const made = owner.button([name, [inMetres(metres, language()), when].join(" · ")], slot ? slot.level : 1);
    if (slot) {
      made.setAttribute("aria-label",
        [name, inMetres(metres, language()), `${timeOf(slot.start)}: ${owner.inWords(slot.level)}`].join(", "));
    }
    made.addEventListener("click", () => owner.elsewhere(tag, slot && { ...wanted, start: slot.start }));
    return made;
  }

  function group(title, kind, buttons) {
    if (!buttons.length) return [];
    const words = document.createElement("h4");
    words.textContent = title;
    const grid = document.createElement("div");
    grid.className = kind;
    grid.append(...buttons);
    return [words, grid];
  }

  const shops = () => owner.isMove ? [] : found.shops;
  const isEmpty = () => !found || !found.sameDay.length && !found.otherDays.length && !shops().length;

  return {
    /**
     * Asks what there is instead of a slot, which the server counts as wanted. One that is free after all is chosen, unless
     * `isTaken`: then another server has just refused it.
     */
    async ask(slot, isTaken) {
      const own = ++last;
      wanted = slot;
      found = null;
      const { status, body } = await call("suggestions", { shop: owner.tag, visit: slot })
        .catch(() => ({ status: 0, body: null }));
      if (own !== last) return;
      if (status !== 200) found = { sameDay: [], otherDays: [], shops: [] };
      else if (!body.free) found = body;
      else if (!isTaken) return owner.chosen(slot);
      else found = { ...body, sameDay: [{ start: slot.start, level: 1 }, ...body.sameDay] };
      owner.changed();
    },
    forget() {
      last += 1;
      wanted = found = null;
    },
    /** Whether a slot is asked about. */
    isFor: (start) => Boolean(wanted) && milliseconds(wanted.start) === milliseconds(start),
    /** What is said of the slot: that it is full, unless that `isSaid`, and what the customer can do. */
    words(isSaid) {
      if (!wanted) return "";
      return [!isSaid && say("noPlaceAt", { time: timeOf(wanted.start) }), found && say(isEmpty() ? "below" : "instead")]
        .filter(Boolean).join(" ");
    },
    /** What the parts are made of: they are made again only for something else. */
    key: () => [wanted, found],
    parts: () => !found ? [] : [
      ...group(say("sameDay"), "slots", found.sameDay.map((slot) => slotButton(slot, timeOf(slot.start)))),
      ...group(say("sameTime"), "days", found.otherDays.map((slot) => slotButton(slot, owner.dateOf(slot.start.slice(0, 10))))),
      ...group(say("nearbyShops"), "near", shops().map(shopButton)),
    ],
  };
}
