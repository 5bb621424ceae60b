// When to leave: the way from here.

import { metresBetween } from "./distances.js";

/** Ways are longer than the straight line, and a calm walker goes 4.5 km in an hour. */
const DETOUR = 1.3;
const METRES_IN_A_MINUTE = 75;

const minutes = (line) => Math.max(1, Math.ceil(line * DETOUR / METRES_IN_A_MINUTE));

/** The phone's position, which does not leave the page, or what is made of it. */
export function position(made = (coords) => coords) {
  return new Promise((done, failed) => {
    navigator.geolocation.getCurrentPosition(({ coords }) => done(made(coords)), failed,
      { maximumAge: 60000, timeout: 20000 });
  });
}

/** Minutes on foot from the phone's position. */
export const minutesTo = (there) => position((here) => minutes(metresBetween(here, there)));
