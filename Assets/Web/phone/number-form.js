// The form in which a customer gives a mobile number, and the code that comes to it by SMS (rules: confirmed-numbers): on the
// page of a place and on the page for joining. The number is kept nowhere on the phone.

import { phrase } from "./languages.js";
import { call, send } from "./server.js";
import { smsTexts } from "./sms-words.js";
import { showText } from "./text.js";

/** The digits of a code, and the fewest of a number. */
const CODE = 6;
const SHORTEST = 6;
/** A second touch within this time belongs to the one before, which has changed what is at that place. */
const SECOND_TOUCH = 500;
/** The texts of the server's refusals (RFC 9457) by their names. */
const REFUSALS = {
  "number-not-served": "notServed", "number-not-mobile": "notMobile", "number-stopped": "stopped", "sms-used-up": "usedUp", "wrong-code": "wrongCode",
  "too-many-requests": "tooMany", "not-found": "gone",
};

/** A text in the language of the document. */
export const sayOfSMS = (name, values) => phrase(smsTexts, name, document.documentElement.lang, values);

/** Whether a touch is too soon after a change at this time (of `performance.now()`) to be meant for what is there now. */
export const isSecondTouch = (changed) => performance.now() - changed < SECOND_TOUCH;

const digitsOf = (words) => words.replace(/\D/g, "");

/** A number as it is read: `+39 333 123 4567`. */
function readable(number, prefixes) {
  const prefix = prefixes.find((one) => number.startsWith(one)) || "";
  return `${prefix} ${digitsOf(number.slice(prefix.length)).replace(/\d{3}(?=\d{3})/g, "$& ")}`.trim();
}

/**
 * Makes the form, hidden until `start`. Its owner has
 *
 * - `use`, the names of the texts that say what happens with the number;
 * - `help`, the name of the text that says how to go on without SMS; it may be missing;
 * - `request()`, what the number is for: `{ capability }` or `{ shop }`;
 * - `confirmed(number)`, which is called once the server has confirmed the number;
 * - `isConfirmed()`, which finds out whether that is so after an answer was lost; it may be missing;
 * - `refused(name)`, whether the page itself shows a refusal;
 * - `cancel()`, which is called when the customer wants no SMS; without it there is no such button.
 */
export function numberForm(owner) {
  /** `number` or `code`: what the customer types. */
  let step = "number";
  let prefixes = [];
  /** The number that a code was sent to, as the server understood it, or as it was typed if no answer came. */
  let number = "";
  /** The name of the text that says whether the code is on its way. */
  let sent = "";
  /** The name of the text that says what went wrong. */
  let mistake = "";
  /** The call that is under way: `number`, `code`, `again` or none. */
  let sending = "";
  /** What is only this opening of the form, and when the step changed. */
  let opened = {};
  let changed = 0;

  const form = document.createElement("form");
  form.noValidate = true;
  form.hidden = true;
  form.innerHTML = '<p id="smsSent"></p>'
    + '<label for="smsNumber"></label><input id="smsNumber" type="tel" autocomplete="tel" maxlength="32">'
    + '<label for="smsCode"></label>'
    + '<input id="smsCode" inputmode="numeric" autocomplete="one-time-code" maxlength="14" aria-describedby="smsSent">'
    + '<p role="alert"></p><ul id="smsUse"></ul><button class="main"></button>'
    + '<button type="button"></button><button type="button"></button><button type="button"></button>';
  const [status, numberLabel, numberField, codeLabel, codeField, error, use, main, again, change, cancel] =
    /** @type {HTMLInputElement[]} */ ([...form.children]);
  // The page's policy allows these styles, which a script sets, and none within the text.
  for (const one of [numberField, codeField]) {
    Object.assign(one.style, { fontSize: "1.25rem", background: "var(--ground)" });
  }
  codeField.style.letterSpacing = "0.1em";
  const uses = owner.use.map((name) => ({ name, line: use.appendChild(document.createElement("li")) }));
  Object.assign(use.style, { display: "grid", gap: "0.4rem", paddingLeft: "1.2rem" });
  Object.assign(error.style, { color: "var(--danger)", fontWeight: "700", scrollMargin: "0.6rem" });

  function draw() {
    const isNumber = step === "number";
    const shown = readable(number, prefixes).replace(/ /g, "\u00A0");
    showText(status, isNumber ? "" : sayOfSMS(sent, { number: shown }));
    showText(numberLabel, isNumber ? sayOfSMS("numberLabel") : "");
    numberField.hidden = !isNumber;
    showText(codeLabel, isNumber ? "" : sayOfSMS("codeLabel"));
    codeField.hidden = isNumber;
    const help = mistake === "usedUp" && !isNumber ? "typeCode" : owner.help;
    const names = [mistake, /usedUp|gone/.test(mistake) && help];
    showText(error, names.filter(Boolean)
      .map((name) => sayOfSMS(name, { prefixes: prefixes.join(", ") })).join(" "));
    numberField.setAttribute("aria-invalid", String(isNumber && /notServed|notMobile|stopped/.test(mistake)));
    codeField.setAttribute("aria-invalid", String(mistake === "wrongCode"));
    use.hidden = !isNumber;
    for (const { name, line } of uses) showText(line, sayOfSMS(name));
    if (isNumber) main.setAttribute("aria-describedby", "smsUse");
    else main.removeAttribute("aria-describedby");
    const isMain = sending === "number" || sending === "code";
    showText(main, sayOfSMS(isMain ? "moment" : isNumber ? "agree" : "confirm"));
    showText(again, isNumber ? "" : sayOfSMS(sending === "again" ? "moment" : "sendAgain"));
    showText(change, isNumber ? "" : sayOfSMS("changeNumber"));
    showText(cancel, owner.cancel ? sayOfSMS("cancel") : "");
  }

  const field = () => step === "number" ? numberField : codeField;

  /** Shows a step, and leads to its field. */
  function become(next, focus = true) {
    if (step !== next) changed = performance.now();
    step = next;
    mistake = "";
    draw();
    if (!focus) return;
    // What is said above the field comes into sight with it.
    form.parentElement.scrollIntoView();
    field().focus();
  }

  function fail(name, place = null) {
    mistake = name;
    draw();
    if (place) place.focus();
    error.scrollIntoView({ block: "nearest" });
  }

  /** Whether a touch on a button does nothing: it was meant for what was there before, and the field keeps the focus. */
  function isIgnored() {
    const isTooSoon = isSecondTouch(changed);
    if (isTooSoon) field().focus();
    return sending || isTooSoon;
  }

  /** One call; its answer, null if it was lost, or undefined if the form was opened again meanwhile. */
  async function ask(kind, make) {
    if (sending) return undefined;
    const own = opened;
    sending = kind;
    mistake = "";
    draw();
    const answer = await make().catch(() => null);
    if (own !== opened) return undefined;
    sending = "";
    return answer;
  }

  const body = (typed) => ({ ...owner.request(), number: typed, language: document.documentElement.lang });

  /** What the page does with an answer that is no success. */
  function refuse({ status, body }) {
    const name = String(body && body.type).split(":").pop();
    if (owner.refused(name)) return;
    const words = REFUSALS[name] || (status === 429 ? "tooMany" : "failed");
    fail(words, { notServed: numberField, notMobile: numberField, wrongCode: codeField }[words]);
  }

  /** Asks for a code. It is asked for once only, since each costs an SMS, also if the answer is lost. */
  async function sendNumber(kind, typed) {
    const answer = await ask(kind, () => call("number", body(typed)));
    if (answer === undefined) return;
    if (answer && answer.status !== 200) return refuse(answer);
    if (answer && answer.body.confirmed) return owner.confirmed(answer.body.number);
    number = answer ? answer.body.number : typed;
    sent = !answer ? "maybeSent" : kind === "again" ? "sentAgain" : "sent";
    become("code");
  }

  async function sendCode(digits) {
    const answer = await ask("code", () => send("number", { ...body(number), code: digits }, ""));
    if (answer === undefined) return;
    if (answer && answer.status === 200) return owner.confirmed(answer.body.number);
    if (answer && answer.status) return refuse(answer);
    const own = opened;
    // The code may have arrived although its answer did not.
    const isDone = owner.isConfirmed && await owner.isConfirmed();
    if (own !== opened) return;
    if (isDone) owner.confirmed(number);
    else fail("noAnswer");
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isIgnored()) return;
    if (step === "code") {
      const digits = digitsOf(codeField.value);
      if (digits.length === CODE) sendCode(digits);
      else fail("wrongCode", codeField);
      return;
    }
    // A browser may have added the whole number behind the prefix.
    const typed = numberField.value.slice(Math.max(0, numberField.value.lastIndexOf("+"))).trim();
    if (digitsOf(typed).length >= SHORTEST) sendNumber("number", typed);
    else fail("notServed", numberField);
  });
  again.addEventListener("click", () => {
    if (!isIgnored()) sendNumber("again", number);
  });
  change.addEventListener("click", () => {
    if (isIgnored()) return;
    codeField.value = "";
    become("number");
  });
  cancel.addEventListener("click", () => { if (!isIgnored()) owner.cancel(); });
  for (const one of [numberField, codeField]) {
    one.addEventListener("input", () => {
      mistake = "";
      draw();
    });
  }

  /** Forgets what was typed, and hides the form. */
  function end() {
    opened = {};
    number = sending = mistake = numberField.value = codeField.value = "";
    step = "number";
    form.hidden = true;
  }

  return {
    form,
    draw,
    end,
    /** Opens the form for numbers that begin so; leads to its field if the customer asked for it. */
    start(served, focus) {
      end();
      prefixes = served;
      numberField.value = `${served[0]} `;
      form.hidden = false;
      changed = performance.now();
      become("number", focus);
      numberField.setSelectionRange(numberField.value.length, numberField.value.length);
    },
  };
}
