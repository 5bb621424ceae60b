import Cryptography
import Glibc
import Reservations

/// The program's commands; what is wrong is said in a sentence, and the status is not 0.
enum Command: String, CaseIterable {
    case run, setup, enrol, rotate, doctor, staff, panel, wipe

    /// The words that stand without a value among the settings of the command.
    var flags: Set<String> {
        switch self {
        case .enrol: ["--pair", "--anew"]
        case .doctor: ["--json"]
        case .run, .setup, .rotate, .staff, .panel, .wipe: []
        }
    }

    var meaning: String {
        switch self {
        case .run: "show the ticket machine in this terminal"
        case .setup:
            "ask for what the machine needs, or take it from a file; see setup --help"
        case .enrol:
            "make the machine's key and print its public half; --pair: show a code that lets it in; "
                + "--anew: put away the key that is there, as one that was revoked"
        case .rotate: "give the machine another key, also while it runs"
        case .doctor:
            "check everything the machine needs; status 1 where it cannot serve; --json"
        case .staff: "the people of maintenance mode, their PINs and badges; see staff --help"
        case .panel:
            "choose letters for a screen: xrandr | clup-kiosk panel"
        case .wipe:
            "make the machine forget its key, people, papers and events, for good; see wipe --help"
        }
    }
}

/// `clup-kiosk`: finds the command and turns every failure into one sentence and a status.
public enum KioskProgram {
    /// Runs the command that the words name and answers the exit status: 0, 1 if it cannot go on, 64 (EX_USAGE,
    /// sysexits.h) if the command line is wrong.
    @MainActor
    public static func main(_ words: [String]) -> Int32 {
        let explainThemselves = [Command.staff, .setup, .wipe].map(\.rawValue)
        if !explainThemselves.contains(words.first ?? ""),
            words.contains("--help") || words.contains("-h") || words == ["help"]
        {
            print(help)
            return 0
        }
        if words == ["--version"] {
            print("clup-kiosk \(Edition.version)")
            return 0
        }
        guard let name = words.first, let command = Command(rawValue: name) else {
            Say.error(
                words.isEmpty
                    ? help : "clup-kiosk: there is no command \"\(words[0])\"; see --help.")
            return EX_USAGE
        }
        do {
            try Cryptography.hideProcess()
            if command == .staff { return try StaffCommand.run(Array(words.dropFirst())) }
            if command == .setup { return try SetupCommand.run(Array(words.dropFirst())) }
            if command == .wipe { return try Wipe.run(Array(words.dropFirst())) }
            if command == .panel {
                try PanelCommand.run(Array(words.dropFirst()))
                return 0
            }
            var settings = Array(words.dropFirst())
            let flags = command.flags.intersection(settings)
            settings.removeAll { flags.contains($0) }
            let configuration = try Configuration(arguments: settings)
            switch command {
            case .run: return try Run.run(configuration)
            case .enrol:
                if flags.contains("--anew") { try Enrol.putAway(configuration) }
                if flags.contains("--pair") {
                    try Pairing.run(configuration)
                } else {
                    try Enrol.run(configuration)
                }
            case .rotate: try Rotate.run(configuration)
            case .doctor: return Doctor.run(configuration, asJSON: !flags.isEmpty)
            case .staff, .setup, .panel, .wipe: break
            }
            return 0
        } catch let error as Configuration.Malformed {
            Say.error("clup-kiosk: \(error)")
            return EX_USAGE
        } catch {
            Say.error("clup-kiosk: \(error)")
            return 1
        }
    }

    private static var help: String {
        let commands = Command.allCases.map { "  \($0.rawValue.padding(to: 14))\($0.meaning)" }
        let settings = Configuration.settings.map {
            "  --\($0.name.padding(to: 14))\($0.meaning)"
        }
        return """
            clup-kiosk - the ticket machine

            Usage: clup-kiosk COMMAND [--config FILE] [--SETTING VALUE ...]

            Commands
            \(commands.joined(separator: "\n"))

            Settings, also as lines "name = value" of the file (default \(Configuration.defaultFile))
            \(settings.joined(separator: "\n"))
            """
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
