// The input of a code reader, by the place of each key (KeyboardEvent.code): a reader set to the US layout
// is understood whatever layout this computer has. The keys of a person are left to the browser.

const symbols = {
  Semicolon: [";", ":"], Minus: ["-", "_"], Equal: ["=", "+"], Slash: ["/", "?"],
  Period: [".", ">"], Comma: [",", "<"], Space: [" ", " "], Quote: ["'", "\""],
  BracketLeft: ["[", "{"], BracketRight: ["]", "}"], Backslash: ["\\", "|"], Backquote: ["`", "~"],
  NumpadSubtract: ["-", "-"], NumpadAdd: ["+", "+"], NumpadDivide: ["/", "/"], NumpadDecimal: [".", "."],
};
const digits = ")!@#$%^&*(";
/** The backend accepts no longer code. */
const LONGEST = 128;
/** A longer pause between two keys ends a code: people type faster than this, and readers do not pause. */
const PAUSE = 1500;

/** The character of a key; null for one that has none. */
export function character({ code, key, shiftKey }) {
  // The readers that are built into handheld computers name no place.
  if (!code && key?.length === 1) return key.toUpperCase();
  if (/^Key[A-Z]$/.test(code)) return code[3];
  if (/^Digit\d$/.test(code)) return shiftKey ? digits[code[5]] : code[5];
  if (/^Numpad\d$/.test(code)) return code[6];
  return symbols[code]?.[shiftKey ? 1 : 0] ?? null;
}

/** What a sensor at the door sends, as a keyboard does: this key, or this line. */
const WAKE_KEY = "F1";
const WAKE_LINE = "WAKE";

/**
 * What a key means for a code: "end" for one that ends it, also as a control character (Ctrl+J, Ctrl+M, Ctrl+C); "" for one that
 * belongs to no code, as locks and what readers send before a code; otherwise its character.
 */
function meaning(event) {
  const { code, key, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey && /^Key[CJM]$/.test(code) && !altKey && !metaKey) return "end";
  if (ctrlKey || altKey || metaKey) return "";
  if (/^(Numpad)?Enter$|^Tab$/.test(code || key)) return "end";
  const own = character(event);
  if (own !== null) return own;
  // Keys that write nothing have a name: CapsLock, NumLock, F2, Escape, ArrowUp. What cannot be told makes the code unreadable.
  return key?.length > 1 && !/^(Dead|Process|Unidentified)$/.test(key) ? "" : "?";
}

/** Calls `began` at the first key, `done` with the code at its end, and `woken` if a sensor sees a person. */
export function listenToScanner(began, done, woken) {
  let typed = "";
  let last = 0;
  addEventListener("keydown", (event) => {
    const now = performance.now();
    if (now - last > PAUSE) typed = "";
    last = now;
    if (event.code === WAKE_KEY) {
      event.preventDefault();
      return woken();
    }
    const own = meaning(event);
    // No code begins with a blank: before a code this key and those that end one are a person's.
    if (!own || !typed && (own === "end" || own === " ")) return;
    event.preventDefault();
    if (own === "end") {
      if (typed === WAKE_LINE) woken();
      else done(typed);
      typed = "";
      return;
    }
    if (!typed) began();
    if (typed.length <= LONGEST) typed += own;
  });
}
