/// POST /v1/machine/status: what a machine reports of itself every ten seconds (rules 25).
///
/// It may be sent again as it is: the condition and the papers replace what was told before, and an event is
/// taken once, by its number. A newer machine may tell more, an older one need not tell all.
public struct MachineStatusReport: Codable, Hashable, Sendable {
    /// Events in one call; what does not fit comes with the next.
    public static let maxEvents = 50
    /// Days of papers in one call: the month a machine remembers.
    public static let maxDays = 32
    /// Remote commands in one call that were carried out.
    public static let maxObeyed = 8

    public var condition: MachineCondition
    /// Names the machine's memory, whose events and papers these are: a new one counts from 1 again.
    public var memory: String
    /// Days whose papers may have changed since the last answer.
    public var papers: [PrintTally]
    /// Events before the first of `events` that gave way before the backend had them.
    public var dropped: Int
    /// Those the backend has not answered for, oldest first.
    public var events: [MachineEventReport]
    /// Orders that were carried out, the last ones.
    public var obeyed: [Int64]

    public init(
        condition: MachineCondition, memory: String, papers: [PrintTally] = [], dropped: Int = 0,
        events: [MachineEventReport] = [], obeyed: [Int64] = []
    ) {
        self.condition = condition
        self.memory = memory
        self.papers = papers
        self.dropped = dropped
        self.events = events
        self.obeyed = obeyed
    }

    /// Without what texts from outside must not bring; nil where a count or a number cannot be.
    public var cleaned: MachineStatusReport? {
        let numbers = events.map(\.sequence)
        guard let condition = condition.cleaned, PlainName.isValid(memory),
            papers.count <= Self.maxDays, Set(papers.map(\.day)).count == papers.count,
            papers.allSatisfy(\.isPlausible), (0...1_000_000_000).contains(dropped),
            events.count <= Self.maxEvents, obeyed.count <= Self.maxObeyed,
            numbers.first.map({ $0 > 0 }) ?? true, zip(numbers, numbers.dropFirst()).allSatisfy(<)
        else { return nil }
        var clean = self
        clean.condition = condition
        clean.events = events.map(\.cleaned)
        return clean
    }
}

/// How a machine is.
public struct MachineCondition: Codable, Hashable, Sendable {
    /// Of the program.
    public var version: String
    /// Why customers are not served, by the code that staff know, as N1; nil where they are.
    public var outOfService: String?
    /// The preferred one first.
    public var printers: [PrinterStatus]
    /// Whether codes can be read.
    public var reader: Bool
    /// Seconds that the backend's clock is ahead of the machine's.
    public var clockOffset: Int
    /// Percent of the disk that is free; nil where the disk does not say.
    public var diskFree: Int?
    /// The host and port by which the machine calls; the backend writes it down itself.
    public var address: String?
    /// Of the machine's key.
    public var fingerprint: String
    /// Whole days since the key was made; nil where that is not known.
    public var keyDays: Int?
    /// Papers that may be missing, as the power or the program ended while they were printed, and that the
    /// staff can still see to; nil from a machine that does not count them.
    public var unknownPapers: Int?

    /// Far more than a machine has.
    private static let maxPrinters = 4
    /// Below it the machine soon cannot write down what it does.
    private static let minDiskFreePercent = 5
    /// A signature is stale after twice that.
    private static let maxClockOffsetSeconds = 30
    /// Longer than any clock can be wrong.
    private static let possibleClockOffsetSeconds = 1_000_000_000_000

    public init(
        version: String, outOfService: String?, printers: [PrinterStatus], reader: Bool,
        clockOffset: Int, diskFree: Int?, fingerprint: String, keyDays: Int?,
        unknownPapers: Int? = nil
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
    }

    /// What somebody should see to, in short words; none where the machine is well.
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

/// How one printer of a machine is.
public struct PrinterStatus: Codable, Hashable, Sendable {
    /// Of its queue.
    public var name: String
    /// Why no paper comes out, as media-empty; nil while papers come.
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

/// What became of the printouts of one day of a shop; of a machine, or of the whole shop.
public struct PrintTally: Hashable, Sendable {
    /// Of each kind, of one machine: one every two seconds, day and night, more than it may make reservations.
    public static let maxPrintoutsPerDay = 43_200

    public var day: CalendarDay
    public var printed: Int
    /// Shown on the screen only, as nothing was printed.
    public var failed: Int
    /// Printed again by the staff.
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

    var isPlausible: Bool {
        [printed, failed, copies, unknown].allSatisfy((0...Self.maxPrintoutsPerDay).contains)
    }
}

extension PrintTally: Codable {
    private enum CodingKeys: String, CodingKey { case day, printed, failed, copies, unknown }

    /// An older machine does not count those of which nothing is known.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        day = try container.decode(CalendarDay.self, forKey: .day)
        printed = try container.decode(Int.self, forKey: .printed)
        failed = try container.decode(Int.self, forKey: .failed)
        copies = try container.decode(Int.self, forKey: .copies)
        unknown = try container.decodeIfPresent(Int.self, forKey: .unknown) ?? 0
    }
}

/// Something that happened to a machine or was done to it.
public struct MachineEventReport: Codable, Hashable, Sendable {
    /// Grows with every event of the machine's memory.
    public var sequence: Int64
    /// By the machine's clock.
    public var at: LocalMoment
    /// Who did it; nil where nobody did.
    public var person: String?
    /// As out-of-service; a newer machine may know others.
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
    /// The backend has the events of the machine's memory up to this one for good; 0 for none.
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
    /// More than can be open at once.
    private static let maxCommands = 16

    public var isPlausible: Bool { through >= 0 && commands.count <= Self.maxCommands }
}
