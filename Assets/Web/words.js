// Every text of the pages by language (BCP 47 primary subtag). {name} is replaced.

const texts = {
  clock: { en: "{hour}:{minute}", it: "{hour}:{minute}", de: "{hour}:{minute}", fr: "{hour}h{minute}", es: "{hour}:{minute}" },
  called: { en: "Please come in", it: "Puoi entrare", de: "Bitte eintreten", fr: "Vous pouvez entrer", es: "Puede entrar" },
  until: { en: "by {time}", it: "entro le {time}", de: "bis {time} Uhr", fr: "avant {time}", es: "hasta las {time}" },
  nobody: { en: "No number is being called", it: "Nessun numero chiamato", de: "Keine Nummer aufgerufen", fr: "Aucun numéro appelé", es: "Ningún turno llamado" },
  nobodyWaits: { en: "Nobody is waiting", it: "Nessuno in attesa", de: "Niemand wartet", fr: "Personne n’attend", es: "No hay nadie esperando" },
  next: { en: "Next", it: "Prossimi", de: "Als Nächstes", fr: "Suivants", es: "Siguientes" },
  about: { en: "about", it: "verso le", de: "gegen", fr: "vers", es: "hacia las" },
  expected: { en: "expected time", it: "ora prevista", de: "etwa um", fr: "heure prévue", es: "hora prevista" },
  booked: { en: "booked visit", it: "visita prenotata", de: "gebuchter Termin", fr: "visite réservée", es: "visita reservada" },
  newTicket: { en: "New ticket", it: "Nuovo biglietto", de: "Neues Ticket", fr: "Nouveau ticket", es: "Nuevo turno" },
  join: { en: "Join with your phone", it: "In coda con il telefono", de: "Mit dem Handy anstellen", fr: "La file sur votre téléphone", es: "Haga cola con el móvil" },
  arriveForOrder: { en: "Collecting an order? Scan here", it: "Ritiri un ordine? Inquadra qui", de: "Bestellung abholen? Hier scannen", fr: "Commande à retirer ? Scannez ici", es: "¿Recoge un pedido? Escanee aquí" },
  noWait: { en: "No wait at the moment", it: "Nessuna attesa al momento", de: "Zurzeit keine Wartezeit", fr: "Pas d’attente pour le moment", es: "Sin espera en este momento" },
  noTicket: { en: "No tickets left", it: "Biglietti finiti", de: "Keine Tickets mehr", fr: "Tickets épuisés", es: "No quedan turnos" },
  further: { en: "From {number} on: after {time}", it: "Dal {number} in poi: dopo le {time}", de: "Ab {number}: nach {time}", fr: "À partir du {number} : après {time}", es: "Desde el {number}: después de las {time}" },
  closed: { en: "We are closed", it: "Siamo chiusi", de: "Geschlossen", fr: "Fermé", es: "Cerrado" },
  callsEnded: { en: "Tickets that were not called are no longer valid", it: "I biglietti non chiamati non valgono più", de: "Nicht aufgerufene Tickets gelten nicht mehr", fr: "Les tickets non appelés ne sont plus valables", es: "Los turnos no llamados ya no son válidos" },
  opens: { en: "Opens at {time}", it: "Apre alle {time}", de: "Öffnet um {time} Uhr", fr: "Ouvre à {time}", es: "Abre a las {time}" },
  old: { en: "As of {seconds} seconds ago", it: "Situazione di {seconds} secondi fa", de: "Stand vor {seconds} Sekunden", fr: "Situation d’il y a {seconds} secondes", es: "Datos de hace {seconds} segundos" },
  askStaff: { en: "Please ask the staff", it: "Chiedi al personale", de: "Bitte fragen Sie das Personal", fr: "Adressez-vous au personnel", es: "Pregunte al personal" },

  entranceIdle: { en: "Show your ticket here", it: "Mostra qui il biglietto", de: "Ticket hier zeigen", fr: "Présentez votre ticket ici", es: "Muestre aquí su tique" },
  checkoutIdle: { en: "Scan the ticket", it: "Scansiona il biglietto", de: "Ticket scannen", fr: "Scannez le ticket", es: "Escanee el tique" },
  turnstileIdle: { en: "To leave, show your ticket", it: "Per uscire, mostra il biglietto", de: "Zum Verlassen Ticket zeigen", fr: "Pour sortir, présentez votre ticket", es: "Para salir, muestre su tique" },
  touch: { en: "No code to scan? Touch here", it: "Senza codice? Tocca qui", de: "Kein Code? Hier berühren", fr: "Pas de code ? Touchez ici", es: "¿Sin código? Toque aquí" },
  type: { en: "Show your ticket, or type its ten digits", it: "Mostra il biglietto o digita le sue dieci cifre", de: "Ticket zeigen oder seine zehn Ziffern eintippen", fr: "Présentez votre ticket ou tapez ses dix chiffres", es: "Muestre su tique o teclee sus diez cifras" },
  checking: { en: "One moment", it: "Un momento", de: "Einen Moment", fr: "Un instant", es: "Un momento" },
  delete: { en: "Erase", it: "Correggi", de: "Korrektur", fr: "Corriger", es: "Corregir" },

  entranceYes: { en: "Come in", it: "Entra", de: "Bitte eintreten", fr: "Entrez", es: "Pase" },
  checkoutYes: { en: "Valid: number {number} is leaving", it: "Valido: esce il numero {number}", de: "Gültig: Nummer {number} verlässt das Geschäft", fr: "Valable : le numéro {number} sort", es: "Válido: sale el número {number}" },
  cashier: { en: "For the cashier: this visit is over", it: "Per la cassa: questa visita è finita", de: "Für die Kasse: Dieser Einkauf ist beendet", fr: "Pour la caisse : cette visite est terminée", es: "Para la caja: esta visita ha terminado" },
  turnstileYes: { en: "Thank you, goodbye", it: "Grazie, arrivederci", de: "Danke, auf Wiedersehen", fr: "Merci, au revoir", es: "Gracias, hasta pronto" },
  notRead: { en: "This ticket was not read at the entrance", it: "Questo biglietto non è stato letto all’ingresso", de: "Dieses Ticket wurde am Eingang nicht gelesen", fr: "Ce ticket n’a pas été lu à l’entrée", es: "Este tique no se leyó en la entrada" },
  notYet: { en: "Not your turn yet", it: "Non è ancora il tuo turno", de: "Sie sind noch nicht an der Reihe", fr: "Ce n’est pas encore votre tour", es: "Todavía no es su turno" },
  notYetWhen: { en: "Come back at about {time}", it: "Torna verso le {time}", de: "Kommen Sie gegen {time} Uhr wieder", fr: "Revenez vers {time}", es: "Vuelva hacia las {time}" },
  otherDay: { en: "Your visit is on another day", it: "La tua visita è un altro giorno", de: "Ihr Termin ist an einem anderen Tag", fr: "Votre visite est prévue un autre jour", es: "Su visita es otro día" },
  otherDayWhen: { en: "Come on {day} at {time}", it: "Vieni {day} alle {time}", de: "Kommen Sie am {day} um {time} Uhr", fr: "Venez {day} à {time}", es: "Venga el {day} a las {time}" },
  orderNotCalled: { en: "This order has not been called to a desk", it: "Questo ordine non è stato chiamato a un banco", de: "Diese Bestellung ist an keinen Schalter aufgerufen", fr: "Cette commande n’est pas appelée à un comptoir", es: "Este pedido no ha sido llamado a un mostrador" },
  showAtMachine: { en: "Show the code at the ticket machine", it: "Mostra il codice alla macchina dei biglietti", de: "Zeigen Sie den Code am Ticketautomaten", fr: "Présentez le code à la borne à tickets", es: "Muestre el código en la máquina de turnos" },
  goToDesk: { en: "Please go to desk {desk}", it: "Vai al banco ritiri {desk}", de: "Bitte zum Abholschalter {desk}", fr: "Allez au comptoir {desk}", es: "Vaya al mostrador {desk}" },
  watch: { en: "Watch the display", it: "Guarda il tabellone", de: "Achten Sie auf die Anzeige", fr: "Regardez l’écran d’appel", es: "Mire la pantalla" },
  missed: { en: "Your turn has passed", it: "Il tuo turno è passato", de: "Aufruf verpasst", fr: "Tour passé", es: "Turno pasado" },
  closedBefore: { en: "The shop closed before your turn", it: "Il negozio ha chiuso prima del tuo turno", de: "Das Geschäft schloss, bevor Sie an der Reihe waren", fr: "Le magasin a fermé avant votre tour", es: "La tienda cerró antes de su turno" },
  newOne: { en: "Please get a new ticket", it: "Prendi un nuovo biglietto", de: "Bitte ziehen Sie ein neues Ticket", fr: "Prenez un nouveau ticket", es: "Saque un turno nuevo" },
  newOrStaff: { en: "Get a new ticket, or ask the staff", it: "Prendi un nuovo biglietto o chiedi al personale", de: "Ziehen Sie ein neues Ticket oder fragen Sie das Personal", fr: "Prenez un nouveau ticket ou adressez-vous au personnel", es: "Saque un turno nuevo o pregunte al personal" },
  inside: { en: "Someone has already come in with this ticket", it: "Con questo biglietto qualcuno è già entrato", de: "Mit diesem Ticket ist schon jemand eingetreten", fr: "Quelqu’un est déjà entré avec ce ticket", es: "Alguien ya ha entrado con este tique" },
  used: { en: "Already used", it: "Già usato", de: "Schon benutzt", fr: "Déjà utilisé", es: "Ya utilizado" },
  otherOne: { en: "Show another ticket, or ask the staff", it: "Mostra un altro biglietto o chiedi al personale", de: "Zeigen Sie ein anderes Ticket oder fragen Sie das Personal", fr: "Présentez un autre ticket ou adressez-vous au personnel", es: "Muestre otro tique o pregunte al personal" },
  deleted: { en: "This ticket was cancelled", it: "Questo biglietto è stato disdetto", de: "Dieses Ticket ist storniert", fr: "Ce ticket a été annulé", es: "Este tique está anulado" },
  notInside: { en: "Nobody has come in with this ticket", it: "Con questo biglietto non è entrato nessuno", de: "Mit diesem Ticket ist niemand eingetreten", fr: "Personne n’est entré avec ce ticket", es: "Nadie ha entrado con este tique" },
  otherShop: { en: "Code of another shop", it: "Codice di un altro negozio", de: "Code eines anderen Geschäfts", fr: "Code d’un autre magasin", es: "Código de otra tienda" },
  validThere: { en: "It is valid at the shop whose name is on the ticket", it: "Vale nel negozio indicato sul biglietto", de: "Er gilt in dem Geschäft, das auf dem Ticket steht", fr: "Il est valable au magasin indiqué sur le ticket", es: "Vale en la tienda que figura en el tique" },
  unknown: { en: "We do not know this code", it: "Codice sconosciuto", de: "Code unbekannt", fr: "Code inconnu", es: "Código desconocido" },
  checkDigits: { en: "Check the digits, or ask the staff", it: "Controlla le cifre, o chiedi al personale", de: "Bitte prüfen Sie die Ziffern oder fragen Sie das Personal", fr: "Vérifiez les chiffres ou adressez-vous au personnel", es: "Compruebe las cifras o pregunte al personal" },
  unreadable: { en: "This code cannot be read", it: "Codice illeggibile", de: "Code nicht lesbar", fr: "Code illisible", es: "Código ilegible" },
  holdFlat: { en: "Hold the ticket flat and still, or type the ten digits under the code", it: "Tieni il biglietto disteso e fermo, o digita le dieci cifre sotto il codice", de: "Halten Sie das Ticket flach und ruhig oder tippen Sie die zehn Ziffern unter dem Code ein", fr: "Tenez le ticket à plat sans bouger, ou tapez les dix chiffres sous le code", es: "Sujete el tique plano y quieto, o teclee las diez cifras bajo el código" },
  forPhones: { en: "This code is for your phone", it: "Questo codice è per il telefono", de: "Dieser Code ist für Ihr Handy", fr: "Ce code est pour votre téléphone", es: "Este código es para su móvil" },
  forCalendars: { en: "This code is for your calendar", it: "Questo codice è per il calendario", de: "Dieser Code ist für Ihren Kalender", fr: "Ce code est pour votre agenda", es: "Este código es para su calendario" },
  largeSymbol: { en: "Show the large code of the ticket", it: "Mostra il codice grande del biglietto", de: "Bitte zeigen Sie den großen Code des Tickets", fr: "Présentez le grand code du ticket", es: "Muestre el código grande del tique" },
  tooMany: { en: "Too many tries", it: "Troppi tentativi", de: "Zu viele Versuche", fr: "Trop d’essais", es: "Demasiados intentos" },
  waitMinutes: { en: "Please wait a few minutes, or ask the staff", it: "Aspetta qualche minuto, o chiedi al personale", de: "Bitte warten Sie einige Minuten oder fragen Sie das Personal", fr: "Attendez quelques minutes ou adressez-vous au personnel", es: "Espere unos minutos o pregunte al personal" },
  noConnection: { en: "No connection", it: "Nessuna connessione", de: "Keine Verbindung", fr: "Pas de connexion", es: "Sin conexión" },
  elsewhere: { en: "This page is open in too many windows. Touch here to use it in this one.", it: "Questa pagina è aperta in troppe finestre. Tocca qui per usarla in questa.", de: "Diese Seite ist in zu vielen Fenstern geöffnet. Hier berühren, um sie in diesem zu nutzen.", fr: "Cette page est ouverte dans trop de fenêtres. Touchez ici pour l’utiliser dans celle-ci.", es: "Esta página está abierta en demasiadas ventanas. Toque aquí para usarla en esta." },
  shopClosed: { en: "The shop is closed", it: "Il negozio è chiuso", de: "Das Geschäft ist geschlossen", fr: "Le magasin est fermé", es: "La tienda está cerrada" },
  comeOpen: { en: "Please come back when we are open", it: "Torna quando siamo aperti", de: "Bitte kommen Sie während der Öffnungszeiten wieder", fr: "Revenez quand le magasin sera ouvert", es: "Vuelva cuando la tienda esté abierta" },

  helpNeeded: { en: "A customer needs help", it: "Un cliente chiede aiuto", de: "Ein Kunde braucht Hilfe", fr: "Un client demande de l’aide", es: "Un cliente pide ayuda" },
  since: { en: "since {time}", it: "dalle {time}", de: "seit {time} Uhr", fr: "depuis {time}", es: "desde las {time}" },
  iGo: { en: "I am going", it: "Vado io", de: "Ich gehe hin", fr: "J’y vais", es: "Voy yo" },
  youGo: { en: "You are going", it: "Ci vai tu", de: "Sie gehen hin", fr: "Vous y allez", es: "Va usted" },
  nameGoes: { en: "{name} is going", it: "Ci va {name}", de: "{name} geht hin", fr: "{name} y va", es: "Va {name}" },
  someoneGoes: { en: "Somebody is already going", it: "Ci va già qualcuno", de: "Es geht schon jemand hin", fr: "Quelqu’un y va déjà", es: "Ya va alguien" },
  helped: { en: "Helped", it: "Cliente aiutato", de: "Geholfen", fr: "Client aidé", es: "Cliente atendido" },
  mistake: { en: "It was a mistake", it: "È stato un errore", de: "Es war ein Versehen", fr: "C’était une erreur", es: "Fue un error" },
  expired: { en: "Ended by itself", it: "Scaduta", de: "Von selbst beendet", fr: "Expirée", es: "Caducado" },
  mute: { en: "No sound from this machine for 10 minutes", it: "Niente suono da questa macchina per 10 minuti", de: "10 Minuten kein Ton von diesem Automaten", fr: "Pas de son de cette borne pendant 10 minutes", es: "Sin sonido de esta máquina durante 10 minutos" },
  mutedUntil: { en: "No sound until {time}", it: "Niente suono fino alle {time}", de: "Kein Ton bis {time} Uhr", fr: "Pas de son jusqu’à {time}", es: "Sin sonido hasta las {time}" },
  didNotWork: { en: "That did not work. Please try again.", it: "Non ha funzionato. Riprova.", de: "Das hat nicht geklappt. Bitte noch einmal versuchen.", fr: "Cela n’a pas marché. Réessayez.", es: "No ha funcionado. Inténtelo de nuevo." },
  noHelpHere: { en: "No connection: new calls for help are not shown here", it: "Nessuna connessione: qui non vedi nuove richieste di aiuto", de: "Keine Verbindung: Neue Hilferufe erscheinen hier nicht", fr: "Pas de connexion : les nouvelles demandes d’aide ne s’affichent pas ici", es: "Sin conexión: aquí no se ven los nuevos avisos" },
  touchForSound: { en: "Touch the page once so that it can make a sound", it: "Tocca la pagina una volta per attivare il suono", de: "Die Seite einmal berühren, um den Ton einzuschalten", fr: "Touchez la page une fois pour activer le son", es: "Toque la página una vez para activar el sonido" },
  noCalls: { en: "Nobody is calling for help", it: "Nessuno chiede aiuto", de: "Niemand ruft um Hilfe", fr: "Personne ne demande d’aide", es: "Nadie pide ayuda" },
  ended: { en: "Ended", it: "Concluse", de: "Beendet", fr: "Terminées", es: "Terminados" },
  yourName: { en: "Your name, for the customer", it: "Il tuo nome, per il cliente", de: "Ihr Name, für den Kunden", fr: "Votre nom, pour le client", es: "Su nombre, para el cliente" },
  lastCalled: { en: "Last called", it: "Ultimi chiamati", de: "Zuletzt aufgerufen", fr: "Derniers appelés", es: "Últimos llamados" },
  waiting: { en: "Waiting", it: "In attesa", de: "Es warten", fr: "En attente", es: "En espera" },

  whichDesk: { en: "Which desk is this?", it: "Quale banco è questo?", de: "Welcher Abholschalter ist das?", fr: "Quel est ce comptoir ?", es: "¿Qué mostrador es este?" },
  desk: { en: "Desk {desk}", it: "Banco ritiri {desk}", de: "Abholschalter {desk}", fr: "Comptoir {desk}", es: "Mostrador {desk}" },
  noDesk: { en: "This shop has no collection desk", it: "Questo negozio non ha un banco ritiri", de: "Dieses Geschäft hat keinen Abholschalter", fr: "Ce magasin n’a pas de comptoir de retrait", es: "Esta tienda no tiene mostrador de recogida" },
  noneWaitsForOrder: { en: "No customer is waiting for an order", it: "Nessun cliente aspetta un ordine", de: "Kein Kunde wartet auf eine Bestellung", fr: "Aucun client n’attend de commande", es: "Ningún cliente espera un pedido" },
  moreHere: { en: "Other customers waiting: {count}", it: "Altri clienti in attesa: {count}", de: "Weitere wartende Kunden: {count}", fr: "Autres clients en attente : {count}", es: "Otros clientes en espera: {count}" },
  phoneIsBlocked: { en: "A customer’s phone is blocked", it: "Il telefono di un cliente è bloccato", de: "Das Handy eines Kunden ist gesperrt", fr: "Le téléphone d’un client est bloqué", es: "El móvil de un cliente está bloqueado" },
  digitsOfPhone: { en: "The eight digits on the phone", it: "Le otto cifre sul telefono", de: "Die acht Ziffern auf dem Handy", fr: "Les huit chiffres sur le téléphone", es: "Las ocho cifras del móvil" },
  pinOfShop: { en: "The shop’s PIN", it: "PIN del negozio", de: "PIN des Geschäfts", fr: "Code PIN du magasin", es: "PIN de la tienda" },
  letJoinAgain: { en: "Lift the block", it: "Togli il blocco", de: "Sperre aufheben", fr: "Lever le blocage", es: "Levantar el bloqueo" },
  mayJoinAgain: { en: "Done: this phone can join again", it: "Fatto: questo telefono può rimettersi in coda", de: "Erledigt: Dieses Handy kann sich wieder anstellen", fr: "C’est fait : ce téléphone peut de nouveau rejoindre la file", es: "Hecho: este móvil puede volver a ponerse a la cola" },
  notBlocked: { en: "No blocked phone has these digits", it: "Nessun telefono bloccato ha queste cifre", de: "Kein gesperrtes Handy hat diese Ziffern", fr: "Aucun téléphone bloqué n’a ces chiffres", es: "Ningún móvil bloqueado tiene estas cifras" },
  wrongPIN: { en: "This PIN is wrong", it: "Questo PIN è sbagliato", de: "Diese PIN ist falsch", fr: "Ce code PIN est incorrect", es: "Este PIN no es correcto" },
  noStaffPIN: { en: "This shop has no PIN yet: ask the administrator", it: "Questo negozio non ha ancora un PIN: chiedi all’amministratore", de: "Dieses Geschäft hat noch keine PIN: Fragen Sie den Administrator", fr: "Ce magasin n’a pas encore de code PIN : adressez-vous à l’administrateur", es: "Esta tienda aún no tiene PIN: pregunte al administrador" },
  tooManyTries: { en: "Too many tries: please wait a few minutes", it: "Troppi tentativi: aspetta qualche minuto", de: "Zu viele Versuche: Bitte warten Sie einige Minuten", fr: "Trop d’essais : attendez quelques minutes", es: "Demasiados intentos: espere unos minutos" },
  waitingOrders: { en: "To fetch", it: "Da prendere", de: "Zu holen", fr: "À aller chercher", es: "Por buscar" },
  fetchingOrders: { en: "Being fetched", it: "Presi in carico", de: "Wird geholt", fr: "En cours", es: "En curso" },
  calledOrders: { en: "At the desk", it: "Al banco ritiri", de: "Am Schalter", fr: "Au comptoir", es: "En el mostrador" },
  iFetch: { en: "I am fetching it", it: "Lo prendo io", de: "Ich hole sie", fr: "Je vais la chercher", es: "Voy a buscarlo" },
  youFetch: { en: "You are fetching it", it: "Lo prendi tu", de: "Sie holen die Bestellung", fr: "Vous allez la chercher", es: "Va usted a buscarlo" },
  deskFetches: { en: "Desk {desk} is fetching it", it: "Lo prende il banco {desk}", de: "Schalter {desk} holt sie", fr: "Le comptoir {desk} va la chercher", es: "El mostrador {desk} va a buscarlo" },
  readyHere: { en: "Ready at desk {desk}", it: "Pronto al banco {desk}", de: "Bereit an Schalter {desk}", fr: "Prête au comptoir {desk}", es: "Listo en el mostrador {desk}" },
  notFoundHere: { en: "Not found", it: "Non trovato", de: "Nicht gefunden", fr: "Introuvable", es: "No encontrado" },
  notFoundBy: { en: "Desk {desk} did not find it", it: "Il banco {desk} non l’ha trovato", de: "Schalter {desk} hat sie nicht gefunden", fr: "Le comptoir {desk} ne l’a pas trouvée", es: "El mostrador {desk} no lo ha encontrado" },
  giveBack: { en: "I am not fetching it", it: "Non lo prendo più", de: "Ich hole sie doch nicht", fr: "Je n’y vais plus", es: "Ya no voy a buscarlo" },
  deskDoesNotFetch: { en: "No longer desk {desk}", it: "Non più il banco {desk}", de: "Nicht mehr Schalter {desk}", fr: "Comptoir {desk} n’y va plus", es: "El mostrador {desk} ya no va" },
  putBack: { en: "Back on the shelf", it: "Rimetti sullo scaffale", de: "Zurück ins Regal", fr: "Retour à l’étagère", es: "Devolver al estante" },
  handOverAnyway: { en: "Hand over without a code", it: "Consegna senza codice", de: "Ohne Code ausgeben", fr: "Remettre sans code", es: "Entregar sin código" },
  touchAgain: { en: "Touch again to confirm", it: "Tocca per confermare", de: "Zum Bestätigen berühren", fr: "Touchez pour confirmer", es: "Toque para confirmar" },
  undo: { en: "Undo", it: "Annulla l’azione", de: "Rückgängig", fr: "Annuler l’action", es: "Deshacer" },
  close: { en: "Close", it: "Chiudi", de: "Schließen", fr: "Fermer", es: "Cerrar" },
  calledTo: { en: "Called to desk {desk} at {time}", it: "Chiamato al banco {desk} alle {time}", de: "Um {time} Uhr an Schalter {desk} aufgerufen", fr: "Appelée au comptoir {desk} à {time}", es: "Llamado al mostrador {desk} a las {time}" },
  waitsForPlace: { en: "Waiting for a free place", it: "In attesa di un posto libero", de: "Wartet auf einen freien Platz", fr: "En attente d’une place libre", es: "En espera de una plaza libre" },
  otherDeskWasFaster: { en: "Somebody else has changed this order", it: "Qualcun altro ha modificato questo ordine", de: "Jemand anderes hat diese Bestellung geändert", fr: "Quelqu’un d’autre a modifié cette commande", es: "Otra persona ha cambiado este pedido" },
  scanToHandOver: { en: "To hand over: scan the customer’s code", it: "Per consegnare: scansiona il codice del cliente", de: "Zum Ausgeben: Code des Kunden scannen", fr: "Pour remettre : scannez le code du client", es: "Para entregar: escanee el código del cliente" },
  typeDigits: { en: "Type the ten digits", it: "Digita le dieci cifre", de: "Zehn Ziffern eintippen", fr: "Taper les dix chiffres", es: "Teclear las diez cifras" },
  typeOrderCode: { en: "Type the ten-digit code of the order", it: "Digita il codice di dieci cifre dell’ordine", de: "Tippen Sie den zehnstelligen Code der Bestellung ein", fr: "Tapez le code à dix chiffres de la commande", es: "Teclee el código de diez cifras del pedido" },
  noOrderCode: { en: "This is not the code of an order", it: "Questo non è il codice di un ordine", de: "Das ist kein Code einer Bestellung", fr: "Ce n’est pas le code d’une commande", es: "Este no es el código de un pedido" },
  handedOver: { en: "Handed over", it: "Consegnato", de: "Ausgegeben", fr: "Remise au client", es: "Entregado" },
  handedOverBefore: { en: "Already handed over at {time}", it: "Già consegnato alle {time}", de: "Schon um {time} Uhr ausgegeben", fr: "Déjà remise à {time}", es: "Ya entregado a las {time}" },
  isAtDesk: { en: "It is at desk {desk}", it: "È al banco {desk}", de: "Sie ist an Schalter {desk}", fr: "Elle est au comptoir {desk}", es: "Está en el mostrador {desk}" },
  mustBeFetched: { en: "It still has to be fetched", it: "È ancora da prendere", de: "Sie muss noch geholt werden", fr: "Il faut encore aller la chercher", es: "Todavía hay que buscarlo" },
  orderLater: { en: "Ready on {day} from {time}", it: "Pronto {day} dalle {time}", de: "Bereit am {day}, ab {time} Uhr", fr: "Prête le {day} à partir de {time}", es: "Listo el {day} a partir de las {time}" },
  notHereYet: { en: "The customer has not checked in yet", it: "L’arrivo non è ancora registrato", de: "Der Kunde ist noch nicht angemeldet", fr: "L’arrivée n’est pas encore enregistrée", es: "La llegada aún no está registrada" },
  customerIsHere: { en: "Check the customer in", it: "Registra l’arrivo", de: "Kunden anmelden", fr: "Enregistrer l’arrivée", es: "Registrar la llegada" },
  isRegistered: { en: "The customer is checked in", it: "L’arrivo è registrato", de: "Der Kunde ist angemeldet", fr: "L’arrivée est enregistrée", es: "La llegada está registrada" },
  orderCancelled: { en: "This order was cancelled", it: "Questo ordine è stato annullato", de: "Diese Bestellung wurde storniert", fr: "Cette commande a été annulée", es: "Este pedido se anuló" },
  orderExpired: { en: "This order was not collected in time", it: "Questo ordine non è stato ritirato in tempo", de: "Diese Bestellung wurde nicht rechtzeitig abgeholt", fr: "Cette commande n’a pas été retirée à temps", es: "Este pedido no se recogió a tiempo" },
  small: { en: "small", it: "piccolo", de: "klein", fr: "petit", es: "pequeño" },
  medium: { en: "medium", it: "medio", de: "mittel", fr: "moyen", es: "mediano" },
  large: { en: "large", it: "grande", de: "groß", fr: "grand", es: "grande" },
  bulky: { en: "bulky", it: "ingombrante", de: "sperrig", fr: "encombrant", es: "voluminoso" },

  displayUnknown: { en: "This display is not registered with its shop yet", it: "Questo tabellone non è ancora registrato presso il negozio", de: "Diese Anzeige ist noch nicht im System des Geschäfts registriert", fr: "Cet écran n’est pas encore enregistré auprès du magasin", es: "Esta pantalla aún no está registrada en la tienda" },
  readerUnknown: { en: "This reader is not registered with its shop yet", it: "Questo lettore non è ancora registrato presso il negozio", de: "Dieses Lesegerät ist noch nicht im System des Geschäfts registriert", fr: "Ce lecteur n’est pas encore enregistré auprès du magasin", es: "Este lector aún no está registrado en la tienda" },
  deskUnknown: { en: "This desk is not registered with its shop yet", it: "Questo banco ritiri non è ancora registrato presso il negozio", de: "Dieser Abholschalter ist noch nicht im System des Geschäfts registriert", fr: "Ce comptoir n’est pas encore enregistré auprès du magasin", es: "Este mostrador aún no está registrado en la tienda" },
  staffUnknown: { en: "This staff page is not registered with its shop yet", it: "Questa pagina del personale non è ancora registrata presso il negozio", de: "Diese Seite für das Personal ist noch nicht im System des Geschäfts registriert", fr: "Cette page du personnel n’est pas encore enregistrée auprès du magasin", es: "Esta página del personal aún no está registrada en la tienda" },
  howToRegister: { en: "The person who looks after the shop’s server must run this command there. This page will then continue by itself.", it: "Chi gestisce il server del negozio deve eseguire lì questo comando. Poi questa pagina andrà avanti da sola.", de: "Wer den Server des Geschäfts betreut, muss dort diesen Befehl ausführen. Danach geht es auf dieser Seite von selbst weiter.", fr: "La personne qui gère le serveur du magasin doit y exécuter cette commande. La suite s’affichera automatiquement.", es: "Quien administra el servidor de la tienda debe ejecutar allí este comando. Después, esta página continuará automáticamente." },
  publicKey: { en: "Public key", it: "Chiave pubblica", de: "Öffentlicher Schlüssel", fr: "Clé publique", es: "Clave pública" },
  fingerprint: { en: "Fingerprint: it must match the one that the command shows", it: "Impronta: deve essere uguale a quella mostrata dal comando", de: "Fingerabdruck: Er muss mit dem übereinstimmen, den der Befehl ausgibt", fr: "Empreinte : elle doit être identique à celle qu’affiche la commande", es: "Huella digital: debe coincidir con la que muestra el comando" },
};

/** A time of the shop's clock (HH:MM) as the language writes it in a sentence. */
export function spelled(time, language) {
  const [hour, minute] = time.split(":");
  return text("clock", language, { hour, minute });
}

/** The day of a moment of the shop's clock, as a value that depends on the language. */
export const dayOf = (at) => (language) =>
  new Date(`${at.slice(0, 10)}T00:00:00Z`)
    .toLocaleDateString(language === "en" ? "en-GB" : language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** The text by name in a language, or in English if that language lacks it; a value may depend on the language. */
export function text(name, language, values = {}) {
  const known = texts[name];
  return (known[language] ?? known.en).replace(/\{(\w+)\}/g, (_, key) => {
    const value = values[key];
    if (key === "time" && value) return spelled(value, language);
    return (typeof value === "function" ? value(language) : value) ?? "";
  });
}

/** Every language that has texts. */
export const everyLanguage = Object.keys(texts.called);

/** The languages of a shop that have texts; English if none has. */
export function known(languages) {
  const some = languages.filter((language) => texts.called[language]);
  return some.length ? some : ["en"];
}
