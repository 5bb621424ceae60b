/// Text that somebody else wrote, as it may be stored and handed on: one line of a bounded length.
public enum ForeignText {
    /// Marks on one letter: Vietnamese needs two.
    private static let mostMarks = 2

    /// The text without control, format, private and unassigned characters and piles of marks, spaces
    /// for line ends and tabs, cut after `limit` scalars.
    ///
    /// Whoever shows it still escapes it as its place needs (HTML, CSV, a terminal).
    public static func clean(_ text: String, limit: Int) -> String {
        var clean = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            guard clean.count < limit else { break }
            switch scalar.properties.generalCategory {
            case .control where (0x09...0x0D).contains(scalar.value), .lineSeparator,
                .paragraphSeparator, .spaceSeparator:
                if let last = clean.last, last != " " { clean.append(" ") }
            case .control, .format, .surrogate, .privateUse, .unassigned, .enclosingMark: continue
            case .nonspacingMark, .spacingMark:
                marks += 1
                if !clean.isEmpty, marks <= mostMarks { clean.append(scalar) }
                continue
            default: clean.append(scalar)
            }
            marks = 0
        }
        if clean.last == " " { clean.removeLast() }
        return String(clean)
    }
}
