import CupsPrinter
import Glibc
import KioskFlow
import KioskRuntime
import KioskScreens
import QRCode
import Reservations
import StaffStore
import TicketPaper

/// `staff`: who may use maintenance mode on this machine; set up on the bench.
enum StaffCommand {
    private enum Action: String {
        case add, list, remove, lock, unlock, badge, reset

        var needsName: Bool {
            switch self {
            case .add, .remove, .lock, .badge, .reset: true
            case .list, .unlock: false
            }
        }
    }

    private static let help = """
        clup-kiosk staff - who may use this machine's maintenance mode

        Usage: clup-kiosk staff add NAME [--role staff|manager] [--SETTING VALUE ...]
               clup-kiosk staff list [--SETTING VALUE ...]
               clup-kiosk staff reset|lock|remove NAME [--SETTING VALUE ...]
               clup-kiosk staff unlock [NAME] [--SETTING VALUE ...]
               clup-kiosk staff badge NAME [--pdf FILE | --revoke] [--SETTING VALUE ...]

        add and reset ask for the PIN (6 to 8 digits) twice, or read one line where they are not at a
        terminal. unlock lets PINs be tried again after ten wrong ones in a row, and with a NAME lets
        somebody in again whom a manager has locked. badge prints a badge on the configured printer,
        or writes it to a PDF: held under the reader of a machine at rest it asks for this person's
        PIN alone. A new badge makes the old one worthless; --revoke makes none.
        """

    static func run(_ words: [String]) throws -> Int32 {
        guard let word = words.first, let action = Action(rawValue: word) else {
            if words.first == "--help" {
                print(help)
                return 0
            }
            throw Configuration.Malformed(description: "staff needs a command.\n\(help)")
        }
        var rest = Array(words.dropFirst())
        var name: String?
        if let first = rest.first, !first.hasPrefix("--"), action != .list {
            name = rest.removeFirst()
        }
        guard name != nil || !action.needsName else {
            throw Configuration.Malformed(
                description: "Whom? Give a name: clup-kiosk staff \(word) NAME")
        }
        let role = try Self.role(&rest, isAllowed: action == .add)
        let badge = try Badge(&rest, isAllowed: action == .badge)
        let configuration = try Configuration(arguments: rest)
        // Only who adds somebody makes a list where there is none.
        guard action == .add || access(path(configuration), F_OK) == 0 else {
            if let name { throw StaffError.unknown(name) }
            Say.error(
                "There is nobody yet: \(path(configuration)) is not there. "
                    + "Add somebody: clup-kiosk staff add NAME --role manager")
            return 0
        }
        let store = try open(configuration)
        if let name { try check(name, isNew: action == .add, store) }
        switch action {
        case .list: try list(store)
        case .add:
            let person = StaffPerson(name: name ?? "", role: role)
            try store.add(person, pin: try pin())
            print("\(person.name) may use maintenance mode as \(person.role.rawValue).")
            note(.personAdded(person), configuration)
        case .reset:
            try store.reset(name ?? "", pin: try pin())
            print("\(name ?? "") has a new PIN.")
            note(.person(.pinReset, name ?? ""), configuration)
        case .remove:
            try store.remove(name ?? "")
            print("\(name ?? "") may not use maintenance mode any more.")
            note(.person(.removed, name ?? ""), configuration)
        case .lock:
            try store.lock(name ?? "")
            print("PIN and badge of \(name ?? "") open nothing until \"staff unlock\".")
            note(.person(.locked, name ?? ""), configuration)
        case .unlock:
            if let name {
                try store.unlock(name)
                print("\(name) is not locked any more.")
                note(.person(.unlocked, name), configuration)
            } else {
                try store.unlock()
                print("PINs may be tried again.")
                note(.plain(.pinsUnlocked), configuration)
            }
        case .badge: try make(badge, for: name ?? "", store, configuration)
        }
        return 0
    }

    /// Nobody types a PIN for a name that then is refused.
    private static func check(_ name: String, isNew: Bool, _ store: StaffStore) throws {
        let isThere = try store.people().contains { $0.name.lowercased() == name.lowercased() }
        if isNew, isThere { throw StaffError.taken(name) }
        if !isNew, !isThere { throw StaffError.unknown(name) }
    }

    private static func note(_ what: MachineEvent.What, _ configuration: Configuration) {
        BenchEvents.note(what, by: "clup-kiosk staff", configuration)
    }

    private static func list(_ store: StaffStore) throws {
        for member in try store.members() {
            let marks =
                (member.hasBadge ? ["badge"] : []) + (member.isLocked ? ["locked"] : [])
            print(
                ([member.person.role.rawValue, member.person.name] + marks).joined(separator: "\t"))
        }
        switch try store.gate() {
        case .open: break
        case .wait(let wait):
            Say.error("A PIN may be tried in \(wait.components.seconds + 1) s.")
        case .locked: Say.error("Locked after wrong PINs: clup-kiosk staff unlock")
        }
    }

    // MARK: Badges

    /// What is to be done with a badge.
    private enum Badge {
        case print, revoke
        case write(path: String)

        init(_ words: inout [String], isAllowed: Bool) throws {
            self = .print
            guard isAllowed else { return }
            if let place = words.firstIndex(of: "--revoke") {
                words.remove(at: place)
                self = .revoke
            } else if let place = words.firstIndex(of: "--pdf") {
                guard place + 1 < words.count else {
                    throw Configuration.Malformed(description: "--pdf needs a file after it.")
                }
                self = .write(path: words[place + 1])
                words.removeSubrange(place...place + 1)
            }
        }
    }

    private static func make(
        _ what: Badge, for name: String, _ store: StaffStore, _ configuration: Configuration
    ) throws {
        if case .revoke = what {
            try store.revokeBadge(of: name)
            note(.person(.badgeRevoked, name), configuration)
            return print("The badge of \(name) is worth nothing any more.")
        }
        let queues = try configuration.printerQueues
        if case .print = what, queues.isEmpty {
            throw Configuration.Malformed(
                description: "No printer is configured: give --pdf FILE.")
        }
        let badge = try store.makeBadge(for: name)
        let content = PaperWording.badge(name: name, qr: try QRCode.matrix(of: badge.rawValue))
        if case .write(let path) = what {
            let page = try TicketPaper.page(content, on: .roll80)
            // Who has it needs only the PIN.
            let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                try? store.revokeBadge(of: name)
                throw Configuration.Malformed(
                    description: "\(path) cannot be made: \(String(cString: strerror(errno))).")
            }
            defer { close(file) }
            guard case .pdf(let pdf) = page.content,
                pdf.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == pdf.count
            else {
                throw Configuration.Malformed(description: "\(path) could not be written whole.")
            }
            note(.person(.badgeMade, name), configuration)
            return print("The badge of \(name) is in \(path): print it, and remove the file.")
        }
        let port = Machine.printer(queues, server: configuration.cupsServer) { Say.error($0) }
        let end = Doctor.wait { () async -> PrintProgress? in
            _ = await port.condition()
            var last: PrintProgress?
            let page: PrinterPort.Page = { try? TicketPaper.page(content, on: $0) }
            for await step in port.print(page, "CLup badge", { .full }) { last = step }
            return last
        }
        guard end == .printed else {
            try? store.revokeBadge(of: name)
            throw Configuration.Malformed(
                description:
                    "The badge did not come out; \(name) has none now. See clup-kiosk doctor.")
        }
        note(.person(.badgeMade, name), configuration)
        print("The badge of \(name) is printed.")
    }

    static func open(_ configuration: Configuration) throws -> StaffStore {
        try StateDirectory.make(configuration.state)
        return try StaffStore(path: path(configuration))
    }

    static func path(_ configuration: Configuration) -> String {
        "\(configuration.state)/staff.sqlite"
    }

    private static func role(
        _ words: inout [String], isAllowed: Bool
    ) throws -> StaffPerson.Role {
        guard isAllowed, let place = words.firstIndex(of: "--role") else { return .staff }
        guard place + 1 < words.count, let role = StaffPerson.Role(rawValue: words[place + 1])
        else {
            throw Configuration.Malformed(description: "--role is staff or manager.")
        }
        words.removeSubrange(place...place + 1)
        return role
    }

    /// Typed twice without being seen, or a line of the input.
    private static func pin() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        var silent = modes
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes) }
        func ask(_ text: String) -> String {
            Say.error(text)
            return readLine() ?? ""
        }
        let first = ask("PIN (6 to 8 digits):")
        do { try PINRules.check(first) } catch { throw StaffError.pin(error) }
        guard ask("The same again:") == first else {
            throw Configuration.Malformed(description: "The two PINs differ; nothing was changed.")
        }
        return first
    }
}
