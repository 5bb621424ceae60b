import BackendAPI
import BackendClient
import CodeReader
import CommandSyntax
import CupsPrinter
import Cryptography
import CursesTerminal
import Dispatch
import FoundationEssentials
import Glibc
import KioskFlow
import KioskScreens
import KeyFile
import Reservations
import TerminalSurface

/// One thing that the machine needs, and how it is with it.
struct Check: Encodable {
    enum State: String, Encodable {
        case ok
        /// The machine serves, but not as it should.
        case weak
        /// The machine cannot serve.
        case wrong
    }

    let part: String
    let state: State
    /// What was found, and the cure where something is to be done.
    let text: String
}

/// `doctor`: looks at everything the machine needs; a line each, and the cure where something is wrong.
enum Doctor {
    private enum Finding {
        case good(String)
        /// The machine serves, but not as it should.
        case weak(String)
        case wrong(String)
    }

    /// Everything that was found, for monitoring.
    private struct Report: Encodable {
        let version: String
        /// The machine's name at the backend; nil where that does not answer it.
        let machine: String?
        /// The worst of the checks.
        let state: Check.State
        let checks: [Check]
    }

    /// Throws if the machine cannot serve.
    @MainActor
    static func run(_ configuration: Configuration, asJSON: Bool) throws(CommandError) {
        // Who asks for JSON may be no terminal: what is said of one would be said of the wrong one.
        var machine: String?
        let checks = checks(
            configuration, withTerminal: !asJSON || isatty(STDIN_FILENO) == 1, machine: &machine)
        let isWrong = checks.contains { $0.state == .wrong }
        let isWeak = checks.contains { $0.state == .weak }
        if asJSON {
            let report = Report(
                version: Edition.version, machine: machine,
                state: isWrong ? .wrong : isWeak ? .weak : .ok,
                checks: checks)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let bytes = try? encoder.encode(report) else { throw .reported() }
            print(String(decoding: bytes, as: UTF8.self))
        } else {
            for check in checks {
                let mark = check.state == .ok ? "ok" : check.state == .weak ? "weak" : "WRONG"
                print("\(mark) \(check.part): \(check.text)")
            }
        }
        if isWrong { throw .reported() }
    }

    @MainActor
    private static func checks(
        _ configuration: Configuration, withTerminal: Bool, machine name: inout String?
    ) -> [Check] {
        var checks: [Check] = []
        func report(_ part: String, _ finding: Finding) {
            let (state, text): (Check.State, String) =
                switch finding {
                case .good(let text): (.ok, text)
                case .weak(let text): (.weak, text)
                case .wrong(let text): (.wrong, text)
                }
            checks.append(
                Check(part: part, state: state, text: PlainText.clean(text, limit: 1_000)))
        }
        if withTerminal {
            report("terminal", terminal())
            report("letters", letters())
        }
        do {
            let machine = try Machine(configuration)
            report("catalogues", .good(machine.languages.joined(separator: ", ")))
            report("speech", speech(configuration, machine))
            report("backend key", backendKey(machine))
            do {
                let key = try machine.keyInUse.key()
                report("key", self.key(key, configuration))
                for address in machine.servers.addresses {
                    let found = wait { await machine.backendClient().probe(address) }
                    if case .good(_, let machine, _, _) = found { name = "\(machine)" }
                    report("backend", backend(found, address, key))
                    if let clock = clock(found) { report("clock", clock) }
                }
            } catch {
                report("key", .wrong("\(error)"))
                report("backend", .weak("not asked: without its key the machine is nobody to it."))
            }
        } catch {
            report("configuration", .wrong("\(error)"))
        }
        do {
            try configuration.check("printer2")
            let queues = configuration.printerQueues
            if queues.isEmpty {
                report("printer", .weak("none is configured: codes are shown on the screen only."))
            }
            for (part, queue) in zip(["printer", "printer2"], queues) {
                report(
                    part,
                    printer(
                        queue, server: configuration.cupsServer,
                        device: configuration.printerDevices[queue], part))
            }
        } catch {
            report("printer2", .wrong("\(error)"))
        }
        report("reader", reader(configuration))
        if let exits = exits() { report("x server", exits) }
        report("disk", disk(configuration))
        for (part, finding) in staff(configuration) { report(part, finding) }
        return checks
    }

    private static func key(_ key: SigningKey, _ configuration: Configuration) -> Finding {
        let name = key.publicKey.fingerprint
        guard key.isLocked else {
            return .weak(
                "\(name); its memory cannot be locked and may be swapped: raise LimitMEMLOCK.")
        }
        return .good(
            StateDirectory.credentials == nil
                ? "\(name), sealed by the file \(configuration.wrappingKeyFile)"
                : "\(name), sealed by the credential \(WrappingKey.ofMachine)")
    }

    private static func disk(_ configuration: Configuration) -> Finding {
        guard access(configuration.state, W_OK) == 0 else {
            if errno == ENOENT {
                return .wrong(StateLock.NoDirectory(state: configuration.state).description)
            }
            return .wrong(
                "\(configuration.state) cannot be written: \(String(cString: strerror(errno))).")
        }
        guard let free = Machine.diskFree(configuration.state) else {
            return .weak("\(configuration.state) does not say how much is free.")
        }
        return free >= CareLimits.diskFree
            ? .good("\(free) % free") : .weak("\(free) % free: make room.")
    }

    /// Whether the machine is in service, and who may look after it at its screen.
    private static func staff(_ configuration: Configuration) -> [(String, Finding)] {
        let nobody = Finding.weak(
            "nobody may use maintenance mode: clup-kiosk staff add NAME --role manager.")
        guard access(StaffCommand.path(configuration), F_OK) == 0 else {
            return [("staff", nobody)]
        }
        do {
            let store = try StaffCommand.open(configuration)
            let people = try store.people().count
            let gate = try store.gate()
            return [
                (
                    "service",
                    try store.service().isPutOut
                        ? .weak("somebody has put the machine out of service.") : .good("on")
                ),
                (
                    "staff",
                    gate == .locked
                        ? .weak("locked after wrong PINs: clup-kiosk staff unlock.")
                        : people == 0 ? nobody : .good("people: \(people)")
                ),
            ]
        } catch {
            return [("staff", .wrong("\(error)"))]
        }
    }

    private static func speech(_ configuration: Configuration, _ machine: Machine) -> Finding {
        if machine.voice != nil {
            return .good("espeak-ng; whether it is heard, only an ear can tell")
        }
        return configuration.wantsSpeech
            ? .weak("espeak-ng is not installed (apt-get install espeak-ng): no ear is offered.")
            : .good("off, as configured")
    }

    /// Where the package's session starts the terminal that the machine serves in; the variable is for
    /// machines that are not installed.
    private static var session: String {
        getenv("CLUP_KIOSK_SESSION").map { String(cString: $0) } ?? "/usr/lib/clup/kiosk-session"
    }

    /// The terminal that customers see: this command's own, unless the session brings another one.
    @MainActor
    private static func terminal() -> Finding {
        if access(session, X_OK) == 0, getenv("CLUP_SESSION") == nil {
            return .good("the session brings its own; the one of this command is not looked at.")
        }
        do {
            let (size, reportsTouch) = try CursesTerminal.inspect()
            guard size.holds(Screens.smallest) else {
                return .wrong(
                    "\(size.columns) x \(size.rows) is too small: the machine needs "
                        + "\(Screens.smallest.columns) x \(Screens.smallest.rows).")
            }
            return reportsTouch
                ? .good("\(size.columns) x \(size.rows)")
                : .weak(
                    "\(size.columns) x \(size.rows), but a terminal of this type reports no touch: "
                        + "only the keys work. Use one like xterm-256color.")
        } catch {
            return .weak("\(error)")
        }
    }

    /// As the session that runs chose them; EN 301 549 5.1.4 wants 5 mm for a reader at 40 cm.
    private static func letters() -> Finding {
        guard let values = try? NamedValues.read(PanelCommand.kept, kind: "panel") else {
            return .good("no session has chosen any: the terminal's own")
        }
        func value(_ name: String) -> String? { values.first { $0.name == name }?.value }
        guard let text = value("capital-height"), let height = Double(text),
            let distance = value("reading-distance")
        else {
            return .weak(
                "the screen does not tell its millimetres: measure a capital letter; 5 to 7 mm are wanted."
            )
        }
        let found = "capitals \(text) mm high, for readers up to \(distance) mm away"
        return height >= 5
            ? .good(found) : .weak("\(found); 5 to 7 mm are wanted: only a larger screen has room.")
    }

    /// Where the X server reads its settings, and the package's own file among them (xorg.conf.d(5)).
    private static let xorgFolders = ["/etc/X11/xorg.conf.d", "/usr/share/X11/xorg.conf.d"]
    private static let xorgFile = "/usr/share/X11/xorg.conf.d/90-clup.conf"

    /// Whether nobody else's settings open what the package's close; nil where these are not installed.
    private static func exits() -> Finding? {
        guard access(xorgFile, R_OK) == 0 else { return nil }
        let files =
            ["/etc/X11/xorg.conf"]
            + xorgFolders.flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                    .filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
            }
        let foreign = files.first { file in
            guard file != xorgFile, let bytes = FileManager.default.contents(atPath: file) else {
                return false
            }
            return XorgSettings.opensExits(String(decoding: bytes, as: UTF8.self))
        }
        return foreign.map {
            .weak(
                "\($0) has server flags of its own, so that keys may leave the screen: take it away."
            )
        } ?? .good("no way out of the screen but the package's own settings")
    }

    private static func backend(
        _ found: BackendClient.Probe, _ address: BackendAddress, _ key: SigningKey
    ) -> Finding {
        switch found {
        case .unreachable:
            return .wrong(
                "\(address) does not answer. Is it running, is the address right, does "
                    + "the network reach it?")
        case .notABackend(let status) where status == Refusal.misdirected.status:
            return .wrong(
                "\(address) is not called by this name: is the address right? If it is, set it at the "
                    + "backend (clup-backend serve --name).")
        case .notABackend(let status):
            return .wrong(
                "\(address) answers with status \(status), but not as a CLup backend.")
        case .foreign(let status):
            return .wrong(
                "\(address) answers with status \(status), but not with the signature of "
                    + "the backend whose key is pinned: is it another backend, or something between? "
                    + "If the backend's key was made anew, pin it with --backend-key; if an older "
                    + "backend was installed again, take away backend-answers.conf in --state.")
        case .notAuthentic(let clockOffset):
            if let offset = clockOffset, abs(offset) > 60 {
                return .wrong(clockSentence(offset))
            }
            return .wrong(
                "the backend does not accept this machine's key: add it there with "
                    + "\"clup-backend machine add ... --key \(key.publicKey.text)\". If it "
                    + "was added a second ago, ask again. If it was revoked, give the machine another "
                    + "key: \"clup-kiosk enrol --replace\".")
        case .good(let shop, let machine, let latency, _):
            return .good("\(shop), machine \(machine), \(latency.wholeMilliseconds) ms")
        }
    }

    /// Its own clock is what screens and logs go by; nil where nothing tells how it goes.
    private static func clock(_ found: BackendClient.Probe) -> Finding? {
        guard case .good(_, _, _, let offset) = found else { return nil }
        return abs(offset) > CareLimits.clockOffset
            ? .weak(clockSentence(offset)) : .good("agrees with the backend's")
    }

    private static func clockSentence(_ offset: Int) -> String {
        "the clock of this machine is \(abs(offset)) s "
            + (offset < 0 ? "ahead of" : "behind")
            + " the backend's: set it (timedatectl set-ntp true)."
    }

    private static func backendKey(_ machine: Machine) -> Finding {
        do {
            return try machine.backendPin.key().map { .good($0.fingerprint) }
                ?? .weak(
                    "none is pinned, so that anybody's answers are believed: give --backend-key with "
                        + "what \"clup-backend key\" prints at the backend.")
        } catch {
            return .wrong("\(error)")
        }
    }

    @MainActor
    private static func reader(_ configuration: Configuration) -> Finding {
        guard let path = configuration.reader else {
            return .good("none is configured: one that types like a keyboard is understood.")
        }
        return DeviceReader.fault(of: path).map {
            .weak("\(path): \($0). Is it plugged in, and may this user read it?")
        } ?? .good(path)
    }

    /// - Parameter device: where `setup` made the queue for; nil where it was made by hand.
    private static func printer(
        _ queue: String, server: String?, device: String?, _ part: String
    ) -> Finding {
        // What is set up wrongly first: a queue that is not there looks, later, like one that is away.
        let printer = CupsPrinter(queue: queue, server: server)
        let fault = wait { () async -> CupsPrinterError? in
            do throws(CupsPrinterError) {
                try await printer.selfCheck()
                return nil
            } catch {
                return error
            }
        }
        if let fault, fault.code == .queueUnknown, let device {
            return .weak(
                "CUPS has lost the queue \(queue) of \(device), as when the power is cut soon after it was "
                    + "made: clup-kiosk setup printer\(part == "printer" ? "" : " --second") makes it again."
            )
        }
        if let fault { return .weak(fault.description) }
        let port = printer.port
        let condition = wait { await port.condition() }
        if let trouble = condition.trouble {
            return .weak("\(queue): \(trouble.cure)")
        }
        if condition.paperLow { return .weak("\(queue): the paper is nearly out.") }
        switch printer.insight {
        case .always: return .good(queue)
        case .byTheMinute:
            return .good("\(queue); without IPP of its own, so that it is asked once a minute.")
        case .whilePrinting:
            return .weak(
                "\(queue): its state is known only while it prints, so that who takes a ticket is "
                    + "not told before that the paper is out. A printer with IPP, or the driver "
                    + "clup-escpos, tells.")
        }
    }

    /// The one place where the program waits, of commands that have nothing else to do.
    static func wait<Result: Sendable>(
        _ body: @escaping @Sendable () async -> Result
    ) -> Result {
        let done = DispatchSemaphore(value: 0)
        let box = Box<Result>()
        Task.detached {
            box.value = await body()
            done.signal()
        }
        done.wait()
        guard let value = box.value else { fatalError("the task has signalled without a result") }
        return value
    }

    /// Written before the semaphore is signalled, read after.
    private final class Box<Value>: @unchecked Sendable { var value: Value? }
}

extension PrinterTrouble {
    /// What staff does about it.
    var cure: String {
        switch self {
        case .noPaper: "there is no paper: put in a new roll."
        case .jam: "the paper is jammed: open the printer and take it out."
        case .coverOpen: "the cover is open: close it."
        case .offline:
            "the printer cannot be reached: is it on, is its cable in, is CUPS running, "
                + "is the queue's name right?"
        case .stopped: "the queue is stopped: run cupsenable and cupsaccept."
        case .other: "the printer reports an error: look at its own display."
        case .silent: "the printer does not answer."
        }
    }
}
