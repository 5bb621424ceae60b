import CodeReader
import CommandSyntax
import Cryptography
import FoundationEssentials
import Glibc
import KioskFlow
import KeyFile
import Reservations
import TerminalSurface

/// `doctor`: checks everything that the machine needs; one line each, with the remedy for each fault.
enum Doctor {
    /// One part that the machine needs, with its state.
    private typealias Check = (part: String, finding: Finding)

    private struct Report: Encodable {
        let version: String
        /// The machine's name at the backend; nil if the backend does not answer it.
        let machine: String?
        let state: Finding.State
        let checks: [[String: String]]
    }

    @MainActor static func run(_ configuration: Configuration, asJSON: Bool) throws(CommandError) {
        // A caller that asks for JSON may have no terminal of its own: a finding about it would be about the wrong
        // terminal.
        var machine: String?
        let checks = checks(
            configuration, withTerminal: !asJSON || isatty(STDIN_FILENO) == 1, machine: &machine)
        let isWrong = checks.contains { $0.finding.state == .wrong }
        let isWeak = checks.contains { $0.finding.state == .weak }
        if asJSON {
            let report = Report(
                version: ProductVersion.current, machine: machine,
                state: isWrong ? .wrong : isWeak ? .weak : .ok,
                checks: checks.map { part, finding in
                    ["part": part, "state": finding.state.rawValue, "text": finding.text]
                })
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let bytes = try? encoder.encode(report) else { throw .reported() }
            print(String(decoding: bytes, as: UTF8.self))
        } else {
            for (part, finding) in checks {
                let mark = finding.state == .wrong ? "WRONG" : finding.state.rawValue
                print("\(mark) \(part): \(finding.text)")
            }
        }
        if isWrong { throw .reported() }
    }

    @MainActor private static func checks(
        _ configuration: Configuration, withTerminal: Bool, machine name: inout String?
    ) -> [Check] {
        var checks: [Check] = []
        func report(_ part: String, _ finding: Finding) { checks.append((part, finding)) }
        if withTerminal {
            report("terminal", terminal())
            report("letters", letters())
        }
        do {
            let machine = try MachineAdapters(configuration)
            report("catalogues", .good(machine.languages.joined(separator: ", ")))
            report("speech", speech(configuration, machine))
            report("backend key", backendKey(machine))
            do {
                let key = try machine.watchedKey.key()
                report("key", self.key(key, configuration))
                for address in machine.servers.addresses {
                    let found = waiting { await machine.backendClient().probe(address) }
                    if case .good(_, let machine, _, _) = found { name = "\(machine)" }
                    report("backend", backend(found, address, key))
                    if let clock = clock(found) { report("clock", clock) }
                }
            } catch {
                report("key", .wrong("\(error)"))
                report(
                    "backend",
                    .weak("not asked: without its key the machine cannot prove its identity."))
            }
        } catch { report("configuration", .wrong("\(error)")) }
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
        } catch { report("printer2", .wrong("\(error)")) }
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
                return .wrong(StateLock.noDirectory(configuration.state).description)
            }
            return .wrong(
                "\(configuration.state) cannot be written: \(String(cString: strerror(errno))).")
        }
        guard let free = MachineAdapters.diskFree(configuration.state) else {
            return .weak("\(configuration.state) does not say how much is free.")
        }
        return free >= HealthThresholds.diskFree
            ? .good("\(free) % free") : .weak("\(free) % free: make room.")
    }

    /// Whether the machine is in service, and which staff members may use maintenance mode at its screen.
    private static func staff(_ configuration: Configuration) -> [(String, Finding)] {
        let noStaff = Finding.weak(
            "no member of staff may use maintenance mode: clup-kiosk staff add NAME --role manager."
        )
        guard access(StaffSubcommand.path(configuration), F_OK) == 0 else {
            return [("staff", noStaff)]
        }
        do {
            let store = try StaffSubcommand.open(configuration)
            let people = try store.people().count
            let availability = try store.availability()
            return [
                (
                    "service",
                    try store.service().isPutOut
                        ? .weak("somebody has put the machine out of service.") : .good("on")
                ),
                (
                    "staff",
                    availability == .locked
                        ? .weak("locked after wrong PINs: clup-kiosk staff unlock.")
                        : people == 0 ? noStaff : .good("people: \(people)")
                ),
            ]
        } catch { return [("staff", .wrong("\(error)"))] }
    }

    private static func speech(_ configuration: Configuration, _ machine: MachineAdapters)
        -> Finding
    {
        if machine.voice != nil {
            return .good("espeak-ng; whether it is heard, only an ear can tell")
        }
        return configuration.wantsSpeech
            ? .weak("espeak-ng is not installed (apt-get install espeak-ng): no ear is offered.")
            : .good("off, as configured")
    }

    @MainActor private static func reader(_ configuration: Configuration) -> Finding {
        guard let path = configuration.reader else {
            return .good("none is configured: one that types like a keyboard is understood.")
        }
        return DeviceReader.fault(of: path).map {
            .weak("\(path): \($0). Is it plugged in, and may this user read it?")
        } ?? .good(path)
    }
}

/// The result of `doctor` for one part of the machine.
struct Finding {
    enum State: String, Encodable {
        case ok
        /// The machine serves, but not as it should.
        case weak
        /// The machine cannot serve.
        case wrong
    }

    let state: State
    /// The finding, and the remedy if there is something to do.
    let text: String

    private init(_ state: State, _ text: String) {
        self.state = state
        self.text = PlainText.clean(text, limit: 1_000)
    }

    static func good(_ text: String) -> Finding { Finding(.ok, text) }
    static func weak(_ text: String) -> Finding { Finding(.weak, text) }
    static func wrong(_ text: String) -> Finding { Finding(.wrong, text) }
}
