import CommandSyntax
import Cryptography
import Reservations

/// `clup-kiosk`: its commands, each of which is one function of the types in this folder.
public enum KioskProgram {
    /// Runs the command that the words name; answers the exit status.
    @MainActor public static func main(_ words: [String]) -> Int32 {
        let program = Program(
            "clup-kiosk", "the ticket machine", version: ProductVersion.current, commands: commands,
            notes: """
                Settings, also as lines "name = value" of the file that --config names (default
                \(Configuration.defaultFile)):

                \(Layout.table(Setting.all.map { ("--\($0.name)", $0.explanation) }))
                """
        ) { try Cryptography.hideProcess() }
        return program.run(words).rawValue
    }

    static let commands: [Command] =
        [
            Command(
                words: ["run"], summary: "show the ticket machine in this terminal",
                options: Configuration.options
            ) { arguments in try MainActor.assumeIsolated { try Run.run(arguments) } },
            Command(
                words: ["enrol"], summary: "make the machine's key and print its public half",
                options: [
                    .flag("pair", "show a code by which an administrator lets the machine in"),
                    .flag(
                        "replace", "put the present key aside first, as one that was revoked",
                        formerly: "anew"),
                ] + Configuration.options
            ) { arguments in
                let configuration = try Configuration(arguments)
                if arguments.has("replace") { try Enrol.putAway(configuration) }
                if arguments.has("pair") {
                    try MachinePairing.run(configuration)
                } else {
                    try Enrol.run(configuration)
                }
            },
            Command(
                words: ["rotate"], summary: "give the machine another key, also while it runs",
                options: Configuration.options
            ) { arguments in try Rotate.run(Configuration(arguments)) },
            Command(
                words: ["doctor"],
                summary: "check everything the machine needs; status 1 if it cannot serve",
                options: [.flag("json", "print one object, for monitoring")] + Configuration.options
            ) { arguments in
                let configuration = try Configuration(arguments)
                try MainActor.assumeIsolated {
                    try Doctor.run(configuration, asJSON: arguments.has("json"))
                }
            },
            Command(
                words: ["panel"], summary: "choose letters for a screen: xrandr | clup-kiosk panel",
                operands: [.optional("MILLIMETRES")],
                notes: """
                    Reads what xrandr says of the screen and prints the letters for it, for the session.
                    MILLIMETRES is the screen's size, as 217x136, if xrandr reports none or a wrong one.
                    """
            ) { arguments in try PanelCommand.run(arguments.operands.first) }, Wipe.command,
        ] + SetupCommand.commands + StaffSubcommand.commands
}
