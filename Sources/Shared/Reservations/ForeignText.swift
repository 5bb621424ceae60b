internal import TextForms

/// Text from an outside source, as it may be stored and passed on: one line of a bounded length.
public enum ForeignText {
    /// The most marks on one letter: Vietnamese needs two.
    private static let maxCombiningMarks = 2

    /// The text without control, format, private and unassigned characters and without piles of marks, with spaces
    /// for line ends and tabs, cut after `limit` scalars.
    ///
    /// Code that shows the text must still escape it as its place needs (HTML, CSV, a terminal).
    public static func clean(_ text: String, limit: Int) -> String {
        var clean = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            guard clean.count < limit else { break }
            switch ScalarRole(scalar) {
            case .space: if let last = clean.last, last != " " { clean.append(" ") }
            case .nothing: continue
            case .mark:
                marks += 1
                if !clean.isEmpty, marks <= maxCombiningMarks { clean.append(scalar) }
                continue
            case .visible: clean.append(scalar)
            }
            marks = 0
        }
        if clean.last == " " { clean.removeLast() }
        return String(clean)
    }
}
