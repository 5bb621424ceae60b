// The texts that the pages for phones share, by language in the order of languages.js. {name} is replaced.

import { phrase } from "./languages.js";

export { isKnown, spelled } from "./languages.js";

const shared = {
  language: ["Language", "Lingua", "Sprache", "Langue", "Idioma"],
  larger: ["Larger text", "Testo più grande", "Größere Schrift", "Texte plus grand", "Letra más grande"],
  moment: ["One moment", "Un momento", "Einen Moment", "Un instant", "Un momento"],
  between: ["between {from} and {to}", "tra le {from} e le {to}", "zwischen {from} und {to} Uhr", "entre {from} et {to}", "entre las {from} y las {to}"],
  soon: ["any moment now", "da un momento all’altro", "jeden Moment", "d’un instant à l’autre", "de un momento a otro"],
  people: ["{n} people", "{n} persone", "{n} Personen", "{n} personnes", "{n} personas"],
  person: ["1 person", "1 persona", "1 Person", "1 personne", "1 persona"],
  before: ["{people} ahead of you", "{people} prima di te", "{people} vor Ihnen", "{people} avant vous", "{people} delante de usted"],
  at: ["at {time}", "alle {time}", "um {time} Uhr", "à {time}", "a las {time}"],
  noneNow: ["You will then see when you can come in.", "Così vedrai quando potrai entrare.", "Dann sehen Sie, wann Sie eintreten können.", "Vous verrez alors quand entrer.", "Así verá cuándo podrá entrar."],
  offline: ["No connection.", "Nessuna connessione.", "Keine Verbindung.", "Pas de connexion.", "Sin conexión."],
  tooMany: ["Too many tries. Please wait a few minutes, or ask the staff.", "Troppi tentativi. Aspetta qualche minuto, o chiedi al personale.", "Zu viele Versuche. Bitte warten Sie einige Minuten oder fragen Sie das Personal.", "Trop d’essais. Attendez quelques minutes ou adressez-vous au personnel.", "Demasiados intentos. Espere unos minutos o pregunte al personal."],
  didNotWork: ["That did not work. Please try again.", "Non ha funzionato. Riprova.", "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.", "Cela n’a pas marché. Réessayez.", "No ha funcionado. Inténtelo de nuevo."],
};

/** The texts of this page. */
let texts = shared;

/** Adds the texts that only this page says, or a part of it. */
export function addTexts(own) { texts = { ...texts, ...own }; }

/** Whether there is a text of this name. */
export const isText = (name) => name in texts;

/** The text by name in a language. */
export const text = (name, language, values) => phrase(texts, name, language, values);
