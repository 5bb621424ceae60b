// The texts of notices, by language in the order of languages.js. {time} is replaced. A notice has a title, whose name is
// its kind, and a body, whose name ends with `Now`, or with `By` if it names the time of the notice. `place` is the plain
// notice of a push that is not understood.

export const workerTexts = {
  called: ["It is your turn", "Tocca a te", "Sie sind an der Reihe", "C’est votre tour", "Es su turno"],
  calledBy: ["Please come in by {time}.", "Puoi entrare fino alle {time}.", "Bitte treten Sie bis {time} Uhr ein.", "Vous pouvez entrer jusqu’à {time}.", "Puede entrar hasta las {time}."],
  calledNow: ["Please come in.", "Puoi entrare.", "Bitte treten Sie ein.", "Vous pouvez entrer.", "Puede entrar."],
  soon: ["It is almost your turn", "Tra poco tocca a te", "Sie sind gleich an der Reihe", "C’est bientôt votre tour", "Pronto será su turno"],
  soonNow: ["Your number will be called in about two minutes.", "Il tuo numero sarà chiamato tra circa due minuti.", "Ihre Nummer wird in etwa zwei Minuten aufgerufen.", "Votre numéro sera appelé dans deux minutes environ.", "Su turno llegará en unos dos minutos."],
  later: ["It is taking longer", "L’attesa si allunga", "Es dauert länger", "L’attente s’allonge", "La espera se alarga"],
  laterBy: ["Your turn will come after {time}.", "Toccherà a te dopo le {time}.", "Erwarteter Einlass: ab {time} Uhr.", "Entrée prévue à partir de {time}.", "Su turno llegará a partir de las {time}."],
  laterNow: ["Touch here to see when you can come in.", "Tocca qui per vedere quando potrai entrare.", "Tippen Sie hier, um zu sehen, wann Sie eintreten können.", "Touchez ici pour voir quand vous pourrez entrer.", "Toque aquí para ver cuándo podrá entrar."],
  closed: ["The shop has closed", "Il negozio ha chiuso", "Das Geschäft hat geschlossen", "Le magasin a fermé", "La tienda ha cerrado"],
  closedNow: ["It closed before your turn. Please get a new ticket when the shop is open again.", "Ha chiuso prima del tuo turno. Prendi un nuovo biglietto quando riapre.", "Sie waren leider noch nicht an der Reihe. Bitte ziehen Sie ein neues Ticket, wenn das Geschäft wieder geöffnet ist.", "Il a fermé avant votre tour. Prenez un nouveau ticket quand il rouvrira.", "Ha cerrado antes de su turno. Saque un turno nuevo cuando vuelva a abrir."],
  "given-back": ["Your place was cancelled", "Il tuo posto è stato disdetto", "Ihr Platz wurde storniert", "Votre place a été annulée", "Se ha anulado su plaza"],
  "given-backNow": ["If you did not do this, please ask the staff.", "Se non l’hai disdetto tu, chiedi al personale.", "Wenn Sie das nicht selbst getan haben, fragen Sie bitte das Personal.", "Si vous ne l’avez pas annulée vous-même, adressez-vous au personnel.", "Si no la ha anulado usted, pregunte al personal."],
  cancelled: ["Your visit was cancelled", "La tua visita è stata annullata", "Ihr Termin wurde abgesagt", "Votre visite a été annulée", "Se ha anulado su visita"],
  cancelledNow: ["The shop has changed its opening hours. We are sorry. At the shop’s machine you can book another visit.", "Il negozio ha cambiato gli orari di apertura. Ci dispiace. Alla macchina del negozio puoi prenotare un’altra visita.", "Das Geschäft hat seine Öffnungszeiten geändert. Das tut uns leid. Bitte buchen Sie am Automaten des Geschäfts einen neuen Termin.", "Le magasin a changé ses horaires d’ouverture. Nous en sommes désolés. À la borne du magasin, vous pouvez réserver une autre visite.", "La tienda ha cambiado su horario de apertura. Lo sentimos. En la máquina de la tienda puede reservar otra visita."],
  missed: ["Your turn has passed", "Il tuo turno è passato", "Sie waren schon an der Reihe", "Votre tour est passé", "Su turno ya ha pasado"],
  missedBy: ["You have until {time} to take your place back: touch here.", "Hai tempo fino alle {time} per riprendere il tuo posto: tocca qui.", "Sie können Ihren Platz bis {time} Uhr zurückholen: Tippen Sie hier.", "Vous avez jusqu’à {time} pour reprendre votre place : touchez ici.", "Tiene hasta las {time} para recuperar su plaza: toque aquí."],
  missedNow: ["If you still want to come in, please ask the staff.", "Se vuoi ancora entrare, chiedi al personale.", "Wenn Sie noch eintreten möchten, fragen Sie bitte das Personal.", "Si vous souhaitez toujours entrer, adressez-vous au personnel.", "Si aún quiere entrar, pregunte al personal."],
  restored: ["You have your place back", "Hai di nuovo il tuo posto", "Sie haben Ihren Platz wieder", "Vous avez retrouvé votre place", "Ha recuperado su plaza"],
  restoredNow: ["Touch here to see when you can come in.", "Tocca qui per vedere quando potrai entrare.", "Tippen Sie hier, um zu sehen, wann Sie eintreten können.", "Touchez ici pour voir quand vous pourrez entrer.", "Toque aquí para ver cuándo podrá entrar."],
  place: ["Your place in the queue", "Il tuo posto in coda", "Ihr Platz in der Warteschlange", "Votre place dans la file", "Su turno en la cola"],
  placeNow: ["There is news. Touch here to see it.", "Ci sono novità. Tocca qui per vederle.", "Es gibt Neues. Tippen Sie hier, um es zu sehen.", "Il y a du nouveau. Touchez ici pour le voir.", "Hay novedades. Toque aquí para verlas."],
};
