import BackendAPI
import Cryptography
import Glibc
import TestSupport

/// The start of a server: from exec until it is ready, and the first answer to a machine.
enum StartBench {
    private static let standardStarts = 9
    /// The shops of a large chain.
    private static let shops = 2_000

    static func run(_ options: Options, _ report: Report) throws {
        switch options.text("database") {
        case nil, "sqlite": try measure(options, .sqlite, report)
        case "postgresql": try measure(options, .postgresql, report)
        default: throw BenchError.usage("--database is sqlite or postgresql")
        }
    }

    private static func measure(
        _ options: Options, _ engine: CapacityBench.Engine, _ report: Report
    ) throws {
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let server = try engine.server(in: workspace)
        defer { try? server?.stop("immediate") }
        try measureChain(workspace, server, options, report)
    }

    /// One shop first, then the whole chain: what the many shops add.
    static func measureChain(
        _ workspace: Workspace, _ server: PostgresServer?, _ options: Options, _ report: Report
    ) throws {
        let engine = server == nil ? "backend" : "postgresql"
        let starts = try options.number("starts", standard: standardStarts)
        let shop = try BenchShop(
            workspace, name: "chain", database: try server?.database(),
            more: server == nil ? [] : PostgresBench.state(workspace))
        defer { shop.end() }
        let key = try shop.addMachines(1)[0]
        Progress.say("\(engine): \(starts) starts with one shop, then with \(shops) ...")
        let one = try Start.median(of: starts, shop, key)
        shop.process.stopBlocking()
        try addShops(beside: shop, server)
        try shop.restart()
        let chain = try Start.median(of: starts, shop, key)
        func figure(_ name: String, _ value: KeyPath<Start, Double>, _ budget: Budget? = nil) {
            report.figure(
                "\(engine).\(name)-\(shops)-shops", chain[keyPath: value], "ms",
                floor: Floor("with one shop", one[keyPath: value]), budget: budget, n: starts)
        }
        figure("start-to-ready", \.ready, .atMost(1_000))
        figure("start-cpu", \.cpu, .atMost(450))
        figure("first-answer", \.answer, .atMost(50))
    }

    /// Adds shops like the bench's, each with two machines; no server works on the database.
    private static func addShops(beside shop: BenchShop, _ server: PostgresServer?) throws {
        let (numbers, hex, key) =
            server == nil
            ? (
                "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < \(shops - 1))",
                "printf('%x', n)", "randomblob(32)"
            )
            : (
                "WITH s AS (SELECT n FROM generate_series(1, \(shops - 1)) AS n)", "to_hex(n)",
                "decode(md5('a' || n || m) || md5('b' || n || m), 'hex')"
            )
        let id = "substr('0000000000000000', 1, 16 - length(\(hex))) || \(hex)"
        let tag = "'A' || upper(substr(\(id), 14))"
        let columns = """
            time_zone, week, languages, capacity, usual_stay_minutes, hold_seconds, created_ms
            """
        let texts = [
            """
            INSERT INTO shop (shop_id, tag, name, \(columns))
            \(numbers) SELECT \(id), \(tag), name || ' ' || n, \(columns) FROM shop, s
            """,
            "INSERT INTO change_sequence (shop_id, sequence) \(numbers) SELECT \(id), 1 FROM s",
            """
            INSERT INTO machine_key (shop_id, key_id, machine, public_key, role, created_ms)
            \(numbers) SELECT \(id), \(id) || m, 'machine-' || m, \(key), 'ticket-machine', 0
            FROM s, (SELECT 1 AS m UNION ALL SELECT 2) AS machines
            """,
        ]
        try History.run(texts, in: shop.database, of: server)
    }

    /// Milliseconds of one start, or the medians of several.
    struct Start {
        /// From exec until the line that says where it listens.
        var ready: Double
        /// CPU time of the process until then.
        var cpu: Double
        /// From then until a machine has the answer to its first request, made on a new connection.
        var answer: Double

        /// Starts the server again and again, at moments that are spread over a second: a server waits until the second
        /// is over in which it began.
        static func median(of count: Int, _ shop: BenchShop, _ key: SigningKey) throws -> Start {
            var (ready, cpu, answer) = (BenchSamples(), BenchSamples(), BenchSamples())
            for number in 0..<count {
                shop.process.stopBlocking()
                let phase = 1_000_000_000 * Int64(number) / Int64(count)
                let rest = (phase - Clock.real % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
                usleep(UInt32(rest / 1_000))
                let begin = Clock.monotonic
                try shop.restart()
                let listens = Clock.monotonic
                cpu.add(shop.process.cpuNanoseconds)
                let machine = try DeviceConnection("start", port: shop.port, key: key)
                guard try machine.call(API.queue).status == 200 else {
                    throw BenchError("the first request was refused")
                }
                answer.add(Clock.monotonic - listens)
                ready.add(listens - begin)
            }
            return Start(
                ready: ready.milliseconds(50), cpu: cpu.milliseconds(50),
                answer: answer.milliseconds(50))
        }
    }
}
