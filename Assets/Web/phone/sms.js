// SMS about a place (rules: sms): the part of its page that offers them. It is loaded apart from the page, which works without
// it. The page for joining loads it for the form alone, if a shop asks for a number.

import { digitsForm } from "./digits-form.js";
import { remember } from "./memory.js";
import { isSecondTouch, numberForm, sayOfSMS } from "./number-form.js";
import { call, send } from "./server.js";
import { showText } from "./text.js";

export { numberForm };

/** An answer that comes so soon after SMS were turned on or off may be older than that. */
const LATE = 10000;

/** So often the backend is asked while SMS are on: they may be ended elsewhere, as with STOP. */
const CHECK = 180000;

/** The place whose page is shown, and its last view. */
let capability = "";
let view = null;
/** `off`, `digits`, `form`, `on`, or `ending`. */
let step = "off";
/** The ten digits that the page knows, and those that were typed here: the phone that took the place needs none. */
let known = "";
let typed = "";
/** What the last answer said of SMS, and when they were last turned on or off on this page. */
let last = null;
let changed = -Infinity;
/** When the backend was last asked about them. */
let checked = -Infinity;
/** The number that was confirmed on this page. */
let number = "";
/** The name of the text about the last touch on the button: `ended` or `stillOn`. */
let note = "";

// MARK: Elements

const section = document.createElement("section");
section.id = "sms";
section.hidden = true;
section.setAttribute("aria-labelledby", "smsTitle");
section.innerHTML = '<h2 id="smsTitle"></h2><p tabindex="-1"></p><p></p><button id="smsButton"></button>';
const [title, now, what, button] = /** @type {HTMLElement[]} */ ([...section.children]);
now.style.fontWeight = "700";
now.style.outline = "none";
const form = numberForm({
  use: ["use", "cost", "stop", "kept"],
  help: "keepOpen",
  request: () => proof(),
  confirmed(confirmed) {
    number = confirmed;
    become("on");
  },
  async isConfirmed() {
    const answer = await call("place", { capability }).catch(() => null);
    return answer && answer.status === 200 && answer.body.sms && answer.body.sms.on;
  },
  refused(name) {
    if (name === "wrong-digits") begin("wrong");
    return name === "wrong-digits";
  },
  cancel() {
    close("off");
    button.focus();
  },
});
section.append(form.form);
const asking = digitsForm("sms");
section.append(asking.form);
// The page for joining has no such part.
const leave = document.getElementById("leave");
if (leave) leave.before(section);

button.addEventListener("click", () => {
  if (step === "ending" || isSecondTouch(changed)) return;
  if (step === "on") end();
  else begin();
});

/** What shows that the place is the customer's: this phone took it, or has the digits of its ticket. */
const isOwn = () => document.body.hasAttribute("data-entry");
const proof = () => ({ capability, typedCode: known || typed || undefined });

/** Asks for the digits of the ticket if they are needed; resolves to whether the customer goes on with the same place. */
async function prove(mistake) {
  const own = capability;
  if (!mistake && (isOwn() || known || typed)) return true;
  form.end();
  step = "digits";
  typed = "";
  drawSection();
  const digits = await asking.ask("why", mistake);
  if (own !== capability) return false;
  typed = digits;
  return !!digits;
}

/** Opens the form for the number. */
async function begin(mistake = "") {
  note = "";
  if (!await prove(mistake)) return step === "digits" && close("off");
  step = "form";
  drawSection();
  form.start(view.sms.prefixes, true);
}

// MARK: Turning on and off

function close(next) {
  form.end();
  step = next;
  drawSection();
}

/** Shows that SMS are on or off, and leads to that: what has the focus is read aloud. */
function show(next, words = "", focus = true) {
  note = words;
  close(next);
  if (focus) now.focus();
}

/** The same after the customer turned SMS on or off, which a page that is opened again shows before any answer. */
function become(next, words) {
  changed = performance.now();
  if (view && view.sms) {
    view.sms.on = next === "on";
    remember(capability, { view });
  }
  show(next, words);
}

/** Ends the SMS of this place. */
async function end(mistake = "") {
  const own = capability;
  if (!await prove(mistake)) return own === capability && close("on");
  step = "ending";
  drawSection();
  const { status } = await send("number-end", proof(), "");
  if (own !== capability) return;
  if (status === 403) return end("wrong");
  // A place that the backend does not know has no SMS.
  if (status === 204 || status === 404) become("off", "ended");
  else become("on", "stillOn");
}

/** Takes what an answer says, as SMS may have been turned on or off elsewhere. */
function follow(sms) {
  if (sms === last) return;
  last = sms;
  if (/ending|digits/.test(step) || performance.now() - changed < LATE) return;
  const hadFocus = section.contains(document.activeElement);
  if (sms.on && step !== "on") show("on", "", hadFocus);
  if (!sms.on && step === "on") show("off", "ended", hadFocus);
}

/** Asks what the backend knows of SMS, as the messages of the socket do not say it. */
async function check() {
  const own = capability;
  checked = performance.now();
  const answer = await call("place", { capability: own }).catch(() => null);
  if (own === capability && answer && answer.status === 200 && answer.body.sms) follow(answer.body.sms);
}

// MARK: Drawing

function drawSection() {
  const hadFocus = section.contains(document.activeElement);
  // An answer may lack what is known of SMS if the database was busy: what the customer has begun goes on.
  const isKnown = view && (view.sms || /form|digits|ending/.test(step));
  section.hidden = !isKnown || view.reservation.state !== "planned";
  if (section.hidden) {
    if (step === "form") close("off");
    asking.end();
    if (hadFocus) document.getElementById("turn").focus();
    return;
  }
  const isForm = /form|digits/.test(step);
  const isOn = step === "on" || step === "ending";
  showText(title, sayOfSMS("title"));
  showText(now, note ? sayOfSMS(note) : !isOn ? ""
    : number ? sayOfSMS("onFor", { digits: number.slice(-3) }) : sayOfSMS("on"));
  showText(what, isForm ? "" : sayOfSMS("what"));
  showText(button, isForm ? "" : sayOfSMS(step === "ending" ? "moment" : isOn ? "end" : "start"));
  button.className = isOn ? "" : "main";
  form.draw();
  asking.draw();
}

/**
 * To be called every second, and whenever there is something new, with the place of the page, its last view, and the ten
 * digits if the page knows them.
 */
export function draw(place, latest, digits) {
  known = digits;
  if (place !== capability) {
    form.end();
    typed = "";
    step = "off";
    last = null;
    changed = -Infinity;
    checked = performance.now();
    number = note = "";
  }
  const isOther = place !== capability;
  capability = place;
  view = latest;
  if (isOther) asking.end();
  if (view && view.sms) follow(view.sms);
  if (step === "on" && !document.hidden && performance.now() - checked >= CHECK) check();
  drawSection();
}
