// A part of visit.js: the way to compare slots with the customer's own calendar (rules: own-calendar), and what is shown of a
// slot that does not fit. What compares them is loaded when it is wanted (calendar-check.js).

import { phrase } from "./languages.js";
import { showText } from "./text.js";
import { visitTexts } from "./visit-words.js";

const say = (name) => phrase(visitTexts, name, document.documentElement.lang);

/**
 * Makes what advises. Its owner has
 *
 * - `list()`, the last list of slots, null before it comes;
 * - `minutes()`, how long the customer says to stay; 0 if they do not;
 * - `own()`, the identifier of the visit that is moved; empty for a new one;
 * - `timeOf(start)`, the time of a slot in words;
 * - `chosen(slot)`, which is called with a slot that is chosen although it does not fit;
 * - `changed()`, which is called when there is something else to show.
 */
export function slotAdvice(owner) {
  /** What compares, once it is loaded, whether that failed, and the slot that was touched and does not fit. */
  let check = null;
  let isLost = false;
  let doubt = null;

  const element = document.createElement("div");
  const opens = element.appendChild(document.createElement("button"));
  // Less than what leads on.
  Object.assign(opens.style, { padding: "0.5rem 0", background: "none", border: "0", textAlign: "left", textDecoration: "underline" });
  const failed = element.appendChild(document.createElement("p"));
  failed.setAttribute("role", "status");
  opens.addEventListener("click", async () => {
    const part = await import("/calendar-check.js").catch(() => null);
    if (check) return;
    isLost = !part;
    if (part) {
      check = part.calendarCheck({
        title: () => say("check"), list: owner.list, minutes: owner.minutes, own: owner.own,
        changed() {
          doubt = null;
          owner.changed();
        },
      });
      element.replaceChildren(check.section);
    }
    owner.changed();
    if (check) check.focus();
  });

  return {
    element,
    /** Whether a slot does not fit, which is then shown with the reason. */
    doubts(slot) {
      doubt = check && check.reason(slot.start) ? slot : null;
      return Boolean(doubt);
    },
    forget() { doubt = null; },
    /** Whether a slot is shown as one that does not fit. */
    isFor: (start) => Boolean(doubt) && doubt.start === start,
    /** Marks the button of a slot that does not fit; who cannot see it hears the reason. */
    mark(button, start) {
      const reason = check && check.reason(start);
      if (!reason) return;
      button.dataset.busy = "";
      button.lastChild.textContent = check.short(start);
      button.setAttribute("aria-label", `${button.getAttribute("aria-label")}. ${reason}`);
    },
    /** What is said of the slot that does not fit; empty if there is none. */
    words: () => doubt ? `${check.doubt(owner.timeOf(doubt.start))} ${check.reason(doubt.start).replace(/\.?$/, ".")}` : "",
    /** The button that chooses it all the same. */
    parts() {
      if (!doubt) return [];
      const slot = doubt;
      const made = document.createElement("button");
      made.style.width = "100%";
      made.textContent = check.anyway(owner.timeOf(slot.start));
      made.addEventListener("click", () => owner.chosen(slot));
      return [made];
    },
    /** What is said of a day. */
    note: (day) => check ? check.note(day) : "",
    /** What the buttons are made of: they are made again only for something else. */
    key: () => [check && check.key(), owner.minutes(), doubt],
    draw() {
      if (check) return check.draw();
      showText(opens, owner.list() ? say("check") : "");
      showText(failed, isLost ? say("noCheck") : "");
    },
  };
}
