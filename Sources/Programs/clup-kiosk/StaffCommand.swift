import Glibc
import KioskFlow
import StaffStore

/// `staff`: who may use maintenance mode on this machine; set up on the bench.
enum StaffCommand {
    private enum Action: String {
        case add, list, remove, unlock
    }

    private static let help = """
        clup-kiosk staff - who may use this machine's maintenance mode

        Usage: clup-kiosk staff add NAME [--role staff|manager] [--SETTING VALUE ...]
               clup-kiosk staff list|unlock [--SETTING VALUE ...]
               clup-kiosk staff remove NAME [--SETTING VALUE ...]

        add asks for the PIN (6 to 8 digits) twice, or reads one line where it is not at a terminal.
        unlock lets PINs be tried again after ten wrong ones in a row.
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
        if action == .add || action == .remove {
            guard let first = rest.first, !first.hasPrefix("--") else {
                throw Configuration.Malformed(
                    description: "Whom? Give a name: clup-kiosk staff \(word) NAME")
            }
            name = first
            rest.removeFirst()
        }
        let role = try Self.role(&rest, isAllowed: action == .add)
        let configuration = try Configuration(arguments: rest)
        let store = try open(configuration)
        switch action {
        case .list:
            for person in try store.people() { print("\(person.role.rawValue)\t\(person.name)") }
            switch try store.gate() {
            case .open: break
            case .wait(let wait):
                Say.error("A PIN may be tried in \(wait.components.seconds + 1) s.")
            case .locked: Say.error("Locked after wrong PINs: clup-kiosk staff unlock")
            }
        case .add:
            let person = StaffPerson(name: name ?? "", role: role)
            try store.add(person, pin: try pin())
            print("\(person.name) may use maintenance mode as \(person.role.rawValue).")
        case .remove:
            try store.remove(name ?? "")
            print("\(name ?? "") may not use maintenance mode any more.")
        case .unlock:
            try store.unlock()
            print("PINs may be tried again.")
        }
        return 0
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
