// Short sounds made on the spot. A kiosk's browser needs --autoplay-policy=no-user-gesture-required.

let context;

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
