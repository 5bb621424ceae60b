public import Reservations

/// What the machine knows of itself for those who look after it; what is not known yet is nil.
public struct StaffFacts: Hashable, Sendable {
    public var backend: BackendStatus = .asked
    /// Each printer that is configured, the preferred one of the configuration first.
    public var printers: [PrinterFacts] = []
    /// This machine's clock against the backend's, ahead being positive.
    public var clockOffset: Duration?
    public var lastRead: LastRead?
    public var body: MachineIdentity?
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
public enum BackendStatus: Hashable, Sendable {
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

/// What does not change while nobody is at the machine's shell.
public struct MachineIdentity: Hashable, Sendable {
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
public struct IssuedPaper: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let number: QueueNumber
    public let issued: Moment
    public let fate: Fate
    /// Proof of the reservation; nil once it is erased.
    public let code: EntryCode?
    public let typedCode: TypedCode?
    /// In which language it was issued; nil where an older version wrote it down.
    public let language: String?

    public enum Fate: Hashable, Sendable, Codable {
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

extension StaffFacts: Codable {
    private enum CodingKeys: String, CodingKey { case members, queue }

    /// What the flow decides by: the people, and how many may be inside. The rest is only shown.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(members, forKey: .members)
        try container.encodeIfPresent(try? queue?.get(), forKey: .queue)
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        members = try container.decodeIfPresent([StaffMember].self, forKey: .members)
        queue = try container.decodeIfPresent(StaffQueue.self, forKey: .queue).map { .success($0) }
    }
}
