// What customers can do with their place, and the form for the ten digits that prove that it is theirs. The changes have
// the names of their calls: `withdrawal`, `delay`, `reclaim` and `undo`.

import { came, milliseconds, until } from "./clock.js";
import { grouped } from "./symbol.js";
import { onClick, part, people, range, say, show, timeLeft } from "./page.js";
import { command } from "./server.js";
import { entry, isWaiting, mayGiveUp, reservation, view } from "./view.js";

/** A delay that would take so much longer than it was shown is confirmed again. */
const NOTICEABLE = 120000;

const field = /** @type {HTMLInputElement} */ (part("code"));
const offers = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#more button"));

/** The change that was chosen last, and for a delay how many people are let ahead. */
let change = "";
let ahead = 0;
/** The latest time of the delay as it was shown. */
let shownLatest = 0;
export let isFormOpen = false;
let isSending = false;
/** The ten digits that were typed in this page. */
let typed = "";
/** The text that says what went wrong. */
let mistake = "";
/** The button that opened the form. */
let opener = /** @type {HTMLButtonElement} */ (part("back"));
/** What the page does for the changes. */
let page;

/** The ten digits, if they are known: the phone that took the place has them with the entry code. */
export const known = () => entry ? entry.typedCode : typed;

const offer = () => (reservation.delays || []).find((one) => one.people === ahead);

/** Whether each change can be made, as far as is known; for some of them the milliseconds until when. */
function possible() {
  if (!view) return {};
  const { undoBy, reclaimBy } = reservation;
  return { withdrawal: mayGiveUp(), delay: offer(), undo: until(undoBy), reclaim: until(reclaimBy) };
}

const letAhead = (count) => say("letAhead", { people: people(count) });

function title() {
  if (change === "delay") return letAhead(ahead);
  return say(change === "withdrawal" ? "notComing" : back());
}

/** The text of the button that brings a place back. */
const back = () => reservation.state === "planned" ? "formerPlace" : "takeBack";

/** What the change does, to be read before it is made. */
function effect() {
  if (change === "withdrawal") {
    // The holder of a place on a phone may take another one at once (rules: joining).
    return say(entry ? "finalPhone" : reservation.state === "called" ? "final" : "twoMinutes");
  }
  return change === "delay" ? `${say("sameNumber")} ${say("twoMinutes")}` : "";
}

export function drawChanges() {
  const can = possible();
  // The form stays for the change that it was opened for, which may have become impossible meanwhile.
  const isLost = isFormOpen && !isSending && !can[change];
  if (isLost) close("gone");
  if (isFormOpen && change === "delay" && can.delay) {
    const latest = milliseconds(can.delay.wait.latest);
    if (latest - shownLatest >= NOTICEABLE) {
      shownLatest = latest;
      mistake = "nowLater";
    }
  }
  const delays = view && !isFormOpen && reservation.delays || [];
  part("more").hidden = !delays.length;
  offers.forEach((button, index) => {
    const one = delays[index];
    show(button.id, one ? `${letAhead(one.people)}\n${say("comeIn")} ${range(one.wait)}` : "");
    button.value = one && one.people;
  });
  const left = can.undo || can.reclaim;
  const isWithdrawal = change === "withdrawal";
  const isShown = isFormOpen || left || can.withdrawal || mistake;
  part("change").hidden = !view || !isShown;
  if (!view) return;
  show("mayUndo", can.undo && !(isFormOpen && effect()) ? say("mayUndo", { time: timeLeft(can.undo) }) : "");
  show("back", isFormOpen || !left ? "" : say(isSending ? "moment" : back()));
  part("back").className = isWaiting() ? "" : "main";
  show("open", isFormOpen || !can.withdrawal ? "" : say("notComing"));
  part("form").hidden = !isFormOpen;
  part("proof").hidden = !!entry;
  show("chosen", title());
  show("price", change === "delay" && can.delay ? `${say("comeIn")} ${range(can.delay.wait)}.` : "");
  show("effect", effect());
  show("send", isSending ? say("moment") : isWithdrawal ? say("giveBack") : title());
  part("send").className = isWithdrawal ? "danger" : "main";
  part("keep").hidden = !isWaiting();
  show("error", mistake && say(mistake));
  field.setAttribute("aria-invalid", String(mistake === "wrong"));
  for (const button of document.querySelectorAll("main button")) {
    /** @type {HTMLButtonElement} */ (button).disabled = isSending;
  }
  if (isLost) part("error").focus();
}

function close(reason = "") {
  isFormOpen = false;
  field.value = "";
  mistake = reason;
}

/** Forgets what was chosen and typed, as another place is opened. */
export function forgetChanges() {
  typed = change = "";
  close();
}

function openForm(id, chosen) {
  opener = /** @type {HTMLButtonElement} */ (part(id));
  change = chosen;
  ahead = Number(opener.value);
  mistake = "";
  isFormOpen = true;
  if (change === "delay") shownLatest = milliseconds(offer().wait.latest);
  field.value = known();
  groupDigits();
  page.draw();
  part(known() ? "send" : "code").focus();
}

/** Brings a place back: at once if the digits are known. */
function bringBack() {
  const chosen = possible().undo ? "undo" : "reclaim";
  if (!known()) return openForm("back", chosen);
  change = chosen;
  send(known());
}

/** Sends the chosen change, whatever the page shows by now; a delay only for the time that is shown. */
async function send(code) {
  if (!/^\d{10}$/.test(code)) return fail("wrong");
  const capability = page.capability();
  const isSame = () => capability === page.capability();
  const isDelay = change === "delay";
  isSending = true;
  mistake = "";
  page.draw();
  const before = came;
  if (isDelay) await page.askAgain();
  const isSent = !isDelay || isSame() && came !== before && possible().delay && !mistake;
  const status = isSent ? await command(change, { capability, code, people: isDelay ? ahead : undefined }) : 0;
  if (status && isSame()) await page.askAgain();
  isSending = false;
  if (!isSame()) return;
  const can = possible()[change];
  if (status === 204) typed = code;
  // A change whose answer was lost has been made if it is possible no more.
  if (status === 204 || isSent && !status && !can) {
    close();
    page.changed(change === "withdrawal" && can);
    part("turn").focus();
    return;
  }
  if (status === 403) typed = "";
  fail({ 403: entry ? "" : "wrong", 409: "gone", 429: "tooMany" }[status] || mistake || "didNotWork");
}

/** Shows what went wrong. A change that was sent without the form may need it now. */
function fail(reason) {
  mistake = reason;
  isFormOpen = true;
  page.draw();
  part(reason === "wrong" ? "code" : "error").focus();
}

const digitsOf = (words) => words.replace(/\D/g, "");

/** Groups the digits. The caret stays behind the same one. */
function groupDigits() {
  const digits = digitsOf(field.value);
  const before = digitsOf(field.value.slice(0, field.selectionStart || 0)).length;
  field.value = grouped(digits);
  const caret = before + Number(before > 4) + Number(before > 7);
  field.setSelectionRange(caret, caret);
  if (mistake) { mistake = ""; page.draw(); }
}

/**
 * Makes the buttons work. The page has `capability()`; `askAgain()`, which gets a new view; `draw()`; and
 * `changed(isEnded)`, which is called after a change.
 */
export function startChanges(owner) {
  page = owner;
  for (const { id } of offers) onClick(id, () => openForm(id, "delay"));
  onClick("back", bringBack);
  onClick("open", () => openForm("open", "withdrawal"));
  onClick("keep", () => {
    close();
    page.draw();
    opener.focus();
  });
  part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send(digitsOf(field.value));
  });
  field.addEventListener("input", groupDigits);
}
