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

    /// Why an SMS cannot be sent to a number that was typed.
    public enum Fault: Error, Hashable, Sendable {
        /// It is no number, or one of a country that is not served.
        case notServed
        /// It is no mobile number: of a landline, one that costs more, or with too few or too many digits.
        case notMobile
    }

    /// Reads a mobile number as people type it: with `+` or `00` before the country's code, and with blanks and any of
    /// `( ) - / .`. Many also type the 0 that their country needs at home; only Italy's numbers keep it abroad.
    ///
    /// - Parameter prefixes: The beginnings of the numbers that are served, as "+39".
    public init(typed text: String, prefixes: [String]) throws(Fault) {
        var digits = ""
        for character in text {
            switch character {
            case "0"..."9" where character.isASCII: digits.append(character)
            case "+" where digits.isEmpty: digits.append(character)
            case " ", "\u{A0}", "(", ")", "-", "/", ".": continue
            default: throw .notServed
            }
        }
        if digits.hasPrefix("00") { digits = "+" + digits.dropFirst(2) }
        guard digits.hasPrefix("+"), let (plan, number) = NumberingPlan.of(digits.dropFirst())
        else { throw .notServed }
        let code = digits.dropLast(number.count)
        let whole = code + plan.withoutTrunk(number)
        guard prefixes.contains(where: whole.hasPrefix) else { throw .notServed }
        guard let known = Self(rawValue: String(whole)), known.isMobile else { throw .notMobile }
        self = known
    }

    /// Whether it is the number of a mobile phone; false for every number of a country that is not served.
    public var isMobile: Bool {
        NumberingPlan.of(rawValue.dropFirst()).map { $0.plan.isMobile($0.number) } ?? false
    }

    /// Whether there are mobile numbers of a country that begin with this prefix.
    public static func isServed(prefix: String) -> Bool {
        isPrefix(prefix) && NumberingPlan.hasCountry(of: prefix.dropFirst())
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
