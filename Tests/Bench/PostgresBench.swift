import Cryptography
import TestSupport

/// Tickets over the real HTTP API of the real backend on a private PostgreSQL server, compared with the same service
/// with one transaction for each command.
enum PostgresBench {
    private static let levels = [1, 8, 32]
    private static let shops = 16

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let seconds = try workspace.options.number("seconds", standard: 10)
        let server = try workspace.postgres()
        let keys = try (0..<(levels.max() ?? 1)).map { _ in try SigningKey.generate() }

        var bare: [Int: LoadGenerator.Result] = [:]
        let unbatched = try BenchShop(
            workspace, name: "bare", server: server, more: ["--batch", "1"])
        try unbatched.addMachines(keys)
        for level in levels {
            bare[level] = try load(unbatched, keys, level, seconds: min(seconds, 5), name: "bare")
        }
        unbatched.end()
        let shop = try BenchShop(workspace, name: "batched", server: server)
        try shop.addMachines(keys)
        var acknowledged: [TicketNumber] = []
        var one: LoadGenerator.Result?
        for level in levels {
            let (cpu, flushes) = (server.cpu, try server.flushes(in: shop.database))
            let result = try load(shop, keys, level, seconds: seconds, name: "load")
            acknowledged += result.acknowledged
            let serverCPU = server.cpu - cpu
            let made = try server.flushes(in: shop.database)
            printFigures(made, since: flushes, result, level, report)
            printFigures(
                result, of: level, batch: try shop.meanBatch(result), serverCPU, bare[level],
                report)
            one = result
        }
        try shop.reportFaults(acknowledged, of: "postgresql", report)
        try manyShops(server, workspace, keys, seconds: seconds, one, report)
    }

    /// Two machines in one shop, four in two, and so on: shows what shops gain from common batches until the processors
    /// are fully used.
    private static func manyShops(
        _ server: PostgresServer, _ workspace: Workspace, _ keys: [SigningKey], seconds: Int,
        _ one: LoadGenerator.Result?, _ report: Report
    ) throws {
        let shop = try BenchShop(workspace, name: "shops", server: server)
        let others = try (1..<shops).map { try shop.addShop(tag: "S\(100 + $0)") }
        for (index, key) in keys.enumerated() {
            let place = index / 2
            try shop.add("machine-\(index)", key, of: place == 0 ? nil : others[place - 1])
        }
        shop.awaitAllowList()
        var single: LoadGenerator.Result?
        for count in [1, 2, 4, shops] {
            let level = 2 * count
            let result = try load(shop, keys, level, seconds: seconds, name: "shops")
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
                report.time(
                    "postgresql.ticket-p99.\(name)", 99, of: result.latencies,
                    budget: .atMost(100))
            }
            if single == nil { single = result }
        }
    }

    private static func load(
        _ shop: BenchShop, _ keys: [SigningKey], _ level: Int, seconds: Int, name: String
    ) throws -> LoadGenerator.Result {
        Progress.say("postgresql, \(name): \(level) machines for \(seconds) s ...")
        return try LoadGenerator.run(
            shop, keys.prefix(level), name: "\(name)\(level)", seconds: seconds)
    }

    private static func printFigures(
        _ result: LoadGenerator.Result, of level: Int, batch: Double, _ serverCPU: Int64,
        _ peer: LoadGenerator.Result?, _ report: Report
    ) {
        LoadFigures(
            name: "postgresql", machines: level, result: result, batch: batch,
            bare: peer.map { ("one transaction for each command", $0) },
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
        let tickets = Double(max(1, result.acknowledged.count))
        let flushes = max(1, made.count - before.count)
        report.figure(
            "postgresql.commands-per-fsync.\(level)", 2 * tickets / flushes, "commands",
            budget: level == 32 ? .atLeast(6) : nil, n: Int(flushes))
        report.figure(
            "postgresql.log-per-ticket.\(level)", (made.bytes - before.bytes) / tickets / 1_024,
            "KiB", n: result.acknowledged.count)
    }
}
