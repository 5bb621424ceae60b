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

/// POST /v1/machine/key: a key of the machine's that is to be valid beside the one that signs the call, or,
/// being that one, instead of all others of the machine (rules 23).
public struct KeyRequest: Codable, Hashable, Sendable {
    /// An Ed25519 public key: 43 characters of base64url.
    public var key: String

    public init(key: String) { self.key = key }
}

/// The answer to POST /v1/pairings, whose body is a `KeyRequest`: a code that an administrator enters at the
/// backend to let the machine in.
public struct PairingReply: Codable, Hashable, Sendable {
    /// Eight digits.
    public var code: String
    /// How long it is good.
    public var seconds: Int
    /// The backend's Ed25519 public key, 43 characters of base64url: what the machine is to pin.
    public var backendKey: String

    public init(code: String, seconds: Int, backendKey: String) {
        self.code = code
        self.seconds = seconds
        self.backendKey = backendKey
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
    /// People with a ticket who have not been called.
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
    /// When the call is expected; of a visit its start, without a spread.
    public var wait: WaitEstimate
    /// What is booked with a visit; nil for a ticket.
    public var visit: VisitSlot?

    public init(
        id: ReservationID, kind: ReservationKind, now: LocalMoment, expires: LocalMoment,
        wait: WaitEstimate, visit: VisitSlot? = nil
    ) {
        self.id = id
        self.kind = kind
        self.now = now
        self.expires = expires
        self.wait = wait
        self.visit = visit
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
    /// When the call is expected; of a visit its start, without a spread.
    public var wait: WaitEstimate
    /// What a visit is booked for; nil for a ticket.
    public var visit: VisitSlot?
    /// Until when the holder may enter, where the confirmation also called him; nil otherwise [R12].
    public var enterBy: LocalMoment?

    public init(_ reservation: Reservation) {
        id = reservation.id
        kind = reservation.kind
        number = reservation.number
        shopName = reservation.shopName
        code = reservation.code.rawValue
        typedCode = reservation.typedCode.rawValue
        issued = reservation.issued
        wait = reservation.wait
        visit = reservation.visit
        enterBy = reservation.enterBy
    }

    /// The reservation; nil where a code is not of its form, or a slot is there or missing against its kind.
    public var reservation: Reservation? {
        guard let code = EntryCode(rawValue: code), let typed = TypedCode(rawValue: typedCode),
            (kind == .visit) == (visit != nil)
        else { return nil }
        return Reservation(
            id: id, kind: kind, number: number, shopName: shopName, code: code, typedCode: typed,
            issued: issued, wait: wait, visit: visit, enterBy: enterBy)
    }
}

/// POST /v1/reservations/lookup: a code as it was read or typed [UC13].
public struct LookupRequest: Codable, Hashable, Sendable {
    /// An entry code or ten digits; at most `PresentedCode.longest` printable ASCII characters.
    public var code: String

    public init(code: String) { self.code = code }
}

/// The answer to POST /v1/reservations/lookup: the reservation of a code, whatever became of it.
public struct LookupReply: Codable, Hashable, Sendable {
    public var id: ReservationID
    public var kind: ReservationKind
    public var number: QueueNumber
    public var shopName: String
    /// The shop's day the reservation is of.
    public var day: CalendarDay
    public var issued: LocalMoment
    public var now: LocalMoment
    public var state: Standing
    /// Whether DELETE would be obeyed now; where not, `state` says why.
    public var deletable: Bool
    /// The wait that is left to a planned ticket; nil otherwise.
    public var wait: WaitEstimate?
    /// What a visit is booked for; nil for a ticket.
    public var visit: VisitSlot?
    /// Until when the one who is called may enter; nil otherwise [R12].
    public var enterBy: LocalMoment?

    public init(
        _ reservation: Reservation, day: CalendarDay, state: Standing, now: LocalMoment,
        enterBy: LocalMoment?
    ) {
        id = reservation.id
        kind = reservation.kind
        number = reservation.number
        shopName = reservation.shopName
        self.day = day
        issued = reservation.issued
        self.now = now
        self.state = state
        deletable = state.isDeletable
        wait = state == .planned && reservation.visit == nil ? reservation.wait : nil
        visit = reservation.visit
        self.enterBy = enterBy
    }
}

/// DELETE /v1/reservations/{id}: the code proves that the paper is in the caller's hand [UC13].
public struct DeletionRequest: Codable, Hashable, Sendable {
    /// The entry code or the typed code.
    public var code: String

    public init(code: EntryCode) { self.code = code.rawValue }

    public init(code: PresentedCode) { self.code = code.text }
}

/// POST /v1/entries and /v1/exits: a code as a reader at a door read it [UC14, UC15].
public struct PassageRequest: Codable, Hashable, Sendable {
    /// An entry code or ten digits; at most `PresentedCode.longest` printable ASCII characters.
    public var code: String

    public init(code: String) { self.code = code }
}

/// The answer where a holder may pass, or staff put something right.
public struct PassageReply: Codable, Hashable, Sendable {
    public var id: ReservationID
    public var kind: ReservationKind
    public var number: QueueNumber
    /// Until when one who was called may enter; nil for everyone else.
    public var enterBy: LocalMoment?
    /// How long one who left was inside; nil where nobody read the code at the entrance.
    public var staySeconds: Int?

    public init(
        id: ReservationID, kind: ReservationKind, number: QueueNumber, enterBy: LocalMoment?,
        staySeconds: Int?
    ) {
        self.id = id
        self.kind = kind
        self.number = number
        self.enterBy = enterBy
        self.staySeconds = staySeconds
    }
}

/// POST /v1/staff/actions: what a member of the staff puts right (rules 10, 25).
public struct StaffAction: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Let the holder of a number in; `at` where that was earlier.
        case letIn = "let-in"
        /// Announce a called number again.
        case callAgain = "call-again"
        /// Give one who missed his call his place back.
        case restore
        /// Delete for a customer who lost the paper.
        case delete
        /// So many `people` are inside.
        case occupancy
        /// Close at `at`; without it the same as `openAgain`.
        case closeEarly = "close-early"
        /// Give out no more places of today; those who wait are still called.
        case endTickets = "end-tickets"
        /// Close now: everybody who waits loses his place.
        case sendHome = "send-home"
        /// Close as the calendar says, give out tickets again, and give those who were sent home their place back.
        case openAgain = "open-again"
    }

    public var action: Kind
    /// Of today; for the actions on a reservation.
    public var number: QueueNumber?
    public var people: Int?
    public var at: LocalMoment?
    /// The member of the staff, as the machine knows him; for the audit.
    public var by: String?

    public init(
        _ action: Kind, number: QueueNumber? = nil, people: Int? = nil, at: LocalMoment? = nil,
        by: String? = nil
    ) {
        self.by = by
        self.action = action
        self.number = number
        self.people = people
        self.at = at
    }
}

/// The answer to an action on the shop as a whole.
public struct StaffActionReply: Codable, Hashable, Sendable {
    /// People inside, as the queue counts them now.
    public var people: Int?
    /// When today ends; nil where it ends as the calendar says.
    public var closes: LocalMoment?
    /// How many lost their place as everybody was sent home.
    public var sentHome: Int?
    /// How many have their place again as the shop was opened again.
    public var restored: Int?

    public init(
        people: Int? = nil, closes: LocalMoment? = nil, sentHome: Int? = nil, restored: Int? = nil
    ) {
        self.people = people
        self.closes = closes
        self.sentHome = sentHome
        self.restored = restored
    }
}

/// GET /v1/staff/queue: the shop's queue as its staff sees it.
public struct StaffQueueReply: Codable, Hashable, Sendable {
    public var now: LocalMoment
    public var open: Bool
    /// When the present opening ends; nil while closed.
    public var closes: LocalMoment?
    /// Whether the staff has made it end earlier than the calendar says.
    public var closesEarly: Bool
    /// Whether the staff gives out no more places of today; nil from a backend that cannot.
    public var ticketsEnded: Bool?
    public var ticketAvailable: Bool
    /// People inside, as the queue counts them.
    public var people: Int
    public var capacity: Int
    /// Called and not yet in, newest first; at most `mostNumbers`.
    public var calling: [QueueNumber]
    /// Tickets that have not been called.
    public var waiting: Int
    /// The next of them in order; at most `mostNumbers`.
    public var next: [QueueNumber]
    /// Visits of today that are not called yet.
    public var visits: Int
    /// Numbers given out today.
    public var issued: Int
    /// Readers whose doors could not be closed; nil from a backend that closes none.
    public var doorsNotClosed: [String]?

    public static let mostNumbers = 50

    public init(
        now: LocalMoment, open: Bool, closes: LocalMoment?, closesEarly: Bool,
        ticketsEnded: Bool? = nil, ticketAvailable: Bool, people: Int, capacity: Int,
        calling: [QueueNumber], waiting: Int,
        next: [QueueNumber], visits: Int, issued: Int, doorsNotClosed: [String]? = nil
    ) {
        self.now = now
        self.open = open
        self.closes = closes
        self.closesEarly = closesEarly
        self.ticketsEnded = ticketsEnded
        self.ticketAvailable = ticketAvailable
        self.people = people
        self.capacity = capacity
        self.calling = calling
        self.waiting = waiting
        self.next = next
        self.visits = visits
        self.issued = issued
        self.doorsNotClosed = doorsNotClosed
    }
}
