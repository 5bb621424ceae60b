// What the page of a place offers besides: the place in the phone's calendar, the way to the other places of this phone, and
// how long the way to the shop is from here.
// It is loaded apart from the page, whose language is that of its document.

import { calendar } from "./calendar.js";
import { calendarTexts, onFootTexts } from "./extras-words.js";
import { handOver } from "./file.js";
import { forgetCodes } from "./kept-codes.js";
import { phrase } from "./languages.js";
import { minutesTo } from "./leave.js";
import { places } from "./memory.js";
import { wayTexts } from "./places-words.js";
import { showText } from "./text.js";

/** The last view of the place, and the minutes of the way to its shop. */
let view = null;
let way = 0;

forgetCodes();

// MARK: Elements

const offer = document.createElement("button");
offer.id = "calendar";
const section = document.createElement("section");
section.append(offer);
document.getElementById("leave").after(section);
const others = document.createElement("a");
others.id = "myPlaces";
others.setAttribute("href", "/places");
document.querySelector("main").append(others);
// The page's policy allows these styles, which a script sets, and none within the text.
Object.assign(others.style, {
  display: "grid", placeContent: "center", minHeight: "3rem", marginBottom: "1rem", padding: "0.5rem", fontWeight: "700",
  textAlign: "center", color: "inherit",
});

// MARK: The calendar

/** Hands a file with the time at which the customer can come in to the phone. */
function offerFile() {
  const { id, number, shopName, now, visit, wait } = view.reservation;
  const [from, to] = visit ? [visit.start, visit.end] : [wait.earliest, wait.latest];
  const { street, town } = view.address || /** @type {any} */ ({});
  const start = Date.parse(from);
  const name = String(number).padStart(3, "0");
  handOver(calendar({
    id: `${id}@${location.hostname}`, title: `${name} · ${shopName}`,
    place: [shopName, street, town].filter(Boolean).join(", "),
    start, end: Math.max(Date.parse(to), start + 60000), now: Date.parse(now), minutes: way,
  }), `clup-${name}.ics`);
}

offer.addEventListener("click", offerFile);

export { minutesTo };

/**
 * To be called every second, and whenever there is something new, with the place of the page, its last view, and the
 * minutes of the way; the ten digits are for other parts.
 */
export function draw(capability, latest, _, minutes, addTexts) {
  addTexts(onFootTexts);
  view = latest;
  way = minutes;
  const { lang } = document.documentElement;
  const { state, visit, wait } = view ? view.reservation : /** @type {any} */ ({});
  // The file of a visit that was booked on a phone is the server's, which another part offers (visit-calendar.js).
  const isHere = state === "planned" && (visit ? !view.onPhone : wait);
  showText(offer, isHere ? phrase(calendarTexts, "calendar", lang) : "");
  section.hidden = !isHere;
  const hasOthers = places().some((one) => one.capability !== capability);
  showText(others, hasOthers ? phrase(wayTexts, "myPlaces", lang) : "");
}
