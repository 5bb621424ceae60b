// The texts of the list of the places that this phone knows, by language in the order of languages.js. {name} is replaced.

/** What other pages call the list. */
export const wayTexts = {
  myPlaces: ["My places and visits", "I miei posti e le mie visite", "Meine Plätze und Termine", "Mes places et mes visites", "Mis plazas y visitas"],
};

/** What pages that do not list the shops call the list of shops. */
export const shopsWayTexts = {
  toShops: ["Take a place or book a visit", "Mettiti in coda o prenota un orario", "Anstellen oder Termin buchen", "Rejoindre la file ou réserver un créneau", "Ponerse a la cola o reservar hora"],
};

export const placesTexts = {
  empty: ["This phone has no place in a queue and no visit.", "Su questo telefono non ci sono posti in coda né visite.", "Auf diesem Handy gibt es keinen Platz in einer Warteschlange und keinen Termin.", "Sur ce téléphone, il n’y a ni place dans une file ni visite.", "En este móvil no hay ninguna plaza en una cola ni ninguna visita."],
  emptyNow: ["What you take or book with this phone appears here.", "Qui trovi i posti che prendi e le visite che prenoti con questo telefono.", "Hier stehen die Plätze und Termine, die Sie mit diesem Handy nehmen oder buchen.", "Ce que vous prenez ou réservez avec ce téléphone apparaît ici.", "Aquí aparece lo que pida o reserve con este móvil."],
  lastKnown: ["This is the last information we have. You can still open your entry codes.", "Questi sono gli ultimi dati noti. Puoi comunque aprire i tuoi codici d’ingresso.", "Sie sehen den letzten bekannten Stand. Ihre Einlasscodes können Sie trotzdem öffnen.", "Voici les dernières informations connues. Vous pouvez quand même ouvrir vos codes d’entrée.", "Estos son los últimos datos conocidos. Aun así puede abrir sus códigos de entrada."],

  showCode: ["Show my entry code", "Mostra il mio codice d’ingresso", "Meinen Einlasscode zeigen", "Afficher mon code d’entrée", "Ver mi código de entrada"],
  answer: ["Answer now", "Rispondi ora", "Jetzt antworten", "Répondre maintenant", "Responder ahora"],
  details: ["Details", "Dettagli", "Einzelheiten", "Détails", "Detalles"],
  over: ["No longer valid", "Non vale più", "Nicht mehr gültig", "N’est plus valable", "Ya no es válida"],

  giveUpPlace: ["{shop}, number {number}: give up your place?", "{shop}, numero {number}: rinunci al tuo posto?", "{shop}, Nummer {number}: Ihren Platz freigeben?", "{shop}, numéro {number} : libérer votre place ?", "{shop}, número {number}: ¿deja su plaza?"],
  placeGivenUp: ["{shop}, number {number}: your place is cancelled", "{shop}, numero {number}: il tuo posto è disdetto", "{shop}, Nummer {number}: Ihr Platz ist freigegeben", "{shop}, numéro {number} : votre place est annulée", "{shop}, número {number}: su plaza está anulada"],
  notGivenUp: ["No connection. Nothing in this list has changed. Please try again later.", "Nessuna connessione. In questo elenco non è cambiato nulla. Riprova più tardi.", "Keine Verbindung. In dieser Liste hat sich nichts geändert. Bitte versuchen Sie es später noch einmal.", "Pas de connexion. Rien n’a changé dans cette liste. Réessayez plus tard.", "Sin conexión. Nada ha cambiado en esta lista. Inténtelo más tarde."],

  remove: ["Remove from this list", "Togli da questo elenco", "Aus dieser Liste entfernen", "Retirer de cette liste", "Quitar de esta lista"],
  removePlace: ["{shop}, number {number}: remove it from this list? It stays valid.", "{shop}, numero {number}: togliere da questo elenco? Continua a valere.", "{shop}, Nummer {number}: aus dieser Liste entfernen? Die Nummer bleibt gültig.", "{shop}, numéro {number} : retirer de cette liste ? Le numéro reste valable.", "{shop}, número {number}: ¿quitar de esta lista? El número sigue siendo válido."],
  leave: ["Leave it in this list", "Lascia in questo elenco", "In dieser Liste lassen", "Laisser dans cette liste", "Dejar en esta lista"],
  placeRemoved: ["{shop}, number {number}: removed from this list. It is still valid.", "{shop}, numero {number}: tolto da questo elenco. Continua a valere.", "{shop}, Nummer {number}: aus dieser Liste entfernt. Die Nummer ist weiterhin gültig.", "{shop}, numéro {number} : retiré de cette liste. Le numéro est toujours valable.", "{shop}, número {number}: quitado de esta lista. El número sigue siendo válido."],
};
