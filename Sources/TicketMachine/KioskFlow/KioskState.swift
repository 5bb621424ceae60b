public import Reservations

/// Where the machine is; each case says where it can go. Times are on the monotonic clock.
public enum KioskState: Hashable, Sendable {
    /// Nothing is known yet -> any resting state, unresolved, issued.
    case starting
    /// Waiting for a customer -> asking, closed, out of service, unresolved.
    case home
    /// -> home, out of service.
    case closed(opens: LocalMoment?)
    /// -> home, closed; by itself, when the cause is gone.
    case outOfService(OutOfService)
    /// A place was asked for -> offer, no ticket today, closed, apology, home.
    case asking(Asking)
    /// A place is held and shown -> confirming, asking (renewed), home.
    case offer(Offer)
    /// -> asking (a visit), home.
    case noTicketToday
    /// No visit is free within the next month -> home.
    case noVisit
    /// The confirmation is on its way -> issued, unresolved, asking (lapsed), apology.
    case confirming(Confirming)
    /// The confirmation has no answer yet, neither yes nor no (rules 12) -> issued, asking
    /// (lapsed), home.
    case unresolved(Unresolved)
    /// The customer has a place -> home.
    case issued(Issued)
    /// The customer holds the paper to the reader, or types its code -> looking up, code refused,
    /// home.
    case scanning(Scanning)
    /// -> found, code refused, apology, home.
    case lookingUp(LookingUp)
    /// The reservation is shown -> deleting, home.
    case found(Found)
    /// -> deleted, code refused, apology, home.
    case deleting(Deleting)
    /// -> home.
    case deleted(Deleted)
    /// -> scanning, home.
    case codeRefused(CodeRefused)
    /// Nothing came of the request and the customer has no place -> home.
    case apology(Apology)
    /// Somebody of the staff wants in -> staff, home.
    case staffEntrance(StaffEntrance)
    /// Maintenance mode -> home.
    case staff(StaffVisit)

    /// States in which nobody is being served, entered and left by what the backend reports.
    public var isResting: Bool {
        switch self {
        case .starting, .home, .closed, .outOfService: true
        default: false
        }
    }
}

/// Why the machine cannot serve; each has a plain sentence and a code for the staff.
public enum OutOfService: String, Hashable, Sendable, CaseIterable {
    /// The backend does not answer.
    case network = "N1"
    /// The backend answers what the contract does not know.
    case notUnderstood = "N2"
    /// The backend does not accept this machine's key or clock.
    case notAuthentic = "A1"
    /// This machine's key is missing, or what seals it.
    case noKey = "K1"
    /// This machine's key, or the backend's that it has pinned, is damaged or open to others.
    case damagedKey = "K2"
    /// This machine's key is another machine's.
    case foreignKey = "K3"
    /// The backend cannot store anything.
    case busy = "B1"
    /// This machine's own disk cannot be written.
    case journal = "D1"
    /// The staff has put the machine out of service.
    case staff = "S1"
}

public struct Apology: Hashable, Sendable {
    public let reason: OutOfService
    /// Whether a deletion was asked for: it may have happened.
    public let ofDeletion: Bool
    public let closes: Duration
}

public struct Asking: Hashable, Sendable {
    public let attempt: AttemptKey
    public let kind: ReservationKind
    /// Whether an offer before this one ran out.
    public let renewed: Bool
    /// Whether a visit was asked for, and a ticket has become free meanwhile [UC12].
    public let insteadOfVisit: Bool
}

public struct Offer: Hashable, Sendable {
    public var place: HeldPlace
    /// When the backend lets the place lapse.
    public var expires: Duration
    /// Whether an offer before this one ran out.
    public let renewed: Bool
    /// Whether a visit was asked for, and a ticket has become free meanwhile [UC12].
    public let insteadOfVisit: Bool
    public var extensions = 0
    public var lastExtension: Duration?

    /// Whether a touch can still make it last longer (rules 2); else the customer must decide.
    public var isExtendable: Bool { extensions < KioskTiming.extensions }
}

public struct Confirming: Hashable, Sendable {
    public let key: AttemptKey
    public let hold: ReservationID
    public let kind: ReservationKind
}

public struct Unresolved: Hashable, Sendable {
    /// The confirmation whose answer is missing.
    public let asked: Confirming
    /// When the machine stops asking in front of the customer.
    public let until: Duration
    /// When the next try is due; nil while one is under way.
    public var nextTry: Duration?
}

public struct Issued: Hashable, Sendable {
    public let key: AttemptKey
    public let reservation: Reservation
    public var paper: Paper
    /// When the screen goes Home; nil while the paper's fate is open.
    public var closes: Duration?
    /// When the code is shown although nothing was heard of the paper.
    var silent: Duration = .zero

    /// What has become of the paper.
    public enum Paper: Hashable, Sendable {
        /// On its way; nothing is wrong so far.
        case printing
        /// In trouble; it may still come out, and the code is shown at once (rules 15).
        case late(PrinterTrouble)
        case printed
        /// No paper will come out: the code on the screen is the ticket.
        case shownOnly(PrinterTrouble)

        /// Whether the code must be large on the screen, to photograph or copy.
        public var isShownLarge: Bool {
            switch self {
            case .late, .shownOnly: true
            case .printing, .printed: false
            }
        }
    }
}

public struct Scanning: Hashable, Sendable {
    /// What has been typed of the ten digits.
    public var digits: String
}

public struct LookingUp: Hashable, Sendable {
    public let attempt: AttemptKey
    public let code: PresentedCode
    /// Whether its digits were typed on the screen.
    public var isTyped = false
}

public struct Found: Hashable, Sendable {
    public let reservation: FoundReservation
    public let code: PresentedCode
}

public struct Deleting: Hashable, Sendable {
    public let attempt: AttemptKey
    public let reservation: FoundReservation
}

public struct Deleted: Hashable, Sendable {
    public let number: QueueNumber
    public let closes: Duration
}

public struct CodeRefused: Hashable, Sendable {
    public let reason: CodeRefusal
    public let closes: Duration
    /// Whether its digits were typed on the screen: only then is there something to check.
    public var isTyped = false
}
