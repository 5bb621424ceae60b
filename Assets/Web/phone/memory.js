// What the phone remembers: the last views of places, and how the page is read. All of it may be refused or lost.

const PLACES = "clup-places";
/** Five visits, a ticket, and some whose links came from others. */
const MOST_PLACES = 10;
/** Ten places have about 30,000 characters; a text that is longer than this is not of these pages. */
const MOST_CHARACTERS = 200000;
const DAY = 86400000;
/** How long a place is kept after it was seen, and how far ahead a visit is kept: it is booked within a month (rules: slots). */
const LONGEST = 2 * DAY;
const FARTHEST = 40 * DAY;

export function setting(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

export function keepSetting(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it is not kept */ }
}

/** Whether an entry is that of a place that was seen lately, or of a visit that was not over a day ago. */
function isKept(entry) {
  const { capability, at, view } = Object(entry);
  const { start } = Object(Object(Object(view).reservation).visit);
  const ahead = Date.parse(start) - Date.now();
  return /^[0-9A-Z]{38}$/.test(capability) && (Math.abs(Date.now() - at) < LONGEST || ahead > -DAY && ahead < FARTHEST);
}

/** The places with their capabilities, the last used first: only those that are neither too old nor too many. */
export function places() {
  try {
    const kept = setting(PLACES);
    return kept.length < MOST_CHARACTERS ? JSON.parse(kept).filter(isKept).slice(0, MOST_PLACES) : [];
  } catch {
    // There are none, or they are not of these pages.
    return [];
  }
}

export const keepPlaces = (all) => keepSetting(PLACES, JSON.stringify(all));

/**
 * What is remembered of a place: its last `view`, `at` which time of the phone it came, the `entry` code, or the symbol of the
 * `paper` with whose code it was opened, the `minutes` of the way, whether it has `notices`, and the slot with which a
 * visit is in the phone's `calendar`.
 */
export function remembered(capability) {
  return places().find((one) => one.capability === capability) || null;
}

export function remember(capability, changes) {
  const others = places().filter((one) => one.capability !== capability);
  const place = { at: Date.now(), ...remembered(capability), ...changes, capability };
  // If there are too many, those go first with which this phone lets no customer in.
  others.sort((one, other) => Number(!one.entry && !one.paper) - Number(!other.entry && !other.paper));
  keepPlaces([place, ...others].slice(0, MOST_PLACES));
}

export function forget(capability) {
  keepPlaces(places().filter((one) => one.capability !== capability));
}
