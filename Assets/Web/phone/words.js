// Every text of the phone's page by language (BCP 47 primary subtag). {name} is replaced.

const texts = {
  title: { en: "Your place in the queue", it: "Il tuo posto in coda", de: "Ihr Platz in der Warteschlange", fr: "Votre place dans la file", es: "Su turno en la cola" },
  language: { en: "Language", it: "Lingua", de: "Sprache", fr: "Langue", es: "Idioma" },
  larger: { en: "Larger text", it: "Testo più grande", de: "Größere Schrift", fr: "Texte plus grand", es: "Letra más grande" },
  moment: { en: "One moment", it: "Un momento", de: "Einen Moment", fr: "Un instant", es: "Un momento" },

  yourNumber: { en: "Your number", it: "Il tuo numero", de: "Ihre Nummer", fr: "Votre numéro", es: "Su número" },
  comeIn: { en: "Your turn will come", it: "Toccherà a te", de: "Erwarteter Einlass", fr: "Entrée prévue", es: "Su turno llegará" },
  between: { en: "between {from} and {to}", it: "tra le {from} e le {to}", de: "zwischen {from} und {to} Uhr", fr: "entre {from} et {to}", es: "entre las {from} y las {to}" },
  soon: { en: "any moment now", it: "da un momento all’altro", de: "jeden Moment", fr: "d’un instant à l’autre", es: "de un momento a otro" },
  people: { en: "{n} people", it: "{n} persone", de: "{n} Personen", fr: "{n} personnes", es: "{n} personas" },
  person: { en: "1 person", it: "1 persona", de: "1 Person", fr: "1 personne", es: "1 persona" },
  before: { en: "{people} ahead of you", it: "{people} prima di te", de: "{people} vor Ihnen", fr: "{people} avant vous", es: "{people} delante de usted" },
  next: { en: "You are next", it: "Il prossimo numero è il tuo", de: "Sie sind als Nächstes an der Reihe", fr: "Votre numéro est le prochain", es: "El próximo turno es el suyo" },
  at: { en: "at {time}", it: "alle {time}", de: "um {time} Uhr", fr: "à {time}", es: "a las {time}" },
  yourVisit: { en: "Your visit", it: "La tua visita", de: "Ihr Termin", fr: "Votre visite", es: "Su visita" },

  called: { en: "Please come in", it: "Puoi entrare", de: "Bitte eintreten", fr: "Vous pouvez entrer", es: "Puede entrar" },
  until: { en: "by {time}", it: "entro le {time}", de: "bis {time} Uhr", fr: "avant {time}", es: "hasta las {time}" },
  left: { en: "{time} left", it: "ancora {time}", de: "noch {time}", fr: "encore {time}", es: "tiempo restante: {time}" },
  showTicket: { en: "Show the large code on your ticket at the entrance.", it: "Mostra all’ingresso il codice grande del biglietto.", de: "Zeigen Sie am Eingang den großen Code auf Ihrem Ticket.", fr: "Présentez à l’entrée le grand code de votre ticket.", es: "Muestre en la entrada el código grande de su tique." },

  inside: { en: "You are inside", it: "Sei nel negozio", de: "Sie sind im Geschäft", fr: "Vous êtes dans le magasin", es: "Está en la tienda" },
  insideNow: { en: "Keep your ticket: you need it to leave.", it: "Conserva il biglietto: ti serve per uscire.", de: "Behalten Sie Ihr Ticket: Sie brauchen es beim Hinausgehen.", fr: "Gardez votre ticket : il vous servira à la sortie.", es: "Conserve su tique: lo necesitará al salir." },
  used: { en: "Your visit is over", it: "La visita è finita", de: "Ihr Einkauf ist beendet", fr: "Votre visite est terminée", es: "Su visita ha terminado" },
  usedNow: { en: "Thank you, goodbye.", it: "Grazie, arrivederci.", de: "Danke, auf Wiedersehen.", fr: "Merci, au revoir.", es: "Gracias, hasta pronto." },
  missed: { en: "Your turn has passed", it: "Il tuo turno è passato", de: "Sie waren schon an der Reihe", fr: "Votre tour est passé", es: "Su turno ya ha pasado" },
  missedNow: { en: "Get a new ticket, or ask the staff.", it: "Prendi un nuovo biglietto o chiedi al personale.", de: "Ziehen Sie ein neues Ticket oder fragen Sie das Personal.", fr: "Prenez un nouveau ticket ou adressez-vous au personnel.", es: "Saque un turno nuevo o pregunte al personal." },
  reclaimNow: { en: "You have until {time} to take your place back, but only once.", it: "Hai tempo fino alle {time} per riprendere il tuo posto, ma una volta sola.", de: "Sie können Ihren Platz bis {time} Uhr zurückholen, aber nur einmal.", fr: "Vous avez jusqu’à {time} pour reprendre votre place, mais une seule fois.", es: "Tiene hasta las {time} para recuperar su plaza, pero solo una vez." },
  closed: { en: "The shop closed before your turn", it: "Il negozio ha chiuso prima del tuo turno", de: "Das Geschäft schloss, bevor Sie an der Reihe waren", fr: "Le magasin a fermé avant votre tour", es: "La tienda cerró antes de su turno" },
  closedNow: { en: "Please get a new ticket when the shop is open.", it: "Prendi un nuovo biglietto quando il negozio è aperto.", de: "Bitte ziehen Sie ein neues Ticket, wenn das Geschäft geöffnet ist.", fr: "Prenez un nouveau ticket quand le magasin sera ouvert.", es: "Saque un turno nuevo cuando la tienda esté abierta." },
  deleted: { en: "This ticket was cancelled", it: "Questo biglietto è stato disdetto", de: "Dieses Ticket wurde storniert", fr: "Ce ticket a été annulé", es: "Este tique está anulado" },
  mayUndo: { en: "You have {time} to change your mind.", it: "Hai ancora {time} per ripensarci.", de: "Sie haben noch {time}, um es sich anders zu überlegen.", fr: "Vous avez encore {time} pour changer d’avis.", es: "Aún tiene {time} para cambiar de idea." },
  takeBack: { en: "Take my place back", it: "Riprendo il mio posto", de: "Meinen Platz zurückholen", fr: "Reprendre ma place", es: "Recuperar mi plaza" },
  formerPlace: { en: "Take my old place back", it: "Riprendo il posto di prima", de: "Meinen alten Platz zurückholen", fr: "Reprendre mon ancienne place", es: "Recuperar mi plaza anterior" },
  unknown: { en: "This link is not valid", it: "Questo link non è valido", de: "Dieser Link ist nicht gültig", fr: "Ce lien n’est pas valable", es: "Este enlace no es válido" },
  unknownNow: { en: "It ends with the ticket. Scan the small code on your ticket again, or ask the staff.", it: "Scade con il biglietto. Inquadra di nuovo il codice piccolo del biglietto o chiedi al personale.", de: "Er gilt nur so lange wie das Ticket. Scannen Sie den kleinen Code auf Ihrem Ticket noch einmal oder fragen Sie das Personal.", fr: "Il expire avec le ticket. Scannez à nouveau le petit code de votre ticket ou adressez-vous au personnel.", es: "Caduca con el tique. Vuelva a escanear el código pequeño de su tique o pregunte al personal." },
  none: { en: "Scan the small code on your ticket", it: "Inquadra il codice piccolo del biglietto", de: "Scannen Sie den kleinen Code auf Ihrem Ticket", fr: "Scannez le petit code de votre ticket", es: "Escanee el código pequeño de su tique" },
  noneNow: { en: "You will then see when you can come in.", it: "Così vedrai quando potrai entrare.", de: "Dann sehen Sie, wann Sie eintreten können.", fr: "Vous verrez alors quand entrer.", es: "Así verá cuándo podrá entrar." },

  since: { en: "Changes since {time}: {changes}", it: "Rispetto alle {time}: {changes}", de: "Änderungen seit {time} Uhr: {changes}", fr: "Depuis {time} : {changes}", es: "Cambios desde las {time}: {changes}" },
  fewer: { en: "{people} fewer ahead of you", it: "{people} in meno prima di te", de: "{people} weniger vor Ihnen", fr: "{people} de moins avant vous", es: "{people} menos delante de usted" },
  more: { en: "{people} more ahead of you", it: "{people} in più prima di te", de: "{people} mehr vor Ihnen", fr: "{people} de plus avant vous", es: "{people} más delante de usted" },
  earlier: { en: "your turn {minutes} earlier", it: "orario anticipato di {minutes}", de: "Einlass {minutes} früher", fr: "entrée {minutes} plus tôt", es: "turno {minutes} antes" },
  later: { en: "your turn {minutes} later", it: "orario posticipato di {minutes}", de: "Einlass {minutes} später", fr: "entrée {minutes} plus tard", es: "turno {minutes} más tarde" },
  old: { en: "As of {ago}", it: "Situazione di {ago}", de: "Stand: {ago}", fr: "Situation d’{ago}", es: "Datos de {ago}" },
  offline: { en: "No connection.", it: "Nessuna connessione.", de: "Keine Verbindung.", fr: "Pas de connexion.", es: "Sin conexión." },
  outOfDate: { en: "This may be out of date.", it: "Questi dati potrebbero non essere aggiornati.", de: "Diese Angaben sind vielleicht nicht mehr aktuell.", fr: "Ces informations ne sont peut-être plus à jour.", es: "Puede que estos datos ya no estén al día." },
  watch: { en: "Please watch the display in front of the shop.", it: "Guarda il tabellone davanti al negozio.", de: "Bitte achten Sie auf die Anzeige vor dem Geschäft.", fr: "Regardez l’écran d’appel devant le magasin.", es: "Mire la pantalla que hay delante de la tienda." },

  howFar: { en: "How long will it take you to come?", it: "Quanto ci metti ad arrivare?", de: "Wie lange brauchen Sie bis zum Geschäft?", fr: "Combien de temps vous faut-il pour venir ?", es: "¿Cuánto tarda en llegar?" },
  position: { en: "Use my location", it: "Usa la mia posizione", de: "Meinen Standort verwenden", fr: "Utiliser ma position", es: "Usar mi ubicación" },
  positionStays: { en: "Your location does not leave this phone.", it: "La tua posizione non esce da questo telefono.", de: "Ihr Standort verlässt dieses Handy nicht.", fr: "Votre position ne quitte pas ce téléphone.", es: "Su ubicación no sale de este móvil." },
  noPosition: { en: "Your location is not available.", it: "La posizione non è disponibile.", de: "Ihr Standort ist nicht verfügbar.", fr: "Votre position n’est pas disponible.", es: "Su ubicación no está disponible." },
  onFoot: { en: "About {minutes} on foot", it: "Circa {minutes} a piedi", de: "Etwa {minutes} zu Fuß", fr: "Environ {minutes} à pied", es: "Aproximadamente {minutes} a pie" },
  leaveAt: { en: "Set off at {time}", it: "Parti alle {time}", de: "Um {time} Uhr losgehen", fr: "Mettez-vous en route à {time}", es: "Póngase en camino a las {time}" },
  leaveNow: { en: "Set off now", it: "Parti ora", de: "Jetzt losgehen", fr: "Mettez-vous en route", es: "Póngase en camino ahora" },
  calendar: { en: "Add to my calendar", it: "Aggiungi al mio calendario", de: "In meinen Kalender eintragen", fr: "Ajouter à mon agenda", es: "Añadir a mi calendario" },

  moreTime: { en: "Need more time?", it: "Ti serve più tempo?", de: "Brauchen Sie mehr Zeit?", fr: "Il vous faut plus de temps ?", es: "¿Necesita más tiempo?" },
  letAhead: { en: "Let {people} go ahead", it: "Faccio passare avanti {people}", de: "{people} vorlassen", fr: "Laisser passer {people}", es: "Dejar pasar a {people}" },
  sameNumber: { en: "Your number stays the same.", it: "Il tuo numero resta lo stesso.", de: "Ihre Nummer bleibt gleich.", fr: "Votre numéro ne change pas.", es: "Su número no cambia." },
  nowLater: { en: "The time is now later. Please check it.", it: "L’orario è slittato. Controllalo.", de: "Der Einlass ist jetzt später. Passt das noch?", fr: "Ce sera plus tard que prévu. Vérifiez l’heure.", es: "Ahora sería más tarde. Compruebe la hora." },

  notComing: { en: "I am not coming", it: "Non vengo più", de: "Ich komme doch nicht", fr: "Je ne viens plus", es: "No voy a ir" },
  why: { en: "This shows that the place is yours.", it: "Così sappiamo che il posto è tuo.", de: "So wissen wir, dass der Platz Ihnen gehört.", fr: "Cela montre que la place est à vous.", es: "Así sabemos que la plaza es suya." },
  digits: { en: "The ten digits under the large code on your ticket", it: "Le dieci cifre sotto il codice grande del biglietto", de: "Die zehn Ziffern unter dem großen Code auf Ihrem Ticket", fr: "Les dix chiffres sous le grand code de votre ticket", es: "Las diez cifras bajo el código grande de su tique" },
  twoMinutes: { en: "You will have two minutes to change your mind.", it: "Avrai due minuti per ripensarci.", de: "Sie können es sich danach noch zwei Minuten lang anders überlegen.", fr: "Vous aurez deux minutes pour changer d’avis.", es: "Tendrá dos minutos para cambiar de idea." },
  final: { en: "Your number has already been called: you cannot undo this.", it: "Il tuo numero è già stato chiamato: non potrai ripensarci.", de: "Ihre Nummer ist schon aufgerufen: Sie können das nicht rückgängig machen.", fr: "Votre numéro a déjà été appelé : vous ne pourrez pas changer d’avis.", es: "Su turno ya ha sido llamado: no podrá cambiar de idea." },
  giveBack: { en: "Give up my place", it: "Rinuncio al mio posto", de: "Meinen Platz freigeben", fr: "Libérer ma place", es: "Dejar mi plaza" },
  keep: { en: "Keep my place", it: "Tengo il mio posto", de: "Meinen Platz behalten", fr: "Garder ma place", es: "Conservar mi plaza" },
  gone: { en: "That is no longer possible.", it: "Non è più possibile.", de: "Das ist nicht mehr möglich.", fr: "Ce n’est plus possible.", es: "Ya no es posible." },
  wrong: { en: "That is not right. Please check all ten digits.", it: "Non è giusto. Controlla tutte le dieci cifre.", de: "Das stimmt nicht. Bitte prüfen Sie alle zehn Ziffern.", fr: "Ce n’est pas cela. Vérifiez les dix chiffres.", es: "No es correcto. Compruebe las diez cifras." },
  tooMany: { en: "Too many tries. Please wait a few minutes, or ask the staff.", it: "Troppi tentativi. Aspetta qualche minuto, o chiedi al personale.", de: "Zu viele Versuche. Bitte warten Sie einige Minuten oder fragen Sie das Personal.", fr: "Trop d’essais. Attendez quelques minutes ou adressez-vous au personnel.", es: "Demasiados intentos. Espere unos minutos o pregunte al personal." },
  didNotWork: { en: "That did not work. Please try again.", it: "Non ha funzionato. Riprova.", de: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.", fr: "Cela n’a pas marché. Réessayez.", es: "No ha funcionado. Inténtelo de nuevo." },
};

/** Whether there are texts in a language. */
export const isKnown = (language) => language in texts.title;

/** A time of the shop's clock (HH:MM) as the language writes it in a sentence. */
export function spelled(time, language) {
  return language === "fr" ? time.replace(/^0?(\d+):/, "$1h") : time;
}

/** The text by name in a language. */
export function text(name, language, values = {}) {
  return texts[name][language].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
