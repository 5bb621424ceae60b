internal import TextForms

/// Cleans text from outside before it is shown or printed; no other code does that.
public enum PlainText {
    /// The most marks on a base character: Vietnamese needs two; a pile of more marks would cover the lines above.
    public static let mostMarks = 2

    /// The text in one line, at most `limit` characters, without anything that moves, hides, recolours or reorders
    /// the text beside it; a cut text ends in "…".
    ///
    /// Removed are C0, C1 and DEL, bidirectional controls (U+202A-E, U+2066-9, U+200E-F, U+061C), zero-width and
    /// other format characters, variation selectors, private use and unassigned code points, and marks beyond
    /// `mostMarks`. Line ends, tabs and runs of spaces become one space. No-break spaces stay.
    public static func clean(_ text: String, limit: Int) -> String {
        guard limit > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var characters = 0
        var marks = 0
        var pendingSpace = false
        for scalar in text.unicodeScalars {
            switch role(of: scalar) {
            case .nothing: continue
            case .space: pendingSpace = characters > 0
            case .mark:
                // A mark without a base before it would be drawn on the neighbouring text.
                guard characters > 0, !pendingSpace, marks < mostMarks else { continue }
                marks += 1
                result.append(scalar)
            case .visible:
                let needed = pendingSpace ? 2 : 1
                guard characters + needed <= limit else { return cut(result, to: limit) }
                if pendingSpace { result.append(" ") }
                result.append(scalar)
                characters += needed
                marks = 0
                pendingSpace = false
            }
        }
        return String(result)
    }

    private static func role(of scalar: Unicode.Scalar) -> ScalarRole {
        let value = scalar.value
        if (0x21...0x7E).contains(value) { return .visible }
        if value == 0x85 { return .space }
        if isInvisible(value) { return .nothing }
        if TextWidth.isMark(scalar) { return .mark }
        return ScalarRole.isNoBreakSpace(scalar) ? .visible : ScalarRole(scalar)
    }

    /// Characters that cannot be seen although their category is that of letters or marks.
    private static func isInvisible(_ value: UInt32) -> Bool {
        switch value {
        // Combining grapheme joiner, Hangul fillers, Khmer inherent vowels, Braille blank.
        case 0x034F, 0x115F...0x1160, 0x3164, 0xFFA0, 0x17B4...0x17B5, 0x2800: true
        // Mongolian and general variation selectors, and the supplement.
        case 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0000...0xE0FFF: true
        // Emoji skin tones: a terminal draws them as a second picture.
        case 0x1F3FB...0x1F3FF: true
        default: false
        }
    }

    private static func cut(_ text: String.UnicodeScalarView, to limit: Int) -> String {
        var clusters = TextWidth.clusters(String(text))
        while clusters.count >= limit { clusters.removeLast() }
        while clusters.last?.text == " " { clusters.removeLast() }
        return clusters.map(\.text).joined() + "…"
    }
}
