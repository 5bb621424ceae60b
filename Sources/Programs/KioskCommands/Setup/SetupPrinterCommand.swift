import CommandSyntax
import CupsPrinter
import Glibc

/// `setup printer`: lists the printers that were found, and makes the queue of one of them.
enum SetupPrinterCommand {
    /// Long enough for printers of the local network to answer (RFC 6762 5.2: within half a second).
    static let search: Int32 = 3_000

    @MainActor static func run(_ arguments: Arguments) throws {
        if arguments.has("list") { return try list() }
        let file = arguments.optional("config") ?? Configuration.defaultFile
        let setting = arguments.has("second") ? "printer2" : "printer"
        var answers = SetupAnswers()
        func take(_ name: String, _ value: String?) throws(CommandError) {
            guard let value else { return }
            do { try answers.take(name, value) } catch { throw .usage("\(error)") }
        }
        try take(setting, arguments.optional("queue"))
        try take("\(setting)-paper", arguments.optional("paper"))
        try answers.take("test-paper", arguments.has("no-test") ? "no" : "yes")
        let device = arguments.operands.first
        let present = try InstalledMachine(file: file)
        if let device {
            try take("\(setting)-device", device)
        } else if isatty(STDIN_FILENO) == 1 || present.settings.value("\(setting)-device") == nil {
            guard isatty(STDIN_FILENO) == 1 else {
                throw CommandError.usage(
                    "Which printer? Give its address, as ipp://HOST/ipp/print; "
                        + "\"clup-kiosk setup printer --list\" names those that can be found.")
            }
            var interview = Interview(present)
            try interview.askPrinter(setting)
            for (name, value) in interview.answers.values { try answers.take(name, value) }
        }
        try SetupPlan.makePrinter(setting, answers, on: present) { SetupCommand.say($0) }
    }

    private static func list() throws(CommandError) {
        let found = PrinterSearch.find(milliseconds: search)
        for printer in found {
            let roll = printer.roll.map { "\($0) mm" } ?? "-"
            print([printer.uri, roll, printer.name].joined(separator: "\t"))
        }
        guard found.isEmpty else { return }
        printError(
            "No driverless printer was found: give its address, or see that avahi-daemon runs (for "
                + "printers of the network) or ipp-usb (for those on USB).")
        throw .reported()
    }
}

extension SetupPlan {
    /// Makes one queue, writes its name into the configuration and tests it; needs no backend yet.
    static func makePrinter(
        _ setting: String, _ answers: SetupAnswers, on present: InstalledMachine,
        _ say: (String) -> Void
    ) throws {
        var present = present
        let other = setting == "printer" ? "printer2" : "printer"
        guard let device = answers["\(setting)-device"] ?? present.value("\(setting)-device"),
            device != SetupAnswers.none
        else { throw CommandError.usage("Which printer? Give its address.") }
        let queue =
            answers[setting] ?? present.settings.value(setting)
            ?? PrinterSetup.names[setting == "printer" ? 0 : 1]
        guard queue != present.settings.value(other) else {
            throw CommandError.usage(
                "\(queue) is the other printer's queue already: give --queue another name.")
        }
        let server = present.configuration.cupsServer
        // A roll that was given before belongs to that printer.
        let isSame = device == present.settings.value("\(setting)-device")
        let paper =
            answers["\(setting)-paper"]
            ?? (isSame ? present.settings.value("\(setting)-paper") : nil)
        let setup = PrinterSetup(
            queue: queue, device: device, paper: paper.flatMap { Int($0) }, server: server)
        try setup.make(say)
        present.settings.set(setting, queue)
        present.settings.set("\(setting)-device", device)
        present.settings.set("\(setting)-paper", paper)
        try present.settings.write(say)
        guard answers["test-paper"] != "no" else { return }
        try PrinterSetup.test(
            queue, number: setting == "printer" ? 1 : 2, server: server,
            machine: present.machineName(present.configuration), wording: .english, say)
    }
}
