import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Troubles around the machine, each with a sentence and a way on")
struct TroubleTests {
    private static let program = Tool.program("clup-kiosk")

    @Test(
        "A second kiosk on the same state directory is refused by name; keys pressed while the machine was stopped have no effect (faults 10)"
    )
    func stopped() async throws {
        try await Product.withKiosk { product, screen in
            try await screen.shows(Words.home)
            try await product.kiosk { try await $0.shows("Another clup-kiosk", "status 75") }

            // Touches are outdated after 3 s.
            let kiosk = try await screen.process()
            try await screen.clock.standsStill(for: .seconds(4), kiosk) {
                try await screen.pressBlindly(["Enter"])
            }
            // This is the only touch that counts.
            try await screen.press("Enter", shows: Words.confirm)
            #expect(try await product.rows("SELECT state FROM reservation") == ["pending"])
        }
    }

    @Test("A signal restores the terminal")
    func givenBack() async throws {
        try await Product.with { product in
            // A program that is not linked with Swift's runtime, as the shipped one is, would print where it crashed.
            let kiosk = "env SWIFT_BACKTRACE=enable=no " + product.kiosk()
            for signal in [SIGTERM, SIGHUP, SIGSEGV] {
                try await TmuxTerminal.with(columns: 80, rows: 24, command: kiosk) { screen in
                    try await screen.shows(Words.home)
                    kill(try await screen.process(), signal)
                    let left = try await screen.shows("status", "icanon")
                    for words in [Words.home, "-icanon", "-echo "] {
                        #expect(!left.contains(words), "signal \(signal)")
                    }
                }
            }
        }
    }

    @Test(
        "A machine whose clock is hours off gives tickets all the same, if its backend's key is pinned; doctor names the wrong clock [fault 36]"
    )
    func wrongClock() async throws {
        try await Product.with { product in
            let words = product.kioskWords("doctor")
            func doctor(_ clock: WallClock, says direction: String, isPinned: Bool) async throws {
                let result = try await Tool.run(
                    words[0], Array(words.dropFirst()), environment: clock.environment)
                #expect(result.status == (isPinned ? 0 : 1), "\(result.output)")
                #expect(result.output.contains("clock"), "\(result.output)")
                #expect(result.output.contains(direction), "\(result.output)")
                #expect(result.output.contains("none is pinned") == !isPinned)
            }
            for (count, hours) in zip(1..., [2, -2, -24 * 365]) {
                try await WallClock.with(offset: .seconds(hours * 3_600)) { clock in
                    try await doctor(clock, says: hours > 0 ? "ahead of" : "behind", isPinned: true)
                    try await product.kiosk(environment: clock.environment) { screen in
                        try await screen.shows(Words.home)
                        try await screen.press("Enter", shows: Words.confirm)
                        try await screen.press("Enter")
                        #expect(try await eventually { try product.papers().count == count })
                        try await screen.press("Enter", shows: Words.home)
                    }
                    #expect(try await product.codes().count == count, "\(hours) h")
                }
            }
            try await WallClock.with(offset: .seconds(-600)) { clock in
                try await doctor(clock, says: "behind", isPinned: true)
                try product.unpinBackend()
                try await doctor(clock, says: "behind", isPinned: false)
                try clock.set(offset: .seconds(7_200))
                try await doctor(clock, says: "ahead of", isPinned: false)
            }
        }
    }

    @Test(
        "A machine unknown to the backend shows A1 and no way to a ticket; a false backend cannot feed the machine: no shop, no place [rules: signed-answers]"
    )
    func falseBackend() async throws {
        try await Product.with { product in
            let state = product.folder.file("stranger")
            try await Tool.succeed(Self.program, ["enrol", "--state", state])
            try product.pinBackend(for: state)
            try await product.kiosk(settings: ["state": state]) { try await $0.shows("A1") }
            let stranger = try await Tool.run(
                Self.program, ["doctor", "--state", state, "--backend", product.services.backend])
            #expect(stranger.status == 1 && stranger.output.contains("machine add"))

            // The false backend has a key of its own and the same database.
            let database = product.services.database
            for suffix in ["key", "wrapping-key"] {
                try FileManager.default.removeItem(atPath: "\(database).\(suffix)")
            }
            try await Tool.succeed(
                Tool.program("clup-backend"),
                ["key", "--database", database, "--new"])
            try await product.killBackend()
            try await product.restartBackend()
            try await product.kiosk { try await $0.shows("N1") }
            let doctor = product.kioskWords("doctor")
            // The screen also shows N1 while a backend starts.
            var seen = ""
            let isSeen = try await eventually {
                let result = try await Tool.run(doctor[0], Array(doctor.dropFirst()))
                seen = result.output
                return result.status == 1 && seen.contains("not with the signature")
            }
            #expect(isSeen, "\(seen)")
        }
    }

    @Test(
        "doctor finds no fault in a machine that is set up; without a terminal, or in a locale without UTF-8, the machine says what to do, and in one that is too small which size it needs"
    )
    func doctor() async throws {
        try await Product.with { product in
            let command = product.kiosk().replacing(" run ", with: " doctor ")
                .replacing(" --leave ctrl-c", with: "")
            try await TmuxTerminal.with(columns: 80, rows: 24, command: command) { screen in
                let text = try await screen.shows("status 0")
                #expect(!text.contains("WRONG"))
                // The only finding is that no staff member has a PIN yet.
                #expect(text.ranges(of: "weak").count == 1 && text.contains("weak staff"))
            }
            let services = product.services
            let other = try await Tool.run(
                Self.program,
                [
                    "doctor", "--state", services.state, "--backend", services.backend, "--printer",
                    "Nowhere", "--cups", services.cups,
                ])
            #expect(other.output.contains("no queue \"Nowhere\""))
            #expect(other.output.contains(services.printer))

            let words = product.kioskWords("run")
            let piped = try await Tool.run(words[0], Array(words.dropFirst()))
            #expect(piped.status == 1)
            #expect(piped.errors.contains("terminal"))
            try await product.kiosk(environment: ["LC_ALL": "C"]) { screen in
                try await screen.shows("LC_ALL=C.UTF-8", "status 1")
            }
            try await product.kiosk(environment: ["TERM": "nothing"]) { screen in
                try await screen.shows("TERM=", "status 1")
            }
            try await product.kiosk(columns: 50, rows: 15) { try await $0.shows("64", "20") }
        }
    }

    @Test(
        "A fault of the command line is named with status 64, one of the configuration with 78",
        arguments: [
            (["fly"], 64, "\"fly\""), (["run", "--colour", "red"], 64, "--colour"),
            (["run"], 78, "No backend"), (["run", "--backend", "ftp://x"], 64, "ftp://x"),
            (["run", "--config", "/nowhere/kiosk.conf"], 78, "/nowhere/kiosk.conf"),
            (["run", "--backend", "http://127.0.0.1:1", "--assets", "/nowhere"], 78, "/nowhere"),
            (["run", "--backend", "http://127.0.0.1:1", "--languages", "xx"], 78, "\"xx\""),
            (["run", "--backend", "http://127.0.0.1:1", "--leave", "me"], 64, "\"me\""),
            (["run", "--backend", "http://127.0.0.1:1", "--printer2", "Spare"], 64, "printer2"),
            (["run", "--printer", "A", "--printer2", "A"], 64, "second CUPS queue"),
            (
                ["run", "--backend", "http://127.0.0.1:1", "--speech", "espeak"], 64,
                "\"espeak\" is none of them"
            ),
        ] as [([String], Int32, String)])
    func commandLine(arguments: [String], status: Int32, names: String) async throws {
        let result = try await Tool.run(Self.program, arguments)
        #expect(result.status == status)
        #expect(result.errors.contains(names), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("A malformed line of the configuration is named by its number")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        for (line, names) in [
            ("backend http://127.0.0.1", "line 2"), ("colour = red", "\"colour\""),
            ("log =", "line 2"), ("state = /a\nstate = /b", "twice"),
        ] {
            let path = try folder.write("# machine\n\(line)\n".utf8, to: "kiosk.conf")
            let result = try await Tool.run(Self.program, ["run", "--config", path])
            #expect(result.status == 78)
            #expect(result.errors.contains(names), "\(result.errors)")
        }
    }

    @Test("A machine without a key says how to make one, and makes no file")
    func noKey() async throws {
        let folder = try TemporaryFolder()
        let result = try await Tool.run(
            Self.program,
            ["run", "--backend", "http://127.0.0.1:1", "--state", folder.file("nothing")])
        #expect(result.status == 78)
        #expect(result.errors.contains("clup-kiosk enrol") || result.errors.contains("enrol"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("nothing")))
    }
}
