// What a page shows before its shop knows it: the command that adds it. The languages of the shop are not known then.

import { ownNameOf } from "/web/language.js";
import { element, put } from "/web/parts.js";
import { everyLanguage, known, text } from "/web/words.js";

const TITLES = { display: "displayUnknown", desk: "deskUnknown", staff: "staffUnknown" };

/** The first of the browser's languages that has texts, until another one is touched. */
let [language] = known(navigator.languages.map((code) => code.slice(0, 2)));

let redraw = () => {};

function parts() {
  return [
    element("h1"), element("p"), element("pre"),
    element("dl", {}, element("dt", { className: "fingerprint" }), element("dd"), element("dt", { className: "key" }), element("dd")),
    element("nav", {}, ...everyLanguage.map((code) => {
      const button = element("button", { type: "button", lang: code, textContent: ownNameOf(code) });
      button.addEventListener("click", () => {
        language = code;
        redraw();
      });
      return button;
    })),
  ];
}

/** Shows the command to a page of a role with this key; what is as it was is not touched, since it may be being copied. */
export function showEnrolment(panel, role, command, key) {
  if (!panel.children.length) panel.append(...parts());
  redraw = () => showEnrolment(panel, role, command, key);
  const say = (name) => text(name, language);
  panel.lang = language;
  put(panel, "h1", say(TITLES[role] ?? "readerUnknown"));
  put(panel, "p", say("howToRegister"));
  put(panel, "pre", command);
  put(panel, "dt.fingerprint", say("fingerprint"));
  put(panel, "dt.fingerprint + dd", key.fingerprint);
  put(panel, "dt.key", say("publicKey"));
  put(panel, "dt.key + dd", key.text);
  for (const button of panel.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", String(button.lang === language));
  }
  panel.hidden = false;
}
