import Cryptography
import Glibc
import Reservations

/// One command of the program: its words, what it is for, and what it does.
struct Command: Sendable {
    let words: [String]
    let summary: String
    /// All lines behind "Usage:", with what each option means.
    let usage: String
    let run: @Sendable (_ words: [String]) throws(CommandError) -> Void
}

/// `clup-backend`: finds the command and turns every failure into one sentence and a status.
public enum BackendProgram {
    private static let commands: [Command] = [
        .serve, .key, .shopAdd, .shopChange, .shopList, .shopExceptionAdd, .shopExceptionRemove,
        .machineAdd, .machinePair, .machineList, .machineShow, .machineOutOfService,
        .machineInService, .machineRestart, .machineRotate, .machineUnlock,
        .machineTestPrint,
        .machineLogs, .machineRevoke,
        .deviceAdd, .devicePair, .deviceList, .deviceRevoke, .auditList, .auditVerify,
        .estimate, .reportAccuracy, .reportDays, .reportHours, .reportPage,
        .proxyCheck, .databaseBackup, .databaseRestore, .databaseCopy, .databaseCheck,
        .databasePrune,
    ]

    /// Runs the command that the words name; ends the process with a status of its own if it fails.
    public static func main(_ words: [String]) {
        // Whoever reads our output may go away; that is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        do throws(CommandError) {
            try run(words)
        } catch {
            printError("clup-backend: \(error.sentence)")
            if error.status == CommandError.usageStatus {
                printError("Try: \(hint(words)) --help")
            }
            exit(error.status)
        }
    }

    private static func run(_ words: [String]) throws(CommandError) {
        guard let first = words.first else {
            throw .usage("a command is missing; the first one is usually: shop add")
        }
        if first == "--version" { return print("clup-backend \(Edition.version)") }
        if first == "--help" || first == "help" { return print(overview) }
        guard let command = command(of: words) else {
            let group = commands.filter { $0.words.first == first }
            if !group.isEmpty, words.contains("--help") { return print(overview) }
            guard !group.isEmpty else {
                throw .usage("the command \"\(first)\" does not exist; --help lists all of them")
            }
            let names = group.map { $0.words.joined(separator: " ") }
            throw .usage("which one is meant: \(names.joined(separator: ", "))?")
        }
        let rest = Array(words.dropFirst(command.words.count))
        if rest.contains("--help") { return print(command.usage) }
        do {
            try Cryptography.hideProcess()
            try Cryptography.start()
        } catch {
            throw .failure("\(error)")
        }
        try command.run(rest)
    }

    private static func command(of words: [String]) -> Command? {
        commands.first { words.starts(with: $0.words) }
    }

    private static func hint(_ words: [String]) -> String {
        (["clup-backend"] + (command(of: words)?.words ?? [])).joined(separator: " ")
    }

    private static var overview: String {
        let width = commands.map { $0.words.joined(separator: " ").count }.max() ?? 0
        let lines = commands.map { command in
            let name = command.words.joined(separator: " ")
            return
                "  \(name)\(String(repeating: " ", count: width - name.count))  \(command.summary)"
        }
        return """
            clup-backend: the service behind CLup's ticket machines.

            \(lines.joined(separator: "\n"))

            clup-backend COMMAND --help tells the options of each; --version the version.
            """
    }
}
