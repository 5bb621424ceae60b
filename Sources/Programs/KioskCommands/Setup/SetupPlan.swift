import CommandSyntax
import Cryptography
import Glibc

/// The changes to this computer, all of which are checked before the first one is made.
struct SetupPlan {
    private var present: InstalledMachine
    private let answers: SetupAnswers
    private let configuration: Configuration
    private let queues: [PrinterSetup]

    /// Throws the faults of the answers, by themselves and together with the present configuration.
    init(_ answers: SetupAnswers, on present: InstalledMachine) throws {
        self.present = present
        self.answers = answers
        var values: [String: String] = [:]
        for setting in Setting.all { values[setting.name] = present.settings.value(setting.name) }
        for (name, value) in answers.values where Configuration.isSetting(name) {
            values[name] = value == SetupAnswers.none ? nil : value
        }
        queues = try Self.queues(answers, present, &values)
        configuration = Configuration(values: values)
        try configuration.checkAll()
        _ = try configuration.neededBackend()
        _ = try MachineAdapters.catalogues(configuration)
        if answers["manager"] == nil, answers["manager-pin"] != nil {
            throw CommandError.configuration("There is a manager-pin, but no manager: whose is it?")
        }
        for queue in queues { try queue.check() }
    }

    /// The queues that must be made, because their printer or the width of their roll changes.
    private static func queues(
        _ answers: SetupAnswers, _ present: InstalledMachine, _ values: inout [String: String]
    ) throws -> [PrinterSetup] {
        var queues: [PrinterSetup] = []
        for (setting, usual) in zip(["printer", "printer2"], PrinterSetup.names) {
            let device = answers["\(setting)-device"] ?? present.value("\(setting)-device")
            let isForgotten =
                values["\(setting)-device"] != nil
                && values[setting].map { PrinterSetup.isForgotten($0, server: values["cups"]) }
                    ?? false
            guard
                answers["\(setting)-device"] != nil || answers["\(setting)-paper"] != nil
                    || isForgotten
            else { continue }
            guard let device, device != SetupAnswers.none, answers[setting] != SetupAnswers.none
            else {
                if answers["\(setting)-device"] == SetupAnswers.none { values[setting] = nil }
                continue
            }
            let queue = values[setting] ?? usual
            values[setting] = queue
            let made = PrinterSetup(
                queue: queue, device: device, paper: values["\(setting)-paper"].flatMap { Int($0) },
                server: values["cups"])
            if !made.isMade { queues.append(made) }
        }
        return queues
    }

    // MARK: Carrying it out

    /// Carries the plan out; throws the exit status of `doctor`, which runs last, if that is not 0.
    mutating func carryOut(_ say: (String) -> Void) throws {
        // Steps that may fail for an outside reason come first, so that nothing else is changed then.
        for queue in queues { try queue.make(say) }
        try writeSettings(say)
        try enrol(say)
        try addManager(say)
        allowAddresses(say)
        try printTests(say)
        say("")
        let program = try InstalledMachine.program(configuration)
        let status = try OtherProgram.run(program + ["doctor"] + present.options)
        guard status == 0 else {
            throw CommandError.reported(ExitStatus(rawValue: status) ?? .failure)
        }
        start(say)
    }

    private mutating func writeSettings(_ say: (String) -> Void) throws {
        for (setting, queue) in zip(["printer", "printer2"], PrinterSetup.names) {
            guard let device = answers["\(setting)-device"] else { continue }
            if device == SetupAnswers.none {
                present.settings.set(setting, nil)
            } else if answers[setting] == nil, present.settings.value(setting) == nil {
                present.settings.set(setting, queue)
            }
        }
        for (name, value) in answers.values.sorted(by: { $0.key < $1.key }) {
            let value = value == SetupAnswers.none ? nil : value
            if Configuration.isSetting(name) { present.settings.set(name, value) }
            if let name = SetupAnswers.ofSession[name] { present.session.set(name, value) }
        }
        try present.settings.write(say)
        try present.session.write(say)
    }

    private func enrol(_ say: (String) -> Void) throws {
        let program = try InstalledMachine.program(configuration)
        if try present.hasKey { return warnOfOtherBackend() }
        let way = answers["enrol"] ?? (answers["backend-key"] == nil ? "pair" : "key")
        guard way != "later" else {
            return say("The machine has no key yet: clup-kiosk enrol --pair")
        }
        let flags = way == "pair" ? ["--pair"] : []
        guard try OtherProgram.run(program + ["enrol"] + flags + present.options) == 0 else {
            throw CommandError.failure(
                "The machine is not in yet; all else is set up. Give the command again.")
        }
    }

    /// Warns if the setting differs from the pinned key. The setting takes precedence, so that nothing need be
    /// stored.
    private func warnOfOtherBackend() {
        guard let key = configuration.givenBackendKey,
            let pinned = try? PinnedBackendKey(configuration).stored, pinned != key
        else { return }
        printError(
            "From now on this machine believes the backend \(key.fingerprint), not \(pinned.fingerprint)."
        )
    }

    private func addManager(_ say: (String) -> Void) throws {
        guard let name = answers["manager"] else { return }
        guard try !present.knows(name) else { return say("\(name) is known here already.") }
        guard let pin = answers["manager-pin"] else {
            throw CommandError.configuration(
                "\(name) is not known here yet: give a manager-pin too.")
        }
        let program = try InstalledMachine.program(configuration)
        let words = program + ["staff", "add", name, "--role", "manager"] + present.options
        guard try OtherProgram.run(words, input: pin + "\n") == 0 else {
            throw CommandError.failure("\(name) was not added: see above. All else is set up.")
        }
    }

    /// Writes the addresses that the unit may use; on later changes the package's path unit does that.
    private func allowAddresses(_ say: (String) -> Void) {
        let script = "/usr/lib/clup/kiosk-addresses"
        guard geteuid() == 0, present.settings.path == Configuration.defaultFile,
            access(script, X_OK) == 0
        else { return }
        guard let result = try? OtherProgram.ask([script, "--apply"]), result.status == 0 else {
            return say(
                "Which addresses the machine may talk to was not written: run \(script) --apply")
        }
    }

    private func printTests(_ say: (String) -> Void) throws {
        let isWanted = answers["test-paper"].map { $0 == "yes" } ?? !queues.isEmpty
        guard isWanted else { return }
        let wording = try MachineAdapters.catalogues(configuration).1["en"] ?? .english
        let machine = present.machineName(configuration)
        let tried =
            answers["test-paper"] == "yes" ? configuration.printerQueues : queues.map(\.queue)
        for queue in tried {
            let number = (configuration.printerQueues.firstIndex(of: queue) ?? 0) + 1
            do {
                try PrinterSetup.test(
                    queue, number: number, server: configuration.cupsServer, machine: machine,
                    wording: wording, say)
            } catch { say("\(error)") }
        }
    }

    private func start(_ say: (String) -> Void) {
        guard geteuid() == 0, present.settings.path == Configuration.defaultFile,
            access("/lib/systemd/system/clup-kiosk.service", F_OK) == 0, answers["start"] != "no"
        else { return }
        let runs = access("/run/systemd/system", F_OK) == 0
        let words = ["systemctl", "enable"] + (runs ? ["--now"] : []) + ["clup-kiosk.service"]
        guard let result = try? OtherProgram.ask(words), result.status == 0 else {
            return say(
                "The machine does not start by itself yet: systemctl enable --now clup-kiosk")
        }
        say(
            runs
                ? "The machine runs, and starts with the computer."
                : "The machine starts with the computer.")
    }
}
