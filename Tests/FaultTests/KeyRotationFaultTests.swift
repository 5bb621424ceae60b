import Foundation
import TestSupport
import Testing

@Suite("The machine's key is changed, however the change is interrupted (rules: machine-key)")
struct KeyRotationFaultTests {
    private static let program = Tool.program("clup-kiosk")

    /// The command line of a command that changes the key.
    private func words(_ command: String, _ product: Product) -> [String] {
        [command, "--state", product.services.state, "--backend", product.services.backend]
    }

    /// The machine's keys that the backend accepts.
    private func valid(_ product: Product) async throws -> [String] {
        try await product.rows(
            "SELECT key_id FROM machine_key WHERE machine = 'kiosk' AND revoked_ms IS NULL")
    }

    private func isServed(_ product: Product) async throws -> Bool {
        let doctor = try await Tool.run(Self.program, words("doctor", product))
        return doctor.output.contains("ok backend: Supermercato")
    }

    @Test("A running machine uses a new key at once, and another one once it was revoked")
    func whileItRuns() async throws {
        try await Product.with { product in
            let database = ["--database", product.services.database]
            try await TmuxTerminal.with(
                columns: 80, rows: 24, command: product.kiosk()
            ) { screen in
                try await screen.shows(FaultWords.home)
                let before = try await valid(product)
                let new = try await Tool.succeed(Self.program, words("rotate", product))
                #expect(new.count == 44)
                let after = try await valid(product)
                #expect(after.count == 1 && before.count == 1 && after != before)
                try await screen.press("Enter")
                try await screen.shows(FaultWords.confirm)
                #expect(try await isServed(product))
                try await screen.press("Escape")
                try await screen.shows(FaultWords.home)
                // Revoked, it gets another key and keeps all its data.
                try await Tool.succeed(
                    ServingBackend.program, ["machine", "revoke", "--machine", "kiosk"] + database)
                try await screen.shows("A1")
                let doctor = try await Tool.run(Self.program, words("doctor", product))
                #expect(doctor.status == 1 && doctor.output.contains("clup-kiosk enrol --replace"))
                let key = try await Tool.succeed(
                    Self.program, ["enrol", "--replace", "--state", product.services.state])
                for kept in ["journal.sqlite", "staff.sqlite", "machine-key.sealed.old"] {
                    #expect(
                        FileManager.default.fileExists(
                            atPath: "\(product.services.state)/\(kept)"))
                }
                try await Tool.succeed(
                    ServingBackend.program,
                    [
                        "machine", "add", "--shop", product.services.shop, "--name", "kiosk",
                        "--key", key.trimmingCharacters(in: .whitespacesAndNewlines),
                    ] + database)
                // A machine that was refused asks at long intervals.
                try await screen.shows(FaultWords.home, within: .seconds(90))
            }
            // Without the backend nothing changes, and the command can be given again.
            try await product.killBackend()
            let failed = try await Tool.run(Self.program, words("rotate", product))
            #expect(failed.status == 75)
            #expect(failed.errors.contains("The machine's key is as it was."))
            try await product.restartBackend()
            #expect(try await eventually { try await isServed(product) })
            try await Tool.succeed(Self.program, words("rotate", product))
            #expect(try await isServed(product))
            #expect(try await valid(product).count == 1)
        }
    }

    @Test(
        "Killed before any lasting call, the machine has a key that the backend accepts",
        arguments: [("write", 2), ("fsync", 3), ("rename", 2), ("sendto", 1), ("recvfrom", 1)])
    func killed(before name: String, atLeast least: Int) async throws {
        try await Product.with { product in
            // strace counts the calls of each thread separately.
            var call = 1
            while true {
                let result = try await Tool.run(
                    "strace",
                    [
                        "-f", "-qq", "-o", product.folder.file("trace"), "-e", "trace=\(name)",
                        "-e", "inject=\(name):signal=KILL:when=\(call)", Self.program,
                    ] + words("rotate", product))
                #expect(try await isServed(product), "killed before call \(call)")
                if result.status == 0 { break }
                let keys = try await valid(product).count
                #expect((1...2).contains(keys), "killed before call \(call)")
                try await Tool.succeed(Self.program, words("rotate", product))
                #expect(try await valid(product).count == 1)
                call += 1
                try #require(call < 60)
                guard call.isMultiple(of: 5) else { continue }
                // A backend changes a dozen keys in a row; how often the machine writes depends on its threads.
                try await product.restartBackend()
                #expect(try await eventually { try await isServed(product) })
            }
            #expect(call > least)
        }
    }
}
