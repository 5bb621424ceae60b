public import Reservations

/// Events that the backend has not said to have, oldest first.
public struct UnsentEvents: Hashable, Sendable {
    /// Names the memory that they are of: their numbers begin at 1 in another one.
    public var memory: String
    /// The backend has those up to this one.
    public var through: Int64
    /// Those before the first that had to give way.
    public var dropped: Int
    public var events: [SequencedEvent]

    public init(
        memory: String, through: Int64 = 0, dropped: Int = 0, events: [SequencedEvent] = []
    ) {
        self.memory = memory
        self.through = through
        self.dropped = dropped
        self.events = events
    }
}

public struct SequencedEvent: Hashable, Sendable {
    /// Grows with every event of a memory.
    public let sequence: Int64
    public let event: MachineEvent

    public init(sequence: Int64, event: MachineEvent) {
        self.sequence = sequence
        self.event = event
    }
}

extension SequencedEvent {
    /// The event as it is reported.
    ///
    /// - Parameter offsetMinutes: of the shop's clock, east of Greenwich.
    public func report(offsetMinutes: Int) -> MachineEventReport {
        let (kind, detail) = event.what.text
        return MachineEventReport(
            sequence: sequence, at: LocalMoment(event.at, offsetMinutes: offsetMinutes),
            person: event.person, kind: kind, detail: detail)
    }
}

extension PrinterStatus {
    /// What a printer said last, as it is reported.
    public init(name: String, _ condition: PrinterCondition) {
        self.init(
            name: name, trouble: condition.trouble?.rawValue, paperLow: condition.paperLow)
    }
}
