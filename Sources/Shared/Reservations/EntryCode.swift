internal import TextForms

/// Four characters 0-9 A-Z that name a shop in its entry codes (rules: codes).
public struct ShopTag: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The number of its characters.
    public static let length = 4

    public let rawValue: String

    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length,
            rawValue.utf8.allSatisfy({ $0.isASCIIDigit || $0.isASCIIUppercase })
        else { return nil }
        self.rawValue = rawValue
    }

    /// Both initialisers of a code accept only a valid tag in this place.
    fileprivate init<Subject>(of code: SymbolCode<Subject>) {
        rawValue = String(
            code.rawValue.dropFirst(Subject.codePrefix.utf8.count).prefix(Self.length))
    }

    public var description: String { rawValue }
}

/// What a symbol is the secret of.
public protocol CodeSubject {
    /// The characters with which its codes begin; seven, so that every kind has the same length.
    static var codePrefix: String { get }
    /// The path of the page that the link of its symbol opens: a capital letter, which every keyboard has in one place.
    static var linkPage: Character { get }
}

extension Reservation: CodeSubject {
    public static var codePrefix: String { "CLUP:1:" }
    public static var linkPage: Character { "T" }
}
extension PickupOrder: CodeSubject {
    public static var codePrefix: String { "CLUP:C:" }
    public static var linkPage: Character { "C" }
}

/// The secret of a reservation (rules: codes).
public typealias EntryCode = SymbolCode<Reservation>
/// The secret of an order that is collected (rules: order-codes).
public typealias PickupCode = SymbolCode<PickupOrder>

/// A secret as the QR code carries it: the prefix of its kind, the shop's tag and 26 characters of Crockford base32 (128
/// random bits); 37 characters in all.
///
/// Upper case throughout: QR's alphanumeric mode then keeps it at version 2-M (ISO/IEC 18004 7.4.4).
public struct SymbolCode<Subject: CodeSubject>: Hashable, Sendable, RawRepresentable, Codable {
    public static var prefix: String { Subject.codePrefix }
    /// The number of its characters.
    public static var length: Int { 37 }

    public let rawValue: String

    /// Refuses text that is not exactly of this form.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard bytes.count == Self.length, rawValue.hasPrefix(Self.prefix),
            ShopTag(rawValue: String(decoding: bytes[7..<11], as: UTF8.self)) != nil,
            bytes[11...].allSatisfy(Crockford.alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Makes the code of 16 random bytes.
    public init(tag: ShopTag, random bytes: [UInt8]) {
        precondition(bytes.count == 16, "a code has 128 random bits")
        rawValue = Self.prefix + tag.rawValue + Crockford.encode(bytes)
    }

    public var tag: ShopTag { ShopTag(of: self) }
}

extension SymbolCode: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text without the secret: a code in a log would let its reader use it.
    public var description: String { "\(Self.prefix)\(tag)…" }
    public var debugDescription: String { description }
}

/// The ten digits under the QR code, for customers to type (rules: codes).
public struct TypedCode: Hashable, Sendable, RawRepresentable, Codable {
    /// The number of its digits.
    public static let length = 10

    public let rawValue: String

    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, Int(digits: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    /// The digits in groups, easy to read: `0419 384 512`.
    public var grouped: String { Self.grouped(Array(rawValue)) }

    /// Ten characters in the groups of a typed code.
    public static func grouped(_ digits: [Character]) -> String {
        [digits[0..<4], digits[4..<7], digits[7..<10]].map { String($0) }.joined(separator: " ")
    }
}

/// A reservation's code as a reader or a keypad delivers it.
public typealias PresentedCode = ShownCode<Reservation>
/// An order's code as a reader or a keypad delivers it (rules: order-codes).
public typealias PresentedOrderCode = ShownCode<PickupOrder>

/// A text without the three characters with which readers name the kind of a symbol: "]", a letter and a letter or digit.
private func withoutSymbologyIdentifier(_ text: String) -> String {
    let start = Array(text.utf8.prefix(3))
    let isNamed =
        start.count == 3 && start[0] == UInt8(ascii: "]") && start[1].isASCIILetter
        && (start[2].isASCIILetter || start[2].isASCIIDigit)
    return isNamed ? String(text.dropFirst(3)) : text
}

/// A code as a reader or a keypad delivers it.
public enum ShownCode<Subject: CodeSubject>: Codable, Hashable, Sendable {
    case entry(SymbolCode<Subject>)
    case typed(TypedCode)

    /// The longest text that is examined; no valid code is nearly as long.
    public static var maxCharacters: Int { 128 }

    /// Refuses text that is too long, or that is neither kind of code.
    ///
    /// Spaces do not count, as customers type the groups that they read; readers may send small letters, and before the code
    /// which kind of symbol they have read, as "]Q1" (ISO/IEC 15424). A symbol may also be
    /// that of a link which ends with the code (`SymbolCode.init(link:isGarbled:)`).
    ///
    /// - Parameter takesGarbledLinks: whether a link counts whose signs came as others.
    public init?(_ text: String, takesGarbledLinks: Bool = true) {
        guard text.unicodeScalars.count <= Self.maxCharacters else { return nil }
        let text = withoutSymbologyIdentifier(text)
        if let code = SymbolCode<Subject>(link: text, isGarbled: takesGarbledLinks) {
            self = .entry(code)
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let capitals = bytes.filter { $0 != 0x20 }.map { $0.isASCIILowercase ? $0 - 32 : $0 }
        let plain = String(decoding: capitals, as: UTF8.self)
        // The link in a shop's mail ends with the whole code of an order (rules: order-codes).
        let symbol = plain.split(separator: "#").last.map { String($0) } ?? plain
        if let code = SymbolCode<Subject>(rawValue: symbol) {
            self = .entry(code)
        } else if let code = TypedCode(rawValue: plain) {
            self = .typed(code)
        } else {
            return nil
        }
    }

    public var isTyped: Bool {
        switch self {
        case .entry: false
        case .typed: true
        }
    }

    /// The code as it goes over the wire.
    public var text: String {
        switch self {
        case .entry(let code): code.rawValue
        case .typed(let code): code.rawValue
        }
    }
}

/// Base32 as Douglas Crockford defined it: no I, L, O, U; 5 bits a character, first bit first.
public enum Crockford {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// The characters of a number of at most 20 bits.
    static let shortLength = 4

    /// Four characters for a number from 0 to 1,048,575.
    static func encode(number: Int) -> String {
        precondition((0..<1 << 20).contains(number), "the number has at most 20 bits")
        let digits = (0..<shortLength).reversed().map { alphabet[number >> (5 * $0) & 31] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The number of four characters; nil if one is not of the alphabet.
    static func number(_ characters: some Collection<UInt8>) -> Int? {
        guard characters.count == shortLength else { return nil }
        var number = 0
        for character in characters {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            number = number << 5 | digit
        }
        return number
    }

    /// The characters of so many bytes.
    public static func length(ofBytes count: Int) -> Int { (count * 8 + 4) / 5 }

    /// Whether the text has so many characters of the alphabet, and no others.
    public static func isText(_ text: some StringProtocol, length: Int) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(alphabet.contains)
    }

    public static func encode(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        var buffer: UInt = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer << 8 | UInt(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                characters.append(alphabet[Int(buffer >> UInt(bits)) & 31])
            }
        }
        if bits > 0 { characters.append(alphabet[Int(buffer << UInt(5 - bits)) & 31]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// 26 characters that begin with a time: 48 bits of milliseconds since 1970, then ten bytes, as in UUIDv7 (RFC 9562
    /// 5.7). Rows of one time are then stored together.
    public static func encode(_ moment: Moment, _ rest: [UInt8]) -> String {
        precondition(rest.count == 10, "the time is followed by 80 bits")
        let time = (0..<6).reversed().map {
            UInt8(truncatingIfNeeded: moment.milliseconds >> Int64($0 * 8))
        }
        return encode(time + rest)
    }
}
