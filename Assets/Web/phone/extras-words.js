// The texts of what the page of a place offers besides, by language in the order of languages.js.

/** For the page itself, which finds out how far the customer is. */
export const onFootTexts = {
  onFoot: ["About {minutes} on foot", "Circa {minutes} a piedi", "Etwa {minutes} zu Fuß", "Environ {minutes} à pied", "Aproximadamente {minutes} a pie"],
};

export const calendarTexts = {
  calendar: ["Add to my calendar", "Aggiungi al mio calendario", "In meinen Kalender eintragen", "Ajouter à mon agenda", "Añadir a mi calendario"],
};
