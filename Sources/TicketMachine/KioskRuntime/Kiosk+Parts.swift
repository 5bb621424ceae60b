internal import KioskFlow
public import KioskScreens
internal import Reservations

extension Kiosk {
    /// The parts of the machine.
    public struct Parts {
        public var terminal: TerminalPort
        /// For calls that a customer waits for.
        public var customers: BackendPort
        /// For polls and for requests that are resolved in the background; another connection.
        public var background: BackendPort
        public var printer: PrinterPort
        public var paper: ReceiptPort
        public var journal: JournalPort
        /// nil if the machine has no speech output.
        public var speech: SpeechPort?
        /// nil if there is no maintenance mode.
        public var staff: StaffPort?
        /// nil if the machine is not managed remotely.
        public var status: StatusPort?
        /// nil if the program never restarts itself.
        public var renewal: SelfRestartPort?
        /// nil if no events are recorded for crashes.
        public var events: EventLog?
        public var themes: Themes
        /// The strings by language, with the names that the flow uses.
        public var wordings: [String: Strings]
        public var readerPlace: ReaderPlace
        /// Called with the shop's languages, its own first, whenever the backend has reported different ones.
        public var learned: @MainActor ([String]) -> Void
        /// Called whenever the screen was drawn, at least once a second.
        public var drawn: @MainActor () -> Void
        public var log: @Sendable (String) -> Void

        public init(
            terminal: TerminalPort, customers: BackendPort, background: BackendPort,
            printer: PrinterPort, paper: ReceiptPort, journal: JournalPort,
            speech: SpeechPort? = nil, staff: StaffPort? = nil, status: StatusPort? = nil,
            renewal: SelfRestartPort? = nil, events: EventLog? = nil,
            themes: Themes = .standard,
            wordings: [String: Strings],
            readerPlace: ReaderPlace = .below,
            learned: @escaping @MainActor ([String]) -> Void = { _ in },
            drawn: @escaping @MainActor () -> Void = {},
            log: @escaping @Sendable (String) -> Void
        ) {
            self.terminal = terminal
            self.customers = customers
            self.background = background
            self.printer = printer
            self.paper = paper
            self.journal = journal
            self.speech = speech
            self.staff = staff
            self.status = status
            self.renewal = renewal
            self.events = events
            self.themes = themes
            self.wordings = wordings
            self.readerPlace = readerPlace
            self.learned = learned
            self.drawn = drawn
            self.log = log
        }
    }
}
