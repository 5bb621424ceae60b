public import Reservations

/// What the machine knows about itself for the staff in maintenance mode; what is not known yet is nil.
public struct StaffFacts: Hashable, Sendable {
    public var backend: BackendStatus = .asked
    /// All configured printers, the preferred one of the configuration first.
    public var printers: [PrinterFacts] = []
    /// How far this machine's clock is ahead of the backend's.
    public var clockOffset: Duration?
    /// What the reader has read last.
    public var lastRead: StaffRead?
    public var body: MachineIdentity?
    /// Receipts of today, and older ones that may be missing; newest first.
    public var papers: [IssuedPaper]?
    /// Newest first.
    public var events: [MachineEvent]?
    /// How calls are protected; nil until it is known.
    public var network: NetworkFacts?
    /// The last calls to the backend, newest first.
    public var calls: [CallReport] = []
    /// The shop's queue, or why the backend does not report it.
    public var queue: Result<StaffQueue, BackendFailure>?
    /// The staff members who may use maintenance mode, by name.
    public var members: [StaffMember]?

    public init() {}

    /// How many people may be inside; nil while the backend does not report it.
    public var capacity: Int? { (try? queue?.get())?.capacity }
}

/// Whether the backend answers.
public enum BackendStatus: Hashable, Sendable {
    /// The first answer is still awaited.
    case asked
    case silent
    case answers(after: Duration)
}

/// What is known of one printer.
public struct PrinterFacts: Hashable, Sendable {
    /// What it reported last; nil while the first report is awaited.
    public var condition: PrinterCondition?
    public var inspection: PrinterInspection?

    public init(condition: PrinterCondition? = nil, inspection: PrinterInspection? = nil) {
        self.condition = condition
        self.inspection = inspection
    }
}

/// What a printer reports about itself, for the person who repairs it.
public struct PrinterInspection: Hashable, Sendable {
    public enum State: Hashable, Sendable { case idle, printing, stopped }

    public var state: State
    /// Keywords of IPP (RFC 8011 5.4.12), as the printer reports them; empty for none.
    public var reasons: [String]
    /// Jobs in its queue, the next one first.
    public var jobs: [QueuedJob]

    public init(state: State, reasons: [String], jobs: [QueuedJob]) {
        self.state = state
        self.reasons = reasons
        self.jobs = jobs
    }
}

/// A job that waits or is being printed.
public struct QueuedJob: Hashable, Sendable {
    public let id: Int
    /// The title that was given to the job when it was made.
    public let title: String

    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// How the connection between the machine and its backend is secured.
public struct NetworkFacts: Hashable, Sendable {
    /// As configured: https://host.
    public let address: String
    public let isEncrypted: Bool
    /// Whether the backend's key is pinned, so that answers of any other server are rejected.
    public let isPinned: Bool

    public init(address: String, isEncrypted: Bool, isPinned: Bool) {
        self.address = address
        self.isEncrypted = isEncrypted
        self.isPinned = isPinned
    }
}

/// A call to the backend and its result.
public struct CallReport: Hashable, Sendable {
    public let at: Moment
    /// nil if no answer came.
    public let status: Int?
    public let took: Duration
    /// Whether the answer was certainly the backend's; nil if there was none, or if no key is pinned.
    public let isSigned: Bool?

    public init(at: Moment, status: Int?, took: Duration, isSigned: Bool?) {
        self.at = at
        self.status = status
        self.took = took
        self.isSigned = isSigned
    }
}

/// Facts about the machine that rarely change.
public struct MachineIdentity: Hashable, Sendable {
    /// 0 to 100; nil if it cannot be found out.
    public var diskFree: Int?
    public var fingerprint: String
    /// Whole days since the key was made; nil if that is not known.
    public var keyDays: Int?
    public var version: String
    /// Whether a newer program is installed than the one that runs.
    public var isUpdateWaiting: Bool
    /// Whether the staff may restart the whole machine.
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

/// A receipt that this machine has issued, and what became of it.
public struct IssuedPaper: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let number: SlipNumber
    public let issued: Moment
    public let outcome: Outcome
    /// Proof of the reservation or the order; nil once it is erased.
    public let code: SlipCode?
    public let typedCode: TypedCode?
    /// The link in its symbol, with the code; nil if the symbol is that of the code alone, and once it is erased.
    public let symbol: String?
    /// The language in which it was issued; nil if an older version wrote it down.
    public let language: String?

    public enum Outcome: Hashable, Sendable, Codable {
        case printed
        case notPrinted(PrinterTrouble)
        /// It is still being printed.
        case underWay
        /// The power failed or the program ended while it was shown and printed: it may not have come out.
        case unknown
        /// The staff has printed it again; the outcome of the first one does not matter any more.
        case reprinted
        /// The customer or the staff gave the reservation up; it is deleted, or will be.
        case givenUp
        /// Its reservation was no longer valid when the staff checked a receipt that may be missing.
        case over
    }

    public init(
        key: AttemptKey, number: SlipNumber, issued: Moment, outcome: Outcome, code: SlipCode?,
        typedCode: TypedCode?, symbol: String? = nil, language: String? = nil
    ) {
        self.symbol = symbol
        self.language = language
        self.key = key
        self.number = number
        self.issued = issued
        self.outcome = outcome
        self.code = code
        self.typedCode = typedCode
    }
}

extension StaffFacts: Codable {
    private enum CodingKeys: String, CodingKey { case members, queue }

    /// The facts on which the flow's decisions depend: the people and the capacity. The others are only shown.
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
