// The texts of the question whether a customer is coming, by language in the order of languages.js.

export const questionTexts = {
  coming: ["Are you coming?", "Vieni?", "Kommen Sie?", "Venez-vous ?", "¿Va a venir?"],
  orNot: ["If you cannot come, please say so below, so that others wait less.", "Se non puoi venire, dillo qui sotto: così gli altri aspettano meno.", "Wenn Sie nicht kommen können, sagen Sie bitte unten ab. Dann warten andere kürzer.", "Si vous ne pouvez pas venir, dites-le ci-dessous : les autres attendront moins.", "Si no puede venir, indíquelo aquí abajo: así los demás esperarán menos."],
  yes: ["Yes, I am coming", "Sì, vengo", "Ja, ich komme", "Oui, je viens", "Sí, voy a ir"],
  sending: ["One moment", "Un momento", "Einen Moment", "Un instant", "Un momento"],
  thanks: ["Thank you, see you soon!", "Grazie, a presto!", "Danke, bis bald!", "Merci, à bientôt !", "Gracias, ¡hasta pronto!"],
  notSent: ["Your answer did not arrive. Please try again.", "La tua risposta non è arrivata. Riprova.", "Ihre Antwort ist nicht angekommen. Bitte versuchen Sie es noch einmal.", "Votre réponse n’est pas arrivée. Réessayez.", "Su respuesta no ha llegado. Inténtelo de nuevo."],
  busy: ["Too many tries. Please wait a few minutes, and then answer again.", "Troppi tentativi. Aspetta qualche minuto, poi rispondi di nuovo.", "Zu viele Versuche. Bitte warten Sie einige Minuten und antworten Sie dann noch einmal.", "Trop d’essais. Attendez quelques minutes, puis répondez à nouveau.", "Demasiados intentos. Espere unos minutos y responda de nuevo."],
  tooLate: ["That is no longer possible.", "Non è più possibile.", "Das ist nicht mehr möglich.", "Ce n’est plus possible.", "Ya no es posible."],
  move: ["Move my visit", "Sposta la visita", "Meinen Termin verschieben", "Déplacer ma visite", "Cambiar la hora de mi visita"],
  book: ["Book a new visit", "Prenota una nuova visita", "Einen neuen Termin buchen", "Réserver une nouvelle visite", "Reservar otra visita"],
};

/** The texts of the button for the phone's own calendar. */
export const calendarTexts = {
  update: ["Update my calendar", "Aggiorna il mio calendario", "Meinen Kalender aktualisieren", "Mettre à jour mon agenda", "Actualizar mi calendario"],
  remove: ["Remove it from my calendar", "Togli la visita dal mio calendario", "Aus meinem Kalender entfernen", "Retirer de mon agenda", "Quitar de mi calendario"],
  file: ["visit", "visita", "termin", "visite", "visita"],
  openNow: ["Your phone now has the file {file}. If it does not open by itself, please open it. Then confirm in your calendar.", "Il file {file} ora è sul tuo telefono. Se non si apre da solo, aprilo tu. Poi conferma nel calendario.", "Die Datei {file} ist jetzt auf Ihrem Handy. Falls sie sich nicht von selbst öffnet, öffnen Sie sie bitte. Bestätigen Sie dann im Kalender.", "Le fichier {file} est maintenant sur votre téléphone. S’il ne s’ouvre pas tout seul, ouvrez-le. Confirmez ensuite dans votre agenda.", "El archivo {file} ya está en su móvil. Si no se abre solo, ábralo. Después confirme en su calendario."],
  removeNow: ["Your phone now has the file {file}. If it does not open by itself, please open it. If the visit is still in your calendar after that, delete it there.", "Il file {file} ora è sul tuo telefono. Se non si apre da solo, aprilo tu. Se poi la visita è ancora nel calendario, cancellala lì.", "Die Datei {file} ist jetzt auf Ihrem Handy. Falls sie sich nicht von selbst öffnet, öffnen Sie sie bitte. Steht der Termin danach noch im Kalender, löschen Sie ihn dort.", "Le fichier {file} est maintenant sur votre téléphone. S’il ne s’ouvre pas tout seul, ouvrez-le. Si la visite est encore dans votre agenda après cela, supprimez-la.", "El archivo {file} ya está en su móvil. Si no se abre solo, ábralo. Si después la visita sigue en su calendario, bórrela allí."],
  noNetwork: ["There is no connection right now. Please try again later.", "In questo momento non c’è connessione. Riprova più tardi.", "Im Moment besteht keine Verbindung. Bitte versuchen Sie es später noch einmal.", "Pas de connexion pour le moment. Réessayez plus tard.", "Ahora no hay conexión. Inténtelo más tarde."],
  failed: ["That did not work. Please try again in a few minutes.", "Non ha funzionato. Riprova tra qualche minuto.", "Das hat nicht geklappt. Bitte versuchen Sie es in einigen Minuten noch einmal.", "Cela n’a pas marché. Réessayez dans quelques minutes.", "No ha funcionado. Inténtelo de nuevo dentro de unos minutos."],
};

/** The texts that the card of the page says of a place that was taken on this phone and is over. */
export const cardTexts = {
  missedNowPhone: ["For a new place, scan the code at the door, or ask the staff.", "Per un nuovo posto, inquadra il codice all’ingresso o chiedi al personale.", "Für einen neuen Platz scannen Sie den Code am Eingang oder fragen Sie das Personal.", "Pour une nouvelle place, scannez le code à l’entrée ou adressez-vous au personnel.", "Para una plaza nueva, escanee el código de la entrada o pregunte al personal."],
};

/** What the page of a visit that was booked on this phone says in place of what it says of tickets. */
export const visitTexts = {
  finalPhone: ["Give up your visit on {day} at {time}? You cannot undo this: you would have to book again.", "Rinunci alla visita di {day} alle {time}? Non potrai ripensarci: dovresti prenotare di nuovo.", "Ihren Termin am {day} um {time} Uhr absagen? Das können Sie nicht rückgängig machen: Sie müssten neu buchen.", "Renoncer à votre visite du {day} à {time} ? Vous ne pourrez pas changer d’avis : il faudrait réserver à nouveau.", "¿Renuncia a su visita del {day} a las {time}? No podrá cambiar de idea: tendría que volver a reservar."],
  giveBack: ["Give up my visit", "Rinuncio alla visita", "Meinen Termin absagen", "Renoncer à ma visite", "Renunciar a mi visita"],
  keep: ["Keep my visit", "Mantengo la visita", "Meinen Termin behalten", "Garder ma visite", "Conservar mi visita"],
  deleted: ["Your visit on {day} at {time} is cancelled", "La tua visita di {day} alle {time} è disdetta", "Ihr Termin am {day} um {time} Uhr ist abgesagt", "Votre visite du {day} à {time} est annulée", "Su visita del {day} a las {time} está anulada"],
  missed: ["Your visit on {day} at {time} has passed", "La tua visita di {day} alle {time} è passata", "Ihr Termin am {day} um {time} Uhr ist vorbei", "Votre visite du {day} à {time} est passée", "Su visita del {day} a las {time} ya ha pasado"],
  missedNowPhone: ["You can book another visit at any time.", "Puoi prenotarne un’altra quando vuoi.", "Sie können jederzeit einen neuen buchen.", "Vous pouvez en réserver une autre quand vous voulez.", "Puede reservar otra cuando quiera."],
  closedNow: ["Please book another visit.", "Prenota un’altra visita.", "Bitte buchen Sie einen anderen Termin.", "Réservez une autre visite.", "Reserve otra visita."],
};
