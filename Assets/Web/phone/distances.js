// Distances between places on the earth.

const EARTH = 6371000;

/** Metres of the straight line between two positions of latitude and longitude. */
export function metresBetween(here, there) {
  const radians = (degrees) => degrees * Math.PI / 180;
  const half = (one, other) => Math.sin(radians(one - other) / 2) ** 2;
  const share = half(here.latitude, there.latitude) + half(here.longitude, there.longitude)
    * Math.cos(radians(here.latitude)) * Math.cos(radians(there.latitude));
  return 2 * EARTH * Math.asin(Math.sqrt(Math.min(1, share)));
}

/** Metres in words, as `850 m` or `3.2 km`. */
export function inMetres(metres, language) {
  if (metres < 995) return `${10 * Math.max(1, Math.round(metres / 10))}\u00A0m`;
  const digits = metres < 99950 ? 1 : 0;
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(metres / 1000)}\u00A0km`;
}
