public import Reservations

/// The body of POST /v1/public/subscription: where and how a browser gets notices of a place (rules: notices), or of an order
/// (rules: order-pages).
public struct SubscriptionRequest: Codable, Hashable, Sendable {
    /// The most bytes of an endpoint; those of the known push services have 200 to 600.
    public static let maxEndpointBytes = 1_024

    /// A `Capability`, or the code of an order or its capability, as of an `OrderRequest`: with the code the browser
    /// counts as one with the ten digits.
    public var capability: String
    /// The ten digits of the ticket: browsers with them, and the one that took the place, do not count for those that only
    /// have the link (rules: proofs).
    public var typedCode: String?
    /// The push resource: an absolute URL (RFC 8030 4).
    public var endpoint: String
    /// The browser's public key: a point of P-256, 65 bytes in base64url (RFC 8291 2.1).
    public var p256dh: String
    /// The browser's authentication secret: 16 bytes in base64url (RFC 8291 2.1).
    public var auth: String
    /// The language of the page, a BCP 47 primary subtag.
    public var language: String

    public init(
        capability: Capability, typedCode: TypedCode? = nil, endpoint: String, p256dh: String,
        auth: String, language: String
    ) {
        self.capability = capability.rawValue
        self.typedCode = typedCode?.rawValue
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
        self.language = language
    }
}

/// The body of POST /v1/public/subscription-end.
public struct SubscriptionEndRequest: Codable, Hashable, Sendable {
    /// As of a `SubscriptionRequest`.
    public var capability: String
    /// That of the `SubscriptionRequest`.
    public var endpoint: String

    public init(capability: Capability, endpoint: String) {
        self.capability = capability.rawValue
        self.endpoint = endpoint
    }
}

/// A notice as the browser decrypts it, for the worker of the page, which makes words of it (rules: notices).
public struct NoticeMessage: Codable, Hashable, Sendable {
    public var kind: NoticeKind
    /// Opens the place's page: the worker may have lost it, and on some phones never had it.
    public var capability: String
    public var number: QueueNumber
    public var shopName: String
    /// That of the `SubscriptionRequest`.
    public var language: String
    /// The time that belongs to the kind, by the shop's clock; nil if there is none.
    public var time: LocalMoment?
    /// When it was written, in milliseconds since 1970 by the clock of the queue: an older notice that comes after a newer one
    /// does not take its place.
    public var made: Int64

    public init(
        _ kind: NoticeKind, of capability: Capability, number: QueueNumber, shopName: String,
        language: String, time: LocalMoment?, made: Moment
    ) {
        self.kind = kind
        self.capability = capability.rawValue
        self.number = number
        self.shopName = shopName
        self.language = language
        self.time = time
        self.made = made.milliseconds
    }
}

/// A notice of an order as the browser decrypts it (rules: order-pages).
public struct OrderNoticeMessage: Codable, Hashable, Sendable {
    public var order: OrderNoticeKind
    /// Shows the order's page; it is not the code, since what is pushed is kept by the phone's system.
    public var capability: OrderCapability
    /// The name that the shop's own system gave the order.
    public var reference: String
    /// The number by which it is called; nil if its customer is not here.
    public var number: PickupNumber?
    /// The desk to which it was called; nil in all other states.
    public var desk: Int?
    public var shopName: String
    /// That of the `SubscriptionRequest`.
    public var language: String
    /// As of a `NoticeMessage`.
    public var made: Int64

    public init(
        _ order: OrderNoticeKind, of capability: OrderCapability, reference: String,
        number: PickupNumber?, desk: Int?, shopName: String, language: String, made: Moment
    ) {
        self.order = order
        self.capability = capability
        self.reference = reference
        self.number = number
        self.desk = desk
        self.shopName = shopName
        self.language = language
        self.made = made.milliseconds
    }
}
