public import KioskFlow
public import Reservations

/// What maintenance mode needs of the machine; no call blocks the main actor for longer than a write.
public struct StaffPort: Sendable {
    /// Whose PIN it is, of everybody or of the holder of a badge; the try is counted on the disk before
    /// it is looked at.
    public var check: @Sendable (_ pin: String, _ holder: String?) async -> PINAnswer
    /// What a PIN would meet now, of everybody or of the holder of a badge; nil where it would be looked at.
    public var gate: @Sendable (_ holder: String?) async -> PINAnswer?
    /// Whose badge it is; nil for nobody's and for one of somebody who is locked.
    public var holder: @Sendable (StaffBadge) async -> StaffPerson?
    public var people: StaffPeoplePort
    /// Each printer alone, the preferred one of the configuration first.
    public var printers: [StaffPrinter]
    public var backend: StaffBackendPort
    public var network: NetworkFacts
    /// The last calls to the backend, newest first.
    public var calls: @Sendable () -> [CallReport]
    public var body: @Sendable () async -> MachineIdentity
    /// Writes down what happened; a disk that takes nothing loses it.
    public var note: @Sendable (MachineEvent) -> Void
    /// The last ones, newest first.
    public var events: @Sendable (Int) async -> [MachineEvent]
    /// Papers issued since then, newest first.
    public var papers: @Sendable (Moment) async -> [IssuedPaper]
    /// What the staff has set, remembered over a restart.
    public var settings: @Sendable () -> MachineSettings
    public var keepSettings: @Sendable (MachineSettings) -> Void
    /// The machine's own clock.
    public var clock: @Sendable () -> Moment
    /// Ends the program and starts it anew.
    public var restart: @MainActor @Sendable () -> Void
    /// Has the whole machine started anew; answers whether that was asked for. nil where it may not be.
    public var restartMachine: (@Sendable () async -> Bool)?
    /// Which of F1 to F12 asks for a PIN; nil for none.
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

/// Who may look after the machine, as a manager sees and changes it.
public struct StaffPeoplePort: Sendable {
    /// By name; empty where the disk cannot be read.
    public var all: @Sendable () async -> [StaffMember]
    /// The PIN is used by deeds that need one.
    public var change: @Sendable (StaffListCommand, _ pin: String) async -> DeedAnswer

    public init(
        all: @escaping @Sendable () async -> [StaffMember],
        change: @escaping @Sendable (StaffListCommand, String) async -> DeedAnswer
    ) {
        self.all = all
        self.change = change
    }
}

/// One printer for those who look after it.
public struct StaffPrinter: Sendable {
    public var port: PrinterPort
    /// What it tells of itself and what waits in its queue; nil where nobody answers.
    public var inspect: @Sendable () async -> PrinterInspection?
    /// Takes a job out of its queue; answers whether it is out.
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
    /// With who of the staff does it, and when the shop closes where an older backend is told to close it; answers
    /// how many people lost their place or have it again.
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
