import Foundation
import TestSupport
import Testing

/// The commands that a guide shows work as they are written.
@Suite("The commands of the guides")
struct GuideTests {
    /// A command that needs a computer of its own, two machines, or hours: the beginning of the command (with a full
    /// stop, all of it), the file that runs it, and the words of that file that do so.
    private struct Elsewhere {
        let command: Substring
        let file: String
        let words: Substring

        func matches(_ text: String) -> Bool {
            command.hasSuffix(".") ? text == command.dropLast() : text.hasPrefix(command)
        }
    }

    private static let elsewhere: [Elsewhere] = """
        apt-get install | Tests/boot-machine | apt-get install -qq -y
        systemctl enable --now clup-backend | Tests/boot-machine | systemctl enable --now
        nginx -t | Tests/TestSupport/SecureServer.swift | "nginx"
        chromium --kiosk | Tests/SessionTests/WebSessionTests.swift | web-session
        Kiosk/seal-key | Tests/MachineTests/CredentialTests.swift | Kiosk/seal-key
        systemd-run | Tests/MachineTests/CredentialTests.swift | ["enrol"], credentials:
        lpadmin | Tests/TestSupport/DemoPrinter.swift | printer-error-policy=abort-job
        clup-kiosk setup printer | Tests/MachineTests/Setup/SetupPrinterTests.swift | setup("printer", address
        clup-kiosk setup --file | Tests/boot-machine | clup-kiosk setup --file
        clup-kiosk setup. | Tests/MachineTests/Setup/InterviewTests.swift | setup
        clup-kiosk enrol --pair | Tests/MachineTests/HiddenMemoryTests.swift | "--pair"
        clup-kiosk enrol --replace | Tests/FaultTests/KeyRotationFaultTests.swift | "--replace"
        clup-backend machine pair | Tests/TestSupport/ServingBackend.swift | "machine pair"
        clup-backend device pair | Tests/WebTests/EnrolmentTests.swift | device pair
        clup-kiosk doctor | Tests/EndToEndTests/TroubleTests.swift | "doctor"
        clup-kiosk run | Tests/EndToEndTests/Product+Kiosk.swift | kiosk(settings)
        Kiosk/try --help | Tests/EndToEndTests/BuildTests.swift | ["--help"]
        Kiosk/try | Tests/EndToEndTests/GuideTests.swift | Product.with(options)
        Kiosk/check | .ci/run | Kiosk/check
        Kiosk/build | Kiosk/check | Kiosk/build
        swift build --build-tests | Kiosk/check | swift build --build-tests
        swift test | Tests/run | "swift", "test"
        Tests/run | Kiosk/check | Tests/run
        Tests/repeat | Tests/EndToEndTests/RunTests.swift | Tests/repeat
        Tests/fuzz | Tests/run | Tests/fuzz
        Tests/mutate | Kiosk/check | Tests/mutate
        .build/release/clup-bench | Tests/EndToEndTests/EndingTests.swift | clup-bench
        Tests/draw-pictures | Tests/KioskScreensTests/Pictures.swift | Tests/draw-pictures
        CLUP_DRAW_EXPECTED=1 swift test | Tests/KioskScreensTests/ExpectedScreensTests.swift | CLUP_DRAW_EXPECTED
        git diff --stat | Tests/README.md | git diff --stat
        """.split(separator: "\n").map { line in
            let parts = line.split(separator: " | ")
            return Elsewhere(command: parts[0], file: String(parts[1]), words: parts[2])
        }

    /// All commands, in groups whose members run one after the other in one environment.
    private func groups() throws -> [[GuideCommand]] {
        let commands = try GuideCommand.guides().flatMap {
            GuideCommand.all(in: $0.text, of: $0.path)
        }
        // Each of these needs the staff member that another one removes.
        let ownPlace = commands.filter { $0.text.hasPrefix("clup-kiosk staff") }
        let others = Dictionary(grouping: commands.filter { !ownPlace.contains($0) }) {
            "\($0.document) \($0.block)"
        }
        return ownPlace.map { [$0] }
            + others.values.sorted { $0[0].description < $1[0].description }
    }

    @Test("Each runs in an environment of its own, or is run by the test that is named here")
    func commands() async throws {
        let guide = try #require(try GuideCommand.guides().first { $0.path == "Kiosk/machine.md" })
        let answers = try #require(
            guide.text.firstMatch(of: /```\n(backend = [^`]*manager-pin = \d+)\n```/))
        var found = 0
        var run = 0
        var used: Set<Substring> = []
        for group in try groups() {
            let here = group.map { command in
                command.text.replacing(#/^runuser -u \S+ -- /#, with: "")
            }.filter { text in
                found += 1
                let other = Self.elsewhere.first { $0.matches(text) }
                if let other { used.insert(other.command) }
                return other == nil
            }
            guard !here.isEmpty else { continue }
            let whole = here.joined(separator: "\n")
            let shell = try await GuideShell(answers: String(answers.output.1), for: whole)
            for command in here {
                run += 1
                do {
                    try await shell.run(command)
                } catch {
                    Issue.record("\(group[0].document): \(error)")
                }
            }
            #expect(await shell.end() == 0, "\(whole)")
        }
        #expect(found > 90 && run > 50, "\(run) of \(found)")
        for entry in Self.elsewhere {
            #expect(used.contains(entry.command), "no guide has \(entry.command)")
            let text = try String(
                contentsOf: Tool.repository.appending(path: entry.file), encoding: .utf8)
            #expect(text.contains(entry.words), "\(entry.file) does not run \(entry.command)")
        }
    }

    @Test("A broken command is found, even one over two lines and with a comment")
    func wrong() async throws {
        let guide = """
            ```sh
            clup-backend shop \\
                list --database FILE     # every shop
            ```
            `clup-kiosk run --fast`
            """
        let commands = GuideCommand.all(in: guide, of: "guide").map(\.text)
        #expect(commands == ["clup-backend shop list --database FILE"])
        let calls = GuideCommand.calls(in: guide)
        #expect(calls.map(\.words) == [["shop", "list"], ["run"]])
        #expect(calls.map(\.options) == [["--database"], ["--fast"]])
        let shell = try await GuideShell(answers: "", for: "FILE")
        #expect(try await shell.run(commands[0]).contains("CITT"))
        await #expect(throws: TestSupportError.self) {
            try await shell.run("clup-backend shop lost --database FILE")
        }
    }

    @Test("The demonstrations start")
    func demonstrations() async throws {
        let commands = try groups().joined().map(\.text).filter { $0.hasPrefix("Kiosk/try --") }
        #expect(commands.count > 3)
        for command in Set(commands) where command != "Kiosk/try --help" {
            let options = command.split(separator: " ").dropFirst().map(String.init)
            try await Product.with(options) { product in
                #expect(!product.services.shop.isEmpty, "\(command)")
            }
        }
    }

    @Test("A filter of tests names a target and a suite that exist")
    func filters() throws {
        let files = FileManager.default
        var count = 0
        for command in try groups().joined() {
            let names = command.text.split(separator: " ").drop { $0 != "--filter" }.dropFirst()
            let isRun = ["Tests/run", "Tests/repeat"].contains { command.text.hasPrefix($0) }
            for name in isRun ? command.text.split(separator: " ").dropFirst() : names.prefix(1) {
                guard let match = name.wholeMatch(of: /(\w+Tests)(?:\.(\w+))?/) else { continue }
                count += 1
                let folder = Tool.repository.appending(path: "Tests/\(match.output.1)").path
                let texts = try files.contentsOfDirectory(atPath: folder)
                    .filter { $0.hasSuffix(".swift") }
                    .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
                let suite = match.output.2 ?? "Tests"
                #expect(
                    texts.contains { $0.contains("struct \(suite)") || match.output.2 == nil },
                    "\(command)")
            }
        }
        #expect(count > 3)
    }

    @Test("Every command and option that a guide names is explained by the program")
    func known() async throws {
        var pages: [[String]: String] = [:]
        func help(_ program: String, _ words: ArraySlice<String>) async throws -> String {
            if let page = pages[[program] + words] { return page }
            let path = Tool.program(program)
            let result = try await Tool.run(path, words + ["--help"])
            pages[[program] + words] = result.status == 0 ? result.output : ""
            return result.status == 0 ? result.output : ""
        }
        var seen: Set<GuideCommand.Call> = []
        for (path, text) in try GuideCommand.guides() {
            for call in GuideCommand.calls(in: text) where seen.insert(call).inserted {
                var known = ""
                for count in 0...call.words.count {
                    known += try await help(call.program, call.words.prefix(count))
                }
                let isCommand = call.words.isEmpty || known.contains("\(call.words[0]) ")
                #expect(isCommand, "\(path): \(call)")
                for option in call.options {
                    let isKnown = known.contains(option)
                    #expect(isKnown, "\(path): \(option) of \(call)")
                }
            }
        }
        #expect(seen.count > 40, "\(seen.count)")
    }
}
