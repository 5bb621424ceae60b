// The entry code of a place that was taken on this phone: the symbol for the reader at the entrance, and its digits.

import { part, show } from "./page.js";
import { drawModules, grouped } from "./symbol.js";
import { entry, isWaiting, reservation, view } from "./view.js";

/** Draws the code while it opens a door: before the customer enters, and until they leave. */
export function drawEntry() {
  const isShown = entry && view && (isWaiting() || reservation.state === "inside");
  part("entry").hidden = !isShown;
  document.body.toggleAttribute("data-entry", !!isShown);
  if (!isShown) return;
  drawModules(part("modules"), entry.symbol);
  show("entryDigits", grouped(entry.typedCode));
  part("entryLater").hidden = reservation.state !== "planned";
}
