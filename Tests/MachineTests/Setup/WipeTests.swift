import Foundation
import TestSupport
import Testing

@Suite("A machine taken out of use")
struct WipeTests {
    @Test("It deletes key, staff, receipts, events and log, not while it runs, after a question")
    func wipe() async throws {
        let bench = try Bench()
        let options = ["--config", bench.file("kiosk.conf")]
        _ = try await bench.setup(
            answers: """
                backend = http://127.0.0.1:9
                enrol = key
                manager = Giulia
                manager-pin = 739146
                """)
        let files = FileManager.default
        #expect(files.fileExists(atPath: "\(bench.state)/machine-key.sealed"))
        // A hard link shows whether the bytes were overwritten and not only unlinked.
        let copy = bench.file("copy")
        try files.linkItem(atPath: "\(bench.state)/machine-key.sealed", toPath: copy)

        let unasked = try await Tool.run(Programs.kiosk, ["wipe"] + options)
        #expect(unasked.status == 1 && unasked.output.contains("Nothing was changed."))
        let run = ([Programs.kiosk, "run"] + options).joined(separator: " ")
        try await TmuxTerminal.with(columns: 80, rows: 25, command: run) { screen in
            try await screen.shows("N1")
            let running = try await Tool.run(Programs.kiosk, ["wipe", "--yes"] + options)
            #expect(running.status == 75 && running.errors.contains("stop it first"))
            #expect(files.fileExists(atPath: "\(bench.state)/machine-key.sealed"))
        }
        // The program ends with its terminal.
        var wiped: CommandResult?
        _ = try await eventually {
            wiped = try await Tool.run(Programs.kiosk, ["wipe", "--yes"] + options)
            return wiped?.status == 0
        }
        #expect(wiped?.status == 0, "\(wiped?.errors ?? "")")
        #expect(wiped?.output.contains("clup-backend machine revoke") == true)
        #expect(try files.contentsOfDirectory(atPath: bench.state).isEmpty)
        #expect(files.contents(atPath: copy)?.contains { $0 != 0 } == false)
    }
}
