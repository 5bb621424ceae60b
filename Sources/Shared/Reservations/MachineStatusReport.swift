/// The body of POST /v1/machine/status, the report that a machine sends every ten seconds (rules: remote-commands).
///
/// It may be sent again unchanged: the condition and the print tallies replace those of the report before, and each
/// event is stored once, by its number. A newer machine may report more fields, and an older one fewer.
public struct MachineStatusReport: Codable, Hashable, Sendable {
    /// The most events in one call; further ones come with the next call.
    public static let maxEvents = 50
    /// The most days of print tallies in one call: a machine remembers a month.
    public static let maxDays = 32
    /// The most remote commands in one call that were carried out.
    public static let maxAcknowledged = 8

    public var condition: MachineCondition
    /// Identifies the machine's journal, which contains these events and tallies: a new journal counts from 1 again.
    public var memory: String
    /// The tallies of days that may have changed since the last answer.
    public var papers: [PrintTally]
    /// How many events before the first of `events` were discarded before the backend had them.
    public var dropped: Int
    /// The events that the backend has not acknowledged, oldest first.
    public var events: [MachineEventReport]
    /// The latest remote commands that were carried out.
    public var acknowledged: [Int64]

    private enum CodingKeys: String, CodingKey {
        case condition, memory, papers, dropped, events
        case acknowledged = "obeyed"
    }

    public init(
        condition: MachineCondition, memory: String, papers: [PrintTally] = [], dropped: Int = 0,
        events: [MachineEventReport] = [], acknowledged: [Int64] = []
    ) {
        self.condition = condition
        self.memory = memory
        self.papers = papers
        self.dropped = dropped
        self.events = events
        self.acknowledged = acknowledged
    }

    /// The report without characters that texts from outside must not contain; nil if a count or a number is
    /// impossible.
    public var cleaned: MachineStatusReport? {
        let numbers = events.map(\.sequence)
        guard let condition = condition.cleaned, PlainName.isValid(memory),
            papers.count <= Self.maxDays, Set(papers.map(\.day)).count == papers.count,
            papers.allSatisfy(\.isPlausible), (0...1_000_000_000).contains(dropped),
            events.count <= Self.maxEvents, acknowledged.count <= Self.maxAcknowledged,
            numbers.first.map({ $0 > 0 }) ?? true, zip(numbers, numbers.dropFirst()).allSatisfy(<)
        else { return nil }
        var clean = self
        clean.condition = condition
        clean.events = events.map(\.cleaned)
        return clean
    }
}

/// The condition of a machine.
public struct MachineCondition: Codable, Hashable, Sendable {
    /// The version of the program.
    public var version: String
    /// Why customers are not served, by the code that the staff knows, as N1; nil if they are served.
    public var outOfService: String?
    /// The printers, the preferred one first.
    public var printers: [PrinterStatus]
    /// Whether codes can be read.
    public var reader: Bool
    /// How many seconds the backend's clock is ahead of the machine's.
    public var clockOffset: Int
    /// The percentage of the disk that is free; nil if the system does not report it.
    public var diskFree: Int?
    /// The host and port by which the machine calls; the backend writes it down itself.
    public var address: String?
    /// The fingerprint of the machine's key.
    public var fingerprint: String
    /// Whole days since the key was made; nil if that is not known.
    public var keyDays: Int?
    /// Printouts that may be missing, as the power or the program ended while they were printed, and that the staff
    /// can still check; nil from a machine that does not count them.
    public var unknownPapers: Int?
    /// Whether the machine reads codes in links; nil from one that does not (rules: code-links).
    public var readsLinks: Bool?

    /// Far more printers than a machine has.
    private static let maxPrinters = 4
    /// Below this the machine soon cannot record its events.
    private static let minDiskFreePercent = 5
    /// A signature is stale after twice this time.
    private static let maxClockOffsetSeconds = 30
    /// More than any clock can be wrong.
    private static let possibleClockOffsetSeconds = 1_000_000_000_000

    public init(
        version: String, outOfService: String?, printers: [PrinterStatus], reader: Bool,
        clockOffset: Int, diskFree: Int?, fingerprint: String, keyDays: Int?,
        unknownPapers: Int? = nil, readsLinks: Bool? = nil
    ) {
        self.version = version
        self.outOfService = outOfService
        self.printers = printers
        self.reader = reader
        self.clockOffset = clockOffset
        self.diskFree = diskFree
        self.fingerprint = fingerprint
        self.keyDays = keyDays
        self.unknownPapers = unknownPapers
        self.readsLinks = readsLinks
    }

    /// Faults that need attention, in short words; none if the machine is well.
    public var troubles: [String] {
        var troubles = outOfService.map { ["out of service (\($0))"] } ?? []
        for printer in printers {
            if let state = printer.trouble { troubles.append("\(printer.name): \(state)") }
            if printer.paperLow { troubles.append("\(printer.name): paper low") }
        }
        if !reader { troubles.append("no reader") }
        if let unknownPapers, unknownPapers > 0 {
            troubles.append("papers that may be missing: \(unknownPapers)")
        }
        if let diskFree, diskFree < Self.minDiskFreePercent { troubles.append("disk full") }
        if abs(clockOffset) > Self.maxClockOffsetSeconds { troubles.append("clock wrong") }
        return troubles
    }

    var cleaned: MachineCondition? {
        guard printers.count <= Self.maxPrinters, diskFree.map((0...100).contains) ?? true,
            keyDays.map((0...1_000_000).contains) ?? true,
            unknownPapers.map((0...1_000_000).contains) ?? true,
            (-Self.possibleClockOffsetSeconds...Self.possibleClockOffsetSeconds).contains(
                clockOffset)
        else { return nil }
        var clean = self
        clean.version = ForeignText.clean(version, limit: 32)
        clean.outOfService = outOfService.map { ForeignText.clean($0, limit: 8) }
        clean.fingerprint = ForeignText.clean(fingerprint, limit: 80)
        clean.printers = printers.map(\.cleaned)
        return clean
    }
}

/// The condition of one printer of a machine.
public struct PrinterStatus: Codable, Hashable, Sendable {
    /// The name of the printer's queue.
    public var name: String
    /// Why the printer does not print, as media-empty; nil while it prints.
    public var trouble: String?
    public var paperLow: Bool

    public init(name: String, trouble: String?, paperLow: Bool) {
        self.name = name
        self.trouble = trouble
        self.paperLow = paperLow
    }

    var cleaned: PrinterStatus {
        PrinterStatus(
            name: ForeignText.clean(name, limit: 64),
            trouble: trouble.map { ForeignText.clean($0, limit: 64) }, paperLow: paperLow)
    }
}

/// The outcomes of one day's printouts, of a machine or of the whole shop.
public struct PrintTally: Hashable, Sendable {
    /// The most printouts of each kind of one machine: one every two seconds, day and night, which is more than it
    /// may make reservations.
    public static let maxPrintoutsPerDay = 43_200

    public var day: CalendarDay
    public var printed: Int
    /// Printouts that were only shown on the screen, as nothing was printed.
    public var failed: Int
    /// Printouts that the staff printed again.
    public var copies: Int
    /// Printouts that were being shown or printed when the power or the program ended, and that the staff has not
    /// checked since.
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

    /// Adds the outcomes of another tally to these.
    public mutating func add(_ other: PrintTally) {
        printed += other.printed
        failed += other.failed
        copies += other.copies
        unknown += other.unknown
    }

    var isPlausible: Bool {
        [printed, failed, copies, unknown].allSatisfy((0...Self.maxPrintoutsPerDay).contains)
    }
}

extension PrintTally: Codable {
    /// An older machine does not count printouts with an unknown outcome.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        day = try container.decode(CalendarDay.self, forKey: .day)
        printed = try container.decode(Int.self, forKey: .printed)
        failed = try container.decode(Int.self, forKey: .failed)
        copies = try container.decode(Int.self, forKey: .copies)
        unknown = try container.decodeIfPresent(Int.self, forKey: .unknown) ?? 0
    }
}

/// An event at a machine.
public struct MachineEventReport: Codable, Hashable, Sendable {
    /// Increases with every event in the machine's journal.
    public var sequence: Int64
    /// The time of the event by the machine's clock.
    public var at: LocalMoment
    /// The person who caused it; nil if no person did.
    public var person: String?
    /// The kind, as out-of-service; a newer machine may know others.
    public var kind: String
    public var detail: String

    public init(sequence: Int64, at: LocalMoment, person: String?, kind: String, detail: String) {
        self.sequence = sequence
        self.at = at
        self.person = person
        self.kind = kind
        self.detail = detail
    }

    var cleaned: MachineEventReport {
        MachineEventReport(
            sequence: sequence, at: at, person: person.map { ForeignText.clean($0, limit: 40) },
            kind: ForeignText.clean(kind, limit: 32), detail: ForeignText.clean(detail, limit: 200))
    }
}

/// The answer to POST /v1/machine/status.
public struct MachineStatusReply: Codable, Hashable, Sendable {
    public var now: LocalMoment
    /// The backend has stored the events of the machine's journal up to this one for good; 0 for none.
    public var through: Int64
    /// Remote commands that the machine has not yet reported as carried out, oldest first.
    public var commands: [RemoteCommand]

    private enum CodingKeys: String, CodingKey {
        case now, through
        case commands = "orders"
    }

    public init(now: LocalMoment, through: Int64, commands: [RemoteCommand]) {
        self.now = now
        self.through = through
        self.commands = commands
    }
}

extension MachineStatusReply: Plausible {
    /// More than can be pending at once.
    private static let maxCommands = 16

    public var isPlausible: Bool { through >= 0 && commands.count <= Self.maxCommands }
}
