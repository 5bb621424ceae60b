/// What a Unicode scalar does in a line of text that somebody else wrote.
///
/// Each place where such text is stored, shown or printed decides over a few scalars by itself and asks this for all
/// others.
public enum ScalarRole: Hashable, Sendable {
    /// Moves, hides or reorders what stands beside it, or has no meaning that is agreed on.
    case nothing
    /// Separates words, or ends a line.
    case space
    /// Stands on the letter before it.
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

    /// Whether it is a space at which no line is broken: it joins what stands beside it.
    public static func isNoBreakSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || scalar == "\u{202F}"
    }
}
