import CommandSyntax
import Glibc

/// `setup`: makes a working machine from typed answers, a file or a stick.
enum SetupCommand {
    static let configuration = Option.optional(
        "config", "FILE", "the machine's configuration; \(Configuration.defaultFile) unless given")

    static let commands: [Command] = [
        Command(
            words: ["setup"],
            summary: "ask for what the machine needs, or take it from a file of answers",
            options: [
                .optional(
                    "file", "ANSWERS",
                    "lines \"name = value\" instead of questions in this terminal"), configuration,
            ], notes: notes
        ) { arguments in try MainActor.assumeIsolated { try run(arguments) } },
        Command(
            words: ["setup", "printer"],
            summary: "make the CUPS queue of a printer, or list the printers that can be found",
            operands: [.optional("ADDRESS")],
            options: [
                .flag("list", "list the printers that can be found"),
                .flag("second", "the second printer, which prints while the first cannot"),
                .optional("queue", "NAME", "the queue's name"),
                .optional("paper", "58|80", "width of the roll, if the printer does not say"),
                .flag("no-test", "print no TEST paper"), configuration,
            ]
        ) { arguments in try MainActor.assumeIsolated { try SetupPrinterCommand.run(arguments) } },
        Command(
            words: ["setup", "sign"], summary: "sign answers for a USB stick",
            operands: [.required("ANSWERS")],
            options: [
                .required("keys", "DIRECTORY", "where the administrator's key is, or shall be")
            ],
            notes: """
                Makes a key pair in DIRECTORY at its first use, prints the public half, which belongs into
                \(SignedAnswers.keyFile) of each machine, and writes \(SignedAnswers.fileName) beside ANSWERS.
                ANSWERS then also has "serial", a number that grows with each change, and "machine", the
                computer it is for: its host name, its serial number or the id in /etc/machine-id, or "any".
                """
        ) { arguments in try SignCommand.run(arguments) },
        Command(
            words: ["setup", "stick"], summary: "take a stick's signed answers",
            operands: [.required("DIRECTORY")],
            options: [
                configuration,
                .optional(
                    "key", "FILE",
                    "the administrator's public key; \(SignedAnswers.keyFile) unless given"),
                .optional(
                    "applied", "FILE",
                    "record of what was taken; \(StickCommand.record) unless given"),
            ]
        ) { arguments in try StickCommand.run(arguments) },
    ]

    private static var notes: String {
        """
        Run it as root. It may be given again: what is there is the default, and only what changes is
        written. Nothing is changed before the last question is answered; Ctrl-C leaves all as it was.
        It ends with what doctor says, and doctor's status.

        ANSWERS has lines "name = value". The names are the settings of clup-kiosk --help, and

        \(Layout.table(SetupAnswers.own))

        What a file does not name stays as it is; "-" as a value takes a setting away.
        """
    }

    @MainActor private static func run(_ arguments: Arguments) throws {
        let present = try InstalledMachine(
            file: arguments.optional("config") ?? Configuration.defaultFile)
        let answers: SetupAnswers
        if let file = arguments.optional("file") {
            answers = try SetupAnswers(file: file)
        } else {
            guard isatty(STDIN_FILENO) == 1 else {
                throw CommandError.usage(
                    "setup asks in a terminal; without one give --file ANSWERS")
            }
            var interview = Interview(present)
            answers = try interview.hold()
        }
        var plan = try SetupPlan(answers, on: present)
        try plan.carryOut { say($0) }
    }

    /// Prints at once, also if the output is a file.
    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
