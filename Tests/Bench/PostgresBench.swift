import Cryptography
import FoundationEssentials
import Glibc
import TestSupport

/// Tickets over the real HTTP API of the real backend on a private PostgreSQL server, compared with the same service
/// with one transaction for each command.
enum PostgresBench {
    private static let levels = [1, 8, 32]
    private static let shops = 16

    static func run(_ options: Options, _ report: Report) throws {
        let seconds = try options.number("seconds", standard: 10)
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let server = try PostgresServer(in: "\(workspace.directory)/postgresql")
        defer { try? server.stop("immediate") }
        let keys = try (0..<(levels.max() ?? 1)).map { _ in try SigningKey.generate() }

        var bare: [Int: LoadGenerator.Result] = [:]
        try with(server, workspace, keys, name: "bare", more: ["--batch", "1"]) { shop in
            var ignored: [TicketNumber] = []
            for level in levels {
                bare[level] = try load(
                    shop, keys, level, seconds: min(seconds, 5), name: "bare", &ignored)
            }
        }
        var one: LoadGenerator.Result?
        try with(server, workspace, keys, name: "batched") { shop in
            var acknowledged: [TicketNumber] = []
            for level in levels {
                let (cpu, flushes) = (server.cpu, try server.flushes(in: shop.database))
                let result = try load(
                    shop, keys, level, seconds: seconds, name: "load", &acknowledged)
                let serverCPU = server.cpu - cpu
                let made = try server.flushes(in: shop.database)
                printFigures(made, since: flushes, result, level, report)
                let batch = try server.number(
                    """
                    SELECT count(*)::float / greatest(1, count(DISTINCT created_ms)) FROM idempotency
                    WHERE created_ms BETWEEN \(result.from) AND \(result.to)
                    """, in: shop.database)
                printFigures(result, of: level, batch: batch, serverCPU, bare[level], report)
                one = result
            }
            let memory = shop.process.peakMemory
            shop.process.stopBlocking(SIGKILL)
            report.figure(
                "postgresql.faults", try faults(shop.database, server, acknowledged), "tickets",
                budget: .atMost(0), n: acknowledged.count)
            report.figure("postgresql.memory", memory, "MiB", budget: .atMost(60))
        }
        try manyShops(server, workspace, keys, seconds: seconds, one, report)
    }

    /// Two machines in one shop, four in two, and so on: shows what shops gain from common batches until the processors
    /// are fully used.
    private static func manyShops(
        _ server: PostgresServer, _ workspace: Workspace, _ keys: [SigningKey], seconds: Int,
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
        shop.awaitAllowList()
        var ignored: [TicketNumber] = []
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
        _ server: PostgresServer, _ workspace: Workspace, _ keys: [SigningKey], name: String,
        more: [String] = [], _ body: (BenchShop) throws -> Void
    ) throws {
        let shop = try BenchShop(
            workspace, name: name, database: try server.database(), more: state(workspace) + more)
        defer { shop.end() }
        try shop.addMachines(keys)
        try body(shop)
    }

    private static func load(
        _ shop: BenchShop, _ keys: [SigningKey], _ level: Int, seconds: Int, name: String,
        _ acknowledged: inout [TicketNumber]
    ) throws -> LoadGenerator.Result {
        Progress.say("postgresql, \(name): \(level) machines for \(seconds) s ...")
        let machines = try (0..<level).map {
            try MachineConnection(shop, name: "\(name)\(level)-\($0)", key: keys[$0])
        }
        return try LoadGenerator(machines: machines, backend: shop.process)
            .run(seconds: seconds, acknowledged: &acknowledged)
    }

    private static func printFigures(
        _ result: LoadGenerator.Result, of level: Int, batch: Double, _ serverCPU: Int64,
        _ peer: LoadGenerator.Result?, _ report: Report
    ) {
        LoadFigures(
            name: "postgresql", machines: level, result: result, batch: batch,
            bare: peer.map {
                LoadFigures.Bare(
                    what: "one transaction for each command", perSecond: $0.perSecond,
                    latencies: $0.latencies, cpu: $0.backendCPU, tickets: $0.tickets)
            },
            budgets: level == 32
                ? LoadFigures.Budgets(
                    perSecond: .atLeast(2 * (peer?.perSecond ?? 0)), slowest: .atMost(100),
                    batch: nil) : nil
        ).show(report)
        report.figure(
            "postgresql.server-cpu.\(level)",
            Double(serverCPU) / 1e6 / Double(max(1, result.tickets)),
            "ms", n: result.tickets)
    }

    /// Reports the cost of PostgreSQL's log; it includes a second that is not counted as load.
    private static func printFigures(
        _ made: PostgresServer.Flushes, since before: PostgresServer.Flushes,
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

    /// Tickets that differ from what was answered, numbers that were given twice, and gaps.
    private static func faults(
        _ database: String, _ server: PostgresServer, _ acknowledged: [TicketNumber]
    ) throws -> Double {
        let text = try server.answer(
            "SELECT coalesce(json_agg(r), '[]') FROM "
                + "(SELECT id, number FROM reservation WHERE number IS NOT NULL) AS r",
            in: database)
        let stored = try JSONDecoder().decode([TicketNumber].self, from: Data(text.utf8))
        return Double(stored.faults(acknowledged))
    }
}
