/// The role of a Unicode scalar in a line of text from an outside source.
///
/// Each place that stores, shows or prints such text decides on a few scalars itself and uses this role for all
/// others.
public enum ScalarRole: Hashable, Sendable {
    /// Moves, hides or reorders the characters beside it, or has no agreed meaning.
    case nothing
    /// Separates words, or ends a line.
    case space
    /// Belongs to the letter before it.
    case mark
    case visible

    public init(_ scalar: Unicode.Scalar) {
        self =
            switch scalar.properties.generalCategory {
            case .control: (0x09...0x0D).contains(scalar.value) ? .space : .nothing
            case .lineSeparator, .paragraphSeparator, .spaceSeparator: .space
            case .format, .surrogate, .privateUse, .unassigned, .enclosingMark: .nothing
            case .nonspacingMark, .spacingMark: .mark
            default: .visible
            }
    }

    /// Whether it is a space at which no line is broken, since it joins the characters beside it.
    public static func isNoBreakSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || scalar == "\u{202F}"
    }
}
