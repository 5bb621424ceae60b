public import KioskFlow
public import KioskScreens
public import Reservations
public import TerminalSurface

extension Kiosk {
    /// The parts of the machine, and what the program knows about itself.
    @MainActor public protocol Parts: Sendable {
        var terminal: any TerminalPort { get }
        /// For calls that a customer waits for.
        var customers: any BackendPort { get }
        /// For polls, reports, and requests that are resolved in the background; another connection.
        var background: any BackendPort { get }
        /// For maintenance mode; another connection.
        var maintenance: any BackendPort { get }
        /// For calls for help; another connection.
        var help: any HelpPort { get }
        var printer: PrinterPair { get }
        /// Each printer alone, the preferred one of the configuration first.
        var printers: [any StaffPrinter] { get }
        var paper: any ReceiptPort { get }
        var journal: any JournalPort { get }
        var staff: any StaffPort { get }
        /// nil if the machine has no speech output.
        var speech: (any SpeechPort)? { get }
        /// nil if no events are recorded for crashes.
        var events: EventLog? { get }
        var themes: Themes { get }
        /// How large letters and buttons are drawn.
        var typeface: Typeface { get }
        /// The strings by language, with the names that the flow uses.
        var wordings: [String: Strings] { get }
        var readerPlace: ReaderPlace? { get }
        /// Which of F1 to F12 shows the PIN entry; nil for none.
        var staffKey: Int? { get }
        /// Which of F1 to F12 is the customers' *Help*; nil for none.
        var helpKey: Int? { get }
        /// What the shop had decided about calls for help when the backend said it last; nil if it never did.
        var rememberedHelp: ShopHelp? { get }
        var network: NetworkFacts { get }
        /// The last calls to the backend, newest first.
        var calls: [CallReport] { get }
        /// The machine's own clock.
        var clock: Moment { get }
        /// Seconds that the backend's clock is ahead of the machine's.
        var clockOffset: Int { get }
        /// Whether another version of the program, of a library or of the configuration is completely installed.
        var isNewVersionThere: Bool { get }

        /// Starts the new version; does not return if that succeeds.
        func startNewVersion()
        nonisolated func body() async -> MachineIdentity
        /// Gives the machine another key; returns the reason if that failed.
        nonisolated func rotate() async -> String?
        /// Ends the program, so that it is started again.
        func restart()
        /// Asks for a restart of the whole machine; returns whether that was accepted.
        nonisolated func restartMachine() async -> Bool
        /// Called with the shop whenever the backend has reported it, to remember it for a start without the backend.
        func learned(_ shop: MachineProfile)
        /// Called whenever the screen was drawn, at least once a second.
        func drawn()
        nonisolated func log(_ line: String)
    }
}

extension Kiosk.Parts {
    /// The result of a call to a file of the machine; nil, and a line in the log for `part`, if it failed.
    @discardableResult func logged<Value>(_ part: String, _ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            log("\(part): \(error)")
            return nil
        }
    }

    /// Does the same for a call that may take longer.
    @discardableResult func awaited<Value: Sendable>(
        _ part: String, _ body: () async throws -> Value
    ) async -> Value? {
        do { return try await body() } catch {
            log("\(part): \(error)")
            return nil
        }
    }
}
