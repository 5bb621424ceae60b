public import Reservations

/// What the machine tells the backend of itself.
public struct MachineReport: Hashable, Sendable {
    public var body: MachineBody
    /// Why customers are not served; nil where they are.
    public var outOfService: OutOfService?
    /// The preferred one first; those that have not been asked yet are missing.
    public var printers: [PrinterReport]
    public var isReaderThere: Bool
    /// Seconds that the backend's clock is ahead of the machine's.
    public var clockOffset: Int
    /// Of the shop's clock, in minutes east of Greenwich.
    public var offsetMinutes: Int
    public var papers: [PaperFates]
    /// Papers that may be missing, and that the staff can still see to.
    public var unknownPapers: Int
    public var events: UnsentEvents
    /// Orders that were carried out, the last ones.
    public var obeyed: [Int64]

    public init(
        body: MachineBody, outOfService: OutOfService?, printers: [PrinterReport],
        isReaderThere: Bool, clockOffset: Int, offsetMinutes: Int, papers: [PaperFates],
        unknownPapers: Int = 0, events: UnsentEvents, obeyed: [Int64]
    ) {
        self.body = body
        self.outOfService = outOfService
        self.printers = printers
        self.isReaderThere = isReaderThere
        self.clockOffset = clockOffset
        self.offsetMinutes = offsetMinutes
        self.papers = papers
        self.unknownPapers = unknownPapers
        self.events = events
        self.obeyed = obeyed
    }
}

/// What a printer said last.
public struct PrinterReport: Hashable, Sendable {
    /// Of its queue.
    public let name: String
    public let condition: PrinterCondition

    public init(name: String, condition: PrinterCondition) {
        self.name = name
        self.condition = condition
    }
}

/// What became of the papers of one day of the shop.
public struct PaperFates: Hashable, Sendable {
    public let day: CalendarDay
    public var printed: Int
    /// Shown on the screen only.
    public var failed: Int
    public var copies: Int
    /// Shown or being printed when the power or the program ended, and not seen to since.
    public var unknown: Int

    public init(
        day: CalendarDay, printed: Int = 0, failed: Int = 0, copies: Int = 0, unknown: Int = 0
    ) {
        self.day = day
        self.printed = printed
        self.failed = failed
        self.copies = copies
        self.unknown = unknown
    }
}

/// Events that the backend has not said to have, oldest first.
public struct UnsentEvents: Hashable, Sendable {
    /// Names the memory that they are of: their numbers begin at 1 in another one.
    public var memory: String
    /// The backend has those up to this one.
    public var through: Int64
    /// Those before the first that had to give way.
    public var dropped: Int
    public var events: [NumberedEvent]

    public init(
        memory: String, through: Int64 = 0, dropped: Int = 0, events: [NumberedEvent] = []
    ) {
        self.memory = memory
        self.through = through
        self.dropped = dropped
        self.events = events
    }
}

public struct NumberedEvent: Hashable, Sendable {
    /// Grows with every event of a memory.
    public let sequence: Int64
    public let event: MachineEvent

    public init(sequence: Int64, event: MachineEvent) {
        self.sequence = sequence
        self.event = event
    }
}

/// What the backend says to a report.
public struct ReportAnswer: Hashable, Sendable {
    /// It has the events up to this one.
    public let through: Int64
    /// Oldest first; those that this program does not know are left out.
    public let orders: [ShopOrder]

    public init(through: Int64, orders: [ShopOrder]) {
        self.through = through
        self.orders = orders
    }
}
