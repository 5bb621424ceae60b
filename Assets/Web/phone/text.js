// Texts in elements.

/** Changes an element only if its text is another one, so that nothing is read aloud twice. */
export function showText(element, words) {
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}
