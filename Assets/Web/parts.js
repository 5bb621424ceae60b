// Elements and symbols, of which the pages are made.

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Shows a text in the part of an element that a selector names, or hides that part; what is as it was is not touched. */
export function put(parent, selector, content, isShown = true) {
  const part = parent.querySelector(selector);
  part.hidden = !isShown;
  if (part.textContent !== content) part.textContent = content;
}

/** Milliseconds that have passed in words, as `45 sec` and `13 min`, which cannot be taken for a time of the clock. */
export function counted(time, language) {
  const [count, unit] = time < 60000 ? [time / 1000, "second"] : [time / 60000, "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(count));
}

/** The symbols in the hand of the machine's icons, as lines in a square of 24 units. */
const symbols = {
  reader: "M2.4 8V2.4H8M16 2.4H21.6V8M21.6 16V21.6H16M8 21.6H2.4V16M5.4 12H18.6",
  leave: "M3 12H16.4M11 6.6L16.4 12L11 17.4M21 4V20",
  reading: "M5 12H5.01M12 12H12.01M19 12H19.01",
  done: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM7.4 12.2L10.8 15.6L16.8 8.8",
  clock: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM12 6.6V12L15.8 14.4",
  cross: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM8.2 8.2L15.8 15.8M15.8 8.2L8.2 15.8",
  help: "M12 2.1a9.9 9.9 0 1 0 .01 0ZM9 9.6a3 3 0 1 1 4.7 2.4c-1 .7-1.7 1.2-1.7 2.2M12 17.2H12.01",
};

export function drawn(symbol) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  const lines = document.createElementNS(space, "path");
  lines.setAttribute("d", symbols[symbol]);
  drawing.append(lines);
  return drawing;
}
