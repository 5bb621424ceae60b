import CommandSyntax
import Glibc
import KioskFlow
import KioskJournal
import KioskRuntime
import KioskScreens
import QRCode
import Reservations
import StaffStore
import TicketPaper

/// `staff`: manages the staff members who may use maintenance mode on this machine; given at the machine's shell.
enum StaffSubcommand {
    private static let asksForPIN = """
        Asks for the PIN (6 to 8 digits) twice, or reads one line of the input if that is no terminal.
        """

    static let commands: [Command] = [
        command(
            "add", "let a person use maintenance mode",
            [.optional("role", "staff|manager", "what the person may do; staff unless given")],
            notes: asksForPIN
        ) { name, arguments, store, _ in
            let person = StaffPerson(name: name, role: try role(arguments))
            try store.add(person, pin: try pin())
            print("\(person.name) may use maintenance mode as \(person.role.rawValue).")
            return .personAdded(person)
        },
        Command(
            words: ["staff", "list"], summary: "list the people of maintenance mode",
            options: Configuration.options
        ) { arguments in if let store = try opened(Configuration(arguments)) { try list(store) } },
        command("reset", "give a person another PIN", notes: asksForPIN) { name, _, store, _ in
            try store.reset(name, pin: try pin())
            print("\(name) has a new PIN.")
            return .person(.pinReset, name)
        },
        command("lock", "let a person's PIN and badge open nothing") { name, _, store, _ in
            try store.lock(name)
            print("PIN and badge of \(name) open nothing until \"staff unlock\".")
            return .person(.locked, name)
        },
        Command(
            words: ["staff", "unlock"],
            summary:
                "let PINs be tried again after ten wrong ones in a row, or a locked person in again",
            operands: [.optional("NAME")], options: Configuration.options
        ) { arguments in
            let configuration = try Configuration(arguments)
            try unlock(arguments.operands.first, configuration)
        },
        command("remove", "take maintenance mode from a person") { name, _, store, _ in
            try store.remove(name)
            print("\(name) may not use maintenance mode any more.")
            return .person(.removed, name)
        },
        command(
            "badge", "print a badge for a person",
            [
                .optional("pdf", "FILE", "write it to a file instead"),
                .flag("revoke", "make none: the one that there is opens nothing any more"),
            ],
            notes: """
                Held under the reader of a machine at rest, a badge asks for this person's PIN alone. A new
                badge makes the old one worthless.
                """
        ) { name, arguments, store, configuration in
            try makeBadge(for: name, arguments, store, configuration)
        },
    ]

    /// A command for one person, who must be known already unless the command adds them; `body` returns the event.
    private static func command(
        _ word: String, _ summary: String, _ options: [Option] = [], notes: String = "",
        _ body:
            @escaping @Sendable (String, Arguments, StaffStore, Configuration) throws
            -> MachineEvent.What
    ) -> Command {
        Command(
            words: ["staff", word], summary: summary, operands: [.required("NAME")],
            options: options + Configuration.options, notes: notes
        ) { arguments in
            let name = arguments.operands[0]
            let configuration = try Configuration(arguments)
            let store = try store(for: name, isNew: word == "add", configuration)
            note(try body(name, arguments, store, configuration), configuration)
        }
    }

    private static func unlock(_ name: String?, _ configuration: Configuration) throws {
        guard let name else {
            guard let store = try opened(configuration) else { return }
            try store.unlock()
            print("PINs may be tried again.")
            return note(.plain(.pinsUnlocked), configuration)
        }
        try store(for: name, isNew: false, configuration).unlock(name)
        print("\(name) is not locked any more.")
        note(.person(.unlocked, name), configuration)
    }

    private static func isThere(_ configuration: Configuration) -> Bool {
        access(path(configuration), F_OK) == 0
    }

    /// The list of people; nil, and a sentence, if there is none yet.
    private static func opened(_ configuration: Configuration) throws -> StaffStore? {
        guard isThere(configuration) else {
            printError(
                "There is no member of staff yet: \(path(configuration)) is not there. "
                    + "Add a person: clup-kiosk staff add NAME --role manager")
            return nil
        }
        return try open(configuration)
    }

    /// The list of people; a name is checked before a PIN is typed for it.
    private static func store(
        for name: String, isNew: Bool, _ configuration: Configuration
    ) throws -> StaffStore {
        // Only the command that adds the first person creates the list.
        guard isNew || isThere(configuration) else { throw StaffError.unknown(name) }
        let store = try open(configuration)
        let isKnown = try store.people().contains { $0.name.lowercased() == name.lowercased() }
        if isNew, isKnown { throw StaffError.taken(name) }
        if !isNew, !isKnown { throw StaffError.unknown(name) }
        return store
    }

    /// Records a command among the machine's events, like those at its screen; if that fails it prints an error, since
    /// the command itself was carried out.
    static func note(
        _ what: MachineEvent.What, by command: String = "clup-kiosk staff",
        _ configuration: Configuration
    ) {
        let now = Moment(milliseconds: KioskJournal.systemClock())
        do {
            try open(configuration).note(MachineEvent(at: now, person: command, what: what))
        } catch {
            printError("This could not be written down among the machine's events: \(error)")
        }
    }

    private static func list(_ store: StaffStore) throws {
        for member in try store.members() {
            let marks = (member.hasBadge ? ["badge"] : []) + (member.isLocked ? ["locked"] : [])
            print(
                ([member.person.role.rawValue, member.person.name] + marks).joined(separator: "\t"))
        }
        switch try store.availability() {
        case .open: break
        case .wait(let wait): printError("A PIN may be tried in \(wait.components.seconds + 1) s.")
        case .locked: printError("Locked after wrong PINs: clup-kiosk staff unlock")
        }
    }

    // MARK: Badges

    private static func makeBadge(
        for name: String, _ arguments: Arguments, _ store: StaffStore,
        _ configuration: Configuration
    ) throws -> MachineEvent.What {
        let path = arguments.optional("pdf")
        if arguments.has("revoke") {
            guard path == nil else {
                throw CommandError.usage("--revoke makes no badge: leave --pdf out")
            }
            try store.revokeBadge(of: name)
            print("The badge of \(name) is worth nothing any more.")
            return .person(.badgeRevoked, name)
        }
        try configuration.check("printer2")
        let queues = configuration.printerQueues
        if path == nil, queues.isEmpty {
            throw CommandError.configuration("No printer is configured: give --pdf FILE.")
        }
        let badge = try store.makeBadge(for: name)
        let content = ReceiptStrings.badge(name: name, qr: try QRCode.matrix(of: badge.rawValue))
        if let path {
            let page = try TicketPaper.page(content, on: .roll80)
            // A person with the file needs only the PIN.
            let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                try? store.revokeBadge(of: name)
                throw CommandError.system(errno, .failure) { "\(path) cannot be made: \($0)." }
            }
            defer { close(file) }
            guard case .pdf(let pdf) = page.content,
                pdf.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == pdf.count
            else { throw CommandError.failure("\(path) could not be written whole.") }
            print("The badge of \(name) is in \(path): print it, and remove the file.")
            return .person(.badgeMade, name)
        }
        let printer = PrinterPair(queues, server: configuration.cupsServer, log: printError)
        let end = waiting {
            _ = await printer.condition()
            return await printer.outcome(of: content, title: "CLup badge")
        }
        guard end == .printed else {
            try? store.revokeBadge(of: name)
            throw CommandError.failure(
                "The badge did not come out; \(name) has none now. See clup-kiosk doctor.")
        }
        print("The badge of \(name) is printed.")
        return .person(.badgeMade, name)
    }

    static func open(_ configuration: Configuration) throws -> StaffStore {
        try StateDirectory.make(configuration.state)
        return try StaffStore(path: path(configuration))
    }

    static func path(_ configuration: Configuration) -> String {
        "\(configuration.state)/staff.sqlite"
    }

    private static func role(_ arguments: Arguments) throws(CommandError) -> StaffPerson.Role {
        guard let text = arguments.optional("role") else { return .staff }
        guard let role = StaffPerson.Role(rawValue: text) else {
            throw .usage("--role is staff or manager")
        }
        return role
    }

    /// A PIN that is typed twice without being shown, or a line of the input.
    private static func pin() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        var silent = modes
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes) }
        func ask(_ text: String) -> String {
            printError(text)
            return readLine() ?? ""
        }
        let first = ask("PIN (6 to 8 digits):")
        do { try PINRules.check(first) } catch { throw StaffError.pin(error) }
        guard ask("The same again:") == first else {
            throw CommandError.failure("The two PINs differ; nothing was changed.")
        }
        return first
    }
}
