// The languages of the pages and of the notices, and how a text of a table is said in one.

/** BCP 47 primary subtags. */
export const languages = ["en", "it", "de", "fr", "es"];

/** Whether there are texts in a language. */
export const isKnown = (language) => languages.includes(language);

/** A time of the shop's clock (HH:MM) as the language writes it in a sentence. */
export function spelled(time, language) {
  return language === "fr" ? time.replace(/^0?(\d+):/, "$1h") : time;
}

/** A text of a table by its name, in a language; {name} is replaced. */
export function phrase(texts, name, language, values = {}) {
  return texts[name][languages.indexOf(language)].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
