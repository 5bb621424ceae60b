public import Reservations

/// GET /v1/machine: what a machine needs to know of its shop.
public struct MachineReply: Codable, Hashable, Sendable {
    public var machine: MachineID
    public var shop: ShopID
    public var shopName: String
    public var timeZone: String
    /// BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    public var now: LocalMoment

    public init(
        machine: MachineID, shop: ShopID, shopName: String, timeZone: String, languages: [String],
        now: LocalMoment
    ) {
        self.machine = machine
        self.shop = shop
        self.shopName = shopName
        self.timeZone = timeZone
        self.languages = languages
        self.now = now
    }
}

/// GET /v1/queue: the truth Home tells before a touch.
public struct QueueReply: Codable, Hashable, Sendable {
    public var now: LocalMoment
    /// Whether the shop is open at `now` [R27].
    public var open: Bool
    /// The end of the present opening; nil while closed.
    public var closes: LocalMoment?
    /// The next opening; nil while open, or where none is known within a month.
    public var opens: LocalMoment?
    /// Whether a ticket would be offered now.
    public var ticketAvailable: Bool
    /// Numbers called and not yet in, newest first.
    public var calling: [QueueNumber]
    /// People with a place who have not been called.
    public var waiting: Int
    /// The wait of a ticket taken now; nil where none would be offered.
    public var wait: WaitEstimate?

    public init(
        now: LocalMoment, open: Bool, closes: LocalMoment?, opens: LocalMoment?,
        ticketAvailable: Bool, calling: [QueueNumber], waiting: Int, wait: WaitEstimate?
    ) {
        self.now = now
        self.open = open
        self.closes = closes
        self.opens = opens
        self.ticketAvailable = ticketAvailable
        self.calling = calling
        self.waiting = waiting
        self.wait = wait
    }
}

/// POST /v1/holds.
public struct HoldRequest: Codable, Hashable, Sendable {
    public var kind: ReservationKind

    public init(kind: ReservationKind) { self.kind = kind }
}

/// The answer to POST /v1/holds and POST /v1/holds/{id}/extension: a pending place.
public struct HoldReply: Codable, Hashable, Sendable {
    public var id: ReservationID
    public var kind: ReservationKind
    public var now: LocalMoment
    /// When the place lapses unless it is confirmed, extended or given back.
    public var expires: LocalMoment
    public var wait: WaitEstimate

    public init(
        id: ReservationID, kind: ReservationKind, now: LocalMoment, expires: LocalMoment,
        wait: WaitEstimate
    ) {
        self.id = id
        self.kind = kind
        self.now = now
        self.expires = expires
        self.wait = wait
    }
}

/// The answer to POST /v1/holds/{id}/confirmation: the reservation with its codes.
public struct ReservationReply: Codable, Hashable, Sendable {
    public var id: ReservationID
    public var kind: ReservationKind
    public var number: QueueNumber
    public var shopName: String
    public var code: String
    public var typedCode: String
    public var issued: LocalMoment
    public var wait: WaitEstimate

    public init(_ reservation: Reservation) {
        id = reservation.id
        kind = reservation.kind
        number = reservation.number
        shopName = reservation.shopName
        code = reservation.code.rawValue
        typedCode = reservation.typedCode.rawValue
        issued = reservation.issued
        wait = reservation.wait
    }

    /// The reservation; nil where a code is not of its form.
    public var reservation: Reservation? {
        guard let code = EntryCode(rawValue: code), let typed = TypedCode(rawValue: typedCode)
        else { return nil }
        return Reservation(
            id: id, kind: kind, number: number, shopName: shopName, code: code, typedCode: typed,
            issued: issued, wait: wait)
    }
}

/// DELETE /v1/reservations/{id}: the code proves that the paper is in the caller's hand [UC13].
public struct DeletionRequest: Codable, Hashable, Sendable {
    public var code: String

    public init(code: EntryCode) { self.code = code.rawValue }
}
