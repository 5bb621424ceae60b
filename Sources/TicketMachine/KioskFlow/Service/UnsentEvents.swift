public import Reservations

/// Events that the backend has not acknowledged, oldest first.
public struct UnsentEvents: Hashable, Sendable {
    /// Identifies the file of events that they are from: in another file the numbers begin at 1 again.
    public var memory: String
    /// The backend has all events up to this number.
    public var through: Int64
    /// How many events before the first one were deleted before they could be sent.
    public var dropped: Int
    public var events: [MachineEventReport]

    public init(
        memory: String, through: Int64 = 0, dropped: Int = 0, events: [MachineEventReport] = []
    ) {
        self.memory = memory
        self.through = through
        self.dropped = dropped
        self.events = events
    }
}
