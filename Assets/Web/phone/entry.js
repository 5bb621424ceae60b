// The entry code: the symbol for the reader at the entrance and its digits, of a place that was taken on this phone, or the
// symbol of the paper that was scanned with it.

import { part, show } from "./page.js";
import { drawModules, grouped } from "./symbol.js";
import { entry, isWaiting, paper, reservation, view } from "./view.js";

/** Draws the code while it opens a door: before the customer enters, and until they leave. */
export function drawEntry() {
  const symbol = view && (isWaiting() || reservation.state === "inside") && (entry ? entry.symbol : paper);
  part("entry").hidden = !symbol;
  document.body.toggleAttribute("data-symbol", !!symbol);
  document.body.toggleAttribute("data-entry", !!symbol && !!entry);
  if (!symbol) return;
  drawModules(part("modules"), symbol);
  show("entryDigits", entry ? grouped(entry.typedCode) : "");
  part("entryLater").hidden = reservation.state !== "planned";
}
