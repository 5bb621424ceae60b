// SMS about a place (rules 38): the part of its page that offers them. It is loaded apart from the page, which works without
// it. The page for joining loads it for the form alone, if a shop asks for a number.

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
/** `off`, `form`, `on`, or `ending`. */
let step = "off";
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
  request: () => ({ capability }),
  confirmed(confirmed) {
    number = confirmed;
    become("on");
  },
  async isConfirmed() {
    const answer = await call("place", { capability }).catch(() => null);
    return answer && answer.status === 200 && answer.body.sms && answer.body.sms.on;
  },
  refused: () => false,
  cancel() {
    close("off");
    button.focus();
  },
});
section.append(form.form);
// The page for joining has no such part.
const leave = document.getElementById("leave");
if (leave) leave.before(section);

button.addEventListener("click", () => {
  if (step === "ending" || isSecondTouch(changed)) return;
  if (step === "on") return end();
  note = "";
  step = "form";
  drawSection();
  form.start(view.sms.prefixes, true);
});

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
async function end() {
  const own = capability;
  step = "ending";
  drawSection();
  const { status } = await send("number-end", { capability: own }, "");
  if (own !== capability) return;
  // A place that the backend does not know has no SMS.
  if (status === 204 || status === 404) become("off", "ended");
  else become("on", "stillOn");
}

/** Takes what an answer says, as SMS may have been turned on or off elsewhere. */
function follow(sms) {
  if (sms === last) return;
  last = sms;
  if (step === "ending" || performance.now() - changed < LATE) return;
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
  const isKnown = view && (view.sms || step === "form" || step === "ending");
  section.hidden = !isKnown || view.reservation.state !== "planned";
  if (section.hidden) {
    if (step === "form") close("off");
    if (hadFocus) document.getElementById("turn").focus();
    return;
  }
  const isForm = step === "form";
  const isOn = step === "on" || step === "ending";
  showText(title, sayOfSMS("title"));
  showText(now, note ? sayOfSMS(note) : !isOn ? ""
    : number ? sayOfSMS("onFor", { digits: number.slice(-3) }) : sayOfSMS("on"));
  showText(what, isForm ? "" : sayOfSMS("what"));
  showText(button, isForm ? "" : sayOfSMS(step === "ending" ? "moment" : isOn ? "end" : "start"));
  button.className = isOn ? "" : "main";
  form.draw();
}

/** To be called every second, and whenever there is something new, with the place of the page and its last view. */
export function draw(place, latest) {
  if (place !== capability) {
    form.end();
    step = "off";
    last = null;
    changed = -Infinity;
    checked = performance.now();
    number = note = "";
  }
  capability = place;
  view = latest;
  if (view && view.sms) follow(view.sms);
  if (step === "on" && !document.hidden && performance.now() - checked >= CHECK) check();
  drawSection();
}
