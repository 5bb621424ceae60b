// The texts of the page of a place, by language in the order of words.js, which has those that both pages say. {name}
// is replaced. A text whose name ends with `Phone` is said of a place that was taken on this phone.

/** How old what is shown is, on the page of orders too. */
export const ageTexts = {
  old: ["As of {ago}", "Situazione di {ago}", "Stand: {ago}", "Situation d’{ago}", "Datos de {ago}"],
};

/** Those that the list of places says too. */
export const stateTexts = {
  ...ageTexts,
  yourNumber: ["Your number", "Il tuo numero", "Ihre Nummer", "Votre numéro", "Su número"],
  comeIn: ["Your turn will come", "Toccherà a te", "Erwarteter Einlass", "Entrée prévue", "Su turno llegará"],
  next: ["You are next", "Il prossimo numero è il tuo", "Sie sind als Nächstes an der Reihe", "Votre numéro est le prochain", "El próximo turno es el suyo"],
  yourVisit: ["Your visit", "La tua visita", "Ihr Termin", "Votre visite", "Su visita"],
  called: ["Please come in", "Puoi entrare", "Bitte eintreten", "Vous pouvez entrer", "Puede entrar"],
  until: ["by {time}", "entro le {time}", "bis {time} Uhr", "avant {time}", "hasta las {time}"],
  left: ["{time} left", "ancora {time}", "noch {time}", "encore {time}", "tiempo restante: {time}"],
  inside: ["You are inside", "Sei nel negozio", "Sie sind im Geschäft", "Vous êtes dans le magasin", "Está en la tienda"],
  used: ["Your visit is over", "La visita è finita", "Ihr Einkauf ist beendet", "Votre visite est terminée", "Su visita ha terminado"],
  missed: ["Your turn has passed", "Il tuo turno è passato", "Sie waren schon an der Reihe", "Votre tour est passé", "Su turno ya ha pasado"],
  reclaimNow: ["You have until {time} to take your place back, but only once.", "Hai tempo fino alle {time} per riprendere il tuo posto, ma una volta sola.", "Sie können Ihren Platz bis {time} Uhr zurückholen, aber nur einmal.", "Vous avez jusqu’à {time} pour reprendre votre place, mais une seule fois.", "Tiene hasta las {time} para recuperar su plaza, pero solo una vez."],
  closed: ["The shop closed before your turn", "Il negozio ha chiuso prima del tuo turno", "Das Geschäft schloss, bevor Sie an der Reihe waren", "Le magasin a fermé avant votre tour", "La tienda cerró antes de su turno"],
  deleted: ["This place was cancelled", "Questo posto è stato disdetto", "Dieser Platz wurde storniert", "Cette place a été annulée", "Esta plaza está anulada"],
  outOfDate: ["This may be out of date.", "Questi dati potrebbero non essere aggiornati.", "Diese Angaben sind vielleicht nicht mehr aktuell.", "Ces informations ne sont peut-être plus à jour.", "Puede que estos datos ya no estén al día."],
  watch: ["Please watch the display in front of the shop.", "Guarda il tabellone davanti al negozio.", "Bitte achten Sie auf die Anzeige vor dem Geschäft.", "Regardez l’écran d’appel devant le magasin.", "Mire la pantalla que hay delante de la tienda."],
  notComing: ["I am not coming", "Non vengo più", "Ich komme doch nicht", "Je ne viens plus", "No voy a ir"],
  finalPhone: ["You cannot undo this: you would need a new place.", "Non potrai ripensarci: ti servirebbe un nuovo posto.", "Das können Sie nicht rückgängig machen: Sie bräuchten einen neuen Platz.", "Vous ne pourrez pas changer d’avis : il vous faudrait une nouvelle place.", "No podrá cambiar de idea: necesitaría una plaza nueva."],
  giveBack: ["Give up my place", "Rinuncio al mio posto", "Meinen Platz freigeben", "Libérer ma place", "Dejar mi plaza"],
  keep: ["Keep my place", "Tengo il mio posto", "Meinen Platz behalten", "Garder ma place", "Conservar mi plaza"],
  gone: ["That is no longer possible.", "Non è più possibile.", "Das ist nicht mehr möglich.", "Ce n’est plus possible.", "Ya no es posible."],
};

export const placeTexts = {
  title: ["Your place in the queue", "Il tuo posto in coda", "Ihr Platz in der Warteschlange", "Votre place dans la file", "Su turno en la cola"],

  showTicket: ["Show the code on your ticket at the entrance.", "Mostra all’ingresso il codice del biglietto.", "Zeigen Sie am Eingang den Code auf Ihrem Ticket.", "Présentez à l’entrée le code de votre ticket.", "Muestre en la entrada el código de su tique."],
  showTicketPhone: ["Show this code at the entrance.", "Mostra questo codice all’ingresso.", "Zeigen Sie diesen Code am Eingang.", "Présentez ce code à l’entrée.", "Muestre este código en la entrada."],
  entryCode: ["Your entry code", "Il tuo codice d’ingresso", "Ihr Einlasscode", "Votre code d’entrée", "Su código de entrada"],
  entryLater: ["Show it at the entrance when your turn comes.", "Mostralo all’ingresso quando tocca a te.", "Zeigen Sie ihn am Eingang, sobald Ihre Nummer aufgerufen wird.", "Présentez-le à l’entrée quand ce sera votre tour.", "Muéstrelo en la entrada cuando llegue su turno."],

  insideNow: ["Keep your ticket: you need it to leave.", "Conserva il biglietto: ti serve per uscire.", "Behalten Sie Ihr Ticket: Sie brauchen es beim Hinausgehen.", "Gardez votre ticket : il vous servira à la sortie.", "Conserve su tique: lo necesitará al salir."],
  insideNowPhone: ["Do not close this page: you need the code to leave.", "Non chiudere questa pagina: il codice ti serve per uscire.", "Schließen Sie diese Seite nicht: Sie brauchen den Code beim Hinausgehen.", "Ne fermez pas cette page : le code vous servira à la sortie.", "No cierre esta página: necesitará el código al salir."],
  usedNow: ["Thank you, goodbye.", "Grazie, arrivederci.", "Danke, auf Wiedersehen.", "Merci, au revoir.", "Gracias, hasta pronto."],
  missedNow: ["Get a new ticket, or ask the staff.", "Prendi un nuovo biglietto o chiedi al personale.", "Ziehen Sie ein neues Ticket oder fragen Sie das Personal.", "Prenez un nouveau ticket ou adressez-vous au personnel.", "Saque un turno nuevo o pregunte al personal."],
  closedNow: ["Please get a new ticket when the shop is open.", "Prendi un nuovo biglietto quando il negozio è aperto.", "Bitte ziehen Sie ein neues Ticket, wenn das Geschäft geöffnet ist.", "Prenez un nouveau ticket quand le magasin sera ouvert.", "Saque un turno nuevo cuando la tienda esté abierta."],
  mayUndo: ["You have {time} to change your mind.", "Hai ancora {time} per ripensarci.", "Sie haben noch {time}, um es sich anders zu überlegen.", "Vous avez encore {time} pour changer d’avis.", "Aún tiene {time} para cambiar de idea."],
  takeBack: ["Take my place back", "Riprendo il mio posto", "Meinen Platz zurückholen", "Reprendre ma place", "Recuperar mi plaza"],
  formerPlace: ["Take my old place back", "Riprendo il posto di prima", "Meinen alten Platz zurückholen", "Reprendre mon ancienne place", "Recuperar mi plaza anterior"],
  unknown: ["This link is not valid", "Questo link non è valido", "Dieser Link ist nicht gültig", "Ce lien n’est pas valable", "Este enlace no es válido"],
  unknownNow: ["It ends with the ticket. Scan the code on your ticket again, or ask the staff.", "Scade con il biglietto. Inquadra di nuovo il codice del biglietto o chiedi al personale.", "Er gilt nur so lange wie das Ticket. Scannen Sie den Code auf Ihrem Ticket noch einmal oder fragen Sie das Personal.", "Il expire avec le ticket. Scannez à nouveau le code de votre ticket ou adressez-vous au personnel.", "Caduca con el tique. Vuelva a escanear el código de su tique o pregunte al personal."],
  none: ["Scan the code on your ticket", "Inquadra il codice del biglietto", "Scannen Sie den Code auf Ihrem Ticket", "Scannez le code de votre ticket", "Escanee el código de su tique"],

  since: ["Changes since {time}: {changes}", "Rispetto alle {time}: {changes}", "Änderungen seit {time} Uhr: {changes}", "Depuis {time} : {changes}", "Cambios desde las {time}: {changes}"],
  fewer: ["{people} fewer ahead of you", "{people} in meno prima di te", "{people} weniger vor Ihnen", "{people} de moins avant vous", "{people} menos delante de usted"],
  more: ["{people} more ahead of you", "{people} in più prima di te", "{people} mehr vor Ihnen", "{people} de plus avant vous", "{people} más delante de usted"],
  earlier: ["your turn {minutes} earlier", "orario anticipato di {minutes}", "Einlass {minutes} früher", "entrée {minutes} plus tôt", "turno {minutes} antes"],
  later: ["your turn {minutes} later", "orario posticipato di {minutes}", "Einlass {minutes} später", "entrée {minutes} plus tard", "turno {minutes} más tarde"],

  howFar: ["How long will it take you to come?", "Quanto ci metti ad arrivare?", "Wie lange brauchen Sie bis zum Geschäft?", "Combien de temps vous faut-il pour venir ?", "¿Cuánto tarda en llegar?"],
  position: ["Use my location", "Usa la mia posizione", "Meinen Standort verwenden", "Utiliser ma position", "Usar mi ubicación"],
  positionStays: ["Your location does not leave this phone.", "La tua posizione non esce da questo telefono.", "Ihr Standort verlässt dieses Handy nicht.", "Votre position ne quitte pas ce téléphone.", "Su ubicación no sale de este móvil."],
  noPosition: ["Your location is not available.", "La posizione non è disponibile.", "Ihr Standort ist nicht verfügbar.", "Votre position n’est pas disponible.", "Su ubicación no está disponible."],
  leaveAt: ["Set off at {time}", "Parti alle {time}", "Um {time} Uhr losgehen", "Partez à {time}", "Salga hacia la tienda a las {time}"],
  leaveNow: ["Set off now", "Parti ora", "Jetzt losgehen", "Partez maintenant", "Salga ya hacia la tienda"],

  moreTime: ["Need more time?", "Ti serve più tempo?", "Brauchen Sie mehr Zeit?", "Il vous faut plus de temps ?", "¿Necesita más tiempo?"],
  letAhead: ["Let {people} go ahead", "Faccio passare avanti {people}", "{people} vorlassen", "Laisser passer {people}", "Dejar pasar a {people}"],
  sameNumber: ["Your number stays the same.", "Il tuo numero resta lo stesso.", "Ihre Nummer bleibt gleich.", "Votre numéro ne change pas.", "Su número no cambia."],
  nowLater: ["The time is now later. Please check it.", "L’orario è slittato. Controllalo.", "Der Einlass ist jetzt später. Passt das noch?", "Ce sera plus tard que prévu. Vérifiez l’heure.", "Ahora sería más tarde. Compruebe la hora."],

  why: ["This shows that the place is yours.", "Così sappiamo che il posto è tuo.", "So wissen wir, dass der Platz Ihnen gehört.", "Cela montre que la place est à vous.", "Así sabemos que la plaza es suya."],
  digits: ["The ten digits under the code on your ticket", "Le dieci cifre sotto il codice del biglietto", "Die zehn Ziffern unter dem Code auf Ihrem Ticket", "Les dix chiffres sous le code de votre ticket", "Las diez cifras bajo el código de su tique"],
  twoMinutes: ["You will have two minutes to change your mind.", "Avrai due minuti per ripensarci.", "Sie können es sich danach noch zwei Minuten lang anders überlegen.", "Vous aurez deux minutes pour changer d’avis.", "Tendrá dos minutos para cambiar de idea."],
  final: ["Your number has already been called: you cannot undo this.", "Il tuo numero è già stato chiamato: non potrai ripensarci.", "Ihre Nummer ist schon aufgerufen: Sie können das nicht rückgängig machen.", "Votre numéro a déjà été appelé : vous ne pourrez pas changer d’avis.", "Su turno ya ha sido llamado: no podrá cambiar de idea."],
  wrong: ["That is not right. Please check all ten digits.", "Le cifre non sono giuste. Controllale tutte e dieci.", "Das stimmt nicht. Bitte prüfen Sie alle zehn Ziffern.", "Ces chiffres ne sont pas les bons. Vérifiez-les tous.", "No es correcto. Compruebe las diez cifras."],
};
