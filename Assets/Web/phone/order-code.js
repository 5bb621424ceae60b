// The codes, the capabilities and the numbers of orders that customers collect.

/** What shows an order and changes nothing: the shop's tag, the order, and 128 bits. It is in the address of the page. */
export const isCapability = (text) => /^[0-9A-Z]{56}$/.test(text);

/** The code of an order, which is a secret: the shop's tag, and 128 bits in Crockford's base32; older memories have its prefix. */
export const isCode = (text) => /^(CLUP:C:)?[0-9A-Z]{4}[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

/** The tag of the shop in one of these. */
export const tagOf = (name) => name.replace("CLUP:C:", "").slice(0, 4);

/** The number by which an order is called; nothing if there is none. */
export const numberInWords = (number) => Number.isInteger(number) ? `C-${String(number).padStart(3, "0")}` : "";
