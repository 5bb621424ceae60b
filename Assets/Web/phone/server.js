// Calls to the server, and the feed of one place, which reconnects.

/** The longest a call may take. */
const CALL = 10000;
/** An open socket speaks every 10 seconds; one that is silent for longer is given up. */
const SILENCE = 15000;
/** How often the place is asked for while no socket speaks. */
const POLL = 10000;
const POLL_HIDDEN = 30000;
/** The first and the longest pause before the next socket. */
const PAUSE = 2000;
const LONGEST_PAUSE = 30000;
/** How the server closes the socket of a window when newer ones of the same place took over. */
const REPLACED = 4000;

const pause = (time) => new Promise((done) => setTimeout(done, time));

/**
 * One request, with the cookie of this device; fails if no answer comes, or one that is not the server's. `read` reads what
 * the answer has.
 */
export async function call(path, body, idempotencyKey, read = (answer) => answer.json()) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), CALL);
  try {
    const answer = await fetch(`/v1/public/${path}`, {
      method: "POST", body: JSON.stringify(body), cache: "no-store", credentials: "same-origin", signal: stop.signal,
      headers: { "content-type": "application/json", ...(idempotencyKey && { "idempotency-key": idempotencyKey }) },
    });
    const { status } = answer;
    return {
      status,
      // A refusal may come from what is before the server, without a document of its own.
      body: status === 204 ? null : await read(answer).catch((error) => {
        if (status < 204) throw error;
        return null;
      }),
      /** Milliseconds after which a server that is busy may be asked again. */
      retryAfter: 1000 * (Number(answer.headers.get("retry-after")) || 10),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The keys of the commands that got no answer, so that they are repeated and not given a second time. */
const unanswered = {};

export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** A command that is repeated with its key if its answer is lost; resolves to the answer, of status 0 if none came. */
export async function send(path, body, key) {
  let answer;
  for (const wait of [0, 1000, 3000]) {
    await pause(wait);
    const last = await call(path, body, key).catch(() => null);
    answer = last || answer;
    if (last && last.status < 500) return last;
  }
  return { status: 0, body: answer && answer.body };
}

/** The same with a key of its own, which is that of the last time if that got no answer; resolves to the status. */
export async function command(path, body) {
  const name = path + JSON.stringify(body);
  unanswered[name] = unanswered[name] || newKey();
  const { status } = await send(path, body, unanswered[name]);
  if (status) delete unanswered[name];
  return status;
}

/**
 * Follows a place until `end` is called. `take` gets every view, and whether it is the answer to a call; the others are
 * called when the server does not know the place, and when it cannot be reached.
 */
export function follow(capability, { take, unknown, unreachable }) {
  let isEnded = false;
  let isAsking = false;
  let isAnswered = false;
  let isSpeaking = false;
  let asked = -Infinity;
  let notBefore = 0;
  let wait = PAUSE;
  let socket = null;
  let wake = () => {};

  function end() {
    isEnded = true;
    if (socket) socket.close();
    wake();
  }

  async function ask() {
    const now = performance.now();
    if (isEnded || isAsking || now < notBefore) return;
    isAsking = true;
    asked = now;
    try {
      const { status, body, retryAfter } = await call("place", { capability });
      if (isEnded) return;
      isAnswered = isAnswered || status === 200;
      if (status === 200) take(body, true);
      else if (status === 404) unknown();
      else if (status === 429 || status >= 500) notBefore = performance.now() + retryAfter;
    } catch {
      if (!isEnded) unreachable();
    } finally {
      isAsking = false;
    }
  }

  /** One socket, to its end; resolves to the code that it was closed with. */
  function listen(ticket) {
    return new Promise((done) => {
      const own = socket = new WebSocket(`${location.origin.replace("http", "ws")}/v1/public/updates?ticket=${ticket}`);
      let timer;
      const close = (event) => {
        clearTimeout(timer);
        isSpeaking = false;
        own.onmessage = own.onclose = null;
        own.close();
        done(event && event.code);
      };
      const expect = () => { clearTimeout(timer); timer = setTimeout(close, SILENCE); };
      own.onclose = close;
      own.onmessage = ({ data }) => {
        if (isEnded) return;
        expect();
        isSpeaking = true;
        wait = PAUSE;
        take(JSON.parse(data));
      };
      expect();
    });
  }

  async function run() {
    while (!isEnded) {
      let least = 0;
      const answer = await call("sessions", { capability }).catch(() => null);
      if (isEnded) return;
      let code = 0;
      if (answer && answer.status === 201) {
        code = await listen(encodeURIComponent(answer.body.ticket)).catch(() => 0);
      } else if (answer) least = answer.retryAfter;
      if (isEnded) return;
      const time = Math.max(least, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_PAUSE);
      await new Promise((done) => {
        wake = () => done();
        // Three newer windows have sockets: this one goes on by asking, until it is looked at again.
        if (code !== REPLACED) setTimeout(done, time);
      });
    }
  }

  ask();
  run();
  return {
    end,
    /** Asks after a call that is under way, whose answer may be older than what was done meanwhile. */
    async askAgain() {
      while (isAsking) await pause(50);
      await ask();
    },
    /** Asks at once, as the page is seen again or the network is back. */
    refresh() {
      ask();
      wait = PAUSE;
      if (performance.now() >= notBefore) wake();
    },
    /** To be called every second: asks while no socket speaks, and until an answer has come: only that has the code. */
    tick() {
      const time = document.hidden ? POLL_HIDDEN : POLL;
      if (!(isSpeaking && isAnswered) && performance.now() - asked >= time) ask();
    },
  };
}
