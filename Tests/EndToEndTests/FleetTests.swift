import Foundation
import TestSupport
import Testing

@Suite("The machine seen and controlled remotely")
struct FleetTests {
    private func backend(_ product: Product, _ words: String...) async throws -> String {
        try await Tool.succeed(
            Tool.program("clup-backend"),
            words + ["--database", product.services.database])
    }

    @Test(
        "Out of service with a message and back, restarted and with a new key, by the command line"
    )
    func orders() async throws {
        try await Product.withKiosk(columns: 80, rows: 25) { product, screen in
            let names = try await product.rows("SELECT DISTINCT machine FROM machine_key")
            let machine = try #require(names.first)
            try await screen.shows(Words.home)
            _ = try await backend(
                product, "machine", "out-of-service", "--machine", machine, "--message",
                "Torniamo alle 15:00, scusate.")
            // The programs of the machine and of the backend take real time meanwhile.
            try await screen.passes(until: "Torniamo alle 15:00, scusate.", "S1")
            let isReported = try await eventually {
                try await screen.clock.pass(.seconds(1))
                return try await backend(product, "machine", "list").contains(
                    "out of service (S1)")
            }
            #expect(isReported)
            let process = try await screen.process()
            _ = try await backend(product, "machine", "restart", "--machine", machine)
            _ = try await backend(product, "machine", "rotate", "--machine", machine)
            let isDone = try await eventually {
                try await screen.clock.pass(.seconds(1))
                let logs = try await backend(product, "machine", "logs", "--machine", machine)
                return logs.contains(#""detail":"restart""#)
                    && logs.contains(#""detail":"rotate""#)
            }
            #expect(isDone)
            // The message is kept over the restart, which replaces the program within its process.
            try await screen.shows("Torniamo alle 15:00, scusate.")
            #expect(try await screen.process() == process)
            let keys = try await backend(product, "machine", "list", "--all")
            #expect(keys.contains(#""revoked":true"#) && keys.contains(#""revoked":false"#))

            _ = try await backend(product, "machine", "in-service", "--machine", machine)
            try await screen.passes(until: Words.home)
            let isWell = try await eventually {
                try await screen.clock.pass(.seconds(1))
                return try await backend(product, "machine", "show", "--machine", machine)
                    .contains(#""light":"ok""#)
            }
            #expect(isWell)
            let log = try String(
                contentsOfFile: "\(product.services.state)/kiosk.log", encoding: .utf8)
            #expect(log.components(separatedBy: "stopped: to be started again").count == 2)
        }
    }

    @Test("A ticket without its paper is in the day's report, and the trouble in the list")
    func papers() async throws {
        try await Product.withKiosk("--printer", "jam", columns: 80, rows: 25) { product, screen in
            try await screen.shows(Words.home)
            try await screen.press("Enter", shows: "inceppat")
            try await screen.press("Enter")
            let isReported = try await eventually {
                try await screen.clock.pass(.seconds(1))
                let days = try await backend(
                    product, "report", "days", "--shop", product.services.shop)
                let rows = days.split(separator: "\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)
                }
                let today = Dictionary(
                    uniqueKeysWithValues: zip(rows.first ?? [], rows.last ?? []))
                return ["papers_printed", "papers_failed", "papers_copied"].map { today[$0] }
                    == ["0", "1", "0"]
            }
            #expect(isReported)
            #expect(try await backend(product, "machine", "list").contains("jam"))
        }
    }
}
