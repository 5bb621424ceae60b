private import TextForms

/// A telephone number in its international form, as "+393331234567" (ITU-T E.164): a plus sign and 8 to 15 digits.
public struct PhoneNumber: Hashable, Sendable {
    public let rawValue: String

    private static let digits = 8...15

    /// Nil unless the text is in the international form.
    public init?(rawValue: String) {
        let digits = rawValue.dropFirst()
        guard rawValue.hasPrefix("+"), Self.digits.contains(digits.utf8.count),
            digits.utf8.first != UInt8(ascii: "0"), digits.utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Reads a number as people type it: with `+` or `00` before the country's code, and with blanks and any of
    /// `( ) - / .`. Many also type the 0 that their country needs at home; only Italy's numbers keep it abroad.
    ///
    /// - Parameter prefixes: The beginnings of the numbers that are served, as "+39".
    /// - Returns: nil if the text is no number, or one with none of the prefixes.
    public init?(typed text: String, prefixes: [String]) {
        var digits = ""
        for character in text {
            switch character {
            case "0"..."9": digits.append(character)
            case "+" where digits.isEmpty: digits.append(character)
            case " ", "\u{A0}", "(", ")", "-", "/", ".": continue
            default: return nil
            }
        }
        if digits.hasPrefix("00") { digits = "+" + digits.dropFirst(2) }
        guard let prefix = prefixes.first(where: digits.hasPrefix) else { return nil }
        let rest = digits.dropFirst(prefix.count)
        self.init(rawValue: prefix + (prefix.hasPrefix("+39") ? rest : rest.drop { $0 == "0" }))
    }

    /// Whether a text can be one of the prefixes of numbers: a plus sign and 1 to 7 digits, the first of which is not 0.
    public static func isPrefix(_ text: String) -> Bool {
        let digits = text.dropFirst().utf8
        return text.hasPrefix("+") && (1...7).contains(digits.count)
            && digits.first != UInt8(ascii: "0") && digits.allSatisfy(\.isASCIIDigit)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that does not show the number.
    public var description: String { "a telephone number" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
