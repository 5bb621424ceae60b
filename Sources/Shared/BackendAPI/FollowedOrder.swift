public import Reservations

/// The body of POST /v1/public/order: with the code of the order, or with its capability, which only shows it; or, if the link
/// with the code was cut off, with the shop's name of the order and its ten digits.
public struct OrderRequest: Codable, Hashable, Sendable {
    /// The characters after `#` in the link of the order's symbol, `PickupCode.bare`, or the whole `PickupCode`.
    public var code: String?
    /// An `OrderCapability`.
    public var capability: String?
    /// The name that the shop's own system gave the order, `PickupOrder.reference`.
    public var reference: String?
    /// A `TypedCode`; alone it opens no order on a phone.
    public var typedCode: String?

    public init(code: PickupCode) { self.code = code.bare }

    public init(capability: OrderCapability) { self.capability = capability.rawValue }
}

/// The body of POST /v1/public/arrival.
public struct OrderArrivalRequest: Codable, Hashable, Sendable {
    /// That of an `OrderRequest`: the capability does not say that its customer is here.
    public var code: String
    /// The `Invitation` that the door of the order's shop shows, or has shown a moment ago (rules: joining).
    public var invitation: String

    public init(code: PickupCode, invitation: Invitation) {
        self.code = code.bare
        self.invitation = invitation.rawValue
    }
}

/// What the page of an order shows: the answer to POST /v1/public/order (rules: order-pages).
public struct FollowedOrder: Codable, Hashable, Sendable {
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    /// The order, with its ticket as long as it can be collected, if it was opened with its code.
    public var order: PickupOrder
    /// The `OrderCapability`: what the address of its page has; nil from a backend that knows none.
    public var capability: String?
    /// The symbol of its code for machine and desk, as `QRMatrix.rows`; nil without a ticket.
    public var symbol: [String]?
    /// As of a `FollowedPlace`.
    public var pushKey: String?

    public init(
        _ order: PickupOrder, of shop: Shop, capability: OrderCapability?, symbol: [String]?,
        pushKey: String?
    ) {
        self.capability = capability?.rawValue
        languages = shop.languages
        address = PublicAddress(shop.address)
        self.order = order
        self.symbol = symbol
        self.pushKey = pushKey
    }
}
