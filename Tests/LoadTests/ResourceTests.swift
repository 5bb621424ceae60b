import BackendAPI
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Scarce resources")
struct ResourceTests {
    @Test(
        "64 descriptors and 100 connections: accepted clients are served, and then all of them [fault 38]",
        arguments: Engine.allCases)
    func descriptors(engine: Engine) async throws {
        var plan = LoadChain.Plan(machines: 6)
        plan.surroundings.wrapper = ["prlimit", "--nofile=64:64"]
        try await LoadChain.with(engine, plan) { chain in
            try await chain.judged("64 descriptors [38]", pause: .milliseconds(20)) {
                for _ in 0..<TestLength.choose(1, long: 10) {
                    let idle = (0..<100).compactMap { _ in
                        LoopbackWire.connected(to: chain.ports[0])
                    }
                    try await ContinuousClock().sleep(for: .seconds(2))
                    let files = chain.servers[0].openFiles
                    #expect(files.count < 62, "the server keeps some for itself: \(files)")
                    for wire in idle { wire.end() }
                    await chain.expectService(tickets: 20)
                }
            }
            #expect(chain.servers[0].isRunning)
        }
    }

    @Test("Displays use their share of 64 descriptors, and machines are served [fault 38]")
    func displays() async throws {
        // A shop may have a third of the sockets, and a key four.
        var plan = LoadChain.Plan(shops: 3, machines: 6, displays: 3, hasDoors: true)
        plan.surroundings.wrapper = ["prlimit", "--nofile=64:64"]
        try await LoadChain.with(.sqlite, plan) { chain in
            let port = chain.ports[0]
            var feeds: [Feed] = []
            defer { for feed in feeds { feed.end() } }
            while feeds.count < 36,
                let feed = try? Feed(
                    chain.display(feeds.count / 12, of: feeds.count % 3, port: port), port: port)
            { feeds.append(feed) }
            #expect((16...24).contains(feeds.count), "two of three connections: \(feeds.count)")
            let given = try await chain.underLoad {
                #expect(await patiently { chain.ledger.answered(201, "/confirmation") > 20 })
            }
            #expect(given.count > 6)
            try await chain.ledger.judge("64 descriptors, displays [38]", chain)
        }
    }

    @Test(
        "Less than 64 MiB of memory: it may be killed, and nothing is lost [fault 38]",
        .enabled(if: MemoryLimit.isPossible), arguments: Engine.allCases)
    func memory(engine: Engine) async throws {
        try await LoadChain.with(engine, LoadChain.Plan(machines: 8)) { chain in
            let limit = try MemoryLimit(megabytes: 64)
            defer { limit.end() }
            try limit.hold(chain.servers[0].pid)
            var ends = 0
            try await chain.judged("64 MiB [38]") {
                let crowd = (0..<500).compactMap { _ in
                    LoopbackWire.connected(to: chain.ports[0])
                }
                defer { for wire in crowd { wire.end() } }
                let end = ContinuousClock.now + .seconds(TestLength.choose(3, long: 60))
                while ContinuousClock.now < end {
                    try await ContinuousClock().sleep(for: .milliseconds(200))
                    guard !chain.servers[0].isRunning else { continue }
                    ends += 1
                    try await chain.servers[0].start()
                    try limit.hold(chain.servers[0].pid)
                }
            } heal: {
                print("load: 64 MiB [38]: killed \(ends) times")
                if !chain.servers[0].isRunning { try await chain.servers[0].start() }
            }
        }
    }

    @Test(
        "With a million old reservations and 500 connections it stays below 120 MiB [fault 38]",
        arguments: Engine.allCases)
    func million(engine: Engine) async throws {
        let plan = LoadChain.Plan(machines: 8)
        try await LoadChain.with(engine, plan) { chain in
            _ = try await chain.underLoad { try await ContinuousClock().sleep(for: .seconds(1)) }
            let empty = try await chain.ledger.judge("before the history [38]", chain)
            await chain.servers[0].stop()
            let count = TestLength.choose(30_000, long: 1_000_000)
            try await chain.addHistory(count)
            try await chain.servers[0].start()
            let full = Ledger()
            let given = try await onThreads(8) { index in
                let machine = chain.machine(index, ledger: full)
                return try (0..<100).compactMap { _ in
                    try machine.ticket().map { (machine: index, ticket: $0) }
                }
            }.flatMap(\.self)
            #expect(given.count == 800)
            let connected = try await onThreads(500) { index in
                let machine = chain.machine(index % 8, ledger: full)
                let reading = try machine.insist(.queue)
                #expect(reading.status == 200)
                return machine
            }
            let resident = chain.servers[0].residentKilobytes / 1_024
            #expect(
                (1..<120).contains(resident), "\(resident) MiB at \(connected.count) connections")
            try chain.askAgain(given, ledger: full)
            let figures = full.figures
            print(
                "load: \(count) old reservations, \(engine.rawValue): 99 in 100 within "
                    + "\(figures.times.milliseconds(0.99)), before "
                    + "\(empty.times.milliseconds(0.99)); \(resident) MiB at 500 connections")
            try await full.judge("\(count) old reservations [38]", chain)
        }
    }

    @Test(
        "A log that cannot be written, or that no process reads, delays nothing [fault 39]",
        arguments: Engine.allCases, ["/dev/full", "pipe"])
    func log(engine: Engine, place: String) async throws {
        let folder = try TemporaryFolder()
        var path = place
        var reader: Int32 = -1
        if place == "pipe" {
            path = folder.file("pipe")
            mkfifo(path, 0o600)
            // A process has it open and reads nothing, like a journal service that hangs.
            reader = open(path, O_RDWR)
            _ = fcntl(reader, 1_031, 4_096)  // F_SETPIPE_SZ, which Glibc's module leaves out
        }
        defer { if reader >= 0 { close(reader) } }
        var plan = LoadChain.Plan(machines: 6)
        plan.surroundings.log = path
        try await LoadChain.with(engine, plan) { chain in
            let figures = try await chain.judged("log in \(place) [39]") {
                _ = try await onThreads(1) { _ in
                    // Each of these requests causes a log line.
                    let end = ContinuousClock.now + .seconds(TestLength.choose(2, long: 60))
                    while ContinuousClock.now < end {
                        for path in ["/v1/queue", "/v1/machine", "/v1/staff/queue"] {
                            #expect(LoadChain.status(of: path, at: chain.ports[0]) == 401)
                        }
                    }
                }
            }
            #expect(figures.acknowledged > 20 && figures.unknown == 0)
        }
    }
}

/// A limit for the common memory of processes, set by a control group of the kernel (version 1).
struct MemoryLimit {
    private static let root = "/sys/fs/cgroup/memory"
    private let path: String

    static var isPossible: Bool { access(root + "/cgroup.procs", W_OK) == 0 && geteuid() == 0 }

    init(megabytes: Int) throws {
        path = "\(Self.root)/clup-test-\(UUID().uuidString.prefix(8))"
        guard mkdir(path, 0o755) == 0 else { throw TestSupportError("no control group at \(path)") }
        try Data("\(megabytes << 20)\n".utf8).write(
            to: URL(filePath: path + "/memory.limit_in_bytes"))
    }

    func hold(_ pid: pid_t) throws {
        try Data("\(pid)\n".utf8).write(to: URL(filePath: path + "/cgroup.procs"))
    }

    /// Moves its processes back to their former group.
    func end() {
        let held = try? String(contentsOfFile: path + "/cgroup.procs", encoding: .utf8)
        for pid in (held ?? "").split(separator: "\n") {
            try? Data("\(pid)\n".utf8).write(to: URL(filePath: Self.root + "/cgroup.procs"))
        }
        rmdir(path)
    }
}

extension LoadChain {
    /// Adds this many used reservations, evenly over the last two months, with their history.
    func addHistory(_ count: Int) async throws {
        let shop = limits.keys.sorted()[0]
        let days = 60
        func day(_ expression: String) -> String {
            engine == .sqlite
                ? "date('now', '-' || (1 + \(expression)) || ' days')"
                : "to_char((now() AT TIME ZONE 'UTC') - (1 + \(expression)) * interval '1 day', 'YYYY-MM-DD')"
        }
        let numbers =
            engine == .sqlite
            ? "(WITH RECURSIVE g(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM g WHERE n < \(count - 1)) SELECT n FROM g)"
            : "(SELECT generate_series(CAST(0 AS BIGINT), \(count - 1)) AS n)"
        let then = "\(Int(Date().timeIntervalSince1970) * 1_000) - (1 + n % \(days)) * 86400000"
        let integer = engine == .sqlite ? "INTEGER" : "BIGINT"
        let statements = [
            """
            INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms, cause,
                created_ms, offset_minutes, expires_ms, extensions, expected_ms, earliest_ms,
                latest_ms, people_ahead, number, code, typed_code, confirmed_ms)
            SELECT '\(shop)', 'old-' || n, 'm', 'machine', 'ticket', \(day("n % \(days)")),
                'expired', \(then), 'left', \(then), 60, \(then), 0, \(then), \(then), \(then), 0,
                CAST(1 + n / \(days) AS \(integer)), 'OLD' || n, 'T' || n, \(then)
            FROM \(numbers) AS g
            """,
            """
            INSERT INTO reservation_event (shop_id, reservation_id, at_ms, former_state, state, cause)
            SELECT '\(shop)', 'old-' || n, \(then), 'pending', 'planned', 'confirmed'
            FROM \(numbers) AS g
            """,
        ]
        for statement in statements + (engine == .postgresql ? ["ANALYZE"] : []) {
            let (program, options) =
                engine == .sqlite
                ? ("sqlite3", [database])
                : ("psql", ["-XAtqd", database, "-v", "ON_ERROR_STOP=1", "-c"])
            try await Tool.succeed(program, options + [statement])
        }
    }
}
