internal import TextForms

/// What opens the page of one place on a phone: the text after `#` in the link that the paper's second symbol carries.
/// Every person who has it may look at the place, and may do more with the ten digits of the ticket (rules: capabilities,
/// proofs).
///
/// It names the shop, the day and the number, which are public, and ends with 128 bits that are made of the entry code
/// and cannot be turned back into it: no reader at a door accepts it.
public struct Capability: Hashable, Sendable, RawRepresentable, Codable {
    /// The number of its characters: the shop's tag, day and number of four characters each, and 26 of proof.
    public static let length = ShopTag.length + 2 * Crockford.shortLength + 26
    /// The bytes of the proof.
    public static let proofBytes = 16

    public let rawValue: String
    public let tag: ShopTag
    /// The day to which the number belongs.
    public let day: CalendarDay
    public let number: QueueNumber

    /// Refuses text that is not exactly of this form.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard bytes.count == Self.length,
            let tag = ShopTag(rawValue: String(decoding: bytes.prefix(4), as: UTF8.self)),
            let day = Crockford.number(bytes[4..<8]),
            let number = Crockford.number(bytes[8..<12]).flatMap({ QueueNumber(rawValue: $0) }),
            bytes[12...].allSatisfy(Crockford.alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
        self.tag = tag
        self.day = CalendarDay(daysSince1970: day)
        self.number = number
    }

    /// The capability of the reservation with this number.
    public init(tag: ShopTag, day: CalendarDay, number: QueueNumber, proof: [UInt8]) {
        precondition(proof.count == Self.proofBytes, "a capability has 128 bits of proof")
        self.tag = tag
        self.day = day
        self.number = number
        rawValue =
            tag.rawValue + Crockford.encode(number: day.daysSince1970)
            + Crockford.encode(number: number.rawValue) + Crockford.encode(proof)
    }

    /// The bytes of the longest link: a phone reads its symbol from a small square of paper.
    public static let maxLinkBytes = 120

    /// Reads the capability at the end of a link, as a reader delivers it: some send small letters, and some other
    /// characters in place of punctuation.
    public init?(link: String) {
        let text = Array(link.utf8)
        let bytes = text.suffix(Self.length).map { $0.isASCIILowercase ? $0 - 32 : $0 }
        guard text.count <= Self.maxLinkBytes, let mark = text.dropLast(Self.length).last,
            !mark.isASCIIDigit, !mark.isASCIILowercase, !mark.isASCIIUppercase
        else { return nil }
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// The link to the page of the place; `page` is the page's address.
    public func link(to page: String) -> String { "\(page)#\(rawValue)" }
}

extension Capability: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text without the secret.
    public var description: String { "\(tag) \(day) \(number.text)…" }
    public var debugDescription: String { description }
}
