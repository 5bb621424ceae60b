public import QueueEngine
public import Reservations

/// What a browser gets notices of: a place in the queue, or an order that is collected.
public enum NoticeSubject: Hashable, Sendable {
    case place(ReservationID)
    case order(OrderID)

    /// The identifier as rows have it.
    public var id: String {
        switch self {
        case .place(let id): id.rawValue
        case .order(let id): id.rawValue
        }
    }

    var isOrder: Bool {
        switch self {
        case .place: false
        case .order: true
        }
    }
}

/// A browser, or a telephone number, that gets notices of a place, or a browser that gets those of an order (rules: notices,
/// sms, order-pages).
public struct Subscription: Hashable, Sendable {
    public enum Recipient: Hashable, Sendable {
        /// Where notices are pushed to (RFC 8030 4), an address that a stranger gave, and the browser's keys (RFC 8291 2.1),
        /// each in base64url.
        case browser(endpoint: String, p256dh: String, auth: String)
        /// A telephone number, sealed, in base64url.
        case number(sealed: String)
    }

    /// The most browsers of one place or order of each kind, those whose customer has shown that the place is theirs and
    /// those that only have its link: a family. Beside these a place has one telephone number.
    public static let maxBrowsersPerPlace = 3

    /// A digest of the endpoint, or the name of the number, as `nameOfNumber` makes it.
    public let id: String
    public let recipient: Recipient
    /// The language of its page, a BCP 47 primary subtag.
    public let language: String
    /// Whether its customer has shown that the place is theirs (rules: proofs).
    public let isProved: Bool

    public init(id: String, _ recipient: Recipient, language: String, isProved: Bool) {
        self.id = id
        self.recipient = recipient
        self.language = language
        self.isProved = isProved
    }

    var isNumber: Bool { Self.isNumber(id) }

    /// A browser's identifier has no slash.
    private static let prefixOfNumbers = "sms/"

    /// The identifier of a telephone number, by its keyed digest.
    public static func nameOfNumber(_ digest: String) -> String { prefixOfNumbers + digest }

    static func isNumber(_ id: String) -> Bool { id.hasPrefix(prefixOfNumbers) }
}

/// A telephone number that gets no more SMS about a place.
public struct EndedNumber: Hashable, Sendable {
    /// The identifier of its subscription.
    public let id: String
    /// The number, sealed, in base64url.
    public let sealed: String
    /// A BCP 47 primary subtag.
    public let language: String
}

/// What came of writing a subscription.
public struct SubscriptionOutcome: Hashable, Sendable {
    /// Whether nothing was written: as many browsers without a proof as may have the notices have them.
    public let isFull: Bool
    /// The numbers whose place the new one has taken.
    public let endedNumbers: [EndedNumber]
    /// Whether nothing was written: what was opened has another code, or another day, by now.
    public var hasEnded = false

    public static let done = SubscriptionOutcome(isFull: false, endedNumbers: [])
}

/// A notice that a server has leased to send it: until the lease ends, no other server sends it.
public struct LeasedNotice: Hashable, Sendable {
    /// What names a notice: a place, or an order, has one for each browser and number, the newest.
    public struct Name: Hashable, Sendable {
        public let shop: ShopID
        /// The identifier of the place or of the order.
        public let subject: String
        public let subscription: String
    }

    public let name: Name
    public let reason: NoticeReason
    /// When it was written, by the clock of the queue.
    public let made: Moment
    /// How often it was leased, with this time.
    public let tries: Int
    /// The end of the lease, by the real clock; a notice that was replaced meanwhile has another one.
    public let lease: Moment
    public let subscription: Subscription
    /// The reservation or the order as it was stored when the lease began; nil for what is not there.
    public internal(set) var record: ReservationRecord?
    public internal(set) var order: PickupOrderRecord?
}

/// What became of a leased notice.
public struct NoticeEnd: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// The push service, or the gateway of SMS, has taken it.
        case sent
        /// It is of no use any more, or the push service refuses it.
        case unsent
        /// The browser gets no notices any more (RFC 8030 7.3): its subscription is deleted.
        case gone
        /// It is tried again at this moment of the real clock.
        case later(Moment)
    }

    public let notice: LeasedNotice
    public let outcome: Outcome

    public init(_ notice: LeasedNotice, _ outcome: Outcome) {
        self.notice = notice
        self.outcome = outcome
    }
}

/// How many notices for one reason were written for the browsers of a shop's customers on a day.
public struct NoticeCount: Hashable, Sendable {
    public let day: CalendarDay
    public let reason: NoticeReason
    /// Those that a push service has taken.
    public let sent: Int
    /// Those that could not be sent, or not in time.
    public let unsent: Int
}
