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

    /// Reads a mobile number as people type or paste it: with `+` or `00` before the country's code, or with the code twice, as
    /// where a form has it already; in the digits of any script; with blanks, dashes, characters that are not seen, and any of
    /// `( ) / .`. Many also type the 0 that their country needs at home; Italy's numbers keep it abroad.
    ///
    /// - Parameter prefixes: The beginnings of the numbers that are served, as "+39".
    public init(typed text: String, prefixes: [String]) throws(Fault) {
        guard let (digits, isCodeTwice) = Self.international(text),
            let (plan, number) = NumberingPlan.of(digits)
        else { throw .notServed }
        let code = digits.dropLast(number.count)
        let whole = "+" + code + plan.mobile(number, code: isCodeTwice ? code : nil)
        guard prefixes.contains(where: whole.hasPrefix) else { throw .notServed }
        guard let known = Self(rawValue: whole), known.isMobile else { throw .notMobile }
        self = known
    }

    /// The digits from the country's code on, and whether it seems to be there twice, as in "+39 39 333 1234567"; nil if the
    /// text has no code, or something that belongs to no number.
    private static func international(
        _ text: String
    ) -> (digits: Substring, isCodeTwice: Bool)? {
        let typed = text.lowercased().hasPrefix("tel:") ? text.dropFirst(4) : text[...]
        // The digits between signs and blanks, by the plus signs before them.
        var parts = [[""]]
        for scalar in typed.unicodeScalars {
            let part = parts.count - 1
            if let digit = scalar.decimalValue {
                parts[part][parts[part].count - 1] += "\(digit)"
            } else if scalar == "+" || scalar == "\u{FF0B}" {
                parts.append([""])
            } else if !scalar.isBetweenDigits {
                return nil
            } else if parts[part].last?.isEmpty == false {
                parts[part].append("")
            }
        }
        func withoutZeros(_ digits: String) -> Substring {
            digits.dropFirst(digits.hasPrefix("00") ? 2 : 0)
        }
        let last = parts[parts.count - 1]
        let whole = withoutZeros(last.joined())
        // Before the last `+` there is nothing, or the same code once more.
        let before = parts.dropLast().map { withoutZeros($0.joined()) }.filter { !$0.isEmpty }
        let hasCode = parts.count > 1 || last[0].hasPrefix("00")
        let isOneNumber = parts.count <= 3 && before.allSatisfy(whole.hasPrefix)
        guard hasCode, isOneNumber else { return nil }
        return (whole, last.count > 1 && withoutZeros(last[0]) == withoutZeros(last[1]))
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

extension Unicode.Scalar {
    /// The value of a decimal digit of any script.
    fileprivate var decimalValue: Int? {
        properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }

    /// Whether people write it between the digits of a number, or programs do so without showing it.
    fileprivate var isBetweenDigits: Bool {
        "\t()/.\u{2212}\u{B7}".unicodeScalars.contains(self)
            || [.spaceSeparator, .dashPunctuation, .format].contains(properties.generalCategory)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that does not show the number.
    public var description: String { "a telephone number" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
