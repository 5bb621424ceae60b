// What the phone remembers: the last views of places, and how the page is read. All of it may be refused or lost.

const PLACES = "clup-places";
const MOST_PLACES = 5;
const LONGEST = 2 * 86400000;

export function setting(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

export function keepSetting(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it is not kept */ }
}

/** The places by capability, the last used first: only those that are neither too old nor too many. */
function places() {
  try {
    return JSON.parse(setting(PLACES)).filter(({ at }) => Math.abs(Date.now() - at) < LONGEST).slice(0, MOST_PLACES);
  } catch {
    // There are none, or they are not of this page.
    return [];
  }
}

/**
 * What is remembered of a place: its last `view`, `at` which time of the phone it came, the `entry` code, the `minutes` of
 * the way, and whether it has `notices`.
 */
export function remembered(capability) {
  return places().find((one) => one.capability === capability) || null;
}

export function remember(capability, changes) {
  const others = places().filter((one) => one.capability !== capability);
  const place = { at: Date.now(), ...remembered(capability), ...changes, capability };
  keepSetting(PLACES, JSON.stringify([place, ...others].slice(0, MOST_PLACES)));
}

export function forget(capability) {
  keepSetting(PLACES, JSON.stringify(places().filter((one) => one.capability !== capability)));
}
