/// The GSM 7 bit default alphabet with its extension table, in which an SMS has 160 septets (3GPP TS 23.038 6.2.1,
/// 3GPP TS 23.040 9.2.3.24).
///
/// A text with any other character would be sent in UCS-2, which leaves 70 characters, or be changed by the gateway.
public enum GSM7 {
    /// The most septets of one SMS.
    public static let maxSeptets = 160

    /// The characters of the default alphabet in the order of their codes, without the escape to the extension table
    /// (0x1B).
    static let alphabet: [Unicode.Scalar] = Array(
        ("@£$¥èéùìòÇ\nØø\rÅå" + "Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ" + " !\"#¤%&'()*+,-./" + "0123456789:;<=>?"
            + "¡ABCDEFGHIJKLMNO" + "PQRSTUVWXYZÄÖÑÜ§" + "¿abcdefghijklmno" + "pqrstuvwxyzäöñüà")
            .unicodeScalars)

    /// The characters of the extension table in the order of their codes; each is an escape and one more septet.
    static let extensionTable: [Unicode.Scalar] = Array("\u{C}^{}\\[~]|€".unicodeScalars)

    private static let widths: [Unicode.Scalar: Int] =
        Dictionary(uniqueKeysWithValues: alphabet.map { ($0, 1) })
        .merging(extensionTable.map { ($0, 2) }) { first, _ in first }

    /// The number of septets that a text takes; nil if one of its characters is in neither table.
    ///
    /// Letters with separate marks are in neither table: they are other characters to a gateway.
    public static func septets(_ text: String) -> Int? {
        var count = 0
        for scalar in text.unicodeScalars {
            guard let width = widths[scalar] else { return nil }
            count += width
        }
        return count
    }

    /// A text from an outside source, such as a shop's name, in characters of this alphabet, as near to it as a reader
    /// understands.
    ///
    /// Accents that the alphabet lacks are left out, quotation marks and dashes are the plain ones, Greek letters are
    /// capitals, and line ends and control characters are blanks. Every other character is one "?".
    public static func folded(_ text: String) -> String {
        var folded = ""
        for character in text { folded += self.folded(character) }
        return folded
    }

    /// The alphabet's characters that a person sees, by what is the same to Unicode: a letter with a separate mark
    /// finds the letter that has it.
    private static let visible: [Character: Character] = Dictionary(
        uniqueKeysWithValues: (alphabet + extensionTable).map { Character($0) }
            .filter { !$0.isWhitespace || $0 == " " }.map { ($0, $0) })

    private static func folded(_ character: Character) -> String {
        if let same = visible[character] { return String(same) }
        // The first character that has a width is the letter, and the others are its marks.
        for scalar in character.unicodeScalars {
            switch ForeignScalar(scalar) {
            case .nothing: continue
            case .blank: return " "
            case .text(let text): return text
            case .unknown: return "?"
            }
        }
        return ""
    }
}
