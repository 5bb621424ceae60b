// The symbol of a code, and its digits, as a customer shows them at a door, at a machine or at a desk.

/** The light modules around a symbol (ISO/IEC 18004). */
const QUIET = 4;

/** The dark modules as a path in a square whose units are modules; a row has four of them to a hexadecimal digit. */
function path(rows) {
  return rows.map((row, y) => [...row].map((digit, x) => {
    const bits = parseInt(digit, 16);
    return [0, 1, 2, 3].filter((bit) => bits & 8 >> bit).map((bit) => `M${4 * x + bit} ${y}h1v1h-1z`).join("");
  }).join("")).join("");
}

/** Draws a symbol of these rows, unless the element shows it already. */
export function drawModules(element, rows) {
  const side = rows.length + 2 * QUIET;
  const drawn = path(rows);
  if (element.firstElementChild.getAttribute("d") === drawn) return;
  element.setAttribute("viewBox", `${-QUIET} ${-QUIET} ${side} ${side}`);
  element.firstElementChild.setAttribute("d", drawn);
}

/** The digits as the paper groups them: four, three, three. */
export const grouped = (digits) => [digits.slice(0, 4), digits.slice(4, 7), digits.slice(7, 10)].filter(Boolean).join(" ");
