public import Reservations

/// A machine's report of its state, as the store keeps it (rules: remote-commands).
public struct MachineReport: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// The real time of the report.
    public var seen: Moment
    /// The machine's condition: a text that the store passes on unchanged; equal conditions are equal texts.
    public var condition: String
    /// The report as it came; events and print outcomes of another journal are counted separately.
    public var content: MachineStatusReport
    /// The nonce is remembered if the report is written (rules: nonces).
    public var nonce: SignatureNonce

    public init(
        shop: ShopID, machine: MachineID, seen: Moment, condition: String,
        content: MachineStatusReport, nonce: SignatureNonce
    ) {
        self.shop = shop
        self.machine = machine
        self.seen = seen
        self.condition = condition
        self.content = content
        self.nonce = nonce
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
    /// The kinds of remote commands that a later one makes void.
    var replaced: [Self] {
        switch self {
        case .outOfService, .inService: [.outOfService, .inService]
        case .restart, .rotate, .unlock, .testPrint: [self]
        }
    }
}

/// The last report of a machine.
public struct MachineStatusRecord: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// The time of the last report; it may be earlier by up to `QueueStore.maxStatusAge`.
    public var seen: Moment
    public var condition: String
    public var memory: String
    /// The last event of the journal that is stored.
    public var through: Int64
    /// The number of events that were dropped at the machine before they could be sent, of all its journals.
    public var dropped: Int
    /// The number of recent events and journals, which is limited.
    var bounds = ReportBounds()
}

/// How much a machine has reported within an hour and a day: kept in the database, so that neither another key, another
/// server nor a restart begins the count again.
struct ReportBounds: Hashable, Sendable {
    /// The highest number of new events that are accepted from a machine within an hour; the rest waits at the machine.
    /// A bad day has a few hundred, and events kept back during an outage are reported within hours.
    static let maxEventsPerHour = 1_000
    /// How often a machine may begin a new journal within a day: one is lost with a disk.
    static let maxJournalsPerDay = 8

    private static let hour = Duration.seconds(3_600)
    private static let day = Duration.seconds(86_400)

    var hourBegan = Moment(milliseconds: 0)
    var hourEvents = 0
    var dayBegan = Moment(milliseconds: 0)
    var dayMemories = 0

    /// Begins the hour and the day again if they are over, or if the clock was set back.
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

    var freeEvents: Int { max(0, Self.maxEventsPerHour - hourEvents) }

    /// How long no new journal is accepted; nil if one is accepted now.
    func waitForMemory(at now: Moment) -> Duration? {
        dayMemories < Self.maxJournalsPerDay ? nil : dayBegan + Self.day - now
    }
}

/// The answer to a report, given once the report is on the disk.
public struct MachineReportResult: Hashable, Sendable {
    /// How long the machine must wait if nothing of the report was accepted; nil if it was accepted.
    public var wait: Duration?
    /// The last event that is stored; before the last reported one if the machine reports too many.
    public var through: Int64
    /// The open remote commands, the oldest first.
    public var commands: [RemoteCommandRecord]
}
