// The form for the ten digits of the ticket, with which a phone that did not take the place shows that the place is its
// customer's (rules: proofs). The digits are kept nowhere on the phone.

import { digitsTexts } from "./digits-words.js";
import { phrase } from "./languages.js";
import { grouped } from "./symbol.js";
import { showText } from "./text.js";

const say = (name) => phrase(digitsTexts, name, document.documentElement.lang);
const digitsOf = (words) => words.replace(/\D/g, "");

/** Makes the form, hidden until `ask`; `name` is part of the names of its elements. */
export function digitsForm(name) {
  /** What takes the digits, while they are asked for. */
  let take = null;
  /** The names of the texts that say why they are asked for, and what went wrong. */
  let reason = "why";
  let mistake = "";

  const form = document.createElement("form");
  form.noValidate = true;
  form.hidden = true;
  form.innerHTML = `<p id="${name}Why"></p><label for="${name}Digits"></label>`
    + `<input id="${name}Digits" inputmode="numeric" autocomplete="off" maxlength="14" aria-describedby="${name}Why">`
    + '<p role="alert"></p><button class="main"></button><button type="button"></button>';
  const [why, label, field, error, main, cancel] = /** @type {HTMLInputElement[]} */ ([...form.children]);
  Object.assign(field.style, { fontSize: "1.25rem", background: "var(--ground)" });
  Object.assign(error.style, { color: "var(--danger)", fontWeight: "700" });

  function draw() {
    form.hidden = !take;
    if (!take) return;
    showText(why, say(reason));
    showText(label, say("label"));
    showText(error, mistake && say(mistake));
    field.setAttribute("aria-invalid", String(!!mistake));
    showText(main, say("go"));
    showText(cancel, say("cancel"));
  }

  function end(digits = "") {
    const done = take;
    take = null;
    field.value = "";
    draw();
    if (done) done(digits);
  }

  field.addEventListener("input", () => {
    const digits = digitsOf(field.value);
    const before = digitsOf(field.value.slice(0, field.selectionStart || 0)).length;
    field.value = grouped(digits);
    // The caret stays behind the same digit.
    const caret = before + Number(before > 4) + Number(before > 7);
    field.setSelectionRange(caret, caret);
    if (mistake) { mistake = ""; draw(); }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const digits = digitsOf(field.value);
    if (digits.length === 10) return end(digits);
    mistake = "wrong";
    draw();
    field.focus();
  });
  cancel.addEventListener("click", () => end());

  return {
    form,
    /** Asks for the digits; resolves to them, or to no text if the customer thinks better of it or the page shows another place. */
    ask(why = "why", wrong = "") {
      end();
      reason = why;
      mistake = wrong;
      return new Promise((done) => {
        take = done;
        draw();
        form.scrollIntoView({ block: "nearest" });
        field.focus();
      });
    },
    end: () => end(),
    draw,
  };
}
