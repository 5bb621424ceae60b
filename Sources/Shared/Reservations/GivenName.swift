internal import TextForms

/// The name that an administrator gives to a shop, a machine, a device or a person: one line for people to read.
///
/// Names that were given under an older rule stay as they are; a name is checked when it is given.
public enum GivenName {
    /// A family emoji has 7 to 11 scalars, a letter with its accents fewer; a pile of accents covers other lines.
    private static let maxScalarsPerCharacter = 12

    /// The rule in words, for an administrator whose name breaks it.
    public static let rule =
        "is not blank, has no blank at its ends, does not begin with \"-\", and has no control characters, marks of "
        + "writing direction or piles of accents"

    /// The most code points of a name with at most so many characters as people count them.
    public static func maxCodePoints(inCharacters maxCharacters: Int) -> Int {
        maxCharacters * maxScalarsPerCharacter
    }

    /// The name without the blanks around it, as it is stored.
    public static func trimmed(_ name: String) -> String {
        name.trimmed
    }

    /// Whether a name may be given: it follows the rule and has at most so many characters.
    public static func isGood(_ name: String, maxCharacters: Int) -> Bool {
        isReadable(name, maxCharacters: maxCharacters) && name.first != "-" && trimmed(name) == name
    }

    /// Whether people can read a name that was given before: it has a visible character, and nothing in it moves or
    /// hides the text beside it.
    public static func isReadable(_ name: String, maxCharacters: Int) -> Bool {
        (1...maxCharacters).contains(name.count) && name.allSatisfy(isReadable)
            && name.contains { character in
                !character.isWhitespace && !character.unicodeScalars.allSatisfy(isJoiner)
            }
    }

    private static func isReadable(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        return scalars.count <= maxScalarsPerCharacter
            && scalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
                case .format: isJoiner(scalar)
                default: true
                }
            }
    }

    /// Joiners are part of emoji and of Indic words.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200C || scalar.value == 0x200D
    }
}
