// The codes and the numbers of orders that customers collect.

/** The code of an order: its prefix, the shop's tag, and 128 bits in Crockford's base32. */
export const isCode = (text) => /^CLUP:C:[0-9A-Z]{4}[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

export const tagOf = (code) => code.slice(7, 11);

/** The number by which an order is called; nothing if there is none. */
export const numberInWords = (number) => Number.isInteger(number) ? `C-${String(number).padStart(3, "0")}` : "";
