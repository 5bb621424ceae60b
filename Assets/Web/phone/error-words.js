// The texts of the page at a wrong address, by language in the order of words.js, which has those that all pages say.

export const errorTexts = {
  noPage: ["There is no page at this address", "A questo indirizzo non c’è nessuna pagina", "Unter dieser Adresse gibt es keine Seite", "Il n’y a pas de page à cette adresse", "En esta dirección no hay ninguna página"],
  openAgain: ["Perhaps a letter is missing, or the link is out of date. Open it again from your message, or scan the QR code once more.", "Forse manca una lettera, o il link non è più valido. Riaprilo dal messaggio, o inquadra di nuovo il codice QR.", "Vielleicht fehlt ein Zeichen, oder der Link gilt nicht mehr. Öffnen Sie ihn noch einmal aus Ihrer Nachricht oder scannen Sie den QR-Code noch einmal.", "Il manque peut-être un caractère, ou le lien n’est plus valable. Rouvrez-le depuis votre message ou scannez à nouveau le code QR.", "Quizá falte un carácter o el enlace ya no sea válido. Vuelva a abrirlo desde su mensaje o escanee de nuevo el código QR."],
  notNow: ["This page cannot be opened right now", "In questo momento la pagina non si apre", "Diese Seite lässt sich gerade nicht öffnen", "Cette page ne s’ouvre pas pour le moment", "Esta página no se puede abrir ahora mismo"],
  waitAMinute: ["Please try again in a minute.", "Riprova tra un minuto.", "Bitte versuchen Sie es in einer Minute noch einmal.", "Réessayez dans une minute.", "Inténtelo de nuevo dentro de un minuto."],
  stays: ["If you already have a place in the queue, it is still yours.", "Se hai già un posto in coda, resta tuo.", "Wenn Sie schon einen Platz in der Warteschlange haben, behalten Sie ihn.", "Si vous avez déjà une place dans la file, elle reste à vous.", "Si ya tiene una plaza en la cola, sigue siendo suya."],
};
