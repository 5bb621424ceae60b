/// What stands for a character of Unicode in a text of the GSM 7 bit default alphabet.
enum ForeignScalar: Hashable {
    /// It has no width, or belongs to the letter before it.
    case nothing
    /// It separates words.
    case blank
    /// Characters of the alphabet that a reader takes for it.
    case text(String)
    /// No character of the alphabet is near to it.
    case unknown

    init(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: self = .blank
        case .format, .nonspacingMark, .spacingMark, .enclosingMark: self = .nothing
        default:
            let text = Self.signs[scalar] ?? Self.latin(scalar) ?? Self.greek(scalar)
            self = text.map { .text($0) } ?? .unknown
        }
    }

    /// Letters and signs that are not a letter of the alphabet with an accent more.
    private static let signs: [Unicode.Scalar: String] = {
        let texts: [(of: String, is: String)] = [
            ("‘’‚‛‹›′`´ʹʻʼ", "'"), ("“”„‟«»″", "\""), ("‐‑‒–—―−", "-"), ("…", "..."), ("·•‧∙", "."),
            ("×", "x"), ("÷", ":"), ("⁄", "/"), ("¦", "|"), ("¢", "c"), ("ª", "a"), ("º°", "o"),
            ("¹", "1"), ("²", "2"), ("³", "3"), ("¼", "1/4"), ("½", "1/2"), ("¾", "3/4"),
            ("©", "(c)"), ("®", "(R)"), ("™", "TM"), ("№", "No."), ("œ", "oe"), ("Œ", "OE"),
            ("ĳ", "ij"), ("Ĳ", "IJ"), ("þ", "th"), ("Þ", "Th"), ("ð", "d"), ("Ð", "D"), ("ı", "i"),
            ("ŉ", "'n"), ("ŋ", "ng"), ("Ŋ", "Ng"), ("ĸ", "k"), ("ſ", "s"), ("ẞ", "SS"), ("ə", "e"),
            ("Ə", "E"),
            // The alphabet has the short letter, which Hungarian and Danish readers take for it.
            ("ő", "ö"), ("Ő", "Ö"), ("ű", "ü"), ("Ű", "Ü"), ("ǿ", "ø"), ("Ǿ", "Ø"), ("ǽ", "æ"),
            ("Ǽ", "Æ"),
        ]
        return Dictionary(
            uniqueKeysWithValues: texts.flatMap { text in
                text.of.unicodeScalars.map { ($0, text.is) }
            })
    }()

    /// The letter without what its name in the Unicode Character Database says after `WITH`, such as its accent.
    private static func latin(_ scalar: Unicode.Scalar) -> String? {
        guard let (letter, isSmall) = letter(scalar, of: "LATIN"), letter.utf8.count == 1 else {
            return nil
        }
        return isSmall ? letter.lowercased() : String(letter)
    }

    /// The capitals, by the names of their letters in the Unicode Character Database.
    private static let greekCapitals = [
        "ALPHA": "A", "BETA": "B", "GAMMA": "Γ", "DELTA": "Δ", "EPSILON": "E", "ZETA": "Z",
        "ETA": "H", "THETA": "Θ", "IOTA": "I", "KAPPA": "K", "LAMDA": "Λ", "MU": "M", "NU": "N",
        "XI": "Ξ", "OMICRON": "O", "PI": "Π", "RHO": "P", "SIGMA": "Σ", "FINAL SIGMA": "Σ",
        "TAU": "T", "UPSILON": "Y", "PHI": "Φ", "CHI": "X", "PSI": "Ψ", "OMEGA": "Ω",
    ]

    private static func greek(_ scalar: Unicode.Scalar) -> String? {
        letter(scalar, of: "GREEK").flatMap { greekCapitals[String($0.letter)] }
    }

    private static func letter(
        _ scalar: Unicode.Scalar, of script: String
    ) -> (letter: Substring, isSmall: Bool)? {
        guard let name = scalar.properties.name else { return nil }
        for (size, isSmall) in [("SMALL", true), ("CAPITAL", false)] {
            let start = "\(script) \(size) LETTER "
            guard name.hasPrefix(start) else { continue }
            let rest = name.dropFirst(start.count)
            return (rest.firstRange(of: " WITH ").map { rest[..<$0.lowerBound] } ?? rest, isSmall)
        }
        return nil
    }
}
