import CupsPrinter
public import CursesTerminal
import Dispatch
import Glibc
import KeyFile
import KioskFlow
import KioskJournal
public import KioskRuntime
import KioskScreens
import QRCode
import Reservations
import TerminalSurface
import TicketPaper

/// The ticket machine that `run` starts: the parts that the event loop uses.
struct RunningMachine: Kiosk.Parts {
    let configuration: Configuration
    let machine: MachineAdapters
    let curses: CursesTerminal
    let customers: any BackendPort
    let background: any BackendPort
    let maintenance: any BackendPort
    let help: any HelpPort
    let printer: PrinterPair
    let journal: any JournalPort
    let staff: any StaffPort
    let events: EventLog?
    let selfRestart: SelfRestart
    let rememberedShop: RememberedShop
    let watchdog: WatchdogNotifier?
    let logFile: Log

    var terminal: any TerminalPort { curses }
    var printers: [any StaffPrinter] {
        configuration.printerQueues.map { CupsPrinter(queue: $0, server: configuration.cupsServer) }
    }
    var paper: any ReceiptPort { Receipts() }
    var speech: (any SpeechPort)? { machine.voice }
    var themes: Themes { machine.themes }
    var typeface: Typeface { machine.typeface }
    var wordings: [String: Strings] { machine.wordings }
    var readerPlace: ReaderPlace? { configuration.readerPlace }
    var staffKey: Int? { configuration.staffKey }
    var helpKey: Int? { configuration.helpKey }
    var rememberedHelp: ShopHelp? { rememberedShop.help }
    var network: NetworkFacts {
        let server = machine.servers.current
        return NetworkFacts(
            address: server.description, isEncrypted: server.isSecure,
            isPinned: machine.backendPin.isPinned)
    }
    var calls: [CallReport] { machine.calls.last }
    var clock: Moment { Moment(milliseconds: KioskJournal.systemClock()) }
    var clockOffset: Int { Int(machine.clock.offset) }
    var isNewVersionThere: Bool { selfRestart.isWaiting }

    func startNewVersion() {
        // A session has parts of its own that may be new, and restarts all of them.
        if getenv("CLUP_SESSION") == nil { restart() } else { leave("a new version is there") }
    }

    nonisolated func body() async -> MachineIdentity {
        MachineIdentity(
            diskFree: MachineAdapters.diskFree(configuration.state),
            fingerprint: (try? machine.watchedKey.key().publicKey.fingerprint) ?? "-",
            keyDays: Self.days(since: SealedKey.ofMachine(state: configuration.state).path),
            version: ProductVersion.current, isUpdateWaiting: ThisProgram.isReplaced,
            mayRestart: configuration.restartRequest != nil)
    }

    nonisolated func rotate() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do {
                    _ = try Rotate.rotate(machine)
                    continuation.resume(returning: nil)
                } catch { continuation.resume(returning: "\(error)") }
            }
        }
    }

    func restart() {
        end("to be started again")
        // This closes the open files (O_CLOEXEC), and the locks with them.
        execv(ThisProgram.path, CommandLine.unsafeArgv)
        exit(1)
    }

    func leave(_ reason: String) -> Never {
        end(reason)
        exit(0)
    }

    private func end(_ reason: String) {
        machine.voice?.stop()
        machine.watchedKey.forget()
        curses.giveBack()
        events?.end()
        log("stopped: \(reason)")
    }

    nonisolated func restartMachine() async -> Bool {
        guard let request = configuration.restartRequest else { return false }
        log("stopped: restart of the machine asked for by the staff")
        return Self.write(request)
    }

    /// Writes the file that requests a restart; answers whether it exists.
    private nonisolated static func write(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer { close(file) }
        let words = "restart\n"
        return words.withCString { Glibc.write(file, $0, words.utf8.count) } == words.utf8.count
    }

    func learned(_ shop: MachineProfile) {
        guard rememberedShop.differs(from: shop) else { return }
        if !rememberedShop.keep(shop) { log("the shop's languages cannot be kept") }
    }

    func drawn() { watchdog?.drawn() }

    nonisolated func log(_ line: String) { logFile.write(line) }

    private nonisolated static func days(since file: String) -> Int? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return max(0, (time(nil) - status.st_mtim.tv_sec) / 86_400)
    }
}

extension CursesTerminal: TerminalPort {}

/// Receipts by qrencode, pango and cairo.
private struct Receipts: ReceiptPort {
    func matrix(ofCode text: String) throws -> QRMatrix { try QRCode.matrix(ofCode: text) }
    func matrix(ofText text: String) throws -> QRMatrix { try QRCode.matrix(of: text) }

    func page(_ content: ReceiptContent, on roll: RollMedia) throws -> ReceiptPage {
        try TicketPaper.page(content, on: roll)
    }
}

extension PrinterPair {
    /// The printers behind these CUPS queues.
    convenience init(_ queues: [String], server: String?, log: @escaping @Sendable (String) -> Void)
    { self.init(queues.map { CupsPrinter(queue: $0, server: server) }, names: queues, log: log) }

    /// Prints a page to its end; nil if the printer reported nothing.
    func outcome(of content: ReceiptContent, title: String) async -> PrintProgress? {
        var last: PrintProgress?
        for await step in print({ try? TicketPaper.page(content, on: $0) }, title, { .full }) {
            last = step
        }
        return last
    }
}
