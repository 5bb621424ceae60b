import Cryptography
import FoundationEssentials
import Glibc

/// Tickets over the real HTTP API of the real backend on a private PostgreSQL server, beside the same
/// service with one transaction for each command.
enum PostgresBench {
    private static let levels = [1, 8, 32]
    private static let shops = 16

    static func run(_ options: Options, _ report: Report) throws {
        let seconds = try options.number("seconds", standard: 10)
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let server = try PrivateServer(workspace)
        defer { server.stop() }
        let keys = try (0..<(levels.max() ?? 1)).map { _ in try SigningKey.generate() }

        var bare: [Int: LoadGenerator.Result] = [:]
        try with(server, workspace, keys, name: "bare", more: ["--batch", "1"]) { shop in
            var ignored: [AcknowledgedTicket] = []
            for level in levels {
                bare[level] = try load(
                    shop, keys, level, seconds: min(seconds, 5), name: "bare", &ignored)
            }
        }
        var one: LoadGenerator.Result?
        try with(server, workspace, keys, name: "batched") { shop in
            var acknowledged: [AcknowledgedTicket] = []
            for level in levels {
                let (cpu, flushes) = (server.cpu, try server.flushes(in: shop.database))
                let result = try load(
                    shop, keys, level, seconds: seconds, name: "load", &acknowledged)
                let serverCPU = server.cpu - cpu
                let made = try server.flushes(in: shop.database)
                tell(made, since: flushes, result, level, report)
                let batch = try server.number(
                    """
                    SELECT count(*)::float / greatest(1, count(DISTINCT created_ms)) FROM idempotency
                    WHERE created_ms BETWEEN \(result.from) AND \(result.to)
                    """, in: shop.database)
                tell(result, of: level, batch: batch, serverCPU, bare[level], report)
                one = result
            }
            let memory = shop.process.peakMemory
            shop.process.end(SIGKILL)
            report.figure(
                "postgresql.faults", try faults(shop.database, server, acknowledged), "tickets",
                budget: .atMost(0), n: acknowledged.count)
            report.figure("postgresql.memory", memory, "MiB", budget: .atMost(60))
        }
        try manyShops(server, workspace, keys, seconds: seconds, one, report)
    }

    /// Two machines of one shop, four of two, and so on: what shops gain by being written at once, until the
    /// processors have no more to give.
    private static func manyShops(
        _ server: PrivateServer, _ workspace: Workspace, _ keys: [SigningKey], seconds: Int,
        _ one: LoadGenerator.Result?, _ report: Report
    ) throws {
        let shop = try BenchShop(
            workspace, name: "shops", database: try server.database(), more: state(workspace))
        defer { shop.end() }
        let others = try (1..<shops).map { try shop.addShop(tag: "S\(100 + $0)") }
        for (index, key) in keys.enumerated() {
            let place = index / 2
            try shop.add(
                machine: "machine-\(index)", key: key.publicKey.text,
                of: place == 0 ? nil : others[place - 1])
        }
        usleep(1_500_000)
        var ignored: [AcknowledgedTicket] = []
        var single: LoadGenerator.Result?
        for count in [1, 2, 4, shops] {
            let level = 2 * count
            var result = try load(
                shop, keys, level, seconds: seconds, name: "shops", &ignored)
            let name = "\(level)-of-\(count)-shops"
            report.figure(
                "postgresql.tickets-per-second.\(name)", result.perSecond, "tickets/s",
                floor: single.map { Floor("2 machines of one shop", $0.perSecond) },
                budget: count == shops ? .atLeast(1.5 * (single?.perSecond ?? 0)) : nil,
                n: result.tickets)
            report.figure("postgresql.processors-busy.\(name)", result.busy, "%")
            if count == shops, let one {
                report.figure(
                    "postgresql.tickets-per-second.\(name)-to-one-shop", result.perSecond,
                    "tickets/s", floor: Floor("\(level) machines of one shop", one.perSecond),
                    n: result.tickets)
                report.figure(
                    "postgresql.ticket-p99.\(name)", result.latencies.milliseconds(99), "ms",
                    budget: .atMost(100), n: result.tickets)
            }
            if single == nil { single = result }
        }
    }

    static func state(_ workspace: Workspace) -> [String] {
        ["--state", workspace.directory]
    }

    private static func with(
        _ server: PrivateServer, _ workspace: Workspace, _ keys: [SigningKey], name: String,
        more: [String] = [], _ body: (BenchShop) throws -> Void
    ) throws {
        let shop = try BenchShop(
            workspace, name: name, database: try server.database(), more: state(workspace) + more)
        defer { shop.end() }
        for (index, key) in keys.enumerated() {
            try shop.add(machine: "machine-\(index)", key: key.publicKey.text)
        }
        // The white list is read once a second at the latest (rules 27).
        usleep(1_500_000)
        try body(shop)
    }

    private static func load(
        _ shop: BenchShop, _ keys: [SigningKey], _ level: Int, seconds: Int, name: String,
        _ acknowledged: inout [AcknowledgedTicket]
    ) throws -> LoadGenerator.Result {
        Progress.say("postgresql, \(name): \(level) machines for \(seconds) s ...")
        let machines = try (0..<level).map {
            try MachineConnection(shop, name: "\(name)\(level)-\($0)", key: keys[$0])
        }
        return try LoadGenerator(machines: machines, backend: shop.process)
            .run(seconds: seconds, acknowledged: &acknowledged)
    }

    private static func tell(
        _ measured: LoadGenerator.Result, of level: Int, batch: Double, _ serverCPU: Int64,
        _ peer: LoadGenerator.Result?, _ report: Report
    ) {
        var result = measured
        var peer = peer
        let isFull = level == 32
        let count = result.tickets
        let what = "one transaction for each command"
        report.figure(
            "postgresql.tickets-per-second.\(level)", result.perSecond, "tickets/s",
            floor: peer.map { Floor(what, $0.perSecond) },
            budget: isFull ? .atLeast(2 * (peer?.perSecond ?? 0)) : nil, n: count)
        report.figure(
            "postgresql.ticket-p50.\(level)", result.latencies.milliseconds(50), "ms",
            floor: peer.map { _ in Floor(what, peer?.latencies.milliseconds(50) ?? 0) }, n: count)
        report.figure(
            "postgresql.ticket-p99.\(level)", result.latencies.milliseconds(99), "ms",
            floor: peer.map { _ in Floor(what, peer?.latencies.milliseconds(99) ?? 0) },
            budget: isFull ? .atMost(100) : nil, n: count)
        report.figure(
            "postgresql.cpu-per-ticket.\(level)",
            Double(result.backendCPU) / 1e6 / Double(max(1, count)), "ms",
            floor: peer.map {
                Floor(what, Double($0.backendCPU) / 1e6 / Double(max(1, $0.tickets)))
            }, budget: isFull ? .atMost(0.5) : nil, n: count)
        report.figure("postgresql.batch.\(level)", batch, "commands")
        report.figure("postgresql.processors-busy.\(level)", result.busy, "%")
        report.figure(
            "postgresql.server-cpu.\(level)", Double(serverCPU) / 1e6 / Double(max(1, count)),
            "ms", n: count)
    }

    /// What the log of PostgreSQL cost; a second that is not counted as load is in it.
    private static func tell(
        _ made: PrivateServer.Flushes, since before: PrivateServer.Flushes,
        _ result: LoadGenerator.Result, _ level: Int, _ report: Report
    ) {
        let tickets = Double(max(1, result.all))
        let flushes = max(1, made.count - before.count)
        report.figure(
            "postgresql.commands-per-fsync.\(level)", 2 * tickets / flushes, "commands",
            budget: level == 32 ? .atLeast(6) : nil, n: Int(flushes))
        report.figure(
            "postgresql.log-per-ticket.\(level)", (made.bytes - before.bytes) / tickets / 1_024,
            "KiB", n: result.all)
    }

    /// Tickets that are not as they were told, numbers twice, and gaps.
    private static func faults(
        _ database: String, _ server: PrivateServer, _ acknowledged: [AcknowledgedTicket]
    ) throws -> Double {
        struct Stored: Decodable {
            let id: String
            let number: Int
        }
        let text = try server.answer(
            "SELECT coalesce(json_agg(r), '[]') FROM "
                + "(SELECT id, number FROM reservation WHERE number IS NOT NULL) AS r",
            in: database)
        let stored = try JSONDecoder().decode([Stored].self, from: Data(text.utf8))
        let numbers = Dictionary(stored.map { ($0.id, $0.number) }) { first, _ in first }
        var faults = acknowledged.count { numbers[$0.id] != $0.number }
        faults += stored.count - Set(stored.map(\.number)).count
        faults += abs((stored.map(\.number).max() ?? 0) - stored.count)
        faults += acknowledged.count - Set(acknowledged.map(\.number)).count
        return Double(faults)
    }
}
