// The form with which the staff lift the block of a customer who missed three calls (rules: blocks): with the
// eight digits on the customer's phone and the shop's PIN. It shows nothing about the customer.

import { call, newKey } from "/web/device.js";
import { ownName } from "/web/help.js";
import { text } from "/web/words.js";

const REFERENCE = 8;
const PIN = 8;
/** The words of the refusals (RFC 9457) by their names. */
const REFUSALS = {
  "not-blocked": "notBlocked", "wrong-pin": "wrongPIN", "no-staff-pin": "noStaffPIN", "too-many-requests": "tooManyTries",
};

let place;
let language = "en";
/** The name of the text that says what came of the last try. */
let outcome = "";
let isSending = false;

const field = (name) => /** @type {HTMLInputElement} */ (place.querySelector(`[name="${name}"]`));
const digitsOf = (words) => words.replace(/\D/g, "");

function draw() {
  const put = (selector, name) => { place.querySelector(selector).textContent = name && text(name, language); };
  put("summary", "phoneIsBlocked");
  put('label:has([name="reference"]) span', "digitsOfPhone");
  put('label:has([name="pin"]) span', "pinOfShop");
  put("button", isSending ? "checking" : "letJoinAgain");
  put("p", outcome);
}

/** The name of what an answer says. */
function wordsOf(answer) {
  if (answer?.status === 200) return "mayJoinAgain";
  return REFUSALS[String(answer?.body.type).split(":").pop()] ?? "didNotWork";
}

async function send() {
  const [reference, pin] = [digitsOf(field("reference").value), digitsOf(field("pin").value)];
  if (isSending) return;
  if (reference.length !== REFERENCE || pin.length !== PIN) {
    outcome = reference.length === REFERENCE ? "wrongPIN" : "notBlocked";
    return draw();
  }
  isSending = true;
  outcome = "";
  draw();
  const by = ownName();
  const answer = await call("POST", "/v1/staff/actions", { action: "unblock", reference, pin, ...by && { by } },
    { idempotencyKey: newKey() });
  isSending = false;
  outcome = wordsOf(answer);
  // A PIN stays on no screen; the digits stay to be corrected.
  field("pin").value = "";
  if (answer?.status === 200) field("reference").value = "";
  draw();
}

export function setBlocksLanguage(words) {
  language = words;
  if (place) draw();
}

/** Shows the form in an element from now on. */
export function showBlocks(parent, words) {
  place = parent;
  language = words;
  place.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  for (const name of ["reference", "pin"]) {
    field(name).addEventListener("input", () => {
      outcome = "";
      draw();
    });
  }
  draw();
}
