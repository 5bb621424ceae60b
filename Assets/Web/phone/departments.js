// The departments of a shop that the customer of a visit may name (rules: departments), a part of visit.js.

import { showText } from "./text.js";

/** The names as one text; empty for none. */
export const departmentsInWords = (names) => (names || []).join(" · ");

/**
 * Makes the choice, hidden until `draw` gets the names of a shop's departments. `changed()` is called after each touch. A visit
 * that is moved has named `named` of them already.
 */
export function departmentChoice(changed) {
  const element = document.createElement("div");
  element.hidden = true;
  element.setAttribute("role", "group");
  element.setAttribute("aria-labelledby", "departments");
  const [title, grid] = ["p", "div"].map((name) => element.appendChild(document.createElement(name)));
  title.id = "departments";
  grid.className = "departments";
  /** What was drawn last. */
  let shown = [];
  let named = [];

  function choice(name) {
    const button = document.createElement("button");
    button.textContent = name;
    button.setAttribute("aria-pressed", String(named.includes(name)));
    button.addEventListener("click", () => {
      const isNamed = !named.includes(name);
      named = shown.filter((one) => one === name ? isNamed : named.includes(one));
      button.setAttribute("aria-pressed", String(isNamed));
      changed();
    });
    return button;
  }

  return {
    element,
    /** The names that are chosen, in the shop's order. */
    get named() { return named; },
    set named(names) {
      named = names || [];
      shown = [];
    },
    draw(words, names) {
      showText(title, words);
      element.hidden = !names.length;
      if (names.join() === shown.join()) return;
      shown = names;
      grid.replaceChildren(...names.map(choice));
    },
  };
}
