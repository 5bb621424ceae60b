import Foundation
import TestSupport
import Testing

/// The scripts that run the tests, with tests that take a moment.
@Suite("Tests/run and Tests/repeat")
struct RunTests {
    private static let tests = "CommandTests.ArgumentsTests"

    /// Runs a script beside this test's own run.
    private func run(
        _ script: String, _ arguments: String..., in folder: TemporaryFolder,
        programs: String? = nil
    ) async throws -> CommandResult {
        var environment = ["CLUP_TRACES": folder.path]
        environment["CLUP_PROGRAMS"] = programs
        return try await Tool.run(
            Tool.repository.appending(path: script).path, arguments, environment: environment)
    }

    @Test("Some tests run by the beginning of their names; an unknown group is refused by name")
    func some() async throws {
        let folder = try TemporaryFolder()
        let green = try await run("Tests/run", Self.tests, in: folder)
        #expect(green.status == 0, "\(green.output)")
        #expect(green.output.contains(/Test run with \d+ tests? in 1 suite passed/))
        #expect(green.output.contains(/\nCommandTests +\d+ +\d+\n/))
        let none = try await run("Tests/run", "CommandTests.LostTests", in: folder)
        #expect(none.status == 1 && none.output.contains("no test failed"))
        let unknown = try await run("Tests/run", "LostTests", in: folder)
        #expect(unknown.status == 1 && unknown.errors.contains("no group \"LostTests\""))
    }

    @Test("A failure says which test it was, how to run it alone and where its log is")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let test = "EndToEndTests.TroubleTests/noKey"
        let red = try await run("Tests/run", test, in: folder, programs: folder.file("nothing"))
        #expect(red.status == 1)
        let lines = red.output.split(separator: "\n").drop { !$0.hasPrefix("✘") }
        #expect(lines.first?.hasPrefix("✘ \(test)") == true, "\(red.output)")
        #expect(lines.dropFirst().first?.hasPrefix("  alone:  Tests/run '\(test)") == true)
        let log = try #require(red.output.firstMatch(of: /log: +(\S+)/)?.output.1)
        let path = Tool.repository.appending(path: String(log)).standardizedFileURL.path
        #expect(path.hasPrefix(folder.path) && FileManager.default.fileExists(atPath: path))
    }

    @Test("A repetition goes on where it was cut off")
    func repetition() async throws {
        let folder = try TemporaryFolder()
        let two = try await run("Tests/repeat", Self.tests, "2", in: folder)
        #expect(two.status == 0 && two.output.contains("0 of 2 runs were red"), "\(two.output)")
        let three = try await run("Tests/repeat", Self.tests, "3", in: folder)
        #expect(!three.output.contains("run 2 of 3") && three.output.contains("run 3 of 3"))
        #expect(three.status == 0 && three.output.contains("0 of 3 runs were red"))
        let pair = try await run("Tests/repeat", "--in-a-process", "2", Self.tests, "2", in: folder)
        #expect(
            pair.status == 0 && pair.output.contains("0 of 1 processes of 2 runs were red"),
            "\(pair.output)")
        let odd = try await run("Tests/repeat", "--in-a-process", "2", Self.tests, "3", in: folder)
        #expect(odd.status == 64 && odd.errors.isEmpty && !odd.output.contains("run 2 of 3"))
        let none = try await run("Tests/repeat", Self.tests, in: folder)
        #expect(none.status == 64 && none.output.contains("beside a neighbour"))
    }
}
