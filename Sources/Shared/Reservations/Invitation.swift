internal import TextForms

/// What lets a customer at a shop's door join its queue on a phone: the text after `#` in the link that a machine's Home
/// and the turn display show as a symbol (rules: joining).
///
/// It names the shop, and ends with 80 bits by which a backend recognizes it as its own and as recent.
public struct Invitation: Hashable, Sendable, RawRepresentable {
    /// The number of its characters: the shop's tag, and the proof.
    public static let length = ShopTag.length + Crockford.length(ofBytes: proofBytes)
    /// The bytes of the proof.
    public static let proofBytes = 10

    public let rawValue: String
    public let tag: ShopTag

    /// Refuses text that is not exactly of this form.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard bytes.count == Self.length,
            let tag = ShopTag(
                rawValue: String(decoding: bytes.prefix(ShopTag.length), as: UTF8.self)),
            bytes[ShopTag.length...].allSatisfy(Crockford.alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
        self.tag = tag
    }

    public init(tag: ShopTag, proof: [UInt8]) {
        precondition(proof.count == Self.proofBytes, "an invitation has 80 bits of proof")
        self.tag = tag
        rawValue = tag.rawValue + Crockford.encode(proof)
    }

    /// The link to the page for joining; `page` is the page's address.
    public func link(to page: String) -> String { "\(page)#\(rawValue)" }
}
