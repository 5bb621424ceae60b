/// Makes any text fit for one place on a paper: nothing in it can move, hide or lengthen another.
enum PaperText {
    /// Marks that may stand on one letter: Vietnamese and Hebrew need two, Indic scripts three.
    private static let marksPerLetter = 3

    /// The text on one line of at most `limit` scalars, an ellipsis in place of the rest.
    ///
    /// White space and control characters become single spaces; direction overrides and other
    /// invisible formatting, unassigned and private characters go; joiners stay, scripts need them.
    static func clean(_ text: String, limit: Int) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        var marks = 0
        var space = false
        for scalar in text.unicodeScalars {
            switch role(of: scalar) {
            case .space:
                space = true
                continue
            case .nothing:
                continue
            case .mark:
                marks += 1
                if marks > marksPerLetter || count == 0 { continue }
            case .letter:
                marks = 0
            }
            if space, count > 0 {
                kept.append(" ")
                count += 1
            }
            space = false
            if count >= limit {
                kept.append("…")
                break
            }
            kept.append(scalar)
            count += 1
        }
        return String(kept)
    }

    private enum Role { case letter, mark, space, nothing }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
            // A no-break space keeps what it joins.
            scalar == "\u{A0}" || scalar == "\u{202F}" ? .letter : .space
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}" ? .mark : .nothing
        case .surrogate, .privateUse, .unassigned: .nothing
        case .nonspacingMark, .enclosingMark, .spacingMark: .mark
        default: .letter
        }
    }
}
