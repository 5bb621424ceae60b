import BackendAPI
import Cryptography
import Glibc
import TestSupport

/// The start of a server: from exec until it is ready, and the first answer to a machine.
enum StartBench {
    private static let standardStarts = 9
    /// The shops of a large chain.
    private static let shops = 2_000

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let isFile = try workspace.options.engine() == .sqlite
        try measureChain(workspace, isFile ? nil : workspace.postgres(), report)
    }

    /// One shop first, then the whole chain: what the many shops add.
    static func measureChain(
        _ workspace: Workspace, _ server: PostgresServer?, _ report: Report
    ) throws {
        let engine = server == nil ? "backend" : "postgresql"
        let starts = try workspace.options.number("starts", standard: standardStarts)
        let shop = try BenchShop(workspace, name: "chain", server: server)
        let key = try shop.addMachines(1)[0]
        Progress.say("\(engine): \(starts) starts with one shop, then with \(shops) ...")
        let one = try Starts(starts, shop, key)
        shop.process.stopBlocking()
        try addShops(beside: shop)
        try shop.restart()
        let chain = try Starts(starts, shop, key)
        for (name, part, budget) in [
            ("start-to-ready", \Starts.ready, 1_000.0), ("start-cpu", \.cpu, 450),
            ("first-answer", \.answer, 50),
        ] {
            report.time(
                "\(engine).\(name)-\(shops)-shops", 50, of: chain[keyPath: part],
                floor: ("with one shop", one[keyPath: part]), budget: .atMost(budget))
        }
    }

    /// Adds shops like the bench's, each with two machines; no server works on the database.
    private static func addShops(beside shop: BenchShop) throws {
        let (numbers, hex, key) =
            !BenchDatabase.isPostgres(shop.database)
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
        try BenchDatabase.run(texts, in: shop.database)
    }

    /// Several starts of a server.
    struct Starts {
        /// From exec until the line that says where it listens.
        private(set) var ready = BenchSamples()
        /// CPU time of the process until then.
        private(set) var cpu = BenchSamples()
        /// From then until a machine has the answer to its first request, made on a new connection.
        private(set) var answer = BenchSamples()

        /// Starts the server again and again, at moments that are spread over a second: a server waits until the second
        /// is over in which it began.
        init(_ count: Int, _ shop: BenchShop, _ key: SigningKey) throws {
            for number in 0..<count {
                shop.process.stopBlocking()
                let phase = 1_000_000_000 * Int64(number) / Int64(count)
                let rest = (phase - Clock.real % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
                usleep(UInt32(rest / 1_000))
                try ready.time { try shop.restart() }
                try answer.time {
                    cpu.add(shop.process.cpuNanoseconds)
                    let machine = try DeviceConnection("start", port: shop.port, key: key)
                    guard try machine.call(API.queue).status == 200 else {
                        throw BenchError("the first request was refused")
                    }
                }
            }
        }
    }
}
