// Calls for help on the pages of staff members: a band for each open call, with its buttons and its sound.

import { age, call, clock, isNews, milliseconds, newKey } from "/web/device.js";
import { counted, drawn, element, put } from "/web/parts.js";
import { askForSound, isAudible, ring } from "/web/sounds.js";
import { spelled, text } from "/web/words.js";

/** An unmuted call to which no staff member goes is heard so often. The messages of every second keep the time. */
const RING = 5000;
/** So long a sound takes. */
const SOUND = 1500;
/** Messages come every second: after so long without one the page is not connected. */
const LOST = 3000;
/** So long a button tries to reach the backend, and so long each of its requests waits for an answer. */
const TRY = 10000;
const ATTEMPT = 1500;
/** How long it is shown that a button did not work. */
const FAILURE = 15000;
/** A band that has just moved takes no touch: it was meant for what was there before, as the second of two. */
const AT_REST = 700;
/** The time since a call is counted in seconds for so long. */
const COUNTED = 600000;
/** So often the page asks what the shop has decided. */
const RELEARN = 60000;
/** So long sounds may be forbidden before the page asks for a touch: a browser needs a moment to begin. */
const SILENT = 1500;

/** The buttons of a band: the call that each makes, and its words. */
const actions = {
  going: { method: "POST", path: "/acknowledgement", words: "iGo" },
  helped: { method: "DELETE", path: "", words: "helped", body: { end: "helped" } },
  mistake: { method: "DELETE", path: "", words: "mistake", body: { end: "mistake" } },
  mute: { method: "POST", path: "/mute", words: "mute" },
};

let place;
let changed = () => {};
let language = "en";
let startedAt = performance.now();
let audibleAt = performance.now();
let rangAt = -Infinity;
/** The calls for which the last sound was made. */
let rangFor = new Set();

/** The time of the last message, on the shop's clock. */
let now = null;
/** Every call that the backend reports, the oldest first. */
let calls = [];
/** The calls to which the person at this page goes. */
const own = new Set();
/** What was pressed and has no answer yet, as `ID ACTION`. */
const pending = new Set();
/** When a button did not work, by the call's id. */
const failures = new Map();
/** The band of each open call: its element, where it is, and since when. */
const bands = new Map();

// MARK: What is known

/** The shop's time in milliseconds. */
const present = () => milliseconds(now) + age("help");

/** What is known of a call from both: it never goes back, and an answer may be newer than the next message. */
function further(one, other) {
  if (!one) return other;
  const muted = [one.mutedUntil, other.mutedUntil].filter(Boolean)
    .sort((first, second) => milliseconds(first) - milliseconds(second)).at(-1);
  return {
    ...other, going: other.going ?? one.going, by: other.by ?? one.by,
    ended: other.ended ?? one.ended, end: other.end ?? one.end, mutedUntil: muted,
  };
}

const isMuted = ({ mutedUntil }) => Boolean(mutedUntil) && milliseconds(mutedUntil) > present();
const openCalls = () => calls.filter(({ ended }) => !ended);
const isOwn = ({ id, by }) => by ? by === ownName() : own.has(id);

/** Whether calls may be missing: no message came for too long. */
export const isLost = () => performance.now() - startedAt > LOST && age("help") > LOST;

/** Whether it is known what is called, and nothing is. */
export const isCalm = () => now !== null && !isLost() && openCalls().length === 0;

/** The calls that ended a short time ago, the newest first. */
export const endedCalls = () => calls.filter(({ ended }) => ended).reverse();

/** When a call ended, and how: a way that this version does not know has no words. */
export const endingOf = ({ end, ended }) =>
  `${spelled(clock(ended), language)} ${text(["helped", "mistake", "expired"].includes(end) ? end : "ended", language)}`;

// MARK: The name of the person at this page

const NAME = "clup-name";
const LONGEST_NAME = 60;
let showsNames = false;

/** The name that is sent with what is pressed; empty if there is none or the shop does not want one. */
export function ownName() {
  try {
    return showsNames ? localStorage.getItem(NAME) ?? "" : "";
  } catch {
    return "";
  }
}

export function setOwnName(name) {
  try {
    localStorage.setItem(NAME, [...name.trim()].slice(0, LONGEST_NAME).join("").trim());
  } catch { /* it is not kept */ }
}

// MARK: Bands

/** A band has all parts that it can have, each in a place of its own: no button comes where another one was touched. */
function makeBand({ id, machine }) {
  const button = (action) => {
    const made = element("button", { type: "button", className: `help-${action}` });
    made.dataset.action = action;
    made.addEventListener("click", () => press(id, action));
    return made;
  };
  const made = element("article", { className: "help-band" },
    element("div", { className: "help-what" }, drawn("help"),
      element("h2", { className: "help-machine", role: "alert", textContent: machine }),
      element("p", { className: "help-count" }), element("p", { className: "help-words" }),
      element("p", { className: "help-since" })),
    element("div", { className: "help-first" },
      button("going"), element("p", { className: "help-who", role: "status" })),
    element("div", { className: "help-ends" }, button("helped"), button("mistake")),
    element("div", { className: "help-last" }, button("mute"), element("p", { className: "help-muted" })),
    element("p", { className: "help-failure", role: "alert" }));
  made.dataset.call = id;
  return made;
}

function who(subject) {
  if (isOwn(subject)) return text("youGo", language);
  return subject.by ? text("nameGoes", language, { name: subject.by }) : text("someoneGoes", language);
}

function drawBand(made, subject) {
  const { id, since, going, mutedUntil } = subject;
  made.dataset.state = going ? "going" : "open";
  put(made, ".help-words", text("helpNeeded", language));
  put(made, ".help-since", text("since", language, { time: clock(since) }));
  const time = Math.max(0, present() - milliseconds(since));
  put(made, ".help-count", counted(time, language), time < COUNTED);
  for (const [action, { words }] of Object.entries(actions)) {
    const button = made.querySelector(`.help-${action}`);
    const isPending = pending.has(`${id} ${action}`);
    put(made, `.help-${action}`, text(isPending ? "checking" : words, language));
    button.classList.toggle("pending", isPending);
  }
  made.querySelector(".help-going").hidden = Boolean(going);
  put(made, ".help-who", going ? who(subject) : "", Boolean(going));
  made.querySelector(".help-mute").hidden = isMuted(subject);
  put(made, ".help-muted", mutedUntil ? text("mutedUntil", language, { time: clock(mutedUntil) }) : "", isMuted(subject));
  const failed = performance.now() - (failures.get(id) ?? -Infinity) < FAILURE;
  put(made, ".help-failure", failed ? text("didNotWork", language) : "", failed);
}

function draw() {
  const open = openCalls();
  put(place, ".help-lost", text("noHelpHere", language), isLost());
  const isQuiet = performance.now() - audibleAt > SILENT;
  put(place, ".help-quiet", text("touchForSound", language), isQuiet);
  // A call to which a staff member goes is below those that still wait for one.
  const shown = [...open.filter(({ going }) => !going), ...open.filter(({ going }) => going)];
  for (const [id, { made }] of bands) {
    if (shown.some((one) => one.id === id)) continue;
    made.remove();
    bands.delete(id);
    failures.delete(id);
  }
  for (const one of shown) {
    if (!bands.has(one.id)) bands.set(one.id, { made: makeBand(one), top: null, movedAt: 0 });
    drawBand(bands.get(one.id).made, one);
  }
  const order = shown.map(({ id }) => bands.get(id).made);
  if ([...place.querySelectorAll(".help-band")].some((made, index) => made !== order[index])
    || order.some((made) => !made.isConnected)) place.append(...order);
  for (const band of bands.values()) {
    const top = band.made.offsetTop;
    if (top === band.top) continue;
    band.top = top;
    band.movedAt = performance.now();
  }
  changed();
}

// MARK: Buttons

async function press(id, action) {
  const { method, path, body } = actions[action];
  const name = `${id} ${action}`;
  if (pending.has(name) || performance.now() - (bands.get(id)?.movedAt ?? Infinity) < AT_REST) return;
  pending.add(name);
  failures.delete(id);
  const former = calls.find((one) => one.id === id);
  const pressedAt = present();
  draw();
  const by = ownName();
  const send = (content) => call(method, `/v1/help/${id}${path}`, content,
    { patience: TRY, attempt: ATTEMPT, idempotencyKey: newKey() });
  let answer = await send(by ? { ...body, by } : { ...body });
  // A name that the backend does not accept must not keep a staff member from going.
  if (answer?.status === 400 && by) answer = await send({ ...body });
  pending.delete(name);
  if (answer?.status === 200) {
    const { going } = answer.body;
    // The first one to go is the one that the customer sees: an earlier time is that of another page.
    if (action === "going" && !former?.going && going && milliseconds(going) >= pressedAt - 100) own.add(id);
    calls = calls.map((one) => one.id === id ? further(one, answer.body) : one);
  } else {
    failures.set(id, performance.now());
  }
  draw();
}

// MARK: The feed

/** Takes a message of the feed; only news about calls for help change something. */
export function takeHelp(message) {
  if (!isNews(message, "help")) return;
  const known = new Map(calls.map((one) => [one.id, one]));
  now = message.now;
  calls = message.calls.map((one) => further(known.get(one.id), one));
  for (const id of own) if (!calls.some((one) => one.id === id)) own.delete(id);
  draw();
  soundFor(openCalls().filter((one) => !one.going && !isMuted(one)).map(({ id }) => id));
}

/** Makes the sound of these calls if it is time for it: at once for a new one, and again for all of them. */
function soundFor(ids) {
  const quiet = performance.now() - rangAt;
  const isNew = ids.some((id) => !rangFor.has(id));
  // Half a second less, since a message may come a little early.
  if (ids.length === 0 || quiet < (isNew ? SOUND : RING - 500)) return;
  rangAt = performance.now();
  rangFor = new Set(ids);
  if (isAudible()) ring();
  // A phone in a pocket is felt.
  navigator.vibrate?.([300, 150, 300]);
}

/** What the shop has decided: whether customers see the names of its staff. */
function learn(shop) {
  showsNames = shop.help?.showsNames === true;
}

export const namesAreShown = () => showsNames;

export function setLanguage(words) {
  language = words;
  if (place) draw();
}

/** Shows the calls in an element from now on; `then` is called after each change. */
export function showHelp(parent, shop, words, then = () => {}) {
  learn(shop);
  language = words;
  place = parent;
  changed = then;
  startedAt = audibleAt = performance.now();
  place.replaceChildren(
    element("p", { className: "help-lost", role: "alert", hidden: true }),
    element("p", { className: "help-quiet", role: "status", hidden: true }));
  // To a browser a finger that is lifted, a pressed mouse and a key are acts of a person (HTML, user activation).
  for (const name of ["pointerup", "pointerdown", "keydown"]) addEventListener(name, askForSound, { capture: true });
  setInterval(() => {
    if (isAudible()) audibleAt = performance.now();
    draw();
  }, 250);
  setInterval(async () => {
    const answer = await call("GET", "/v1/machine");
    if (answer?.status === 200) learn(answer.body);
  }, RELEARN);
  draw();
}
