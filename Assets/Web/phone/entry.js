// The entry code of a place that was taken on this phone: the symbol for the reader at the entrance, and its digits.

import { part, show } from "./page.js";
import { entry, isWaiting, reservation, view } from "./view.js";

/** The light modules around a symbol (ISO/IEC 18004). */
const QUIET = 4;

/** The rows that are drawn. */
let drawn = "";

/** The dark modules as a path in a square whose units are modules; a row has four of them to a hexadecimal digit. */
function path(rows) {
  return rows.map((row, y) => [...row].map((digit, x) => {
    const bits = parseInt(digit, 16);
    return [0, 1, 2, 3].filter((bit) => bits & 8 >> bit).map((bit) => `M${4 * x + bit} ${y}h1v1h-1z`).join("");
  }).join("")).join("");
}

/** The digits as the paper groups them: four, three, three. */
export const grouped = (digits) => [digits.slice(0, 4), digits.slice(4, 7), digits.slice(7, 10)].filter(Boolean).join(" ");

/** Draws the code while it opens a door: before the customer enters, and until they leave. */
export function drawEntry() {
  const isShown = entry && view && (isWaiting() || reservation.state === "inside");
  part("entry").hidden = !isShown;
  document.body.toggleAttribute("data-entry", !!isShown);
  if (!isShown) return;
  const { symbol, typedCode } = entry;
  if (drawn !== symbol.join()) {
    drawn = symbol.join();
    const side = symbol.length + 2 * QUIET;
    part("modules").setAttribute("viewBox", `${-QUIET} ${-QUIET} ${side} ${side}`);
    part("modules").firstElementChild.setAttribute("d", path(symbol));
  }
  show("entryDigits", grouped(typedCode));
  part("entryLater").hidden = reservation.state !== "planned";
}
