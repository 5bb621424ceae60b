// Hands a calendar's file to the phone; a part of what offers one.

/** How long the browser may need to save a file, in milliseconds. */
const KEPT = 60000;

/**
 * Hands a file to the phone: resolves to `given`, to `closed` if the customer closed the phone's sheet, or to `failed`. A page
 * on the Home Screen of an iPhone can save no file, and has no way back from one that it opens: there the sheet for sharing
 * takes it.
 */
export async function handOver(text, name) {
  const type = "text/calendar";
  const { standalone } = /** @type {any} */ (navigator);
  const files = standalone && navigator.canShare ? [new File([text], name, { type })] : [];
  if (files.length && navigator.canShare({ files })) {
    return navigator.share({ files }).then(() => "given", (error) => error.name === "AbortError" ? "closed" : "failed");
  }
  const address = URL.createObjectURL(new Blob([text], { type }));
  const offer = document.createElement("a");
  offer.href = address;
  offer.download = name;
  document.body.append(offer);
  offer.click();
  offer.remove();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
  return "given";
}
