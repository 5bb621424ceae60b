public import Reservations

/// What the machine knows of itself for those who look after it; what is not known yet is nil.
public struct StaffFacts: Hashable, Sendable {
    public var backend: BackendLight = .asked
    /// Each printer that is configured, the preferred one of the configuration first.
    public var printers: [PrinterFacts] = []
    /// This machine's clock against the backend's, ahead being positive.
    public var clockOffset: Duration?
    public var lastRead: LastRead?
    public var body: MachineBody?
    /// Issued today, and those before that may be missing; newest first.
    public var papers: [IssuedPaper]?
    /// Newest first.
    public var events: [MachineEvent]?
    /// How calls are protected; nil until it is known.
    public var network: NetworkFacts?
    /// The last calls to the backend, newest first.
    public var calls: [CallReport] = []
    /// The shop's queue; the failure where the backend does not tell it.
    public var queue: Result<StaffQueue, BackendFailure>?
    /// Who may look after the machine, by name.
    public var members: [StaffMember]?

    public init() {}

    /// How many may be inside; nil while the backend does not tell.
    public var capacity: Int? { (try? queue?.get())?.capacity }

    /// What the reader has read last.
    public struct LastRead: Hashable, Sendable {
        public let at: LocalMoment?
        public let what: What

        public enum What: Hashable, Sendable {
            /// A reservation's.
            case code
            /// A person's of the staff.
            case badge
            case other

            /// What a reader has handed over, through whatever keyboard.
            public init(_ text: String) {
                self =
                    if PresentedCode(read: text) != nil {
                        .code
                    } else {
                        StaffBadge(read: text) != nil ? .badge : .other
                    }
            }
        }

        public init(at: LocalMoment?, what: What) {
            self.at = at
            self.what = what
        }
    }
}

/// Whether the backend is there.
public enum BackendLight: Hashable, Sendable {
    /// Nothing has come back yet, and it may still.
    case asked
    case silent
    case answers(after: Duration)
}

/// What is known of one printer.
public struct PrinterFacts: Hashable, Sendable {
    /// What it said last; nil while it is asked.
    public var condition: PrinterCondition?
    public var inspection: PrinterInspection?

    public init(condition: PrinterCondition? = nil, inspection: PrinterInspection? = nil) {
        self.condition = condition
        self.inspection = inspection
    }
}

/// A printer as it tells of itself, for who repairs it.
public struct PrinterInspection: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case idle, printing, stopped
    }

    public var state: State
    /// Keywords of IPP (RFC 8011 5.4.12), as it says them; empty for none.
    public var reasons: [String]
    /// Jobs in its queue, the next one first.
    public var jobs: [QueuedJob]

    public init(state: State, reasons: [String], jobs: [QueuedJob]) {
        self.state = state
        self.reasons = reasons
        self.jobs = jobs
    }
}

/// A job that waits or is printed.
public struct QueuedJob: Hashable, Sendable {
    public let id: Int
    /// As it was named when it was made.
    public let title: String

    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// How the machine and its backend know each other.
public struct NetworkFacts: Hashable, Sendable {
    /// As configured: https://host.
    public let address: String
    public let isEncrypted: Bool
    /// Whether the backend's key is known, so that nobody else's answers are believed.
    public let isPinned: Bool

    public init(address: String, isEncrypted: Bool, isPinned: Bool) {
        self.address = address
        self.isEncrypted = isEncrypted
        self.isPinned = isPinned
    }
}

/// A call to the backend and what came of it.
public struct CallReport: Hashable, Sendable {
    public let at: Moment
    /// Method and path without names of reservations, as "GET /v1/queue".
    public let call: String
    /// nil where no answer came.
    public let status: Int?
    public let took: Duration
    /// Whether the answer was surely the backend's; nil where there was none, or no key is known.
    public let isSigned: Bool?

    public init(at: Moment, call: String, status: Int?, took: Duration, isSigned: Bool?) {
        self.at = at
        self.call = call
        self.status = status
        self.took = took
        self.isSigned = isSigned
    }
}

/// A shop's queue as its staff sees it.
public struct StaffQueue: Hashable, Sendable {
    public let isOpen: Bool
    /// When the present opening ends; nil while closed.
    public let closes: LocalMoment?
    /// Whether the staff has made it end earlier than the calendar says.
    public let closesEarly: Bool
    /// Whether the staff gives no more tickets today.
    public let ticketsEnded: Bool
    public let ticketAvailable: Bool
    /// People inside, as the queue counts them, and how many may be.
    public let people: Int
    public let capacity: Int
    /// Numbers called and not yet in, newest first.
    public let calling: [QueueNumber]
    /// People with a ticket who have not been called.
    public let waiting: Int
    /// The next of them in order.
    public let next: [QueueNumber]
    /// Visits of today that are not called yet.
    public let visits: Int
    /// Numbers given out today.
    public let issued: Int
    /// Readers whose doors could not be closed.
    public let doorsNotClosed: [String]

    public init(
        isOpen: Bool, closes: LocalMoment?, closesEarly: Bool, ticketsEnded: Bool = false,
        ticketAvailable: Bool, people: Int, capacity: Int, calling: [QueueNumber], waiting: Int,
        next: [QueueNumber], visits: Int,
        issued: Int, doorsNotClosed: [String] = []
    ) {
        self.isOpen = isOpen
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

/// What does not change while nobody is at the machine's shell.
public struct MachineBody: Hashable, Sendable {
    /// 0 to 100; nil where the disk does not say.
    public var diskFree: Int?
    public var fingerprint: String
    /// Whole days since the key was made; nil where that is not known.
    public var keyDays: Int?
    public var version: String
    /// Whether the program that runs is older than the one that is installed.
    public var isUpdateWaiting: Bool
    /// Whether the staff may have the whole machine started anew.
    public var mayRestart: Bool

    public init(
        diskFree: Int?, fingerprint: String, keyDays: Int?, version: String,
        isUpdateWaiting: Bool = false, mayRestart: Bool = false
    ) {
        self.diskFree = diskFree
        self.fingerprint = fingerprint
        self.keyDays = keyDays
        self.version = version
        self.isUpdateWaiting = isUpdateWaiting
        self.mayRestart = mayRestart
    }
}

/// A paper this machine has issued, and what became of it.
public struct IssuedPaper: Hashable, Sendable {
    public let key: AttemptKey
    public let number: QueueNumber
    public let issued: Moment
    public let fate: Fate
    /// Proof of the reservation; nil once it is erased.
    public let code: EntryCode?
    public let typedCode: TypedCode?
    /// In which language it was issued; nil where an older version wrote it down.
    public let language: String?

    public enum Fate: Hashable, Sendable {
        case printed
        case notPrinted(PrinterTrouble)
        /// The program follows it.
        case underWay
        /// The power or the program ended while it was shown and printed: it may not have come out.
        case unknown
        /// The staff has printed it again, whatever became of the first one.
        case reprinted
        /// The customer gave it up, or the staff did; it is or will be deleted.
        case givenUp
        /// Its reservation did not stand any more when the staff looked after a paper that may be missing.
        case over
    }

    public init(
        key: AttemptKey, number: QueueNumber, issued: Moment, fate: Fate, code: EntryCode?,
        typedCode: TypedCode?, language: String? = nil
    ) {
        self.language = language
        self.key = key
        self.number = number
        self.issued = issued
        self.fate = fate
        self.code = code
        self.typedCode = typedCode
    }
}

/// Something that happened to the machine or was done to it.
public struct MachineEvent: Hashable, Sendable {
    public let at: Moment
    /// Who did it; nil where nobody did.
    public let person: String?
    public let kind: Kind
    /// A code, a number or a name that goes with the kind; empty where nothing does.
    public let detail: String

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case entered, left
        /// PINs that were not right; the detail says how it went on.
        case wrongPIN = "wrong-pin"
        case testPrint = "test-print"
        /// The detail is the number, and the reason after a space.
        case reprint
        case putOut = "out-of-service"
        case putIn = "in-service"
        case restart
        case restartMachine = "restart-machine"
        /// The detail is the printer, 1 or 2.
        case rollChanged = "roll-changed"
        case printerChosen = "printer-chosen"
        case jobCancelled = "job-cancelled"
        /// The detail is the number.
        case calledAgain = "called-again"
        case letIn = "let-in"
        case restored
        case deleted
        /// The detail is how many.
        case peopleInside = "people-inside"
        case closedEarly = "closed-early"
        case closedAsPlanned = "closed-as-planned"
        case ticketsEnded = "tickets-ended"
        case sentHome = "sent-home"
        case openedAgain = "opened-again"
        /// The detail is the person whom it concerns.
        case personAdded = "person-added"
        case personLocked = "person-locked"
        case personUnlocked = "person-unlocked"
        case personRemoved = "person-removed"
        /// Of all people at once.
        case pinsUnlocked = "pins-unlocked"
        case badgeMade = "badge-made"
        case pinReset = "pin-reset"
        case badgeRevoked = "badge-revoked"
        /// A badge that is nobody's, or of somebody who is locked.
        case wrongBadge = "wrong-badge"
        case settingsChanged = "settings-changed"
        /// The machine has another key; the detail is its fingerprint.
        case keyRotated = "key-rotated"
        /// What was asked for was not done; the detail is a `NotDone`.
        case notDone = "not-done"
        /// One that may have been missing; the detail is the number.
        case paperFound = "paper-found"
        /// Customers could not be served; the detail is the code of it.
        case fault
        case recovered
        /// The detail is the printer's trouble.
        case printer
        case printerWell = "printer-well"
        /// The shop wanted something from afar; the detail names it.
        case ordered = "order"
    }

    public init(at: Moment, person: String?, kind: Kind, detail: String = "") {
        self.at = at
        self.person = person
        self.kind = kind
        self.detail = detail
    }
}
