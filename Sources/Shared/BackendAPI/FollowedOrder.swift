public import Reservations

/// The body of POST /v1/public/order.
public struct OrderRequest: Codable, Hashable, Sendable {
    /// A `PickupCode`: ten digits open no order on a phone.
    public var code: String

    public init(code: PickupCode) { self.code = code.rawValue }
}

/// The body of POST /v1/public/arrival.
public struct OrderArrivalRequest: Codable, Hashable, Sendable {
    /// That of an `OrderRequest`.
    public var code: String
    /// The `Invitation` that the door of the order's shop shows, or has shown a moment ago (rules 35).
    public var invitation: String

    public init(code: PickupCode, invitation: Invitation) {
        self.code = code.rawValue
        self.invitation = invitation.rawValue
    }
}

/// What the page of an order shows: the answer to POST /v1/public/order (rules 41).
public struct FollowedOrder: Codable, Hashable, Sendable {
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    /// The order, with its ticket as long as it can be collected.
    public var order: PickupOrder
    /// The symbol of its code for machine and desk, as `QRMatrix.rows`; nil once it cannot be collected any more.
    public var symbol: [String]?
    /// As of a `FollowedPlace`.
    public var pushKey: String?

    public init(_ order: PickupOrder, of shop: Shop, symbol: [String]?, pushKey: String?) {
        languages = shop.languages
        address = PublicAddress(shop.address)
        self.order = order
        self.symbol = symbol
        self.pushKey = pushKey
    }
}
