public import Reservations

/// What the machine knows of itself for those who look after it; what is not known yet is nil.
public struct StaffFacts: Hashable, Sendable {
    /// How long the backend's last answer took; nil while there is none.
    public var latency: Duration?
    /// What each printer said last, the preferred one first; empty until they have been asked.
    public var printers: [PrinterCondition] = []
    /// Queues that are configured.
    public var printersConfigured = 0
    /// This machine's clock against the backend's, ahead being positive.
    public var clockOffset: Duration?
    public var lastRead: LastRead?
    public var body: MachineBody?
    /// Issued today, newest first.
    public var papers: [IssuedPaper]?
    /// Newest first.
    public var events: [MachineEvent]?

    public init() {}

    /// What the reader has read last; the text itself only for the one who tests the reader.
    public struct LastRead: Hashable, Sendable {
        public let at: LocalMoment?
        public let isCode: Bool

        public init(at: LocalMoment?, isCode: Bool) {
            self.at = at
            self.isCode = isCode
        }
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

    public init(diskFree: Int?, fingerprint: String, keyDays: Int?, version: String) {
        self.diskFree = diskFree
        self.fingerprint = fingerprint
        self.keyDays = keyDays
        self.version = version
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

    public enum Fate: Hashable, Sendable {
        case printed
        case notPrinted(PrinterTrouble)
        /// Handed to a printer that said nothing more.
        case unknown
        /// The customer gave it up; it is or will be deleted.
        case givenUp
    }

    public init(
        key: AttemptKey, number: QueueNumber, issued: Moment, fate: Fate, code: EntryCode?,
        typedCode: TypedCode?
    ) {
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
