// The language of the person at a page that staff members use.

import { element } from "/web/parts.js";

const LANGUAGE = "clup-language";

let place;
let changed = (language) => { void language; };
let languages = ["en"];

function chosenLanguage() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

/** A language's name in itself, as `Italiano`. */
export function ownNameOf(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** The shop's own language, unless another one of its languages was chosen at this page. */
function choose(chosen = chosenLanguage()) {
  const language = languages.includes(chosen) ? chosen : languages[0];
  document.documentElement.lang = language;
  place.replaceChildren(...(languages.length > 1 ? languages : []).map((code) => {
    const button = element("button", { type: "button", lang: code, textContent: ownNameOf(code) });
    button.setAttribute("aria-pressed", String(code === language));
    button.addEventListener("click", () => {
      try { localStorage.setItem(LANGUAGE, code); } catch { /* it is not kept */ }
      choose(code);
    });
    return button;
  }));
  changed(language);
}

/** Offers these languages of the shop in an element from now on; `then` gets the language that is chosen, now and later. */
export function offerLanguages(parent, known, then) {
  place = parent;
  changed = then;
  languages = known;
  choose();
}

/** Offers other languages if the shop has changed them. */
export function renewLanguages(known) {
  if (known.join() === languages.join()) return;
  languages = known;
  choose();
}
