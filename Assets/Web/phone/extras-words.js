// The texts of what the page of a place offers besides, by language in the order of languages.js.

export const calendarTexts = {
  calendar: ["Add to my calendar", "Aggiungi al mio calendario", "In meinen Kalender eintragen", "Ajouter à mon agenda", "Añadir a mi calendario"],
};
