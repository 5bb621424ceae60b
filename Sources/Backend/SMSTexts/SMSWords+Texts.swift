/// The texts of SMS. No character of them is missing in the GSM 7 bit default alphabet, so that none has á, í, ó, ú,
/// ê, ô or ç; French and Spanish sentences are worded for that. The keywords of answers are those of `SMSAnswer`.
extension SMSWords.Phrase {
    /// By language, in the order of `SMSWords.languages`.
    var texts: [String] {
        switch self {
        case .code:
            [
                "{code} is your code for text messages about your place in the queue. Do not share "
                    + "it with anyone.",
                "{code} è il tuo codice per gli SMS sul tuo posto in coda. Non darlo a nessuno.",
                "{code} ist Ihr Code für SMS zu Ihrem Platz in der Warteschlange. Geben Sie ihn "
                    + "nicht weiter.",
                "{code} est votre code pour les SMS concernant votre place dans la file. Ne le "
                    + "donnez à personne.",
                "{code} es su clave para los SMS sobre su turno en la cola. No se la dé a nadie.",
            ]
        case .codeWithStop:
            [
                "{code} is your code for text messages about your place in the queue. Do not share "
                    + "it with anyone. To stop the messages, reply STOP.",
                "{code} è il tuo codice per gli SMS sul tuo posto in coda. Non darlo a nessuno. "
                    + "Per non ricevere più SMS, rispondi STOP.",
                "{code} ist Ihr Code für SMS zu Ihrem Platz in der Warteschlange. Geben Sie ihn "
                    + "nicht weiter. Keine SMS mehr? Antworten Sie mit STOP.",
                "{code} est votre code pour les SMS sur votre place dans la file. Ne le donnez à "
                    + "personne. Pour ne plus recevoir de SMS, répondez STOP.",
                "{code} es su clave para los SMS sobre su turno en la cola. No se la dé a nadie. "
                    + "Para dejar de recibir SMS, responda STOP.",
            ]
        case .joinCode:
            [
                "{code} is your code to confirm your phone number. Do not share it with anyone.",
                "{code} è il tuo codice per confermare il numero di telefono. Non darlo a nessuno.",
                "{code} ist Ihr Code zur Bestätigung Ihrer Telefonnummer. Geben Sie ihn nicht "
                    + "weiter.",
                "{code} est votre code pour confirmer votre numéro de téléphone. Ne le donnez à "
                    + "personne.",
                "{code} es su clave para confirmar su teléfono. No se la dé a nadie.",
            ]
        case .joinCodeWithStop:
            [
                "{code} is your code to confirm your phone number. Do not share it with anyone. "
                    + "To stop text messages, reply STOP.",
                "{code} è il tuo codice per confermare il numero di telefono. Non darlo a nessuno. "
                    + "Per non ricevere più SMS, rispondi STOP.",
                "{code} ist Ihr Code zur Bestätigung Ihrer Telefonnummer. Geben Sie ihn nicht "
                    + "weiter. Keine SMS mehr? Antworten Sie mit STOP.",
                "{code} est votre code pour confirmer votre numéro de téléphone. Ne le donnez à "
                    + "personne. Pour ne plus recevoir de SMS, répondez STOP.",
                "{code} es su clave para confirmar su teléfono. No se la dé a nadie. Para dejar de "
                    + "recibir SMS, responda STOP.",
            ]
        case .calledNow:
            [
                "It is your turn, number {number}. Please come in.",
                "Tocca a te, numero {number}. Puoi entrare.",
                "Sie sind an der Reihe, Nummer {number}. Bitte treten Sie ein.",
                "C'est votre tour, numéro {number}. Vous pouvez entrer.",
                "Es su turno, el {number}. Puede entrar.",
            ]
        case .calledBy:
            [
                "It is your turn, number {number}. Please come in by {time}.",
                "Tocca a te, numero {number}. Puoi entrare fino alle {time}.",
                "Sie sind an der Reihe, Nummer {number}. Bitte treten Sie bis {time} Uhr ein.",
                "C'est votre tour, numéro {number}. Vous pouvez entrer jusqu'à {time}.",
                "Es su turno, el {number}. Puede entrar hasta las {time}.",
            ]
        case .soon:
            [
                "It is almost your turn. Number {number} will be called in about two minutes.",
                "Tra poco tocca a te. Il numero {number} sarà chiamato tra circa due minuti.",
                "Sie sind gleich an der Reihe. Nummer {number} wird in etwa zwei Minuten "
                    + "aufgerufen.",
                "Votre numéro, le {number}, sera appelé dans deux minutes environ.",
                "Faltan unos dos minutos para su turno, el {number}.",
            ]
        case .soonWithLater:
            [
                "Number {number} will be called in about two minutes. To let others go ahead of "
                    + "you, reply LATER.",
                "Il numero {number} sarà chiamato tra circa due minuti. Per far passare avanti "
                    + "altre persone, rispondi DOPO.",
                "Nummer {number} wird in etwa zwei Minuten aufgerufen. Um andere vorzulassen, "
                    + "antworten Sie mit SPÄTER.",
                "Votre numéro, le {number}, sera appelé dans deux minutes environ. Pour laisser "
                    + "passer d'autres personnes, répondez APRES.",
                "Faltan unos dos minutos para su turno, el {number}. Para dejar pasar a otras "
                    + "personas, responda LUEGO.",
            ]
        case .later:
            [
                "It is taking longer for number {number}. The web page of your place shows when "
                    + "your turn will come.",
                "L'attesa per il numero {number} si allunga. La pagina web del tuo posto mostra "
                    + "quando toccherà a te.",
                "Für Nummer {number} dauert es länger. Wann Sie an der Reihe sind, steht auf der "
                    + "Internetseite zu Ihrem Platz.",
                "L'attente s'allonge pour le numéro {number}. La page web de votre place affiche "
                    + "la nouvelle heure.",
                "La espera para el turno {number} se alarga. En la web de su plaza puede ver la "
                    + "nueva hora.",
            ]
        case .laterThan:
            [
                "It is taking longer for number {number}. Your turn will come after {time}.",
                "L'attesa per il numero {number} si allunga. Toccherà a te dopo le {time}.",
                "Es dauert länger. Erwarteter Einlass für Nummer {number}: ab {time} Uhr.",
                "L'attente s'allonge. Entrée prévue pour le numéro {number} : à partir de {time}.",
                "La espera se alarga. Hora prevista de su turno, el {number}: a partir de las "
                    + "{time}.",
            ]
        case .closed:
            [
                "We are sorry: the shop closed before number {number} was called. Please get a new "
                    + "ticket when it is open again.",
                "Ci dispiace: il negozio ha chiuso prima del tuo turno, numero {number}. Prendi un "
                    + "nuovo biglietto quando riapre.",
                "Leider hat das Geschäft geschlossen, bevor Nummer {number} an der Reihe war. "
                    + "Bitte ziehen Sie ein neues Ticket, wenn wieder geöffnet ist.",
                "Nous sommes désolés : le magasin a fermé avant votre tour, numéro {number}. "
                    + "Prenez un nouveau ticket quand il rouvrira.",
                "Lo sentimos: la tienda ha cerrado antes de su turno, el {number}. Saque un turno "
                    + "nuevo cuando vuelva a abrir.",
            ]
        case .givenBack:
            [
                "Your place, number {number}, was cancelled. If you did not do this, please ask "
                    + "the staff.",
                "Il tuo posto, numero {number}, è stato disdetto. Se non l'hai disdetto tu, chiedi "
                    + "al personale.",
                "Ihr Platz, Nummer {number}, wurde storniert. Wenn Sie das nicht selbst getan "
                    + "haben, fragen Sie bitte das Personal.",
                "Votre place, numéro {number}, a été annulée. Si ce n'est pas vous qui l'avez "
                    + "annulée, adressez-vous au personnel.",
                "Se ha anulado su plaza, turno {number}. Si no la ha anulado usted, pregunte al "
                    + "personal.",
            ]
        case .cancelled:
            [
                "We are sorry: your visit, number {number}, was cancelled because the opening "
                    + "hours have changed. You can book another visit at the shop.",
                "Ci dispiace: la tua visita, numero {number}, è stata annullata perché sono "
                    + "cambiati gli orari. Puoi prenotarne un'altra in negozio.",
                "Leider wurde Ihr Termin, Nummer {number}, abgesagt, weil sich die Öffnungszeiten "
                    + "geändert haben. Sie können im Geschäft einen neuen buchen.",
                "Nous sommes désolés : votre visite, numéro {number}, est annulée, car les "
                    + "horaires ont changé. Vous pouvez en réserver une autre au magasin.",
                "Lo sentimos: se ha anulado su visita, turno {number}, porque ha cambiado el "
                    + "horario. Puede reservar otra en la tienda.",
            ]
        case .question:
            [
                "Are you coming? Please answer on the web page of your place, number {number}. If "
                    + "you cannot come, you can say so there.",
                "Vieni? Rispondi sulla pagina web del tuo posto, numero {number}. Se non puoi "
                    + "venire, puoi dirlo lì.",
                "Kommen Sie? Bitte antworten Sie auf der Internetseite zu Ihrem Platz, Nummer "
                    + "{number}. Wenn Sie nicht können, sagen Sie dort ab.",
                "Venez-vous ? Répondez sur la page web de votre place, numéro {number}. Si vous ne "
                    + "pouvez pas venir, dites-le sur cette page.",
                "¿Va a venir? Responda en la web de su plaza, turno {number}. Si no puede venir, "
                    + "avise en esa web.",
            ]
        case .questionReply:
            [
                "Are you coming? Please reply YES, or NO if you cannot come. Your number is {number}.",
                "Vieni? Rispondi SI, oppure NO se non puoi venire. Il tuo numero è {number}.",
                "Kommen Sie? Bitte antworten Sie mit JA, oder mit NEIN, wenn Sie nicht können. Ihre "
                    + "Nummer ist {number}.",
                "Venez-vous ? Répondez OUI, ou NON si vous ne pouvez pas venir. Votre numéro est le "
                    + "{number}.",
                "¿Va a venir? Responda SI, o NO si no puede venir. Su turno es el {number}.",
            ]
        case .questionLink:
            [
                "Number {number}: are you coming? Please answer here: {link}",
                "Numero {number}: vieni? Rispondi qui: {link}",
                "Nummer {number}: Kommen Sie? Bitte antworten Sie hier: {link}",
                "Numéro {number} : venez-vous ? Répondez ici : {link}",
                "Turno {number}: ¿va a venir? Responda en este enlace: {link}",
            ]
        case .questionLinkShort:
            [
                "{number}: are you coming? {link}",
                "{number}: vieni? {link}",
                "{number}: Kommen Sie? {link}",
                "{number} : venez-vous ? {link}",
                "{number}: ¿va a venir? {link}",
            ]
        case .missed:
            [
                "Your turn, number {number}, has passed. If you still want to come in, please ask "
                    + "the staff.",
                "Il tuo turno, numero {number}, è passato. Se vuoi ancora entrare, chiedi al "
                    + "personale.",
                "Nummer {number} war schon an der Reihe. Wenn Sie noch eintreten möchten, fragen "
                    + "Sie bitte das Personal.",
                "Votre tour, numéro {number}, est passé. Si vous souhaitez toujours entrer, "
                    + "adressez-vous au personnel.",
                "Su turno, el {number}, ya ha pasado. Si quiere entrar, pregunte al personal.",
            ]
        case .missedUntil:
            [
                "Your turn, number {number}, has passed. You have until {time} to take your place "
                    + "back, on its web page or at the shop's machine.",
                "Il tuo turno, numero {number}, è passato. Hai tempo fino alle {time} per "
                    + "riprendere il tuo posto, sulla pagina web o alla macchina.",
                "Nummer {number} war schon an der Reihe. Bis {time} Uhr können Sie Ihren Platz auf "
                    + "der Internetseite oder am Automaten zurückholen.",
                "Votre tour, numéro {number}, est passé. Vous avez jusqu'à {time} pour reprendre "
                    + "votre place, sur la page web ou à la borne.",
                "Su turno, el {number}, ya ha pasado. Tiene hasta las {time} para recuperar su "
                    + "plaza en la web o en la tienda.",
            ]
        case .restored:
            [
                "You have your place back. Your number is {number}.",
                "Hai di nuovo il tuo posto. Il tuo numero è {number}.",
                "Sie haben Ihren Platz wieder. Ihre Nummer ist {number}.",
                "Vous avez retrouvé votre place. Votre numéro est le {number}.",
                "Ha recuperado su plaza. Su turno es el {number}.",
            ]
        case .giveBack:
            [
                "To give up your place, number {number}, reply NO {word}. To keep it, reply YES.",
                "Per rinunciare al tuo posto, numero {number}, rispondi NO {word}. Per tenerlo, "
                    + "rispondi SI.",
                "Um Ihren Platz, Nummer {number}, freizugeben, antworten Sie mit NEIN {word}. Um "
                    + "ihn zu behalten, antworten Sie mit JA.",
                "Pour libérer votre place, numéro {number}, répondez NON {word}. Pour la garder, "
                    + "répondez OUI.",
                "Para dejar su plaza, turno {number}, responda NO {word}. Para conservarla, "
                    + "responda SI.",
            ]
        case .wait:
            [
                "If you let {people} go ahead, your turn will come {when}. To do that, reply LATER "
                    + "{word}. Your number stays {number}.",
                "Se fai passare avanti {people}, toccherà a te {when}. Per farlo, rispondi DOPO "
                    + "{word}. Il tuo numero resta {number}.",
                "Wenn Sie {people} vorlassen, ist Ihre Nummer {number} {when} an der Reihe. "
                    + "Antworten Sie dafür mit SPÄTER {word}.",
                "Si vous laissez passer {people}, votre tour viendra {when}. Pour cela, répondez "
                    + "APRES {word}. Votre numéro reste le {number}.",
                "Si deja pasar a {people}, le toca {when}. Para hacerlo, responda LUEGO {word}. Su "
                    + "turno sigue siendo el {number}.",
            ]
        case .waits:
            [
                "Done. Your turn, number {number}, will come {when}.",
                "Fatto. Numero {number}: toccherà a te {when}.",
                "Erledigt. Nummer {number} ist {when} an der Reihe.",
                "C'est fait. Votre tour, numéro {number}, viendra {when}.",
                "Hecho. Turno {number}: le toca {when}.",
            ]
        case .noLater:
            [
                "It is not possible to let others go ahead now. Your place, number {number}, stays "
                    + "as it is.",
                "Ora non è possibile far passare avanti altre persone. Il tuo posto, numero "
                    + "{number}, resta com'è.",
                "Sie können im Moment leider niemanden vorlassen. Ihr Platz, Nummer {number}, "
                    + "bleibt unverändert.",
                "Vous ne pouvez pas laisser passer d'autres personnes en ce moment. Votre place, "
                    + "numéro {number}, ne change pas.",
                "Ahora no es posible dejar pasar a otras personas. Su plaza, turno {number}, no "
                    + "cambia.",
            ]
        case .ticket: Self.ticketTexts
        case .calledTicket: Self.calledTicketTexts
        case .calledTicketBy: Self.calledTicketByTexts
        case .visit: Self.visitTexts
        case .visitGivenBack: Self.visitGivenBackTexts
        case .ended: Self.endedTexts
        case .stopped: Self.stoppedTexts
        case .answerOnPage: Self.answerOnPageTexts
        case .explanation: Self.explanationTexts
        }
    }
}
