// A device of a shop: its key, its signed calls and its feed of turns (Assets/Api/openapi.yaml).

import { showEnrolment } from "/web/enrolment.js";
import { known, text } from "/web/words.js";

const [, role, tag] = location.pathname.split("/");
export { role, tag };

/** Whether this is a page that staff members see, which shows calls for help: its feed speaks of them every second. */
export const showsHelp = role === "staff" || role === "checkout" || role === "desk";
/**
 * Milliseconds of the feed: `silence` of an open one after which it is given up, the longest that a call for it may
 * take, and the first and the longest pause between two tries to connect. Other feeds speak every 5 seconds. A call
 * for help must be seen within 5 seconds, also if a server dies at that moment and another one must be found.
 */
const FEED = showsHelp
  ? { silence: 2000, call: 1000, pause: 100, longestPause: 500 }
  : { silence: 15000, call: 3000, pause: 250, longestPause: 2000 };
/** The longest a call may take that has no time of its own. */
const CALL = 3000;

/** How the backend closes a feed that a newer one of the same key replaced: too many windows show this page. */
const REPLACED = 4000;
/** How often a window that was replaced looks whether another one was closed. */
const LOOK = 2000;

/** A known device that is refused for so long is revoked. */
const REVOKED = 3000;

const encoder = new TextEncoder();

const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const base64url = (bytes) =>
  base64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const nonce = () => base64url(crypto.getRandomValues(new Uint8Array(16)));
const sha256 = (bytes) => crypto.subtle.digest("SHA-256", bytes);
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// MARK: The key

function inDatabase(mode, body) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("clup", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction("keys", mode);
      const request = body(transaction.objectStore("keys"));
      transaction.oncomplete = () => { database.close(); done(request.result); };
      transaction.onabort = () => { database.close(); failed(transaction.error); };
    };
  });
}

/** The key pair of this page; its secret half cannot be taken out of the browser. */
async function keyPair() {
  const name = `${role}/${tag}`;
  let pair = await inDatabase("readonly", (keys) => keys.get(name));
  if (!pair) {
    const made = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    // The first one stays, should two windows be opened at once.
    await inDatabase("readwrite", (keys) => keys.add(made, name)).catch(() => {});
    pair = await inDatabase("readonly", (keys) => keys.get(name));
    await navigator.storage?.persist?.().catch(() => false);
  }
  const bytes = await crypto.subtle.exportKey("raw", pair.publicKey);
  const hex = [...new Uint8Array(await sha256(bytes)).slice(0, 16)]
    .map((byte) => byte.toString(16).padStart(2, "0"));
  return {
    secret: pair.privateKey, text: base64url(bytes), id: hex.join(""),
    fingerprint: hex.join(":").toUpperCase(),
  };
}

let key;

// MARK: Signed calls

/** Milliseconds that the backend's clock is ahead of this one. */
let ahead = 0;

/** Sends a call once, signed (RFC 9421); resolves to {status, body}, rejects if no answer came. */
async function send(method, path, body, idempotencyKey, patience) {
  /** @type {Record<string, string>} */
  const headers = {};
  const lines = [
    ["@method", method], ["@authority", location.host.toLowerCase()], ["@path", path],
    ["@query", "?"],
  ];
  const bytes = body === undefined ? undefined : encoder.encode(JSON.stringify(body));
  if (bytes) {
    headers["content-type"] = "application/json";
    headers["content-digest"] = `sha-256=:${base64(await sha256(bytes))}:`;
    lines.push(["content-digest", headers["content-digest"]]);
  }
  if (method !== "GET") {
    headers["idempotency-key"] = idempotencyKey;
    lines.push(["idempotency-key", idempotencyKey]);
  }
  const created = Math.floor((Date.now() + ahead) / 1000);
  const parameters = `(${lines.map(([name]) => `"${name}"`).join(" ")});created=${created};`
    + `nonce="${nonce()}";keyid="${key.id}";tag="clup-machine"`;
  const base = lines.map(([name, value]) => `"${name}": ${value}\n`).join("")
    + `"@signature-params": ${parameters}`;
  headers["signature-input"] = `clup=${parameters}`;
  headers.signature =
    `clup=:${base64(await crypto.subtle.sign("Ed25519", key.secret, encoder.encode(base)))}:`;
  const answer = await fetch(path, {
    method, headers, body: bytes, cache: "no-store", credentials: "omit", redirect: "error",
    // TypeScript's library does not know of `timeout` before its version 5.
    signal: /** @type {any} */ (AbortSignal).timeout(Math.max(1, patience)),
  });
  const date = Date.parse(answer.headers.get("date") ?? "");
  if (answer.status === 401 && Number.isFinite(date)) ahead = date - Date.now();
  return { status: answer.status, body: await answer.json().catch(() => ({})) };
}

/**
 * A call that repeats its key until it is answered; null if that took longer than `patience`. A single request waits
 * for `attempt`, so that a server that hangs does not take the whole time.
 */
export async function call(method, path, body,
  { patience = CALL, attempt = patience, idempotencyKey = nonce() } = {}) {
  const end = performance.now() + patience;
  let mayResync = true;
  while (performance.now() < end) {
    const before = ahead;
    try {
      const answer = await send(method, path, body, idempotencyKey, Math.min(attempt, end - performance.now()));
      // The clocks differed: once more with the backend's time.
      if (answer.status === 401 && mayResync && Math.abs(ahead - before) > 5000) {
        mayResync = false;
        continue;
      }
      if (answer.status < 500) return answer;
    } catch { /* no answer came: once more */ }
    await pause(200);
  }
  return null;
}

export { nonce as newKey };

// MARK: A device that the backend does not know yet

/** Eight digits by which the device may be added, and until when; asked for once, as codes are few. */
let pairing;

async function askForCode() {
  if (pairing) return;
  pairing = { until: 0 };
  const answer = await call("POST", "/v1/pairings", { key: key.text });
  if (answer?.status !== 201) return;
  pairing = { code: answer.body.code, until: performance.now() + answer.body.seconds * 1000 };
}

function showCommand() {
  const options = `--database FILE --shop ${tag} --role ${role} --name NAME \\\n    `;
  const command = pairing && performance.now() < pairing.until
    ? `clup-backend device pair ${options}--code ${pairing.code}`
    : `clup-backend device add ${options}--key ${key.text}`;
  showEnrolment(document.getElementById("enrolment"), role, command, key);
}

/**
 * Waits until the backend knows this device; resolves to the shop's data that it needs.
 * A device that was known keeps its page for a moment: a backend that has just started refuses requests
 * that were signed before.
 */
async function enrolled(patience = 0) {
  const begin = performance.now();
  for (;;) {
    const answer = await call("GET", "/v1/machine", undefined, { patience: FEED.call });
    if (answer?.status === 200) {
      document.getElementById("enrolment").hidden = true;
      return answer.body;
    }
    if (answer?.status === 401 && performance.now() - begin >= patience) {
      await askForCode();
      showCommand();
    }
    await pause(1000);
  }
}

// MARK: The feed

/** The last message of each type: its sequence, which is counted on its own, and when it came. */
const last = {
  turns: { sequence: 0, heard: -Infinity },
  help: { sequence: 0, heard: -Infinity },
  desk: { sequence: 0, heard: -Infinity },
};

/** Milliseconds since the last message of a type; Infinity before the first. */
export const age = (type = "turns") => performance.now() - last[type].heard;

/** Whether a message of the feed is of this type, and new: late and repeated ones are not. */
export function isNews(message, type = "turns") {
  if (message.type !== type || !(message.sequence > last[type].sequence)) return false;
  last[type] = { sequence: message.sequence, heard: performance.now() };
  return true;
}

// MARK: Windows of one key

/** A lock of this window only: while it is held, the window takes part in the feed. */
const ownPart = `${role}/${tag} ${nonce()}`;

/** Shows the other windows of this browser that this one takes part; resolves to a function that ends that. */
function takePart() {
  return new Promise((taken) => {
    navigator.locks.request(ownPart, () => new Promise((end) => taken(end)));
  });
}

/** How many other windows of this browser take part in the feed of this key. */
async function otherParts() {
  const { held } = await navigator.locks.query();
  return held.filter(({ name }) => name.startsWith(`${role}/${tag} `) && name !== ownPart).length;
}

/**
 * Rests until this window is used again, or another one of this browser is closed. A window that came back
 * by itself would replace another one, which would come back too, without end.
 */
async function rest(languages) {
  const panel = document.getElementById("elsewhere");
  panel.replaceChildren(...languages.map((language) =>
    Object.assign(document.createElement("p"), { textContent: text("elsewhere", language) })));
  panel.hidden = false;
  const most = await otherParts();
  await new Promise((done) => {
    const events = new AbortController();
    const end = () => { events.abort(); clearInterval(timer); done(); };
    // Seen twice, so that the backend has noticed the closed window too.
    let looks = 0;
    const timer = setInterval(async () => {
      looks = await otherParts() < most ? looks + 1 : 0;
      if (looks === 2) end();
    }, LOOK);
    for (const name of ["focus", "pointerdown", "keydown"]) {
      addEventListener(name, end, { signal: events.signal });
    }
  });
  panel.hidden = true;
}

/** One connection, to its end; resolves to whether anything came, and the code that it was closed with. */
function listen(ticket, take) {
  return new Promise((done) => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/turns?ticket=${ticket}`);
    let heard = false;
    let timer;
    const end = (event) => {
      clearTimeout(timer);
      socket.onmessage = null;
      socket.close();
      done({ heard, code: event?.code });
    };
    const wait = (time) => { clearTimeout(timer); timer = setTimeout(end, time); };
    wait(FEED.call);
    socket.onclose = end;
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      heard = true;
      // A feed that speaks of turns only would leave calls for help out.
      if (!showsHelp || message.type === "help") wait(FEED.silence);
      take(message);
    };
  });
}

/** Starts the device: `ready` gets its shop, then `take` every message, for ever. */
export async function start(ready, take) {
  key = await keyPair();
  document.documentElement.dataset.key = key.text;
  const shop = await enrolled();
  ready(shop);
  let leave = await takePart();
  let wait = FEED.pause;
  for (;;) {
    const answer = await call("POST", "/v1/sessions", { readsLinks: true }, { patience: FEED.call });
    if (answer?.status === 201) {
      const { heard, code } = await listen(answer.body.ticket, take);
      if (heard) wait = FEED.pause;
      if (code === REPLACED) {
        leave();
        await rest(known(shop.languages).slice(0, 3));
        leave = await takePart();
      }
    } else if (answer?.status === 401) {
      await enrolled(REVOKED);
    }
    // All devices lose a server at the same moment, and must not come back at the same one.
    await pause(wait * (0.75 + Math.random() / 2));
    wait = Math.min(FEED.longestPause, wait * 2);
  }
}

// MARK: Times of the shop's clock

/** RFC 3339 with the shop's offset -> {at: milliseconds, offset: milliseconds}. */
function moment(text) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [null, "+", "00", "00"];
  const offset = (sign === "-" ? -1 : 1) * (+hours * 60 + +minutes) * 60000;
  return { at: Date.parse(text), offset };
}

export const milliseconds = (text) => moment(text).at;

/** HH:MM on the shop's clock, so many milliseconds later, to the nearest of so many minutes. */
export function clock(text, { later = 0, minutes = 1 } = {}) {
  const { at, offset } = moment(text);
  const step = minutes * 60000;
  const shown = minutes === 1 ? at + later : Math.round((at + later) / step) * step;
  return new Date(shown + offset).toISOString().slice(11, 16);
}

export const number = (value) => String(value).padStart(3, "0");
