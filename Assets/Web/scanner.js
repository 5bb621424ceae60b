// The input of a code reader, by the place of each key (KeyboardEvent.code): a reader set to the US layout
// is understood whatever layout this computer has.

const symbols = {
  Semicolon: [";", ":"], Minus: ["-", "_"], Equal: ["=", "+"], Slash: ["/", "?"],
  Period: [".", ">"], Comma: [",", "<"], Space: [" ", " "], Quote: ["'", "\""],
};
const digits = ")!@#$%^&*(";
/** The backend accepts no longer code. */
const LONGEST = 128;
/** A longer pause between two keys ends a code: people type faster than this, and readers do not pause. */
const PAUSE = 1500;

/** The character of a key; null for one that has none. */
export function character({ code, shiftKey }) {
  if (/^Key[A-Z]$/.test(code)) return code[3];
  if (/^Digit\d$/.test(code)) return shiftKey ? digits[code[5]] : code[5];
  if (/^Numpad\d$/.test(code)) return code[6];
  return symbols[code]?.[shiftKey ? 1 : 0] ?? null;
}

/** What a sensor at the door sends, as a keyboard does: this key, or this line. */
const WAKE_KEY = "F1";
const WAKE_LINE = "WAKE";

/** Calls `began` at the first key, `done` with the code at its Enter, and `woken` if a sensor sees a person. */
export function listenToScanner(began, done, woken) {
  let typed = "";
  let last = 0;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const now = performance.now();
    if (now - last > PAUSE) typed = "";
    last = now;
    if (event.code === WAKE_KEY) {
      event.preventDefault();
      return woken();
    }
    if (event.code === "Enter" || event.code === "NumpadEnter" || event.code === "Tab") {
      event.preventDefault();
      if (typed === WAKE_LINE) woken();
      else if (typed) done(typed);
      typed = "";
      return;
    }
    if (event.code.startsWith("Shift")) return;
    event.preventDefault();
    if (!typed) began();
    // A key without a character makes the code unreadable, as it should.
    if (typed.length <= LONGEST) typed += character(event) ?? "?";
  });
}
