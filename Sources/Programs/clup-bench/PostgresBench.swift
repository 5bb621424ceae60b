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
                let cpu = server.cpu
                let result = try load(
                    shop, keys, level, seconds: seconds, name: "load", &acknowledged)
                let serverCPU = server.cpu - cpu
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

    private static func manyShops(
        _ server: PrivateServer, _ workspace: Workspace, _ keys: [SigningKey], seconds: Int,
        _ one: LoadGenerator.Result?, _ report: Report
    ) throws {
        let shop = try BenchShop(
            workspace, name: "shops", database: try server.database(), more: state(workspace))
        defer { shop.end() }
        let others = try (1..<shops).map { try shop.addShop(tag: "S\(100 + $0)") }
        for (index, key) in keys.enumerated() {
            let place = index % shops
            try shop.add(
                machine: "machine-\(index)", key: key.publicKey.text,
                of: place == 0 ? nil : others[place - 1])
        }
        usleep(1_500_000)
        var ignored: [AcknowledgedTicket] = []
        let result = try load(shop, keys, keys.count, seconds: seconds, name: "shops", &ignored)
        report.figure(
            "postgresql.tickets-per-second.\(keys.count)-of-\(shops)-shops", result.perSecond,
            "tickets/s", floor: one.map { Floor("one shop", $0.perSecond) }, n: result.tickets)
    }

    private static func state(_ workspace: Workspace) -> [String] {
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
        report.figure(
            "postgresql.server-cpu.\(level)", Double(serverCPU) / 1e6 / Double(max(1, count)),
            "ms", n: count)
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

/// `Kiosk/demo-postgresql` of this bench, gone with it.
private final class PrivateServer {
    private let script: String
    private let folder: String
    private var made = 0

    init(_ workspace: Workspace) throws {
        guard let script = workspace.source("Kiosk/demo-postgresql") else {
            throw BenchError("Kiosk/demo-postgresql is not above this program")
        }
        self.script = script
        folder = "\(workspace.directory)/postgresql"
        _ = try ChildProcess.output(script, ["start", folder, "\(getpid())"])
    }

    func stop() { _ = try? ChildProcess.output(script, ["stop", folder, "immediate"]) }

    /// The address of a new, empty database.
    func database() throws -> String {
        made += 1
        let text = try ChildProcess.output(script, ["database", folder, "bench\(made)"])
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    func answer(_ query: String, in database: String) throws -> String {
        try ChildProcess.output("psql", ["-XAtd", database, "-c", query])
    }

    func number(_ query: String, in database: String) throws -> Double {
        Double(try answer(query, in: database).split(separator: "\n").first ?? "") ?? 0
    }

    /// CPU time of the server's processes so far, those that have ended too, in nanoseconds (proc(5), stat).
    var cpu: Int64 {
        guard
            let file = FileManager.default.contents(atPath: "\(folder)/data/postmaster.pid"),
            let first = String(decoding: file, as: UTF8.self).split(separator: "\n").first,
            let main = Int(first)
        else { return 0 }
        var ticks: Int64 = 0
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int(name),
                let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat")
            else { continue }
            // Behind the name in parentheses: state, parent, ...; 11 and 12 are its own time, 13 and 14 that of
            // children it has waited for.
            let fields = (String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? "")
                .split(separator: " ")
            guard fields.count > 14, process == main || Int(fields[1]) == main else { continue }
            for place in process == main ? 11...14 : 11...12 { ticks += Int64(fields[place]) ?? 0 }
        }
        return ticks * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    }
}
