public import Reservations

/// Events that the backend has not acknowledged, oldest first.
public struct UnsentEvents: Hashable, Sendable {
    /// Identifies the file of events that they are from: in another file the numbers begin at 1 again.
    public var memory: String
    /// The backend has all events up to this number.
    public var through: Int64
    /// How many events before the first one were deleted before they could be sent.
    public var dropped: Int
    public var events: [SequencedEvent]

    public init(memory: String, through: Int64 = 0, dropped: Int = 0, events: [SequencedEvent] = [])
    {
        self.memory = memory
        self.through = through
        self.dropped = dropped
        self.events = events
    }
}

public struct SequencedEvent: Hashable, Sendable {
    /// Grows with every event of a file.
    public let sequence: Int64
    public let event: MachineEvent

    public init(sequence: Int64, event: MachineEvent) {
        self.sequence = sequence
        self.event = event
    }
}

extension SequencedEvent {
    /// The event in the form in which it is reported.
    ///
    /// - Parameter offsetMinutes: the offset of the shop's clock, east of Greenwich.
    public func report(offsetMinutes: Int) -> MachineEventReport {
        let (kind, detail) = event.what.text
        return MachineEventReport(
            sequence: sequence, at: LocalMoment(event.at, offsetMinutes: offsetMinutes),
            person: event.person, kind: kind, detail: detail)
    }
}

extension PrinterStatus {
    /// The last report of a printer, in the form in which it is sent to the backend.
    public init(name: String, _ condition: PrinterCondition) {
        self.init(name: name, trouble: condition.trouble?.rawValue, paperLow: condition.paperLow)
    }
}
