internal import TextForms

/// Cleans a text for one place on a paper: nothing in it can move, hide or lengthen another text.
enum ReceiptText {
    /// The most marks on one letter: Vietnamese and Hebrew need two, Indic scripts three.
    private static let maxMarksPerLetter = 3

    /// The text on one line of at most `limit` scalars, with an ellipsis in place of the rest.
    ///
    /// White space and control characters become single spaces. Direction overrides and other invisible formatting,
    /// unassigned and private characters are removed; joiners stay, because scripts need them.
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
            case .nothing: continue
            case .mark:
                marks += 1
                if marks > maxMarksPerLetter || count == 0 { continue }
            case .visible: marks = 0
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

    private static func role(of scalar: Unicode.Scalar) -> ScalarRole {
        switch scalar.properties.generalCategory {
        case .control: .space
        // A no-break space still joins its words.
        case .spaceSeparator where ScalarRole.isNoBreakSpace(scalar): .visible
        case .format where scalar == "\u{200C}" || scalar == "\u{200D}", .enclosingMark: .mark
        default: ScalarRole(scalar)
        }
    }
}
