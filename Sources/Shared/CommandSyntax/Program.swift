/// A program of several commands: finds the command of the command line, explains it, or carries it out.
public struct Program: Sendable {
    private let name: String
    private let purpose: String
    private let version: String
    private let commands: [Command]
    private let notes: String
    /// The preparation before a command is carried out.
    private let prepare: @Sendable () throws -> Void

    /// Declares a program with its commands in the order of the overview.
    public init(
        _ name: String, _ purpose: String, version: String, commands: [Command], notes: String = "",
        prepare: @escaping @Sendable () throws -> Void
    ) {
        self.name = name
        self.purpose = purpose
        self.version = version
        self.commands = commands
        self.notes = notes
        self.prepare = prepare
    }

    /// Carries out the command that the words name; the only function that turns an error into a sentence and a
    /// status.
    public func run(_ words: [String]) -> ExitStatus {
        do {
            try carryOut(words)
            return .success
        } catch {
            let failure = error as? any CommandFailure
            let sentence = failure?.description ?? "\(error)"
            if !sentence.isEmpty { printError("\(name): \(sentence)") }
            let status = failure?.status ?? .failure
            if status == .usage {
                let names = [name] + (command(of: words)?.words ?? [])
                printError("Try: \(names.joined(separator: " ")) --help")
            }
            return status
        }
    }

    private func carryOut(_ words: [String]) throws {
        guard let first = words.first else {
            throw CommandError.usage("a command is missing\n\(overview)")
        }
        if first == "--version" { return print("\(name) \(version)") }
        if ["--help", "-h", "help"].contains(first) { return print(overview) }
        let asksForHelp = words.contains("--help") || words.contains("-h")
        guard let command = command(of: words) else {
            let group = commands.filter { $0.words.first == first }
            guard !group.isEmpty else {
                throw CommandError.usage(
                    "the command \"\(first)\" does not exist; --help lists all of them")
            }
            if asksForHelp {
                return print(
                    "\(table(of: group))\n\n\(name) COMMAND --help explains the options of each.")
            }
            let names = group.map(\.name).joined(separator: ", ")
            throw CommandError.usage("which one is meant: \(names)?")
        }
        if asksForHelp {
            let longer = commands.filter {
                $0.words.count > command.words.count && $0.words.starts(with: command.words)
            }
            let list = longer.isEmpty ? "" : "\n\nFurther commands:\n\n\(table(of: longer))"
            return print(command.help(of: name) + list)
        }
        let rest = Array(words.dropFirst(command.words.count))
        let arguments = try Arguments(rest, options: command.options, operands: command.operands)
        try prepare()
        try command.run(arguments)
    }

    private func command(of words: [String]) -> Command? {
        commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private func table(of commands: [Command]) -> String {
        Layout.table(commands.map { ($0.name, $0.summary) })
    }

    private var overview: String {
        let text = """
            \(name): \(purpose).

            Usage: \(name) COMMAND [--OPTION VALUE | --OPTION=VALUE | --FLAG]...

            \(table(of: commands))

            \(name) COMMAND --help explains the options of each; --version prints the version.
            """
        return notes.isEmpty ? text : "\(text)\n\n\(notes)"
    }
}
