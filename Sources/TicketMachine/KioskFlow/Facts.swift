public import Reservations

/// A place held for the customer in front of the machine, with its life on the monotonic clock.
public struct HeldPlace: Hashable, Sendable {
    public let id: ReservationID
    /// When the visit would be; nil for a ticket.
    public let visit: VisitSlot?
    /// For a visit, its time.
    public let wait: WaitEstimate
    /// How long the backend keeps it from the answer on, unless it is extended.
    public let life: Duration
    /// The shop's clock at the answer.
    public let told: LocalMoment

    public init(
        id: ReservationID, visit: VisitSlot? = nil, wait: WaitEstimate, life: Duration,
        told: LocalMoment
    ) {
        self.id = id
        self.visit = visit
        self.wait = wait
        self.life = life
        self.told = told
    }
}

/// What a look-up found of a reservation that stands [UC13].
public struct FoundReservation: Hashable, Sendable {
    public let id: ReservationID
    public let number: QueueNumber
    /// Planned, or called right now: both may be deleted.
    public let state: ReservationState
    /// When the visit is; nil for a ticket.
    public let visit: VisitSlot?
    /// When the holder of a ticket will be called, as it looks now; nil for a visit.
    public let wait: WaitEstimate?
    public let issued: LocalMoment
    /// Until when the one who is called may enter; nil for others.
    public let enterBy: LocalMoment?

    public init(
        id: ReservationID, number: QueueNumber, state: ReservationState, visit: VisitSlot?,
        wait: WaitEstimate?, issued: LocalMoment, enterBy: LocalMoment? = nil
    ) {
        self.id = id
        self.number = number
        self.state = state
        self.visit = visit
        self.wait = wait
        self.issued = issued
        self.enterBy = enterBy
    }
}

/// Why a code leads to no reservation that can be shown; each has a message of its own [UC13].
public enum CodeRefusal: String, Error, Hashable, Sendable, CaseIterable {
    case unreadable, unknown, otherShop, used, missed, deleted
    /// The shop closed before its turn came.
    case closed
    /// Its holder is in the shop.
    case inside
    /// Codes were guessed too often.
    case tooManyTries
}

/// What Home knows of the queue.
public struct QueueReport: Hashable, Sendable {
    public let now: LocalMoment
    public let isOpen: Bool
    public let closes: LocalMoment?
    public let opens: LocalMoment?
    public let ticketAvailable: Bool
    public let calling: [QueueNumber]
    public let waiting: Int
    public let wait: WaitEstimate?

    public init(
        now: LocalMoment, isOpen: Bool, closes: LocalMoment?, opens: LocalMoment?,
        ticketAvailable: Bool, calling: [QueueNumber], waiting: Int, wait: WaitEstimate?
    ) {
        self.now = now
        self.isOpen = isOpen
        self.closes = closes
        self.opens = opens
        self.ticketAvailable = ticketAvailable
        self.calling = calling
        self.waiting = waiting
        self.wait = wait
    }
}

/// The shop this machine belongs to, as the backend told it.
public struct ShopReport: Hashable, Sendable {
    public let machine: MachineID
    public let name: String
    /// Languages of the shop's customers, its own first.
    public let languages: [String]

    public init(machine: MachineID, name: String, languages: [String]) {
        self.machine = machine
        self.name = name
        self.languages = languages
    }
}

/// Why a call brought no answer of the wanted kind; the customer's text is chosen by it.
public enum BackendFailure: Error, Hashable, Sendable {
    /// No answer in time, or none at all: what was asked may have happened.
    case unanswered
    /// An answer that does not fit the contract: what was asked may have happened.
    case notUnderstood
    /// The backend has no room just now (503, 429): nothing happened.
    case busy
    case noTicketToday
    case shopClosed(opens: LocalMoment?)
    case holdLapsed
    /// A visit was asked for, but there is a ticket for today again [UC12].
    case ticketAvailable
    /// No visit is free within the next month [UC12].
    case nothingWithinAMonth
    /// The code leads to no reservation.
    case code(CodeRefusal)
    /// The machine's key is not accepted, or its clock is wrong.
    case notAuthentic
    /// This machine's own key, or what it knows of the backend's, cannot be used: nothing was sent.
    case noKey(KeyTrouble)
    /// The reservation is not live any more: used, missed, deleted or never there.
    case gone
    /// Refused for a reason this program does not know, by the problem's name.
    case refused(String)

    /// Whether the call may have had its effect all the same.
    public var isUnknown: Bool { self == .unanswered || self == .notUnderstood }

    /// Whether the machine is nobody to the backend until its key has been put right.
    public var isOfKey: Bool {
        switch self {
        case .notAuthentic, .noKey: true
        default: false
        }
    }
}

/// What is wrong with the keys on this machine's disk.
public enum KeyTrouble: Error, Hashable, Sendable {
    case missing
    /// Cut, changed, unreadable, or readable by others.
    case damaged
    /// Sealed for another machine: the wrapping key is not this one's.
    case foreign
}

/// Names one call so that repeating it changes nothing (the Idempotency-Key).
public typealias AttemptKey = Identifier<Attempt>

/// What an attempt is; only its name exists.
public enum Attempt {}

/// A confirmation that was sent, or was about to be, when the machine stopped (rules 13).
public struct OpenConfirmation: Hashable, Sendable {
    public let key: AttemptKey
    public let hold: ReservationID
    /// Whether the customer had given it up.
    public let deleteWhenKnown: Bool

    public init(key: AttemptKey, hold: ReservationID, deleteWhenKnown: Bool) {
        self.key = key
        self.hold = hold
        self.deleteWhenKnown = deleteWhenKnown
    }
}
