internal import TextForms

/// What shows one order on a phone, and changes nothing: the text after `#` in the address of its page (rules: order-pages).
///
/// It names the shop and the order, which are public, and ends with 128 bits that are made of the order's code and cannot be
/// turned back into it: no machine, desk or door accepts it.
public struct OrderCapability: Hashable, Sendable, RawRepresentable, Codable {
    /// The number of its characters: the shop's tag, the order's identifier, and 26 of proof.
    public static let length = ShopTag.length + 2 * partLength
    /// The bytes of the proof.
    public static let proofBytes = 16
    private static let partLength = 26

    public let rawValue: String
    public let tag: ShopTag
    public let order: OrderID

    /// Refuses text that is not exactly of this form.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length,
            let tag = ShopTag(rawValue: String(rawValue.prefix(ShopTag.length))),
            rawValue.utf8.dropFirst(ShopTag.length).allSatisfy(Crockford.alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
        self.tag = tag
        order = OrderID(
            rawValue.dropFirst(ShopTag.length).prefix(Self.partLength).lowercased())
    }

    /// The capability of an order; nil if the identifier is none that the store makes.
    public init?(tag: ShopTag, order: OrderID, proof: [UInt8]) {
        precondition(proof.count == Self.proofBytes, "a capability has 128 bits of proof")
        self.init(
            rawValue: tag.rawValue + order.rawValue.uppercased() + Crockford.encode(proof))
    }
}

extension OrderCapability: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text without the secret.
    public var description: String { "\(tag) \(order)…" }
    public var debugDescription: String { description }
}
