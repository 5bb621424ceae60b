/// Answers that say yes, no or later without the word that an SMS asks for, such as "Vengo" and "No grazie".
///
/// A *no* and a *later* of this kind take nothing from the customer, since they are answered by a question with the word.
enum OtherWords {
    /// The answer of a whole text; nil if it says more, or something else.
    static func answer(_ answer: AnswerWords, in text: String) -> SMSAnswer? {
        guard !answer.words.isEmpty else { return thumb(text) }
        let said = withoutManners(answer.words[...])
        let isAsked = text.contains("?")
        if !isAsked, isYes(said) || isYes(withoutMoment(said)) { return .yes }
        let phrase = said.joined(separator: " ")
        if lateness.contains(phrase) { return .later(word: nil) }
        // "No, voy" is a yes.
        if notWithSign.contains(phrase) { return answer.isFirstApart ? nil : .no(word: nil) }
        return negations.contains(phrase) ? .no(word: nil) : nil
    }

    /// Whether a text that begins with yes asks, or goes on with *not*.
    static func isDoubtful(_ rest: ArraySlice<String>, in text: String) -> Bool {
        text.contains("?")
            || rest.indices.contains { index in
                negative.contains(rest[index])
                    && !(index + 1 < rest.endIndex && rest[index + 1].hasPrefix("PROBLEM"))
            }
    }

    /// Whether words say no more than that it is about SMS, politely.
    static func areOfSMS(_ words: ArraySlice<String>) -> Bool {
        words.allSatisfy { manners.contains($0) || ofSMS.contains($0) }
    }

    /// Whether words are one affirmation, or two, as in "OK, vengo".
    private static func isYes(_ words: ArraySlice<String>) -> Bool {
        func isOne(_ part: ArraySlice<String>) -> Bool {
            affirmations.contains(part.joined(separator: " "))
        }
        return isOne(words)
            || words.indices.dropFirst().contains { isOne(words[..<$0]) && isOne(words[$0...]) }
    }

    /// Without the words of politeness and greeting at both ends.
    private static func withoutManners(_ words: ArraySlice<String>) -> ArraySlice<String> {
        var rest = words
        while rest.count > 1, let last = rest.last, manners.contains(last) { rest.removeLast() }
        while rest.count > 1, let first = rest.first, manners.contains(first) { rest.removeFirst() }
        return rest
    }

    /// Without "now" at the end, or "in 5 minutes".
    private static func withoutMoment(_ words: ArraySlice<String>) -> ArraySlice<String> {
        if words.count > 1, let last = words.last, soon.contains(last) { return words.dropLast() }
        let end = Array(words.suffix(3))
        let isInMinutes =
            words.count > 3 && ["IN", "TRA", "FRA", "DANS", "EN"].contains(end[0])
            && end[1].utf8.allSatisfy { (0x30...0x39).contains($0) } && end[2].hasPrefix("MIN")
        return isInMinutes ? words.dropLast(3) : words
    }

    /// A text of thumbs that all point up, or all down.
    private static func thumb(_ text: String) -> SMSAnswer? {
        let signs = text.unicodeScalars.filter {
            // Without the colours of the skin, the selectors of looks, and blanks.
            !(0x1F3FB...0x1F3FF).contains($0.value) && !$0.properties.isVariationSelector
                && !$0.properties.isWhitespace
        }
        guard let first = signs.first, signs.allSatisfy({ $0 == first }) else { return nil }
        switch first {
        case "\u{1F44D}", "\u{1F44C}", "\u{2705}", "\u{2714}": return .yes
        case "\u{1F44E}", "\u{274C}": return .no(word: nil)
        default: return nil
        }
    }

    // MARK: - Words

    private static let manners: Set = [
        "PLEASE", "THANKS", "THANK", "YOU", "VERY", "MUCH", "HELLO", "HI", "SORRY", "UNFORTUNATELY",
        "GRAZIE", "MILLE", "TANTE", "PER", "FAVORE", "BUONGIORNO", "BUONASERA", "SALVE", "CIAO",
        "PURTROPPO",
        "BITTE", "DANKE", "SCHON", "SCHOEN", "VIELEN", "DANK", "BESTEN", "HALLO", "GUTEN", "TAG",
        "LEIDER",
        "MERCI", "BEAUCOUP", "SVP", "BONJOUR", "BONSOIR", "MALHEUREUSEMENT", "DESOLE", "DESOLEE",
        "GRACIAS", "MUCHAS", "MIL", "POR", "FAVOR", "HOLA", "BUENOS", "DIAS", "BUENAS", "TARDES",
    ]
    private static let ofSMS: Set = ["SMS", "MESSAGGI", "MENSAJES", "MESSAGES"]
    private static let soon: Set = ["NOW", "SUBITO", "ORA", "GLEICH", "SOFORT", "JETZT", "AHORA"]
    private static let negative: Set = ["NOT", "NO", "NON", "NICHT", "NEIN", "PAS"]

    private static let affirmations: Set = [
        "OK", "OKAY", "OKEY", "O K",
        "YES", "COMING", "I AM COMING", "I M COMING", "IM COMING", "WE ARE COMING", "WE RE COMING",
        "ON MY WAY", "ON OUR WAY", "I AM ON MY WAY", "I M ON MY WAY", "IM ON MY WAY", "OMW",
        "I LL BE THERE",
        "I WILL BE THERE", "I WILL COME", "I LL COME", "I AM HERE", "I M HERE", "OF COURSE", "SURE",
        "CERTAINLY",
        "YEP", "YEAH", "YUP", "CONFIRMED", "I CONFIRM", "ALL RIGHT", "ALRIGHT",
        "SI", "SISI", "VENGO", "VENIAMO", "ARRIVO", "ARRIVIAMO", "STO ARRIVANDO",
        "STIAMO ARRIVANDO", "STO VENENDO",
        "IN ARRIVO", "SONO IN ARRIVO", "SONO PER STRADA", "ECCOMI", "SONO QUI", "SONO QUA",
        "CI SONO", "CI SIAMO",
        "CI SARO", "VA BENE", "VA BENISSIMO", "BENISSIMO", "PERFETTO", "CERTO", "CERTAMENTE",
        "SICURAMENTE",
        "SENZ ALTRO", "VOLENTIERI", "D ACCORDO", "DACCORDO", "CONFERMO", "SI CONFERMO",
        "JA", "KOMME", "ICH KOMME", "KOMME SCHON", "ICH KOMME SCHON", "WIR KOMMEN", "BIN DA",
        "ICH BIN DA",
        "BIN GLEICH DA", "ICH BIN GLEICH DA", "BIN UNTERWEGS", "ICH BIN UNTERWEGS",
        "WIR SIND UNTERWEGS",
        "BIN AUF DEM WEG", "ICH BIN AUF DEM WEG", "GERN", "GERNE", "JAWOHL", "KLAR", "NA KLAR",
        "ALLES KLAR",
        "NATURLICH", "NATUERLICH", "SELBSTVERSTANDLICH", "SICHER", "IN ORDNUNG", "GEHT KLAR",
        "EINVERSTANDEN",
        "ICH BESTATIGE", "BESTATIGT", "AUF JEDEN FALL",
        "OUI", "OUAIS", "J ARRIVE", "JARRIVE", "JE VIENS", "J ARRIVE TOUT DE SUITE",
        "J ARRIVE DE SUITE",
        "JE VIENS TOUT DE SUITE", "JE VAIS VENIR", "ON ARRIVE", "ON VIENT", "NOUS ARRIVONS",
        "NOUS VENONS",
        "EN ROUTE", "JE SUIS EN ROUTE", "EN CHEMIN", "JE SUIS EN CHEMIN", "JE SUIS LA", "ME VOILA",
        "J Y SERAI",
        "JE SERAI LA", "D ACCORD", "DACCORD", "ENTENDU", "BIEN SUR", "CERTAINEMENT", "VOLONTIERS",
        "PARFAIT",
        "TRES BIEN", "CA MARCHE", "JE CONFIRME",
        "VOY", "YA VOY", "AHORA VOY", "ENSEGUIDA VOY", "VOY ENSEGUIDA", "VOY A IR", "VOY PARA ALLA",
        "IRE", "VAMOS",
        "YA VAMOS", "VOY DE CAMINO", "DE CAMINO", "EN CAMINO", "ESTOY DE CAMINO", "ESTOY EN CAMINO",
        "YA LLEGO",
        "ESTOY LLEGANDO", "YA ESTOY AQUI", "AQUI ESTOY", "ALLI ESTARE", "VALE", "DE ACUERDO",
        "CLARO", "CLARO QUE SI",
        "POR SUPUESTO", "DESDE LUEGO", "PERFECTO", "MUY BIEN", "ESTA BIEN", "CONFIRMO",
        "CONFIRMADO",
    ]

    private static let negations: Set = [
        "NO", "NO NO", "NOPE", "NOT COMING", "I AM NOT COMING", "I M NOT COMING", "IM NOT COMING",
        "NO I AM NOT COMING", "NO I M NOT COMING", "WE ARE NOT COMING", "WE RE NOT COMING",
        "NO LONGER COMING",
        "I WON T COME", "CAN T COME", "I CAN T COME", "I CANT COME", "CANNOT COME", "I CANNOT COME",
        "I CAN T",
        "NO I CAN T", "NO I CAN T COME", "CAN T MAKE IT", "I CAN T MAKE IT", "I CANT MAKE IT",
        "I CANNOT MAKE IT",
        "AFRAID NOT", "I M AFRAID NOT", "I GIVE UP MY PLACE", "CANCEL",
        "NON", "NON VENGO", "NON VENGO PIU", "NO NON VENGO", "NON VENIAMO", "NON VERRO",
        "NON POSSO",
        "NON POSSO VENIRE", "NON POSSO PIU VENIRE", "NO NON POSSO", "NO NON POSSO VENIRE",
        "NON POSSIAMO",
        "NON RIESCO", "NON RIESCO A VENIRE", "NON CE LA FACCIO", "NO MI DISPIACE", "MI DISPIACE NO",
        "RINUNCIO", "RINUNCIO AL POSTO", "DISDICO", "DISDIRE", "ANNULLA", "ANNULLO", "ANNULLARE",
        "NEIN", "NEIN NEIN", "NEE", "NICHT", "NEIN LEIDER NICHT", "KOMME NICHT", "ICH KOMME NICHT",
        "KOMME NICHT MEHR",
        "ICH KOMME NICHT MEHR", "ICH KOMME LEIDER NICHT", "NEIN ICH KOMME NICHT",
        "WIR KOMMEN NICHT", "KANN NICHT",
        "ICH KANN NICHT", "NEIN ICH KANN NICHT", "ICH KANN LEIDER NICHT", "KANN NICHT KOMMEN",
        "ICH KANN NICHT KOMMEN", "ICH KANN LEIDER NICHT KOMMEN", "WIR KONNEN NICHT", "GEHT NICHT",
        "GEHT LEIDER NICHT",
        "ICH BIN VERHINDERT", "BIN VERHINDERT", "ICH SAGE AB", "ICH MUSS ABSAGEN",
        "ICH MUSS LEIDER ABSAGEN",
        "ABSAGEN", "STORNIEREN", "STORNO", "ICH VERZICHTE",
        "NON NON", "JE NE VIENS PAS", "JE VIENS PAS", "NON JE NE VIENS PAS", "NON JE VIENS PAS",
        "JE NE VIENS PLUS",
        "JE NE VIENDRAI PAS", "JE NE PEUX PAS", "JE PEUX PAS", "JE NE PEUX PAS VENIR",
        "JE PEUX PAS VENIR",
        "NON JE NE PEUX PAS", "JE NE POURRAI PAS", "JE NE POURRAI PAS VENIR", "ON NE VIENT PAS",
        "ON VIENT PAS",
        "NOUS NE VENONS PAS", "J ANNULE", "ANNULER", "ANNULEZ", "JE RENONCE", "JE LIBERE MA PLACE",
        "NO NO VOY", "NO PUEDO", "NO PUEDO IR", "NO NO PUEDO", "NO VOY A IR", "NO IRE", "NO PODRE",
        "NO PODRE IR",
        "NO VOY A PODER", "NO VOY A PODER IR", "YA NO VOY", "YA NO PUEDO", "YA NO PUEDO IR",
        "NO VAMOS", "NO PODEMOS",
        "LO SIENTO NO PUEDO", "NO LO SIENTO", "LO SIENTO NO", "CANCELAR", "CANCELO", "ANULAR",
        "ANULO", "RENUNCIO",
        "DEJO MI PLAZA",
    ]
    private static let notWithSign: Set = ["NO VOY"]

    private static let lateness: Set = [
        "LATER", "DOPO", "PIU TARDI", "SPATER", "SPAETER", "APRES", "PLUS TARD", "LUEGO",
        "MAS TARDE",
    ]
}
