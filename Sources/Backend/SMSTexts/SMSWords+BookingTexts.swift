/// The texts of SMS about how a place is booked, and about SMS themselves, as `texts` has the others.
extension SMSWords.Phrase {
    /// A ticket that waits, with its times and its code.
    static let ticketTexts = [
        "Your number is {number}. Your turn will come {when}. Entry code: {code}. Please "
            + "do not pass it on.",
        "Hai il numero {number}: toccherà a te {when}. Codice d'ingresso: {code}. Non "
            + "darlo ad altri.",
        "Sie haben Nummer {number}. Erwarteter Einlass: {when}. Einlasscode: {code}. "
            + "Geben Sie ihn nicht weiter.",
        "Numéro {number} : entrée prévue {when}. Code d'entrée : {code}. Ne le donnez "
            + "pas à d'autres.",
        "Tiene el turno {number}: le toca {when}. Clave de entrada: {code}. No se la dé "
            + "a otros.",
    ]
    /// A ticket that is called already.
    static let calledTicketTexts = [
        "It is your turn, number {number}. Please come in. Entry code: {code}.",
        "Tocca a te, numero {number}. Puoi entrare. Codice d'ingresso: {code}.",
        "Sie sind an der Reihe, Nummer {number}. Bitte treten Sie ein. Einlasscode: {code}.",
        "C'est votre tour, numéro {number}. Vous pouvez entrer. Code d'entrée : {code}.",
        "Es su turno, el {number}. Puede entrar. Clave de entrada: {code}.",
    ]
    /// A ticket that is called already, with the last moment to enter.
    static let calledTicketByTexts = [
        "It is your turn, number {number}. Please come in by {time}. Entry code: {code}.",
        "Tocca a te, numero {number}. Puoi entrare fino alle {time}. Codice d'ingresso: "
            + "{code}.",
        "Sie sind an der Reihe, Nummer {number}. Bitte treten Sie bis {time} Uhr ein. "
            + "Einlasscode: {code}.",
        "C'est votre tour, numéro {number}. Vous pouvez entrer jusqu'à {time}. Code "
            + "d'entrée : {code}.",
        "Es su turno, el {number}. Puede entrar hasta las {time}. Clave de entrada: {code}.",
    ]
    /// A visit, with its time and its code.
    static let visitTexts = [
        "Your visit: {day} at {time}, number {number}. Entry code: {code}. Please do not "
            + "pass it on.",
        "La tua visita: {day} alle {time}, numero {number}. Codice d'ingresso: {code}. "
            + "Non darlo ad altri.",
        "Ihr Termin: {day} um {time} Uhr, Nummer {number}. Einlasscode: {code}. Geben "
            + "Sie ihn nicht weiter.",
        "Votre visite : {day} à {time}, numéro {number}. Code d'entrée : {code}. Ne le "
            + "donnez pas à d'autres.",
        "Su visita: el {day} a las {time}, turno {number}. Clave de entrada: {code}. No "
            + "se la dé a otros.",
    ]
    /// A visit was given back.
    static let visitGivenBackTexts = [
        "Your visit on {day} at {time}, number {number}, was cancelled. If you did not "
            + "do this, please ask the staff.",
        "La tua visita di {day} alle {time}, numero {number}, è stata disdetta. Se non "
            + "l'hai disdetta tu, chiedi al personale.",
        "Ihr Termin am {day} um {time} Uhr, Nummer {number}, wurde abgesagt. Wenn Sie "
            + "das nicht waren, fragen Sie bitte das Personal.",
        "Votre visite du {day} à {time}, numéro {number}, a été annulée. Ce n'était pas "
            + "vous ? Adressez-vous au personnel.",
        "Se ha anulado su visita del {day} a las {time}, turno {number}. Si no la ha "
            + "anulado usted, pregunte al personal.",
    ]
    /// The number gets no more SMS about a place.
    static let endedTexts = [
        "You will get no more text messages about your place, number {number}. If you "
            + "did not want this, please ask the staff.",
        "Non riceverai più SMS sul tuo posto, numero {number}. Se non l'hai deciso tu, "
            + "chiedi al personale.",
        "Sie bekommen keine SMS mehr zu Ihrem Platz, Nummer {number}. Wenn Sie das nicht "
            + "wollten, fragen Sie bitte das Personal.",
        "Vous ne recevrez plus de SMS sur votre place, numéro {number}. Si ce n'est pas "
            + "votre choix, adressez-vous au personnel.",
        "Ya no le enviaremos SMS sobre su plaza, turno {number}. Si no lo ha pedido "
            + "usted, pregunte al personal.",
    ]
    /// The number gets no more SMS at all.
    static let stoppedTexts = [
        "You will get no more text messages. To get them again, reply START. Then enter "
            + "your number again on our web page.",
        "Non riceverai più SMS. Per riceverli di nuovo, rispondi START. Poi scrivi di "
            + "nuovo il tuo numero sulla pagina web.",
        "Sie bekommen keine SMS mehr. Doch wieder SMS? Antworten Sie mit START. Geben "
            + "Sie dann Ihre Nummer auf der Internetseite neu ein.",
        "Vous ne recevrez plus de SMS. Pour en recevoir à nouveau, répondez START. "
            + "Saisissez ensuite votre numéro sur la page web.",
        "Ya no le enviaremos SMS. Para volver a recibirlos, responda START. Después "
            + "escriba de nuevo su teléfono en la web.",
    ]
    /// What was answered is to be done on the page of the place.
    static let answerOnPageTexts = [
        "We cannot use your reply. Please answer on the web page of your place, number "
            + "{number}.",
        "La risposta per SMS non vale: rispondi sulla pagina web del tuo posto, numero "
            + "{number}.",
        "Ihre Antwort per SMS gilt leider nicht. Bitte antworten Sie auf der "
            + "Internetseite zu Ihrem Platz, Nummer {number}.",
        "Votre réponse par SMS ne compte pas. Répondez sur la page web de votre place, "
            + "numéro {number}.",
        "No podemos aceptar su respuesta por SMS. Responda en la web de su plaza, turno "
            + "{number}.",
    ]
    /// What can be answered.
    static let explanationTexts = [
        "Sorry, we did not understand. Please reply YES if you are coming, NO to give up your place, LATER to let others "
            + "go ahead or STOP to end messages.",
        "Non abbiamo capito. Rispondi SI se vieni, NO per rinunciare al posto, DOPO per far passare avanti altri, STOP "
            + "per non ricevere più SMS.",
        "Wir haben Sie leider nicht verstanden. Bitte antworten Sie mit JA (ich komme), NEIN (Platz freigeben), SPÄTER "
            + "(andere vorlassen), STOP (keine SMS).",
        "Nous n'avons pas compris. Répondez OUI si vous venez, NON pour libérer votre place, APRES pour passer plus "
            + "tard, STOP pour ne plus recevoir de SMS.",
        "No hemos entendido. Responda SI para confirmar, NO para dejar su plaza, LUEGO para dejar pasar a otros o STOP "
            + "para dejar de recibir SMS.",
    ]
}
