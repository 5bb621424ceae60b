internal import TextForms

/// What a customer answers to an SMS.
///
/// A sender can be forged, and a text can mean something else than its first word: *no* and *later* change a place only
/// with the word, which is known only to a person who receives the SMS of that number (`SMSText.giveBack`).
public enum SMSAnswer: Hashable, Sendable {
    /// No SMS any more.
    case stop
    /// SMS again, after *stop*.
    case start
    /// The customer is coming.
    case yes
    /// The customer gives the place back; the word is four digits.
    case no(word: String?)
    /// The customer lets people go ahead; the word is four digits.
    case later(word: String?)

    /// The most bytes of an answer that are read.
    private static let maxBytes = 1_000

    /// Reads an answer in any of the languages, whatever its case, its accents and the punctuation in it; nil for any
    /// other text.
    ///
    /// For *stop* and *yes* the first word is enough, as in "Stop, please" and "Yes, I am coming", since neither takes
    /// anything from the customer. "Si" without an accent also means *if*, in Spanish and French, and begins other
    /// sentences in Italian, as in "Si puedo, voy" and "Si è fatto tardi": it is a *yes* alone, before a sign or a line
    /// end, with the word, and before a few words that affirm. *Start*, *no* and *later* are understood alone, the last
    /// two also with the word, so that "No problem, I am coming" is not a *no*. Whole answers in other words, such as "Vengo"
    /// and "No grazie", and a thumb are understood too.
    public init?(_ text: String) {
        let text = String(decoding: text.utf8.prefix(Self.maxBytes), as: UTF8.self)
        let answer = AnswerWords(text)
        let words = answer.words
        if let other = Self.inOtherWords(words, text) {
            self = other
            return
        }
        guard let first = words.first, let keyword = Self.keywords[first] else { return nil }
        let word = words.count == 2 && Self.isWord(words[1]) ? words[1] : nil
        let isClear = words.count == 1 || word != nil
        switch keyword {
        case .stop: self = .stop
        case .yes: self = .yes
        case .si where isClear || answer.isFirstAccented || answer.isFirstApart: self = .yes
        case .si where Self.affirming.contains(words[1]): self = .yes
        case .start where words.count == 1: self = .start
        case .no where isClear: self = .no(word: word)
        case .later where isClear: self = .later(word: word)
        case .si, .start, .no, .later: return nil
        }
    }

    private enum Keyword { case stop, start, yes, si, no, later }

    private static let keywords: [String: Keyword] = [
        "STOP": .stop, "STOPP": .stop, "ARRET": .stop, "BASTA": .stop, "ALTO": .stop, "BAJA": .stop,
        "STOPALL": .stop, "UNSUBSCRIBE": .stop, "ABMELDEN": .stop, "DESABONNER": .stop,
        "PARAR": .stop,
        "START": .start,
        "YES": .yes, "SI": .si, "JA": .yes, "OUI": .yes,
        "NO": .no, "NEIN": .no, "NON": .no,
        "LATER": .later, "DOPO": .later, "SPATER": .later, "SPAETER": .later, "APRES": .later,
        "LUEGO": .later,
    ]

    /// What follows "Si" only where it means *yes*.
    private static let affirming: Set = [
        "VENGO", "ARRIVO", "CERTO", "GRAZIE", "VOY", "CLARO", "YA", "GRACIAS", "SI", "OK",
    ]

    // MARK: - Other words

    /// An answer that says yes or no without the keyword; nil for any other text. A *no* of this kind takes nothing from the
    /// customer, since it is answered by the question with the word.
    private static func inOtherWords(_ words: [String], _ text: String) -> SMSAnswer? {
        guard !words.isEmpty else { return thumb(text) }
        var rest = words[...]
        while rest.count > 1, let last = rest.last, polite.contains(last) { rest.removeLast() }
        let said = rest.joined(separator: " ")
        if affirmations.contains(said) { return .yes }
        return negations.contains(said) ? .no(word: nil) : nil
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

    /// What may follow an answer.
    private static let polite: Set = [
        "GRAZIE", "MILLE", "THANKS", "THANK", "YOU", "PLEASE", "DANKE", "BITTE", "MERCI", "GRACIAS",
        "SUBITO", "ORA", "NOW", "GLEICH", "AHORA",
    ]

    private static let affirmations: Set = [
        "OK", "OKAY", "OKEY", "OK OK",
        "VENGO", "ARRIVO", "STO ARRIVANDO", "VA BENE", "CERTO", "CI SONO", "PERFETTO", "D ACCORDO",
        "COMING", "I AM COMING", "I M COMING", "IM COMING", "ON MY WAY", "I AM ON MY WAY", "SURE",
        "YEP", "YEAH",
        "KOMME", "ICH KOMME", "WIR KOMMEN", "BIN UNTERWEGS", "ICH BIN UNTERWEGS", "GERNE", "JAWOHL",
        "J ARRIVE", "JE VIENS", "J Y VAIS", "ON ARRIVE", "D ACCORD", "BIEN SUR",
        "VOY", "YA VOY", "VALE", "DE ACUERDO", "CLARO", "ESTOY EN CAMINO",
    ]

    private static let negations: Set = [
        "NO NO", "NO", "NON", "NEIN", "NOPE",
        "NON VENGO", "NON VENGO PIU", "NON POSSO", "NON POSSO VENIRE", "NO NON VENGO",
        "NO NON POSSO",
        "RINUNCIO", "DISDICO", "ANNULLA",
        "NOT COMING", "I AM NOT COMING", "I M NOT COMING", "IM NOT COMING", "NO I AM NOT COMING",
        "NO I M NOT COMING", "CAN T COME", "I CAN T COME", "CANNOT COME", "I CANNOT COME", "CANCEL",
        "KOMME NICHT", "ICH KOMME NICHT", "NEIN ICH KOMME NICHT", "ICH KANN NICHT", "KANN NICHT",
        "ICH KANN NICHT KOMMEN", "ABSAGEN",
        "JE NE VIENS PAS", "JE VIENS PAS", "NON JE NE VIENS PAS", "JE NE PEUX PAS",
        "JE NE PEUX PAS VENIR", "ANNULER",
        "NO VOY", "NO PUEDO", "NO PUEDO IR", "NO VOY A IR", "NO VENGO", "NO NO VOY", "ANULAR",
    ]

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count == 4 && text.isASCIIDigits
    }
}
