import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Only its own process can read a program's secrets in memory")
struct HiddenMemoryTests {
    private func canRead(_ pid: pid_t) async throws -> Bool {
        let user = Programs.asUnprivilegedUser
        return try await Tool.run(
            user[0], user.dropFirst() + ["cat", "/proc/\(pid)/maps"]
        ).status == 0
    }

    @Test("No process of the same user reads the secrets, and no core dump is written")
    func hidden() async throws {
        // A backend, and a machine that shows a code to it, both as an ordinary user.
        let folder = try TemporaryFolder()
        let home = folder.file("home")
        try await Tool.succeed("mkdir", ["-m", "700", home])
        if geteuid() == 0 { try await Tool.succeed("chown", ["65534:65534", home]) }
        let user = Programs.asUnprivilegedUser
        func words(_ words: String...) -> [String] { Array(user.dropFirst()) + words }
        let database = "\(home)/database"
        try await Tool.succeed(
            user[0],
            words(
                Programs.backend, "shop", "add", "--database", database, "--name", "Shop", "--tag",
                "TEST", "--time-zone", "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00",
                "--capacity", "9", "--stay", "20"))
        let backend = try Tool.start(
            user[0],
            words(
                Programs.backend, "serve", "--database", database, "--listen", "127.0.0.1:0"),
            output: folder.file("listening"), errors: folder.file("backend.log"))
        struct Line: Decodable { let listening: String }
        func address() -> String? {
            (try? Data(contentsOf: URL(filePath: folder.file("listening"))))
                .flatMap { try? JSONDecoder().decode(Line.self, from: $0).listening }
        }
        _ = await eventually { address() != nil }
        let kiosk = try Tool.start(
            user[0],
            words(
                Programs.kiosk, "enrol", "--pair", "--state", "\(home)/state", "--backend",
                address() ?? ""),
            output: folder.file("code"), errors: folder.file("kiosk.log"))
        let isReady = await eventually {
            (try? String(contentsOfFile: folder.file("code"), encoding: .utf8))?
                .contains("Code ") == true
        }
        try await ending([kiosk, backend], by: { for program in $0 { await program.stop() } }) {
            _ in
            try #require(isReady)
            // A process that hides nothing shows that the test would find a secret.
            let open = try Tool.start(user[0], user.dropFirst() + ["sleep", "600"])
            let isOpen = try await eventually { try await canRead(open.pid) }
            await open.stop()
            #expect(isOpen)
            for program in [backend, kiosk] {
                #expect(try await !canRead(program.pid))
                let limits = try String(
                    contentsOfFile: "/proc/\(program.pid)/limits", encoding: .utf8)
                let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file") }
                #expect(
                    core?.split(separator: " ", omittingEmptySubsequences: true).dropFirst(4)
                        .prefix(2) == ["0", "0"])
            }
        }
    }

    @Test("The machine's key is wiped and unlocked when the machine ends")
    func wiped() async throws {
        let folder = try TemporaryFolder()
        let state = folder.file("state")
        let trace = folder.file("trace")
        let words = [
            "--state", state, "--backend", "http://127.0.0.1:9", "--assets", Programs.assets,
        ]
        try await Tool.succeed(Programs.kiosk, ["enrol"] + words)
        let run =
            (["strace", "-f", "-qq", "-e", "trace=munlock", "-o", trace, Programs.kiosk, "run"]
            + words)
            .joined(separator: " ")
        func unlocked() throws -> Int {
            try String(contentsOfFile: trace, encoding: .utf8).components(separatedBy: "munlock(")
                .count
        }
        try await TmuxTerminal.with(columns: 80, rows: 25, command: run) { screen in
            // The first request is signed, so that the key is in use.
            try await screen.shows("N1")
            let before = try unlocked()
            let kiosk = try await Tool.succeed("pgrep", ["-P", "\(screen.process())"])
            kill(
                try #require(pid_t(kiosk.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTERM)
            try await screen.shows("status 0")
            #expect(try unlocked() > before)
        }
    }
}
