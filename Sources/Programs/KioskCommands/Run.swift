import CMalloc
import CodeReader
import CommandSyntax
import Cryptography
import CursesTerminal
import DescriptorWatch
import Dispatch
import Glibc
import KioskFlow
import KioskJournal
import KioskRuntime
import Reservations
import ServiceNotice
import SignalWatch
import Speech
import TextForms

/// `run`: the ticket machine in this terminal, until a signal or, if allowed, Ctrl-C.
@MainActor
enum Run {
    private static var signals: SignalWatch?
    private static var input: DescriptorWatch?
    private static var lock: StateLock?
    private static var reader: DeviceReader?

    static func run(_ arguments: Arguments) throws {
        let configuration = try Configuration(arguments)
        // Eight threads that mostly wait need no heaps of their own, each of which would keep its largest size.
        clup_share_one_heap()
        // No customer can stop the machine by a key, and a broken pipe is an error like any other.
        for number in [SIGTSTP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
        try configuration.check("leave", "printer2", "reader-place", "staff-key")
        let queues = configuration.printerQueues
        // The configuration is checked before any part is made, so that a machine is never half started.
        let first = FirstLines()
        let machine = try Machine(configuration) { first.write($0) }
        lock = try StateLock(state: configuration.state)
        let journal = try KioskJournal(path: "\(configuration.state)/journal.sqlite")
        let staff = try StaffSubcommand.open(configuration)
        let choice = Machine.PrinterChoice(staff)
        let log = try Log(path: configuration.log)
        first.follow(log)
        let languages = RememberedLanguages(state: configuration.state)
        let terminal = try CursesTerminal()
        log.takeStandardError()
        let printers = PrinterStatusCache(names: queues)
        let background = machine.backendClient()
        let keyID = (try? machine.keyInUse.key().publicKey.keyID) ?? "-"
        log.write("started, version \(Edition.version), key \(keyID)")
        let prefix = keyPrefix
        // The folder is on a file system in memory, if systemd has made one (systemd.exec(5), RuntimeDirectory).
        let events = EventLog(
            folder: getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? configuration.state,
            crashes: "\(configuration.state)/crashes", keyPrefix: prefix,
            version: Edition.version)
        let renewal = SelfRestart(configuration, arguments: arguments) {
            log.write($0)
        }
        let leave: @MainActor @Sendable (String) -> Never = { reason in
            machine.voice?.stop()
            machine.keyInUse.forget()
            terminal.giveBack()
            events.end()
            log.write("stopped: \(reason)")
            exit(0)
        }
        let restart: @MainActor @Sendable () -> Void = {
            machine.voice?.stop()
            machine.keyInUse.forget()
            terminal.giveBack()
            events.end()
            log.write("stopped: to be started anew")
            // This closes the open files (O_CLOEXEC), and the locks with them.
            execv(RunningProgram.path, CommandLine.unsafeArgv)
            exit(1)
        }
        let pulse = ServiceNotice().map { WatchdogNotifier($0) }
        let kiosk = Kiosk(
            Kiosk.Parts(
                terminal: TerminalPort(
                    size: { terminal.size }, draw: { terminal.draw($0) },
                    read: { terminal.read() }, beep: { terminal.beep() }),
                customers: machine.backendClient().port,
                background: background.port,
                printer: Machine.printer(
                    queues, server: configuration.cupsServer, memory: printers,
                    isSwapped: { choice.isSwapped }
                ) { log.write($0) },
                paper: Machine.paper,
                journal: journal.port, speech: machine.voice?.port,
                staff: try machine.staff(
                    configuration, store: staff, choice: choice, journal: journal, log: log,
                    restart: restart),
                status: machine.status(
                    store: staff, journal: journal, background: background, printers: printers,
                    log: log),
                renewal: renewal.port {
                    // A session has parts of its own that may be new, and restarts all of them.
                    if getenv("CLUP_SESSION") == nil {
                        restart()
                    } else {
                        leave("a new version is there")
                    }
                },
                events: events,
                themes: machine.themes,
                wordings: machine.wordings, readerPlace: configuration.readerPlace,
                learned: { codes in
                    if !languages.keep(codes) { log.write("the shop's languages cannot be kept") }
                },
                drawn: { pulse?.drawn() },
                log: { log.write($0) }),
            languages: machine.languages, keyPrefix: prefix)
        if machine.voice == nil, configuration.wantsSpeech {
            log.write("speech: espeak-ng is not installed; the ear is not offered")
        }
        watch(terminal, kiosk: kiosk, mayLeave: configuration.mayLeave, leave: leave)
        if let path = configuration.reader {
            reader = DeviceReader(
                path: path, log: { log.write($0) },
                plugged: { kiosk.readerReported(isThere: $0) },
                codeRead: { kiosk.codeRead($0) })
        }
        kiosk.begin()
        dispatchMain()
    }

    private static func watch(
        _ terminal: CursesTerminal, kiosk: Kiosk, mayLeave: Bool,
        leave: @escaping @MainActor (String) -> Never
    ) {
        let input = DescriptorWatch {
            switch kiosk.inputReady() {
            case .hangup: leave("the terminal is gone")
            case .interrupt where mayLeave: leave("Ctrl-C")
            case .interrupt, nil: break
            }
        }
        guard input.add(terminal.inputDescriptor) else { leave("the terminal cannot be watched") }
        self.input = input
        let ends = [SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGINT: "SIGINT"]
        signals = SignalWatch([SIGWINCH] + ends.keys, on: .main) { number in
            MainActor.assumeIsolated {
                if let name = ends[number] { leave(name) }
                terminal.resized()
                kiosk.redraw()
            }
        }
        // The size may have changed before the program listened for changes.
        terminal.resized()
    }

    /// 80 random bits in characters of an idempotency key, new at each start.
    private static var keyPrefix: String {
        Hexadecimal.text(RandomBytes.make(10))
    }
}
