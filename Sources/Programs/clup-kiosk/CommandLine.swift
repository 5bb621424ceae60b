import Cryptography
import Glibc

/// The program's commands; what is wrong is said in a sentence, and the status is not 0.
enum Command: String, CaseIterable {
    case run, enrol, rotate, doctor, staff

    /// The word that stands without a value among the settings of the command.
    var flag: String? {
        switch self {
        case .enrol: "--pair"
        case .doctor: "--json"
        case .run, .rotate, .staff: nil
        }
    }

    var meaning: String {
        switch self {
        case .run: "show the ticket machine in this terminal"
        case .enrol:
            "make the machine's key and print its public half; --pair: show a code that lets it in"
        case .rotate: "give the machine another key, also while it runs"
        case .doctor:
            "check everything the machine needs; status 1 where it cannot serve; --json"
        case .staff: "the people of maintenance mode, their PINs and badges; see staff --help"
        }
    }
}

extension CommandLine {
    static let version = "0.1.0"

    /// Runs the command and answers the exit status: 0, 1 where it cannot go on, 64 (EX_USAGE,
    /// sysexits.h) where the command line is wrong.
    @MainActor
    static func run() -> Int32 {
        let words = Array(arguments.dropFirst())
        if words.first != Command.staff.rawValue,
            words.contains("--help") || words.contains("-h") || words == ["help"]
        {
            print(help)
            return 0
        }
        if words == ["--version"] {
            print("clup-kiosk \(version)")
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
            var settings = Array(words.dropFirst())
            let isFlagged = command.flag.map(settings.contains) ?? false
            settings.removeAll { $0 == command.flag }
            let configuration = try Configuration(arguments: settings)
            switch command {
            case .run: return try Run.run(configuration)
            case .enrol where isFlagged: try Pairing.run(configuration)
            case .enrol: try Enrol.run(configuration)
            case .rotate: try Rotate.run(configuration)
            case .doctor: return Doctor.run(configuration, asJSON: isFlagged)
            case .staff: break
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
