public import KioskFlow
public import Reservations

/// What maintenance mode needs of the machine; no call blocks the main actor for longer than a write.
public struct StaffPort: Sendable {
    /// Checks a PIN against those of all staff members, or only against that of a badge's holder; the attempt is
    /// counted on disk before the check.
    public var check: @Sendable (_ pin: String, _ holder: String?) async -> PINAnswer
    /// How a PIN of any staff member, or of a badge's holder, would be refused now; nil if it would be checked.
    public var gate: @Sendable (_ holder: String?) async -> PINAnswer?
    /// The holder of a badge; nil if no person has it, or if the holder is locked.
    public var holder: @Sendable (StaffBadge) async -> StaffPerson?
    public var people: StaffPeoplePort
    /// Each printer alone, the preferred one of the configuration first.
    public var printers: [StaffPrinter]
    public var backend: StaffBackendPort
    public var network: NetworkFacts
    /// The last calls to the backend, newest first.
    public var calls: @Sendable () -> [CallReport]
    public var body: @Sendable () async -> MachineIdentity
    /// Writes an event down; it is lost if the disk accepts no writes.
    public var note: @Sendable (MachineEvent) -> Void
    /// The last events, newest first.
    public var events: @Sendable (Int) async -> [MachineEvent]
    /// Receipts issued since then, newest first.
    public var papers: @Sendable (Moment) async -> [IssuedPaper]
    /// What the staff has set; it survives a restart.
    public var settings: @Sendable () -> MachineSettings
    public var keepSettings: @Sendable (MachineSettings) -> Void
    /// The machine's own clock.
    public var clock: @Sendable () -> Moment
    /// Ends the program, so that it is started again.
    public var restart: @MainActor @Sendable () -> Void
    /// Asks for a restart of the whole machine and returns whether that was accepted; nil if it is not allowed.
    public var restartMachine: (@Sendable () async -> Bool)?
    /// Which of F1 to F12 shows the PIN entry; nil for none.
    public var key: Int?

    public init(
        check: @escaping @Sendable (String, String?) async -> PINAnswer,
        gate: @escaping @Sendable (String?) async -> PINAnswer?,
        holder: @escaping @Sendable (StaffBadge) async -> StaffPerson?,
        people: StaffPeoplePort, printers: [StaffPrinter], backend: StaffBackendPort,
        network: NetworkFacts, calls: @escaping @Sendable () -> [CallReport],
        body: @escaping @Sendable () async -> MachineIdentity,
        note: @escaping @Sendable (MachineEvent) -> Void,
        events: @escaping @Sendable (Int) async -> [MachineEvent],
        papers: @escaping @Sendable (Moment) async -> [IssuedPaper],
        settings: @escaping @Sendable () -> MachineSettings,
        keepSettings: @escaping @Sendable (MachineSettings) -> Void,
        clock: @escaping @Sendable () -> Moment,
        restart: @escaping @MainActor @Sendable () -> Void,
        restartMachine: (@Sendable () async -> Bool)?, key: Int?
    ) {
        self.check = check
        self.gate = gate
        self.holder = holder
        self.people = people
        self.printers = printers
        self.backend = backend
        self.network = network
        self.calls = calls
        self.body = body
        self.note = note
        self.events = events
        self.papers = papers
        self.settings = settings
        self.keepSettings = keepSettings
        self.clock = clock
        self.restart = restart
        self.restartMachine = restartMachine
        self.key = key
    }
}

/// The list of staff members, as a manager sees and changes it.
public struct StaffPeoplePort: Sendable {
    /// All staff members by name; empty if the disk cannot be read.
    public var all: @Sendable () async -> [StaffMember]
    /// Changes the list; only some commands use the PIN.
    public var change: @Sendable (StaffListCommand, _ pin: String) async -> DeedAnswer

    public init(
        all: @escaping @Sendable () async -> [StaffMember],
        change: @escaping @Sendable (StaffListCommand, String) async -> DeedAnswer
    ) {
        self.all = all
        self.change = change
    }
}

/// A printer as the staff sees it in maintenance mode.
public struct StaffPrinter: Sendable {
    public var port: PrinterPort
    /// What the printer reports about itself and its queue; nil if it does not answer.
    public var inspect: @Sendable () async -> PrinterInspection?
    /// Takes a job out of its queue; returns whether it is out.
    public var cancel: @Sendable (_ job: Int) async -> Bool

    public init(
        port: PrinterPort, inspect: @escaping @Sendable () async -> PrinterInspection?,
        cancel: @escaping @Sendable (Int) async -> Bool
    ) {
        self.port = port
        self.inspect = inspect
        self.cancel = cancel
    }
}

/// The backend as the staff uses it; every call ends within 4.5 s (rules 14).
public struct StaffBackendPort: Sendable {
    public var queue: @Sendable () async -> Result<StaffQueue, BackendFailure>
    /// Performs a staff action in the name of a staff member; `closes` is the closing time for an older backend that
    /// does not know the action. Returns how many people lost their place or have it again.
    public var act:
        @Sendable (StaffAction, _ person: String, _ closes: LocalMoment?, AttemptKey) async ->
            Result<
                Int?, BackendFailure
            >

    public init(
        queue: @escaping @Sendable () async -> Result<StaffQueue, BackendFailure>,
        act:
            @escaping @Sendable (StaffAction, String, LocalMoment?, AttemptKey) async -> Result<
                Int?, BackendFailure
            >
    ) {
        self.queue = queue
        self.act = act
    }
}
