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
    /// anything from the customer; but a question, and a text that goes on with *not*, are no *yes*, and words that begin
    /// other sentences too, as "Basta", are a *stop* alone. "Si" without an accent also means *if*, in Spanish and
    /// French, and begins other sentences in Italian, as in "Si puedo, voy" and "Si è fatto tardi": it is a *yes* alone,
    /// before a sign or a line end, with the word, and before a few words that affirm. *Start*, *no* and *later* are
    /// understood alone, the last two also with the word, so that "No problem, I am coming" is not a *no*. Whole answers in
    /// other words, such as "Vengo" and "No grazie", and a thumb are understood too (`OtherWords`).
    public init?(_ text: String) {
        let text = String(decoding: text.utf8.prefix(Self.maxBytes), as: UTF8.self)
        let answer = AnswerWords(text)
        let words = answer.words
        if let other = OtherWords.answer(answer, in: text) {
            self = other
            return
        }
        guard let first = words.first, let keyword = Self.keywords[first] else { return nil }
        let word = words.count == 2 && Self.isWord(words[1]) ? words[1] : nil
        let isClear = words.count == 1 || word != nil
        // Who asks, or says *but not*, has not said yes.
        let isDoubtful = OtherWords.isDoubtful(words.dropFirst(), in: text)
        switch keyword {
        case .stop: self = .stop
        case .stopAlone where isClear || OtherWords.areOfSMS(words.dropFirst()): self = .stop
        case .yes where !isDoubtful: self = .yes
        case .si where isDoubtful: return nil
        case .si where isClear || answer.isFirstAccented || answer.isFirstApart: self = .yes
        case .si where Self.affirming.contains(words[1]): self = .yes
        case .start where words.count == 1: self = .start
        case .no where isClear: self = .no(word: word)
        case .later where isClear: self = .later(word: word)
        case .stopAlone, .yes, .si, .start, .no, .later: return nil
        }
    }

    private enum Keyword { case stop, stopAlone, start, yes, si, no, later }

    private static let keywords: [String: Keyword] = [
        "STOP": .stop, "STOPP": .stop, "STOPALL": .stop, "UNSUBSCRIBE": .stop, "DESABONNER": .stop,
        // These begin other sentences too.
        "ARRET": .stopAlone, "BASTA": .stopAlone, "ALTO": .stopAlone, "BAJA": .stopAlone,
        "PARAR": .stopAlone,
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

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count == 4 && text.isASCIIDigits
    }
}
