import Cryptography
import Glibc
import SQLite

/// Tickets over the real HTTP API of the real backend, compared with SQLite alone.
enum BackendBench {
    private static let levels = [1, 8, 32]
    /// Machines that ask for the queue, or report their status.
    private static let pollingMachines = 8

    static func run(_ options: Options, _ report: Report) throws {
        switch options.text("database") {
        case nil, "sqlite": break
        case "postgresql": return try PostgresBench.run(options, report)
        default: throw BenchError.usage("--database is sqlite or postgresql")
        }
        try measureSQLite(options, report)
    }

    static func measureSQLite(_ options: Options, _ report: Report) throws {
        let seconds = try options.number("seconds", standard: 10)
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        var sync = try workspace.fdatasync(files: 1, times: 500)
        report.figure("disk.fdatasync-p50", sync.milliseconds(50), "ms", n: sync.count)
        report.figure("disk.fdatasync-p99", sync.milliseconds(99), "ms", n: sync.count)

        let shop = try BenchShop(workspace, name: "backend")
        defer { shop.end() }
        let idle = shop.process.peakMemory
        let levels =
            options.has("machines") ? [try options.number("machines", standard: 1)] : levels
        let keys = try shop.addMachines(max(pollingMachines, levels.max() ?? 1))

        var acknowledged: [TicketNumber] = []
        for level in levels {
            Progress.say("backend: \(level) machines for \(seconds) s ...")
            let machines = try (0..<level).map {
                try MachineConnection(shop, name: "load\(level)-\($0)", key: keys[$0])
            }
            let load = LoadGenerator(machines: machines, backend: shop.process)
            let result = try load.run(seconds: seconds, acknowledged: &acknowledged)
            // The two are measured together, since the other load of the computer changes from minute to minute.
            let batch =
                level == 1
                ? 1 : try meanBatch(in: shop.database, from: result.from, to: result.to)
            var floor = try StoreFloor(
                path: "\(workspace.directory)/floor-\(level).sqlite", schemaOf: shop.database,
                holdBytes: machines[0].holdBytes,
                confirmationBytes: machines[0].confirmationBytes)
            let bare = try floor.run(
                batch: max(1, Int(batch.rounded())),
                nanoseconds: Int64(min(seconds, 5)) * 1_000_000_000)
            printFigures(result, of: level, batch: batch, bare, report)
        }
        try printPolls(of: shop, keys, seconds: seconds, report)
        let memory = shop.process.peakMemory
        // The server is killed, not asked to stop: what it acknowledged must be stored in any case.
        shop.process.stopBlocking(SIGKILL)
        let faults = try faults(in: shop.database, acknowledged)
        report.figure(
            "backend.faults", Double(faults), "tickets", budget: .atMost(0),
            n: acknowledged.count)
        report.figure(
            "backend.memory", memory, "MiB", floor: Floor("the same before its first call", idle),
            budget: .atMost(60))
    }

    private static func printFigures(
        _ result: LoadGenerator.Result, of level: Int, batch: Double, _ bare: StoreFloor.Result,
        _ report: Report
    ) {
        let isFull = level == 32
        LoadFigures(
            name: "backend", machines: level, result: result, batch: batch,
            bare: LoadFigures.Bare(
                what: "SQLite alone, batches of \(max(1, Int(batch.rounded())))",
                perSecond: bare.perSecond, latencies: bare.latencies, cpu: bare.cpu,
                tickets: bare.tickets),
            budgets: isFull
                ? LoadFigures.Budgets(
                    perSecond: .atLeast(2_500), slowest: .atMost(50), batch: .atLeast(6)) : nil
        ).show(report)
        report.figure(
            "backend.switches-per-ticket.\(level)",
            Double(result.backendSwitches) / Double(result.tickets), "switches",
            n: result.tickets)
        report.figure(
            "backend.generator-cpu.\(level)",
            Double(result.generatorCPU) / 1e6 / Double(result.tickets),
            "ms", n: result.tickets)
    }

    /// The calls that a machine makes every few seconds all day.
    private static func printPolls(
        of shop: BenchShop, _ keys: [SigningKey], seconds: Int, _ report: Report
    ) throws {
        let bare = try SecurityBench.bareSignVerify()
        for (name, work) in [("queue", MachineWork.queue), ("status", .status)] {
            Progress.say("backend: \(pollingMachines) machines and the \(name) ...")
            let machines = try keys.prefix(pollingMachines).enumerated().map {
                try MachineConnection(shop, name: "\(name)-\($0.offset)", key: $0.element)
            }
            var ignored: [TicketNumber] = []
            let result = try LoadGenerator(machines: machines, backend: shop.process, work: work)
                .run(seconds: min(seconds, 5), acknowledged: &ignored)
            report.figure(
                "backend.cpu-per-\(name)", Double(result.backendCPU) / 1e6 / Double(result.tickets),
                "ms", floor: Floor("libsodium's verify and sign alone", bare),
                n: result.tickets)
        }
    }

    /// The commands of one batch have one time; batches that end within the same millisecond look like one.
    private static func meanBatch(
        in database: String, from: Int64, to: Int64
    ) throws -> Double {
        let connection = try Connection(path: database, opening: .existing)
        return try connection.rows(
            """
            SELECT count(*), count(DISTINCT created_ms) FROM idempotency
            WHERE created_ms BETWEEN $from AND $to
            """, ["$from": .integer(from), "$to": .integer(to)]
        ) { Double($0.integer(0)) / Double(max(1, $0.integer(1))) }.first ?? 1
    }

    /// Tickets that differ from what was answered, numbers that were given twice, and gaps.
    private static func faults(
        in database: String, _ acknowledged: [TicketNumber]
    ) throws -> Int {
        let connection = try Connection(path: database, opening: .existing)
        let stored = try connection.rows(
            "SELECT id, number FROM reservation WHERE number IS NOT NULL"
        ) { TicketNumber(id: $0.text(0), number: Int($0.integer(1))) }
        let counter = try connection.rows("SELECT last_number FROM day_counter") {
            Int($0.integer(0))
        }
        return stored.faults(acknowledged) + (counter == [stored.count] ? 0 : 1)
    }
}
