// What the code of a paper opens: it is sent in the body of a call until there is an answer, and the page forgets it then.
// It is loaded apart from the page of a place.

import { remember } from "./memory.js";
import { call } from "./server.js";

/** The shortest pause before the next call. */
const PAUSE = 2000;

/**
 * The capability of the place that a code opens, and the symbol for the entrance, which this phone remembers with the place;
 * null if the code opens nothing. `wait` is called when no answer came, and says whether the page still wants one.
 */
export async function opening(code, wait) {
  for (;;) {
    const answer = await call("opening", { code }).catch(() => null);
    if (answer && /40[034]/.test(answer.status)) return null;
    if (answer && answer.status === 200) {
      const { capability, symbol } = answer.body;
      if (symbol) remember(capability, { paper: symbol });
      return { capability, symbol };
    }
    if (!wait()) return null;
    await new Promise((done) => setTimeout(done, answer ? answer.retryAfter : PAUSE));
  }
}
