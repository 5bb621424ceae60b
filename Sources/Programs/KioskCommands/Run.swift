import CMalloc
import CodeReader
import CommandSyntax
import Cryptography
import CursesTerminal
import DescriptorWatch
import Dispatch
import Glibc
import KioskJournal
import KioskRuntime
import Reservations
import ServiceNotice
import SignalWatch
import TextForms

/// `run`: the ticket machine in this terminal, until a signal or, if allowed, Ctrl-C.
@MainActor enum Run {
    private static var signals: SignalWatch?
    private static var input: DescriptorWatch?
    private static var lock: StateLock?
    private static var reader: DeviceReader?
    #if DEBUG
        private static var movedClock: MovedClock?
    #endif

    static func run(_ arguments: Arguments) throws {
        #if DEBUG
            movedClock = MovedClock()
        #endif
        let configuration = try Configuration(arguments)
        // Eight threads that mostly wait need no heaps of their own, each of which would keep its largest size.
        clup_share_one_heap()
        // No customer can stop the machine by a key, and a broken pipe is an error like any other.
        for number in [SIGTSTP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
        try configuration.check("leave", "printer2", "reader-place", "staff-key", "help-key")
        // The configuration is checked before any part is made, so that a machine is never half started.
        let log = Log()
        let machine = try MachineAdapters(configuration, log: log.write)
        lock = try StateLock(state: configuration.state)
        let journal = try KioskJournal(path: "\(configuration.state)/journal.sqlite")
        let staff = try StaffSubcommand.open(configuration)
        try log.open(configuration.log)
        let terminal = try CursesTerminal()
        log.takeStandardError()
        let keyID = (try? machine.watchedKey.key().publicKey.keyID) ?? "-"
        log.write("started, version \(ProductVersion.current), key \(keyID)")
        let prefix = keyPrefix
        // The folder is on a file system in memory, if systemd has made one (systemd.exec(5), RuntimeDirectory).
        let events = EventLog(
            folder: getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? configuration.state,
            crashes: "\(configuration.state)/crashes", keyPrefix: prefix,
            version: ProductVersion.current)
        let running = RunningMachine(
            configuration: configuration, machine: machine, curses: terminal,
            customers: machine.backendClient(), background: machine.backendClient(),
            maintenance: machine.backendClient(), help: machine.backendClient(),
            printer: PrinterPair(
                configuration.printerQueues, server: configuration.cupsServer, log: log.write),
            journal: journal, staff: staff, events: events,
            selfRestart: SelfRestart(configuration, arguments: arguments, log: log.write),
            rememberedShop: RememberedShop(state: configuration.state),
            watchdog: ServiceNotice().map { WatchdogNotifier($0) }, logFile: log)
        let kiosk = Kiosk(running, languages: machine.languages, keyPrefix: prefix)
        if machine.voice == nil, configuration.wantsSpeech {
            log.write("speech: espeak-ng is not installed; listening is not offered")
        }
        watch(running, kiosk: kiosk)
        if let path = configuration.reader {
            reader = DeviceReader(
                path: path, log: log.write, plugged: { kiosk.readerReported(isThere: $0) },
                codeRead: { kiosk.codeRead($0) })
        }
        kiosk.begin()
        dispatchMain()
    }

    private static func watch(_ running: RunningMachine, kiosk: Kiosk) {
        let terminal = running.curses
        let input = DescriptorWatch {
            switch kiosk.inputReady() {
            case .hangup: running.leave("the terminal is gone")
            case .interrupt where running.configuration.mayLeave: running.leave("Ctrl-C")
            case .interrupt, nil: break
            }
        }
        guard input.add(terminal.inputDescriptor) else {
            running.leave("the terminal cannot be watched")
        }
        self.input = input
        let ends = [SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGINT: "SIGINT"]
        signals = SignalWatch([SIGWINCH] + ends.keys, on: .main) { number in
            MainActor.assumeIsolated {
                if let name = ends[number] { running.leave(name) }
                terminal.resized()
                kiosk.redraw()
            }
        }
        // The size may have changed before the program listened for changes.
        terminal.resized()
    }

    /// 80 random bits in characters of an idempotency key, new at each start.
    private static var keyPrefix: String { Hexadecimal.text(RandomBytes.make(10)) }
}
