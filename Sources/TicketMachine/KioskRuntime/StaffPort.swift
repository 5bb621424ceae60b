public import KioskFlow
public import Reservations

/// What maintenance mode needs of the machine; no call blocks the main actor for longer than a write.
public struct StaffPort: Sendable {
    /// Whose PIN it is; the try is counted on the disk before it is looked at.
    public var check: @Sendable (String) async -> PINAnswer
    /// Each printer alone, the preferred one first.
    public var printers: [PrinterPort]
    public var body: @Sendable () async -> MachineBody
    /// Writes down what happened; a disk that takes nothing loses it.
    public var note: @Sendable (MachineEvent) -> Void
    /// The last ones, newest first.
    public var events: @Sendable (Int) async -> [MachineEvent]
    /// Papers issued since then, newest first.
    public var papers: @Sendable (Moment) async -> [IssuedPaper]
    /// The machine's own clock.
    public var clock: @Sendable () -> Moment
    /// Ends the program and starts it anew.
    public var restart: @MainActor @Sendable () -> Void
    /// Which of F1 to F12 asks for a PIN; nil for none.
    public var key: Int?

    public init(
        check: @escaping @Sendable (String) async -> PINAnswer, printers: [PrinterPort],
        body: @escaping @Sendable () async -> MachineBody,
        note: @escaping @Sendable (MachineEvent) -> Void,
        events: @escaping @Sendable (Int) async -> [MachineEvent],
        papers: @escaping @Sendable (Moment) async -> [IssuedPaper],
        clock: @escaping @Sendable () -> Moment,
        restart: @escaping @MainActor @Sendable () -> Void, key: Int?
    ) {
        self.check = check
        self.printers = printers
        self.body = body
        self.note = note
        self.events = events
        self.papers = papers
        self.clock = clock
        self.restart = restart
        self.key = key
    }
}
