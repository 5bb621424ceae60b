import CupsPrinter
import Glibc

/// `setup printer`: the printers that can be found, and the queue of one of them.
enum SetupPrinterCommand {
    /// Long enough for printers of the own network to answer (RFC 6762 5.2: within half a second).
    static let search: Int32 = 3_000

    @MainActor
    static func run(_ words: inout [String]) throws -> Int32 {
        if SetupCommand.flag("--list", &words) {
            try SetupCommand.nothingIsLeft(words)
            return list()
        }
        let file = try SetupCommand.option("--config", &words) ?? Configuration.defaultFile
        let setting = SetupCommand.flag("--second", &words) ? "printer2" : "printer"
        var answers = SetupAnswers()
        if let queue = try SetupCommand.option("--queue", &words) {
            try answers.take(setting, queue)
        }
        if let paper = try SetupCommand.option("--paper", &words) {
            try answers.take("\(setting)-paper", paper)
        }
        try answers.take("test-paper", SetupCommand.flag("--no-test", &words) ? "no" : "yes")
        let device = words.isEmpty ? nil : words.removeFirst()
        try SetupCommand.nothingIsLeft(words)
        let present = try PresentMachine(file: file)
        if let device {
            try answers.take("\(setting)-device", device)
        } else if isatty(STDIN_FILENO) == 1 || present.settings.value("\(setting)-device") == nil {
            guard isatty(STDIN_FILENO) == 1 else {
                throw Configuration.Malformed(
                    description: "Which printer? Give its address, as ipp://HOST/ipp/print; "
                        + "\"clup-kiosk setup printer --list\" names those that can be found.")
            }
            var interview = Interview(present)
            try interview.askPrinter(setting)
            for (name, value) in interview.answers.values { try answers.take(name, value) }
        }
        return try SetupPlan.makePrinter(setting, answers, on: present) { SetupCommand.say($0) }
    }

    private static func list() -> Int32 {
        let found = PrinterSearch.find(milliseconds: search)
        for printer in found {
            let roll = printer.roll.map { "\($0) mm" } ?? "-"
            print([printer.uri, roll, printer.name].joined(separator: "\t"))
        }
        if found.isEmpty {
            Say.error(
                "No driverless printer was found: give its address, or see that avahi-daemon runs (for "
                    + "printers of the network) or ipp-usb (for those on USB).")
        }
        return found.isEmpty ? 1 : 0
    }
}

extension SetupPlan {
    /// Makes one queue, writes its name into the configuration and tries it; needs no backend yet.
    static func makePrinter(
        _ setting: String, _ answers: SetupAnswers, on present: PresentMachine,
        _ say: (String) -> Void
    ) throws -> Int32 {
        var present = present
        let other = setting == "printer" ? "printer2" : "printer"
        guard let device = answers["\(setting)-device"] ?? present.value("\(setting)-device"),
            device != SetupAnswers.none
        else { throw Configuration.Malformed(description: "Which printer? Give its address.") }
        let queue =
            answers[setting] ?? present.settings.value(setting)
            ?? PrinterSetup.names[setting == "printer" ? 0 : 1]
        guard queue != present.settings.value(other) else {
            throw Configuration.Malformed(
                description:
                    "\(queue) is the other printer's queue already: give --queue another name.")
        }
        let server = present.configuration.cupsServer
        // The roll that was told is that printer's.
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
        if present.settings.isChanged {
            try present.settings.write()
            say("\(present.settings.path) is written.")
        }
        guard answers["test-paper"] != "no" else { return 0 }
        let number = setting == "printer" ? 1 : 2
        try PrinterSetup.test(
            queue, number: number, server: server,
            machine: present.machineName(present.configuration), wording: .english)
        say("\(queue): a TEST paper is printed.")
        return 0
    }
}
