public import Reservations

/// The body of POST /v1/public/opening.
public struct OpeningRequest: Codable, Hashable, Sendable {
    /// The characters after `#` in the link of a place's symbol: `EntryCode.bare`. They are a secret, which is in no address.
    public var code: String

    public init(code: EntryCode) { self.code = code.bare }
}

/// What the code of a paper opens on a phone: the answer to POST /v1/public/opening. It shows the place and the symbol, and has
/// no digits, so that it changes nothing.
public struct PlaceOpening: Codable, Hashable, Sendable {
    /// The `Capability` of the place.
    public var capability: String
    /// The symbol for the entrance, as `QRMatrix.rows`; nil once it is of no use.
    public var symbol: [String]?

    public init(_ capability: Capability, symbol: QRMatrix?) {
        self.capability = capability.rawValue
        self.symbol = symbol?.rows
    }
}
