// Short sounds made on the spot. A kiosk's browser needs --autoplay-policy=no-user-gesture-required.

let context;

/** Whether sounds can be heard: a browser may forbid them until the page was touched. */
export function isAudible() {
  try {
    context ??= new AudioContext();
  } catch { /* no sound at all */ }
  return context?.state === "running";
}

/** Asks the browser for sounds; it agrees after a touch. */
export function askForSound() {
  context?.resume().catch(() => {});
}

function play(notes) {
  context ??= new AudioContext();
  context.resume();
  let at = context.currentTime + 0.02;
  for (const [frequency, seconds] of notes) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.5, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds * 0.6;
  }
}

// A sound that cannot be played must not keep the page from showing its text.
const quietly = (notes) => () => { try { play(notes); } catch { /* no sound */ } };

export const chime = quietly([[659, 0.6], [523, 1.2]]);
export const good = quietly([[659, 0.2], [880, 0.5]]);
export const bad = quietly([[220, 0.4], [165, 0.7]]);
/** A customer calls for help: heard over a shop's noise, and unlike the sound of a called number. */
export const ring = quietly(
  [[784, 0.25], [1047, 0.25], [1319, 0.5], [784, 0.25], [1047, 0.25], [1319, 0.9]]);
/** The customer of an order has come to the shop. */
export const arrival = quietly([[523, 0.2], [784, 0.2], [659, 0.6]]);
