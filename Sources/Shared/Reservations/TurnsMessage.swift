/// A number that is called and not in yet.
public struct CalledTurn: Codable, Hashable, Sendable {
    public var number: QueueNumber
    public var kind: ReservationKind
    /// When it was called, or called again.
    public var since: LocalMoment
    public var enterBy: LocalMoment

    public init(
        number: QueueNumber, kind: ReservationKind, since: LocalMoment, enterBy: LocalMoment
    ) {
        self.number = number
        self.kind = kind
        self.since = since
        self.enterBy = enterBy
    }
}

/// A ticket that waits, and when its turn should come.
public struct WaitingTurn: Codable, Hashable, Sendable {
    public var number: QueueNumber
    public var wait: WaitEstimate

    public init(number: QueueNumber, wait: WaitEstimate) {
        self.number = number
        self.wait = wait
    }
}

/// A visit that is not called yet, and when it is booked for.
public struct VisitTurn: Codable, Hashable, Sendable {
    public var number: QueueNumber
    public var start: LocalMoment

    public init(number: QueueNumber, start: LocalMoment) {
        self.number = number
        self.start = start
    }
}

/// The message that GET /v1/turns sends when a socket opens, at every change and every few seconds: always the
/// complete state.
public struct TurnsMessage: Codable, Hashable, Sendable {
    public var type = "turns"
    /// Increases with every message of the shop, also over a restart; a receiver that has a higher one ignores the
    /// message.
    public var sequence: Int64 = 0
    public var shopName: String
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    public var now: LocalMoment
    public var open: Bool
    /// The end of the present opening; nil while closed.
    public var closes: LocalMoment?
    /// The next opening; nil while open, or if none is known within a month.
    public var opens: LocalMoment?
    /// The called turns, newest first.
    public var called: [CalledTurn] = []
    /// The next tickets, in order.
    public var next: [WaitingTurn] = []
    /// Visits of the next hour, in order.
    public var visits: [VisitTurn] = []
    /// People with a ticket who have not been called.
    public var waiting: Int
    /// The wait of a ticket taken now; nil if none would be offered.
    public var wait: WaitEstimate?
    /// Whether tickets that were not called are no longer valid: the shop is closed, or its last call is over.
    public var callsEnded: Bool?
    /// The waiting tickets in order, as pairs of the number and the minutes from `now` until its turn should come;
    /// at most 300. `next` has the first eight as ranges.
    public var times: [[Int]]?
    /// The orders that are called to a desk, newest first; nil if the shop has no desk (rules: order-desks).
    public var orders: [OrderTurn]?
    /// The symbol with which a customer at the door joins the queue on a phone, as `QRMatrix.rows`; nil if phones get no
    /// place now (rules: joining).
    public var joinSymbol: [String]?
    /// A symbol for customers of orders only, who say with it to be here: its link leads to the page of orders, with the same
    /// invitation. Nil if `joinSymbol` is there, and if they cannot (rules: order-arrivals).
    public var arrivalSymbol: [String]?

    /// The message of a queue with this status, without its turns.
    public init(_ status: QueueStatus, shopName: String, languages: [String]) {
        self.shopName = shopName
        self.languages = languages
        now = status.now
        open = status.isOpen
        closes = status.closes
        opens = status.opens
        waiting = status.waiting
        wait = status.wait
    }
}
