// Keys for the ten digits below a code, for a customer or a staff member who cannot have it read.

export const DIGITS = 10;

/** Puts the keys into an element; `press` gets the digit of each touch, or `delete`. */
export function makeKeypad(parent, deleteWords, press) {
  for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "delete", "0"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.key = key;
    button.textContent = key === "delete" ? deleteWords : key;
    button.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      press(key);
    });
    // The touch ends here: whatever is in this place when the finger is lifted is not pressed.
    button.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    parent.append(button);
  }
}

/** What is typed after a key. */
export const typedAfter = (typed, key) =>
  key === "delete" ? typed.slice(0, -1) : typed.length < DIGITS ? typed + key : typed;

/** The digits in the groups of the paper, and a line in the place of each that is still to come. */
export function showTyped(parent, typed) {
  parent.replaceChildren(...Array.from({ length: DIGITS }, (_, index) => [
    ...(index === 4 || index === 7 ? [" "] : []), typed[index] ?? document.createElement("i"),
  ]).flat());
}
