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
    /// anything from the customer. *Start*, *no* and *later* are understood alone, the last two also with the word, so
    /// that "No problem, I am coming" is not a *no*.
    public init?(_ text: String) {
        let words = Self.words(text)
        guard let first = words.first, let keyword = Self.keywords[first] else { return nil }
        let word = words.count == 2 && Self.isWord(words[1]) ? words[1] : nil
        let isClear = words.count == 1 || word != nil
        switch keyword {
        case .stop: self = .stop
        case .yes: self = .yes
        case .start where words.count == 1: self = .start
        case .no where isClear: self = .no(word: word)
        case .later where isClear: self = .later(word: word)
        case .start, .no, .later: return nil
        }
    }

    private enum Keyword { case stop, start, yes, no, later }

    private static let keywords: [String: Keyword] = [
        "STOP": .stop, "STOPP": .stop, "ARRET": .stop, "BASTA": .stop, "ALTO": .stop, "BAJA": .stop,
        "START": .start,
        "YES": .yes, "SI": .yes, "JA": .yes, "OUI": .yes,
        "NO": .no, "NEIN": .no, "NON": .no,
        "LATER": .later, "DOPO": .later, "SPATER": .later, "SPAETER": .later, "APRES": .later,
        "LUEGO": .later,
    ]

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count == 4 && text.isASCIIDigits
    }

    /// The text's runs of letters and of digits, as capitals without accents.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isInWord = false
        for scalar in String(decoding: text.utf8.prefix(maxBytes), as: UTF8.self).unicodeScalars {
            guard let byte = byte(scalar) else {
                // A mark belongs to the letter before it.
                if ForeignScalar(scalar) != .nothing { isInWord = false }
                continue
            }
            let isSame = isInWord && words.last?.utf8.last?.isASCIIDigit == byte.isASCIIDigit
            if !isSame { words.append("") }
            words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
            isInWord = true
        }
        return words
    }

    /// The capital or digit that stands for a character; nil for any other character.
    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        let folded: String
        if scalar.isASCII {
            folded = String(scalar)
        } else if case .text(let text) = ForeignScalar(scalar), text.utf8.count == 1 {
            folded = text
        } else {
            return nil
        }
        guard let byte = folded.utf8.first else { return nil }
        if byte.isASCIILowercase { return byte - 32 }
        return byte.isASCIIUppercase || byte.isASCIIDigit ? byte : nil
    }
}
