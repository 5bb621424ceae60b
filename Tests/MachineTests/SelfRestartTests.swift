import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("A new version while customers are served")
struct SelfRestartTests {
    /// Runs a machine with a real backend, from a folder of its own as a package installs it.
    ///
    /// - Parameter environment: that of the machine.
    private func with(
        environment: [String: String] = [:],
        _ body: (_ bench: Bench, _ program: String, _ screen: TmuxTerminal) async throws -> Void
    ) async throws {
        try await ServingBackend.with(machines: []) { backend in
            let bench = try Bench()
            let made = try await bench.setup(
                answers: """
                    backend = \(backend.address)
                    backend-key = \(try await backend.publicKey())
                    languages = en
                    """)
            let key = try #require(
                made.output.split(separator: "\n").first { $0.utf8.count == 43 })
            try await backend.addMachine(key: String(key))
            let program = bench.file("clup-kiosk")
            // Copied by a process of its own: a file that a child of this one still has open for writing cannot be
            // executed (execve(2), ETXTBSY).
            try await Tool.succeed("cp", [Programs.kiosk, program])
            let command = "\(program) run --config \(bench.file("kiosk.conf"))"
            try await TmuxTerminal.with(
                columns: 80, rows: 25, command: command, environment: environment
            ) { screen in
                try await screen.shows("how long you still have to wait")
                try await body(bench, program, screen)
            }
        }
    }

    /// The program with another version string of the same length.
    private func other(_ program: String) throws -> Data {
        var bytes = try Data(contentsOf: URL(filePath: program))
        let version = Data(ProductVersion.current.utf8)
        try #require(bytes.range(of: version) != nil)
        while let place = bytes.range(of: version) {
            bytes.replaceSubrange(place, with: Data("9.9.9".utf8))
        }
        return bytes
    }

    /// The lines of the machine's log that have these words.
    private func logged(_ words: String, _ bench: Bench) throws -> [Substring] {
        try String(contentsOfFile: "\(bench.state)/kiosk.log", encoding: .utf8)
            .split(separator: "\n").filter { $0.contains(words) }
    }

    /// Lets time pass in the machine until its log has these words.
    private func passes(
        _ screen: TmuxTerminal, until words: String, _ bench: Bench, count: Int = 1
    ) async throws -> Bool {
        try await eventually {
            try await screen.clock.pass(.seconds(1))
            return try logged(words, bench).count == count
        }
    }

    private func starts(_ bench: Bench) throws -> [Substring] {
        try logged("started, version", bench)
    }

    @Test("Replaced during a ticket, the program issues it and is the new version at Home")
    func program() async throws {
        try await with { bench, program, screen in
            try await screen.press("Enter")
            try await screen.shows("Time left")
            // As dpkg does: write the whole file under a temporary name, then rename it.
            try other(program).write(to: URL(filePath: "\(program).text"))
            try await Tool.succeed(
                "install", ["-m", "755", "\(program).text", "\(program).dpkg-new"])
            try #require(rename("\(program).dpkg-new", program) == 0)
            #expect(try await passes(screen, until: "a new version is there", bench))
            // A customer who decides is not interrupted.
            try await screen.shows("Time left")
            try await screen.press("Enter")
            try await screen.shows("Code")
            #expect(try starts(bench).count == 1)
            try await screen.press("Enter")
            try await screen.shows("how long you still have to wait")
            #expect(try await passes(screen, until: "started, version", bench, count: 2))
            #expect(try starts(bench).last?.contains("version 9.9.9") == true)
            try await screen.shows("how long you still have to wait")
        }
    }

    @Test(
        "A changed configuration takes effect by itself, also if the clock was set back a day; an invalid one is logged",
        arguments: [Duration.zero, .seconds(-86_400)])
    func configuration(clockOffset: Duration) async throws {
        try await WallClock.with(offset: clockOffset) { clock in
            try await with(environment: clock.environment, configuration)
        }
    }

    private func configuration(
        _ bench: Bench, _ program: String, _ screen: TmuxTerminal
    ) async throws {
        let good = try bench.configuration()
        let path = URL(filePath: bench.file("kiosk.conf"))
        try Data((good + "languages = xx\n").utf8).write(to: path, options: .atomic)
        #expect(try await passes(screen, until: "cannot be used", bench))
        #expect(try starts(bench).count == 1)
        let set = good.replacingOccurrences(of: "languages = en", with: "languages = it")
        try Data(set.utf8).write(to: path, options: .atomic)
        try await screen.passes(until: "quanto devi ancora aspettare")
        #expect(try starts(bench).count == 2)
    }
}
