// The work that the server asks a phone for while very many ask for places (rules: join-limits).

/** How many texts are digested at once. */
const PART = 1024;
/** The largest number has twelve digits. */
const LARGEST = 1e12;

const encoder = new TextEncoder();

/** Whether a digest begins with so many bits that are 0; 1 to 32. */
const begins = (digest, bits) => new DataView(digest).getUint32(0) >>> (32 - bits) === 0;

/**
 * The text `CHALLENGE.N` with the first whole number N for which its SHA-256 begins with so many bits that are 0. Fails in
 * a browser that computes no digests.
 */
export async function solved(challenge, bits) {
  for (let first = 0; first < LARGEST; first += PART) {
    const texts = Array.from({ length: PART }, (_, index) => `${challenge}.${first + index}`);
    const digests = await Promise.all(texts.map((one) => crypto.subtle.digest("SHA-256", encoder.encode(one))));
    const found = digests.findIndex((one) => begins(one, bits));
    if (found >= 0) return texts[found];
    // Digests alone leave the browser no time to draw the screen and to take touches.
    await new Promise((done) => setTimeout(done));
  }
  throw new Error("there is no such number");
}
