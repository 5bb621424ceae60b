// The texts of the page of orders, by language in the order of languages.js. {name} is replaced. Those that the ticket machine
// says too are the machine's.

/** What other pages call the list. */
export const orderWayTexts = {
  toList: ["My orders", "I miei ordini", "Meine Bestellungen", "Mes commandes", "Mis pedidos"],
};

export const orderTexts = {
  noOrders: ["There are no orders on this phone.", "Su questo telefono non ci sono ordini.", "Auf diesem Handy gibt es keine Bestellung.", "Il n’y a pas de commande sur ce téléphone.", "En este móvil no hay ningún pedido."],
  noOrdersNow: ["Open the link in the shop’s email, and your order appears here.", "Apri il link nell’email del negozio: il tuo ordine comparirà qui.", "Öffnen Sie den Link in der E-Mail des Geschäfts, dann erscheint Ihre Bestellung hier.", "Ouvrez le lien dans l’e-mail du magasin : votre commande apparaîtra ici.", "Abra el enlace del correo electrónico de la tienda y su pedido aparecerá aquí."],
  findReference: ["Order number", "Numero dell’ordine", "Bestellnummer", "Numéro de commande", "Número de pedido"],
  findDigits: ["The ten digits", "Le dieci cifre", "Die zehn Ziffern", "Les dix chiffres", "Las diez cifras"],
  findGo: ["Show my order", "Mostra il mio ordine", "Bestellung anzeigen", "Afficher ma commande", "Mostrar mi pedido"],
  findWrong: ["Please check the order number and the ten digits.", "Controlla il numero dell’ordine e le dieci cifre.", "Bitte prüfen Sie die Bestellnummer und die zehn Ziffern.", "Vérifiez le numéro de commande et les dix chiffres.", "Compruebe el número de pedido y las diez cifras."],
  busyTitle: ["In progress", "In corso", "Abholung läuft", "En cours", "En curso"],
  openTitle: ["To be collected", "Da ritirare", "Abzuholen", "À retirer", "Por recoger"],
  overTitle: ["Earlier orders", "Ordini precedenti", "Frühere Bestellungen", "Commandes précédentes", "Pedidos anteriores"],

  order: ["Order {reference}", "Ordine {reference}", "Bestellung {reference}", "Commande {reference}", "Pedido {reference}"],
  parcel: ["1 parcel", "1 pacco", "1 Paket", "1 colis", "1 paquete"],
  parcels: ["{n} parcels", "{n} pacchi", "{n} Pakete", "{n} colis", "{n} paquetes"],
  dayAndTime: ["{day} at {time}", "{day} alle {time}", "{day}, {time} Uhr", "{day} à {time}", "{day} a las {time}"],
  fromTime: ["{day} from {time}", "{day} dalle {time}", "{day} ab {time} Uhr", "{day} à partir de {time}", "{day} a partir de las {time}"],
  promised: ["Planned collection: {moment}", "Ritiro previsto: {moment}", "Geplante Abholung: {moment}", "Retrait prévu : {moment}", "Recogida prevista: {moment}"],

  later: ["Not ready yet", "Non è ancora pronto", "Noch nicht bereit", "Pas encore prête", "Todavía no está listo"],
  ready: ["Ready to be collected", "Pronto per il ritiro", "Bereit zur Abholung", "Prête à être retirée", "Listo para recoger"],
  withoutCode: ["To collect it, open the link in the shop’s email on this phone.", "Per ritirarlo, apri su questo telefono il link nell’email del negozio.", "Zum Abholen öffnen Sie auf diesem Handy den Link in der E-Mail des Geschäfts.", "Pour la retirer, ouvrez sur ce téléphone le lien de l’e-mail du magasin.", "Para recogerlo, abra en este móvil el enlace del correo de la tienda."],
  readyNow: ["At the shop, show this code to the machine, or scan the code on the display at the door with this phone.", "In negozio, mostra questo codice alla macchina, o inquadra con questo telefono il codice sul tabellone all’ingresso.", "Zeigen Sie diesen Code im Geschäft am Automaten, oder scannen Sie mit diesem Handy den Code auf der Anzeige am Eingang.", "Au magasin, montrez ce code à la borne, ou scannez avec ce téléphone le code de l’écran d’appel à l’entrée.", "En la tienda, muestre este código en la máquina o escanee con este móvil el código de la pantalla de turnos de la entrada."],
  putBack: ["Put aside for you again", "Messo di nuovo da parte per te", "Wieder für Sie zurückgelegt", "De nouveau mise de côté pour vous", "Guardado de nuevo para usted"],
  putBackNow: ["It was at the desk, and nobody came for it. Show this code to the machine again, or ask at a collection desk.", "Era al banco ritiri, ma nessuno è venuto a prenderlo. Mostra di nuovo questo codice alla macchina, o chiedi al banco ritiri.", "Sie lag am Abholschalter und wurde nicht abgeholt. Zeigen Sie diesen Code noch einmal am Automaten, oder fragen Sie an einem Abholschalter.", "Elle était au comptoir, mais personne n’est venu la chercher. Montrez de nouveau ce code à la borne, ou adressez-vous à un comptoir de retrait.", "Estaba en el mostrador y nadie vino a buscarlo. Muestre otra vez este código en la máquina o pregunte en un mostrador de recogida."],
  atDesk: ["At the desk: {range}", "Al banco ritiri: {range}", "Am Abholschalter: {range}", "Au comptoir : {range}", "En el mostrador: {range}"],
  arrived: ["Your arrival is registered", "Il tuo arrivo è registrato", "Sie sind angemeldet", "Votre arrivée est enregistrée", "Su llegada está registrada"],
  ahead: ["{n} orders ahead of yours", "{n} ordini prima del tuo", "{n} Bestellungen vor Ihrer", "{n} commandes avant la vôtre", "{n} pedidos antes que el suyo"],
  aheadOne: ["1 order ahead of yours", "1 ordine prima del tuo", "1 Bestellung vor Ihrer", "1 commande avant la vôtre", "1 pedido antes que el suyo"],
  arrivedNow: ["This page and the display will show which desk to go to.", "Su questa pagina e sul tabellone vedrai a quale banco ritiri andare.", "Auf dieser Seite und auf der Anzeige sehen Sie, zu welchem Abholschalter Sie gehen.", "Cette page et l’écran d’appel vous indiqueront à quel comptoir aller.", "Esta página y la pantalla de turnos le indicarán a qué mostrador ir."],
  fetching: ["We are fetching your order", "Stiamo andando a prendere il tuo ordine", "Wir holen Ihre Bestellung", "Nous apportons votre commande", "Estamos trayendo su pedido"],
  called: ["Please go to desk {n}", "Vai al banco ritiri {n}", "Bitte zum Abholschalter {n}", "Allez au comptoir {n}", "Vaya al mostrador {n}"],
  "not-found": ["The staff is still looking for your order", "Il personale cerca ancora il tuo ordine", "Das Personal sucht Ihre Bestellung noch", "Le personnel cherche encore votre commande", "El personal sigue buscando su pedido"],
  "not-foundNow": ["Please ask at a collection desk.", "Chiedi al banco ritiri.", "Bitte fragen Sie an einem Abholschalter.", "Adressez-vous à un comptoir de retrait.", "Pregunte en un mostrador de recogida."],
  "handed-over": ["Order collected", "Ordine ritirato", "Bestellung abgeholt", "Commande retirée", "Pedido recogido"],
  cancelled: ["Order cancelled", "Ordine annullato", "Bestellung storniert", "Commande annulée", "Pedido anulado"],
  cancelledNow: ["It cannot be collected. Please ask at the shop.", "Non si può ritirare. Chiedi in negozio.", "Sie kann nicht abgeholt werden. Bitte fragen Sie im Geschäft nach.", "Elle ne peut pas être retirée. Adressez-vous au magasin.", "No se puede recoger. Pregunte en la tienda."],
  expired: ["This order was not collected in time", "Questo ordine non è stato ritirato in tempo", "Diese Bestellung wurde nicht rechtzeitig abgeholt", "Cette commande n’a pas été retirée à temps", "Este pedido no se recogió a tiempo"],
  expiredNow: ["Please ask at the shop.", "Chiedi in negozio.", "Bitte fragen Sie im Geschäft nach.", "Adressez-vous au magasin.", "Pregunte en la tienda."],
  unknown: ["We do not know this order", "Ordine sconosciuto", "Bestellung unbekannt", "Commande inconnue", "Pedido desconocido"],
  unknownNow: ["Open the link in the shop’s email once more, or ask the staff.", "Apri di nuovo il link nell’email del negozio, o chiedi al personale.", "Öffnen Sie den Link in der E-Mail des Geschäfts noch einmal, oder fragen Sie das Personal.", "Ouvrez de nouveau le lien dans l’e-mail du magasin, ou adressez-vous au personnel.", "Abra otra vez el enlace del correo electrónico de la tienda o pregunte al personal."],

  yourCode: ["Code of your order", "Codice del tuo ordine", "Code Ihrer Bestellung", "Code de votre commande", "Código de su pedido"],
  showCode: ["Show this code at the collection desk.", "Mostra questo codice al banco ritiri.", "Zeigen Sie diesen Code am Abholschalter.", "Présentez ce code au comptoir de retrait.", "Muestre este código en el mostrador de recogida."],

  whichOrder: ["Which order would you like to collect?", "Quale ordine vuoi ritirare?", "Welche Bestellung möchten Sie abholen?", "Quelle commande voulez-vous retirer ?", "¿Qué pedido quiere recoger?"],

  lastKnown: ["This is the last information we have. You can still show the code.", "Queste sono le ultime informazioni che abbiamo. Puoi comunque mostrare il codice.", "Sie sehen den letzten bekannten Stand. Den Code können Sie trotzdem zeigen.", "Voici les dernières informations connues. Vous pouvez quand même montrer le code.", "Esta es la última información que tenemos. Aun así puede mostrar el código."],

  remove: ["Remove from this list", "Togli da questo elenco", "Aus dieser Liste entfernen", "Enlever de cette liste", "Quitar de esta lista"],
  removeWords: ["Remove it from this list? The order stays valid; the link in the shop’s email opens it again.", "Toglierlo da questo elenco? L’ordine resta valido; lo ritrovi con il link nell’email del negozio.", "Aus dieser Liste entfernen? Die Bestellung bleibt gültig; der Link in der E-Mail des Geschäfts öffnet sie wieder.", "L’enlever de cette liste ? La commande reste valable ; vous la retrouverez avec le lien dans l’e-mail du magasin.", "¿Quitarlo de esta lista? El pedido sigue siendo válido; el enlace del correo electrónico de la tienda lo vuelve a abrir."],
  leave: ["Keep it on this list", "Lascia in questo elenco", "In dieser Liste lassen", "Laisser dans cette liste", "Dejar en esta lista"],
  toQueue: ["Join the queue to shop", "Mettiti in coda per fare la spesa", "Zum Einkaufen anstellen", "Rejoindre la file pour faire vos courses", "Ponerse a la cola para comprar"],
};
