internal import TextForms

/// The words of an answer, and how the first one is written.
struct AnswerWords {
    /// The text's runs of letters and of digits, as capitals without accents.
    private(set) var words: [String] = []
    /// Whether the first word has an acute or a grave on an I: "sì", "Sí".
    private(set) var isFirstAccented = false
    /// Whether a sign of punctuation, another sign or a line end stands between the first word and the second.
    private(set) var isFirstApart = false

    init(_ text: String) {
        var isInWord = false
        for scalar in text.unicodeScalars {
            if let byte = Self.byte(scalar) {
                let isSame = isInWord && words.last?.utf8.last?.isASCIIDigit == byte.isASCIIDigit
                if !isSame { words.append("") }
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
                isInWord = true
                if words.count == 1, "ìíÌÍ".unicodeScalars.contains(scalar) {
                    isFirstAccented = true
                }
            } else if ForeignScalar(scalar) == .nothing {
                // A mark belongs to the letter before it. These two are the grave and the acute.
                let isAccent = scalar == "\u{300}" || scalar == "\u{301}"
                if isAccent, isInWord, words.count == 1, words[0].hasSuffix("I") {
                    isFirstAccented = true
                }
            } else {
                isInWord = false
                if words.count == 1, Self.separates(scalar) { isFirstApart = true }
            }
        }
    }

    /// Whether a character is a sign or ends a line. Blanks and letters do neither.
    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
            .modifierSymbol, .otherSymbol, .lineSeparator, .paragraphSeparator:
            true
        default: scalar == "\n" || scalar == "\r"
        }
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
