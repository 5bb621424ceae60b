internal import KioskFlow
public import KioskScreens
internal import Reservations

extension Kiosk {
    /// What the machine is made of.
    public struct Parts {
        public var terminal: TerminalPort
        /// For what the customer waits for.
        public var customers: BackendPort
        /// For polls and what is settled in the background; another connection.
        public var background: BackendPort
        public var printer: PrinterPort
        public var paper: ReceiptPort
        public var journal: JournalPort
        /// nil where the machine has no voice.
        public var speech: SpeechPort?
        /// nil where there is no maintenance mode.
        public var staff: StaffPort?
        /// nil where nobody sees the machine from afar.
        public var status: StatusPort?
        /// nil where the program goes on until it is ended.
        public var renewal: SelfRestartPort?
        /// nil if nobody looks at crashes.
        public var events: EventLog?
        public var themes: Themes
        /// Wordings by language, as the flow names them.
        public var wordings: [String: Strings]
        public var readerPlace: ReaderPlace
        /// Called with the shop's languages, its own first, whenever the backend has told others.
        public var learned: @MainActor ([String]) -> Void
        /// Called at least once a second, whenever the screen shows what it should.
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
