import CommandSyntax
import CupsPrinter
import Glibc
import KioskScreens

/// The questions of `setup`, each with its present value; asking changes nothing.
@MainActor struct Interview {
    private let present: InstalledMachine
    private(set) var answers = SetupAnswers()
    private let prompt = Prompt()
    private var printers: [FoundPrinter]?

    init(_ present: InstalledMachine) { self.present = present }

    mutating func hold() throws -> SetupAnswers {
        prompt.say(
            """
            This sets up the ticket machine. Enter keeps what stands in [ ], - takes it away.
            Nothing is changed before the last question is answered; Ctrl-C leaves all as it is.

            """)
        try ask(
            "backend",
            "The backend's address, as https://queue.example.it (several servers: with commas)")
        try ask(
            "backend-key",
            "The backend's public key (\"clup-backend key\"); empty: it comes with the pairing, or has come"
        )
        try askEnrolment()
        try askPrinter("printer")
        if answers["printer-device"] != SetupAnswers.none, hasPrinter { try askPrinter("printer2") }
        try askReader()
        try ask("languages", "Languages at the screen, as it,en; empty: all there are")
        try ask("rotate", "How the screen is turned: normal, left, right, inverted; empty: normal")
        try ask(
            "screen-millimetres",
            "The screen's width and height in mm, as 217x136; empty: it reports them itself")
        try askManager()
        guard try prompt.yes("Write these settings and start the machine?") else {
            throw Self.unchanged
        }
        prompt.end()
        return answers
    }

    static let unchanged = CommandError.failure("Nothing was changed.")

    private mutating func ask(_ name: String, _ question: String) throws {
        let now = present.value(name)
        while true {
            let text = try prompt.ask(question, now: now)
            if text.isEmpty {
                guard name == "backend", now == nil else { return }
                prompt.say("  Without a backend the machine serves no customers.")
                continue
            }
            if text == SetupAnswers.none, now == nil { return }
            if take(name, text) { return }
        }
    }

    /// Whether the answer was accepted; otherwise prints why not.
    private mutating func take(_ name: String, _ text: String) -> Bool {
        do {
            try answers.take(name, text)
            return true
        } catch {
            prompt.say("  \(error)")
            return false
        }
    }

    private mutating func askEnrolment() throws {
        guard try !present.hasKey else {
            return prompt.say(
                "The machine has its key already (another one: clup-kiosk enrol --replace).")
        }
        prompt.say(
            """
            How does the backend get to know this machine?
              pair   a code is shown here, which an administrator enters at the backend
              key    this machine's public key is printed, and carried there by hand
              later  not now
            """)
        repeat {
            let usual =
                (answers["backend-key"] ?? present.value("backend-key")) == nil ? "pair" : "key"
            let text = try prompt.ask("pair, key or later", now: usual)
            if take("enrol", text.isEmpty ? usual : text) { return }
        } while true
    }

    private var hasPrinter: Bool {
        answers["printer-device"] != nil || answers["printer"] != nil
            || present.value("printer") != nil
    }

    /// Asks for one printer: the number of a found one, an address, or the name of a queue.
    mutating func askPrinter(_ setting: String) throws {
        let now = present.value(setting)
        let device = now == nil ? nil : present.value("\(setting)-device")
        let found = find()
        let question =
            (setting == "printer"
                ? "The receipt printer: " : "A second one, which prints while the first cannot: ")
            + (found.isEmpty ? "" : "its number, or ")
            + "its address (ipp://HOST/ipp/print or escpos://HOST), the name of its CUPS queue, "
            + "or \(now == nil ? "empty" : "-") for none"
        while true {
            let text = try prompt.ask(question, now: now.map { "\($0), \(device ?? "no queue")" })
            if text.isEmpty { return }
            if text == SetupAnswers.none {
                if take("\(setting)-device", text), take(setting, text) { return }
            }
            if let number = Int(text), found.indices.contains(number - 1) {
                if try takePrinter(setting, found[number - 1].uri) { return }
            } else if text.contains(":") {
                if try takePrinter(setting, text) { return }
            } else if take(setting, text) {
                return
            }
        }
    }

    private mutating func find() -> [FoundPrinter] {
        if let printers { return printers }
        prompt.say("Looking for printers...")
        let found = PrinterSearch.find(milliseconds: SetupPrinterCommand.search)
        for (number, printer) in zip(1..., found) {
            prompt.say("  \(number)  \(printer.name), \(printer.uri)")
        }
        if found.isEmpty { prompt.say("None was found by itself: it needs its address here.") }
        printers = found
        return found
    }

    /// Accepts an address if its printer answers; asks for the roll if the printer does not report it.
    private mutating func takePrinter(_ setting: String, _ uri: String) throws -> Bool {
        guard take("\(setting)-device", uri) else { return false }
        let setup = PrinterSetup(
            queue: PrinterSetup.names[0], device: uri, paper: PrinterSearch.rolls[0],
            server: present.configuration.cupsServer)
        let found: FoundPrinter
        do { found = try setup.check() } catch {
            prompt.say("  \(error)")
            return false
        }
        guard !PrinterSetup.isRoll(found.roll) else { return true }
        while true {
            let text = try prompt.ask(
                "\(found.name) does not say how wide its roll is: 58 or 80 mm", now: nil)
            if take("\(setting)-paper", text) { return true }
        }
    }

    private mutating func askReader() throws {
        let found = Self.readers()
        prompt.say(
            found.isEmpty
                ? "No code reader was found; one that types like a keyboard needs no setting."
                : "Code readers found:")
        for (number, path) in zip(1..., found) { prompt.say("  \(number)  \(path)") }
        let now = present.value("reader")
        while true {
            let text = try prompt.ask(
                "The reader's number or path (/dev/clup/reader); \(now == nil ? "empty" : "-") "
                    + "for none, or for one that types", now: now)
            if text.isEmpty || (text == SetupAnswers.none && now == nil) { break }
            let path = Int(text).flatMap { found.indices.contains($0 - 1) ? found[$0 - 1] : nil }
            if take("reader", path ?? text) { break }
        }
        try ask(
            "reader-place",
            "Where the reader is, seen from the screen: \(Setting.readerPlaces) if there is none; "
                + "empty: below")
    }

    /// Names that stay the same whatever is plugged in (udev(7)).
    private static func readers() -> [String] {
        ["/dev/clup/*", "/dev/serial/by-id/*", "/dev/input/by-id/*-event-kbd"].flatMap { pattern in
            var found = glob_t()
            defer { globfree(&found) }
            guard glob(pattern, 0, nil, &found) == 0 else { return [String]() }
            return (0..<Int(found.gl_pathc)).compactMap { index in
                found.gl_pathv[index].map { String(cString: $0) }
            }
        }
    }

    private mutating func askManager() throws {
        let managers = try present.managers()
        let known = managers.isEmpty ? "none yet" : managers.joined(separator: ", ")
        prompt.say("Managers, who maintain the machine at its screen: \(known).")
        let needed =
            managers.isEmpty ? "Name of the first manager" : "Name of another manager; empty: none"
        while true {
            let name = try prompt.ask(needed, now: nil)
            if name.isEmpty {
                if managers.isEmpty {
                    prompt.say("  Then no member of staff can maintain the machine at its screen.")
                    guard try prompt.yes("Without a manager?") else { continue }
                }
                return
            }
            guard try !present.knows(name) else {
                prompt.say(
                    "  \(name) is known already; another PIN: clup-kiosk staff reset \(name)")
                continue
            }
            if take("manager", name) { break }
        }
        while true {
            let pin = try prompt.secret("PIN of 6 to 8 digits")
            guard take("manager-pin", pin) else { continue }
            if try prompt.secret("The same again") == pin { return }
            prompt.say("  The two PINs differ.")
        }
    }
}
