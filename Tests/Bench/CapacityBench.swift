import Cryptography
import TestSupport

/// The cost of a server without load, with 500 connections and with a million old reservations.
enum CapacityBench {
    private static let connections = 500
    private static let machines = 8
    private static let starts = 9
    private static let rounds = 5

    /// Both engines, their load and their limits: the figures of Kiosk/scale-and-measurements.md.
    static var all: [(Workspace, Report) throws -> Void] {
        [
            BackendBench.measureSQLite, { try run($0, server: nil, $1) },
            PostgresBench.run, { try run($0, server: try $0.postgres(), $1) },
        ]
    }

    private static func run(
        _ workspace: Workspace, server: PostgresServer?, _ report: Report
    ) throws {
        let name = server == nil ? "backend" : "postgresql"
        let old = try workspace.options.number("reservations", standard: 1_000_000)
        let keys = try (0..<machines).map { _ in try SigningKey.generate() }
        func shop(_ place: String) throws -> BenchShop {
            let shop = try BenchShop(workspace, name: place, server: server)
            try shop.addMachines(keys)
            return shop
        }
        let empty = try shop("empty")
        report.figure(
            "\(name).memory-at-rest", empty.process.presentMemory, "MiB", budget: .atMost(60))
        let full = try shop("full")
        Progress.say("\(name): \(old) reservations of two months ...")
        full.process.stopBlocking()
        let history = History(of: full)
        let before = try history.bytes()
        try history.make(old)
        report.figure(
            "\(name).bytes-per-old-reservation", (try history.bytes() - before) / Double(old),
            "bytes", n: old)
        try full.restart()
        full.awaitAllowList()
        try printLatencies(of: full, beside: empty, keys, name, report)
        try printStartTime(of: empty, keys[0], "\(name).start-to-ready", report)
        try printStartTime(of: full, keys[0], "\(name).start-to-ready-with-history", report)
        try printConnections(of: empty, keys, name, report)
        try StartBench.measureChain(workspace, server, report)
    }

    /// Measures in turns, so that other load of the computer meets both.
    private static func printLatencies(
        of full: BenchShop, beside empty: BenchShop, _ keys: [SigningKey], _ name: String,
        _ report: Report
    ) throws {
        var (with, without) = (BenchSamples(), BenchSamples())
        var count = 0
        for round in 0..<rounds {
            Progress.say("\(name): with and without history, \(round + 1) of \(rounds) ...")
            for shop in round.isMultiple(of: 2) ? [full, empty] : [empty, full] {
                let result = try LoadGenerator.run(shop, keys, name: "old\(round)", seconds: 2)
                count += result.tickets
                let middle = Int64(result.latencies.percentile(50))
                if shop === full { with.add(middle) } else { without.add(middle) }
            }
        }
        let floor = without.milliseconds(50)
        report.figure(
            "\(name).ticket-p50-with-history", with.milliseconds(50), "ms",
            floor: Floor("without", floor), budget: .atMost(1.2 * floor), n: count)
    }

    private static func printStartTime(
        of shop: BenchShop, _ key: SigningKey, _ name: String, _ report: Report
    ) throws {
        let starts = try StartBench.Starts(starts, shop, key)
        report.time(name, 50, of: starts.ready, budget: .atMost(1_000))
    }

    /// Each connection has sent one request and stays open; tickets are taken meanwhile.
    private static func printConnections(
        of shop: BenchShop, _ keys: [SigningKey], _ name: String, _ report: Report
    ) throws {
        var open: [LoopbackWire] = []
        defer { for wire in open { wire.end() } }
        let request = Array("GET /healthz HTTP/1.1\r\nhost: \(shop.authority)\r\n\r\n".utf8)
        for _ in 0..<connections {
            guard var wire = LoopbackWire.connected(to: shop.port), wire.send(request),
                wire.read() != nil
            else { throw BenchError.system("connection \(open.count + 1) of \(connections)") }
            open.append(wire)
        }
        _ = try LoadGenerator.run(shop, keys, name: "open", seconds: 2)
        report.figure(
            "\(name).memory-at-\(connections)-connections", shop.process.peakMemory, "MiB",
            budget: .atMost(120), n: open.count)
    }
}
