import Testing

/// A test that sleeps, or compares what it sees with real time, is slow on every computer and wrong on a busy one.
@Suite("Pauses and real time in tests")
struct PauseTests {
    /// A file, how many of its lines sleep or look at real time, and what in the real world forces that.
    private static let forced: [(file: String, lines: Int, why: String)] = [
        (
            "BackendTests/DrainTests.swift", 3,
            "a connection that is idle may be closed: RFC 9112 9.5"
        ),
        ("BackendTests/TestBackend.swift", 2, "the type of a clock that the test moves"),
        ("FaultTests/AttackTests.swift", 1, "a customer's pace beside an attack tool's own time"),
        ("FaultTests/CheckerTests.swift", 1, "a moment from which others are counted"),
        (
            "FaultTests/DoorCommandTests.swift", 1,
            "what one server told the other before it was killed is not seen from outside"
        ),
        ("FaultTests/FaultyShop.swift", 3, "customers' pace beside attack tools and servers"),
        (
            "FaultTests/ProxiedServersTests.swift", 9,
            "nginx's own timers: for how long it avoids a server that was away"
        ),
        ("FaultTests/RandomKillTests.swift", 2, "the random moment of a kill is the subject"),
        ("MachineTests/MachineClockTests.swift", 2, "the waits of the clock that the test moves"),
        ("MachineTests/FakeParts.swift", 2, "a fake backend and a fake printer that answer late"),
        (
            "MachineTests/Setup/SetupPrinterTests.swift", 2,
            "the command that sets a printer up waits by real time"
        ),
        (
            "SMSGatewayTests/KannelGatewayTests.swift", 3,
            "libcurl's age of a connection at rest; that a stop does not end what is on its way"
        ),
        (
            "SessionTests/TouchTests.swift", 9,
            "how long a finger stays; what a stopped program keeps back"
        ),
        (
            "SessionTests/WebSessionTests.swift", 4,
            "how long a finger stays; what a stopped program keeps back"
        ),
        ("SimulationTests/Simulation.swift", 1, "a moment from which others are counted"),
        (
            "SimulationTests/SimulatedBackend.swift", 1,
            "asks until the last thread has let a lock go"
        ),
        (
            "StoreTests/Site.swift", 5,
            "the type of a clock that the test moves; asks until a lock is free"
        ),
        ("StoreTests/StoppingTests.swift", 2, "the random moment of a stop is the subject"),
        ("TestSupport/Checker.swift", 2, "the moments of a recorded request"),
        (
            "TestSupport/Eventually.swift", 5,
            "asks again and again; only a run that hangs reaches its limit"
        ),
        ("TestSupport/MachineClock+Moved.swift", 1, "moves clocks again and again"),
        ("TestSupport/FakePushService.swift", 1, "a push service that answers byte by byte"),
        ("TestSupport/Fault.swift", 4, "the moments of a recorded request"),
        (
            "TestSupport/KioskClock.swift", 2,
            "the programs as shipped have no clock that can be moved"
        ),
        ("TestSupport/RunningProgram.swift", 1, "asks until a process has ended"),
        ("TestSupport/ServedMachine.swift", 3, "asks until a backend answers"),
        ("TestSupport/SteppedProcess.swift", 3, "asks until a traced process has stopped"),
        (
            "TestSupport/TmuxTerminal.swift", 4,
            "lets time pass in the machine until a run counts as hanging"
        ),
        (
            "TestSupport/Tool.swift", 1,
            "asks until the system has closed a script that was written (ETXTBSY)"
        ),
        ("TestSupport/TouchPanel.swift", 2, "how long a finger stays on a panel"),
        ("WebTests/DisplayTests.swift", 1, "nine minutes of a display, at full length only"),
    ]

    /// They measure, or put the backend under load for a time.
    private static let measuring = ["Tests/Bench/", "Tests/LoadTests/"]

    private static func pauses(in line: String) -> Bool {
        ["sleep(", "ContinuousClock", "SuspendingClock", "asyncAfter("].contains(
            where: line.contains)
    }

    @Test("No test sleeps or looks at real time, but where the world forces it")
    func forced() throws {
        let files = try Tree.files(in: ["Tests"], [".swift"]).filter { file in
            file.path != "Tests/TreeTests/PauseTests.swift"
                && !Self.measuring.contains { file.path.hasPrefix($0) }
        }
        #expect(files.count > 300)
        var found: [String: Int] = [:]
        for file in files {
            let count = SwiftText(file).code.count(where: Self.pauses)
            if count > 0 { found[String(file.path.dropFirst("Tests/".count))] = count }
        }
        let expected = Dictionary(uniqueKeysWithValues: Self.forced.map { ($0.file, $0.lines) })
        for file in Set(found.keys).union(expected.keys).sorted() {
            let (now, before) = (found[file, default: 0], expected[file, default: 0])
            #expect(
                now <= before,
                "Tests/\(file): wait for what happens instead (Tests/README.md, Time in a test)")
            #expect(now >= before, "Tests/\(file): take the lines that are gone off the list")
        }
    }

    @Test("The check itself waits for no time")
    func check() throws {
        #expect(try Tree.file("Kiosk/check").lines.filter { $0.contains("sleep") } == [])
    }
}
