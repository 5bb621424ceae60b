import Testing

@testable import BackendCommands
@testable import CommandSyntax
@testable import KioskCommands

@Suite("The commands of both programs as they are declared")
struct DeclarationTests {
    private static let programs = [BackendProgram.commands, KioskProgram.commands]

    @Test("Commands have words of their own, and options names of their own", arguments: programs)
    func unique(commands: [CommandSyntax.Command]) {
        #expect(Set(commands.map(\.words)).count == commands.count)
        for command in commands {
            let names = command.options.flatMap { [$0.name] + $0.formerNames }
            #expect(Set(names).count == names.count, "\(command.words)")
        }
    }

    @Test("Help has lines of at most 120 characters and names each option", arguments: programs)
    func help(commands: [CommandSyntax.Command]) {
        for command in commands {
            let help = command.help(of: "clup-backend")
            for line in help.split(separator: "\n") where line.count > 120 {
                Issue.record("\(command.words): \(line)")
            }
            for option in command.options where option.isListed {
                #expect(help.contains("--\(option.name)"), "\(command.words)")
            }
        }
    }

    @Test("An option that had another name accepts it, and no help mentions it")
    func formerNames() throws {
        let enrol = try #require(KioskProgram.commands.first { $0.words == ["enrol"] })
        #expect(try Arguments(["--anew"], options: enrol.options).has("replace"))
        #expect(!enrol.help(of: "clup-kiosk").contains("anew"))
    }
}
