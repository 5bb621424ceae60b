public import Reservations

/// What a machine tells of itself, as the store keeps it (rules 25).
public struct MachineReport: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// The real time of the report.
    public var seen: Moment
    /// How the machine is: text that the store hands on as it is; equal conditions are equal texts.
    public var condition: String
    /// Names the machine's memory; events and papers of another one are others.
    public var memory: String
    public var papers: [PrintTally]
    /// Events before the first of `events` that nobody will ever send.
    public var dropped: Int
    /// Sequences ascend.
    public var events: [MachineEventRecord]
    /// Orders that were carried out.
    public var obeyed: Set<Int64>
    /// Whose signature it was; the nonce is remembered under it where the report is written (rules 21).
    public var keyID: String
    public var nonce: String
    /// About when the signature is too old to be taken anyway, by the clock of the server that it came to.
    public var nonceExpires: Moment

    public init(
        shop: ShopID, machine: MachineID, seen: Moment, condition: String, memory: String,
        papers: [PrintTally], dropped: Int, events: [MachineEventRecord], obeyed: Set<Int64>,
        keyID: String, nonce: String, nonceExpires: Moment
    ) {
        self.shop = shop
        self.machine = machine
        self.seen = seen
        self.condition = condition
        self.memory = memory
        self.papers = papers
        self.dropped = dropped
        self.events = events
        self.obeyed = obeyed
        self.keyID = keyID
        self.nonce = nonce
        self.nonceExpires = nonceExpires
    }
}

/// What happened to a machine or was done to it.
public struct MachineEventRecord: Hashable, Sendable {
    public var machine: MachineID
    /// Of the machine's memory; 0 where it is read from the history.
    public var sequence: Int64
    public var at: LocalMoment
    public var person: String?
    public var kind: String
    public var detail: String

    public init(
        machine: MachineID, sequence: Int64, at: LocalMoment, person: String?, kind: String,
        detail: String
    ) {
        self.machine = machine
        self.sequence = sequence
        self.at = at
        self.person = person
        self.kind = kind
        self.detail = detail
    }
}

/// A remote command as the store keeps it.
public struct RemoteCommandRecord: Hashable, Sendable {
    public var machine: MachineID
    public var id: Int64
    public var kind: RemoteCommand.Kind
    public var message: String?
    public var given: Moment
    /// When the machine reported that it was carried out; nil before.
    public var done: Moment?
}

extension RemoteCommand.Kind {
    /// Those that a later one makes void.
    var replaced: [Self] {
        switch self {
        case .outOfService, .inService: [.outOfService, .inService]
        case .restart, .rotate, .unlock, .testPrint: [self]
        }
    }
}

/// What a machine told last.
public struct MachineStatusRecord: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// Up to `QueueStore.statusLife` before the last report.
    public var seen: Moment
    public var condition: String
    public var memory: String
    /// The last event of the memory that is kept here.
    public var through: Int64
    /// Events that gave way at the machine before they could be sent, of all its memories.
    public var dropped: Int
    /// What it told lately, of which there is only so much.
    var bounds = ReportBounds()
}

/// How much a machine has told within an hour and a day: kept in the database, so that neither another key, another
/// server nor a restart begins it anew.
struct ReportBounds: Hashable, Sendable {
    /// New events that are taken of a machine within an hour; the rest waits at the machine. A bad day has some
    /// hundred, and what an outage has kept back is told within hours.
    static let maxEventsPerHour = 1_000
    /// How often a machine may begin a new memory within a day: one is lost with a disk.
    static let maxJournalsPerDay = 8

    private static let hour = Duration.seconds(3_600)
    private static let day = Duration.seconds(86_400)

    var hourBegan = Moment(milliseconds: 0)
    var hourEvents = 0
    var dayBegan = Moment(milliseconds: 0)
    var dayMemories = 0

    /// Begins the hour and the day anew where they are over, or where the clock was set back.
    func current(at now: Moment) -> ReportBounds {
        var bounds = self
        if now < hourBegan || hourBegan + Self.hour <= now {
            (bounds.hourBegan, bounds.hourEvents) = (now, 0)
        }
        if now < dayBegan || dayBegan + Self.day <= now {
            (bounds.dayBegan, bounds.dayMemories) = (now, 0)
        }
        return bounds
    }

    /// How many more events are taken now.
    var freeEvents: Int { max(0, Self.maxEventsPerHour - hourEvents) }

    /// How long no other memory is taken; nil where one is.
    func waitForMemory(at now: Moment) -> Duration? {
        dayMemories < Self.maxJournalsPerDay ? nil : dayBegan + Self.day - now
    }
}

/// What is answered to a report, once it is on the disk.
public struct MachineReportResult: Hashable, Sendable {
    /// How long the machine must wait where nothing of the report was taken; nil where it was.
    public var wait: Duration?
    /// The last event that is kept here; before the last one that was told where the machine tells too many.
    public var through: Int64
    /// Oldest first.
    public var commands: [RemoteCommandRecord]
}
