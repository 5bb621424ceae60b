// The texts of the list of shops, by language in the order of words.js, which has those that all pages say. {name} is
// replaced.

export const shopsTexts = {
  title: ["Join a queue", "Mettiti in coda dal telefono", "Mit dem Handy anstellen", "Prendre place dans une file d’attente", "Pedir turno"],
  searchFor: ["Search by name, street or town", "Cerca per nome, via o città", "Nach Name, Straße oder Ort suchen", "Chercher par nom, rue ou ville", "Buscar por nombre, calle o ciudad"],
  nearby: ["Near me", "Vicino a me", "In meiner Nähe", "Près de moi", "Cerca de mí"],
  positionStays: ["Your location does not leave this phone.", "La tua posizione non esce da questo telefono.", "Ihr Standort verlässt dieses Handy nicht.", "Votre position ne quitte pas ce téléphone.", "Su ubicación no sale de este móvil."],
  noPosition: ["Your location is not available.", "La posizione non è disponibile.", "Ihr Standort ist nicht verfügbar.", "Votre position n’est pas disponible.", "Su ubicación no está disponible."],
  favourites: ["Your favourites", "I tuoi preferiti", "Ihre Favoriten", "Vos favoris", "Sus favoritas"],
  nearest: ["By distance", "Per distanza", "Nach Entfernung", "Par distance", "Por distancia"],
  noTown: ["Other shops", "Altri negozi", "Weitere Geschäfte", "Autres magasins", "Otras tiendas"],
  favourite: ["Favourite: {name}", "Preferito: {name}", "Favorit: {name}", "Favori : {name}", "Favorita: {name}"],
  added: ["{name} is now among your favourites, at the top.", "{name} è ora tra i tuoi preferiti, in alto.", "{name} steht jetzt oben bei Ihren Favoriten.", "{name} est maintenant parmi vos favoris, en haut.", "{name} está ahora entre sus favoritas, arriba."],
  removed: ["{name} is no longer among your favourites.", "{name} non è più tra i tuoi preferiti.", "{name} ist kein Favorit mehr.", "{name} n’est plus parmi vos favoris.", "{name} ya no está entre sus favoritas."],

  atOnce: ["No wait at the moment", "Nessuna attesa al momento", "Zurzeit keine Wartezeit", "Pas d’attente pour le moment", "Sin espera en este momento"],
  about: ["Wait: about {minutes}", "Attesa: circa {minutes}", "Wartezeit: etwa {minutes}", "Attente : environ {minutes}", "Espera: aproximadamente {minutes}"],
  upTo: ["Wait: up to {minutes}", "Attesa: fino a {minutes}", "Wartezeit: bis zu {minutes}", "Attente : jusqu’à {minutes}", "Espera: hasta {minutes}"],
  fromTo: ["Wait: about {from} to {minutes}", "Attesa: circa {from}–{minutes}", "Wartezeit: etwa {from} bis {minutes}", "Attente : environ {from} à {minutes}", "Espera: entre {from} y {minutes}"],
  turn: ["Your turn would come {range}", "Toccherebbe a te {range}", "Erwarteter Einlass: {range}", "Entrée prévue {range}", "Su turno llegaría {range}"],
  noTicket: ["No more places today", "Per oggi non ci sono più posti", "Für heute sind keine Plätze mehr frei", "Il n’y a plus de places pour aujourd’hui", "Hoy ya no quedan plazas"],
  closed: ["Closed", "Chiuso", "Geschlossen", "Fermé", "Cerrada"],
  closedUntil: ["Closed, opens {day} {time}", "Chiuso, riapre {day} {time}", "Geschlossen, öffnet {day} {time}", "Fermé, rouvre {day} {time}", "Cerrada, próxima apertura: {day} {time}"],
  atDoor: ["For now you can join only at the door", "Per ora puoi metterti in coda solo all’ingresso", "Zurzeit können Sie sich nur am Eingang anstellen", "Pour l’instant, vous ne pouvez rejoindre la file qu’à l’entrée", "Por ahora solo puede ponerse a la cola en la entrada"],

  joinQueue: ["Join the queue", "Mettiti in coda", "Jetzt anstellen", "Rejoindre la file", "Ponerse a la cola"],
  joinQueueAt: ["Join the queue: {name}", "Mettiti in coda: {name}", "Jetzt anstellen: {name}", "Rejoindre la file : {name}", "Ponerse a la cola: {name}"],
  bookVisit: ["Book a visit", "Prenota un orario", "Termin buchen", "Réserver un créneau", "Reservar hora"],
  bookVisitAt: ["Book a visit: {name}", "Prenota un orario: {name}", "Termin buchen: {name}", "Réserver un créneau : {name}", "Reservar hora: {name}"],
  shop: ["1 shop", "1 negozio", "1 Geschäft", "1 magasin", "1 tienda"],
  shops: ["{n} shops", "{n} negozi", "{n} Geschäfte", "{n} magasins", "{n} tiendas"],
  notFound: ["No shop was found with these words.", "Nessun negozio trovato con queste parole.", "Mit diesen Wörtern wurde kein Geschäft gefunden.", "Aucun magasin ne correspond à ces mots.", "No se ha encontrado ninguna tienda con estas palabras."],
  noShops: ["At present you cannot join any shop’s queue from home. Please come to the shop’s door.", "Al momento non puoi metterti in coda da casa in nessun negozio. Vieni all’ingresso del negozio.", "Zurzeit können Sie sich bei keinem Geschäft von zu Hause aus anstellen. Bitte kommen Sie zum Eingang des Geschäfts.", "En ce moment, aucun magasin ne permet de rejoindre la file depuis chez vous. Venez à l’entrée du magasin.", "Por ahora no puede ponerse a la cola desde casa en ninguna tienda. Acérquese a la entrada de la tienda."],
  further: ["There are more shops: search for yours.", "Ci sono altri negozi: cerca il tuo.", "Es gibt noch mehr Geschäfte: Suchen Sie Ihres.", "Il y a d’autres magasins : cherchez le vôtre.", "Hay más tiendas: busque la suya."],
  asOf: ["Waiting times as of {time}.", "Tempi di attesa aggiornati alle {time}.", "Wartezeiten: Stand {time} Uhr.", "Temps d’attente à {time}.", "Tiempos de espera a las {time}."],
  tryAgain: ["Try again", "Riprova", "Noch einmal versuchen", "Réessayer", "Intentarlo de nuevo"],
};
