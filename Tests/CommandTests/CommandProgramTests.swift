import CommandSyntax
import Testing

@Suite("Program: the choice of the command, its help, and the status of each error")
struct CommandProgramTests {
    private struct Other: Error {}

    private struct Away: CommandFailure {
        let description = "the backend is away"
        let status = CommandSyntax.ExitStatus.temporary
    }

    private static func command(
        _ words: String..., run: @escaping @Sendable (Arguments) throws -> Void = { _ in }
    ) -> Command {
        Command(
            words: words, summary: "do it", operands: [.optional("PLACE")],
            options: [
                .required("file", "FILE", "what is read"), .flag("replace", formerly: "anew"),
                .setting("state"),
            ], notes: "It does it at once.", run: run)
    }

    private static func program(
        _ commands: [Command], prepare: @escaping @Sendable () throws -> Void = {}
    ) -> Program { Program("p", "a program", version: "1", commands: commands, prepare: prepare) }

    @Test(
        "Each error ends the program with the status of its kind",
        arguments: [
            (CommandError.usage("a"), 64), (CommandError.configuration("a"), 78),
            (CommandError.temporary("a"), 75), (CommandError.failure("a"), 1),
            (CommandError.reported(.configuration), 78), (Away(), 75), (Other(), 1),
            (CommandError.system(28) { "full: \($0)" }, 75),
            (CommandError.system(13) { "closed: \($0)" }, 78),
            (CommandError.system(13, .failure) { "closed: \($0)" }, 1),
        ] as [(any Error & Sendable, Int32)])
    func statuses(error: any Error & Sendable, status: Int32) {
        let program = Self.program([Self.command("go") { _ in throw error }])
        #expect(program.run(["go", "--file", "x"]).rawValue == status)
    }

    @Test("An unknown command, or one with wrong arguments, ends with the status of usage")
    func usage() {
        let program = Self.program([Self.command("shop", "add"), Self.command("shop", "list")])
        for words in [[], ["brew"], ["shop"], ["shop", "add"], ["shop", "add", "--fil", "x"]] {
            #expect(program.run(words) == .usage, "\(words)")
        }
        for words in [
            ["--help"], ["-h"], ["help"], ["--version"], ["shop", "--help"],
            ["shop", "add", "--help"], ["shop", "add", "--file", "x"],
        ] {
            #expect(program.run(words) == .success, "\(words)")
        }
    }

    @Test("Of two commands that fit, the one with more words is carried out")
    func longest() {
        let program = Self.program([
            Self.command("setup") { _ in throw CommandError.failure("the short one") },
            Self.command("setup", "sign"),
        ])
        #expect(program.run(["setup", "sign", "--file", "x"]) == .success)
        #expect(program.run(["setup", "elsewhere", "--file", "x"]) == .failure)
    }

    @Test("An error of the preparation keeps the command from being carried out")
    func preparation() {
        let go = Self.command("go") { _ in throw CommandError.failure("carried out") }
        let program = Self.program([go]) { throw CommandError.temporary("not now") }
        #expect(program.run(["go", "--file", "x"]) == .temporary)
    }

    @Test("The help is made of the declaration, without former names")
    func help() {
        #expect(
            Self.command("shop", "add").help(of: "p") == """
                Usage: p shop add [PLACE] --file FILE [--replace] [--SETTING VALUE]...

                  --file FILE  what is read

                It does it at once.
                """)
    }

    @Test("Meanings are in one column, in lines of at most 100 characters")
    func layout() {
        let long = Array(repeating: "word", count: 40).joined(separator: " ")
        let lines = Layout.table([("a", long), ("--a-name-that-is-much-longer", long), ("bc", "x")])
            .split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(lines[0].hasPrefix("  a   word") && lines.last == "  bc  x")
        #expect(lines.contains("  --a-name-that-is-much-longer"))
        #expect(lines.dropFirst().filter { $0.hasPrefix("      word") }.count >= 3)
    }
}
