import Cryptography

/// Tickets over the real HTTP API of the real backend, compared with SQLite alone.
enum BackendBench {
    private static let levels = [1, 8, 32]
    /// Machines that ask for the queue, or report their status.
    private static let pollingMachines = 8

    static func run(_ workspace: Workspace, _ report: Report) throws {
        switch try workspace.options.engine() {
        case .sqlite: try measureSQLite(workspace, report)
        case .postgresql: try PostgresBench.run(workspace, report)
        }
    }

    static func measureSQLite(_ workspace: Workspace, _ report: Report) throws {
        let options = workspace.options
        let seconds = try options.number("seconds", standard: 10)
        report.times("disk.fdatasync", of: try workspace.fdatasync(files: 1, times: 500))
        let shop = try BenchShop(workspace, name: "backend")
        let idle = shop.process.peakMemory
        let levels =
            options.has("machines") ? [try options.number("machines", standard: 1)] : levels
        let keys = try shop.addMachines(max(pollingMachines, levels.max() ?? 1))

        var acknowledged: [TicketNumber] = []
        for level in levels {
            Progress.say("backend: \(level) machines for \(seconds) s ...")
            let result = try LoadGenerator.run(
                shop, keys.prefix(level), name: "load\(level)", seconds: seconds)
            acknowledged += result.acknowledged
            // The two are measured together, since the other load of the computer changes from minute to minute.
            let batch = level == 1 ? 1 : try shop.meanBatch(result)
            var floor = try StoreFloor(
                path: "\(workspace.directory)/floor-\(level).sqlite", schemaOf: shop.database,
                holdBytes: result.holdBytes, confirmationBytes: result.confirmationBytes)
            let bare = try floor.run(
                batch: max(1, Int(batch.rounded())),
                nanoseconds: Int64(min(seconds, 5)) * 1_000_000_000)
            printFigures(result, of: level, batch: batch, bare, report)
        }
        try printPolls(of: shop, keys, seconds: seconds, report)
        try shop.reportFaults(acknowledged, of: "backend", idle: idle, report)
    }

    private static func printFigures(
        _ result: LoadGenerator.Result, of level: Int, batch: Double, _ bare: LoadGenerator.Result,
        _ report: Report
    ) {
        let isFull = level == 32
        LoadFigures(
            name: "backend", machines: level, result: result, batch: batch,
            bare: ("SQLite alone, batches of \(max(1, Int(batch.rounded())))", bare),
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
            let result = try LoadGenerator.run(
                shop, keys.prefix(pollingMachines), name: name, work, seconds: min(seconds, 5))
            report.figure(
                "backend.cpu-per-\(name)", result.backendCPUEach, "ms",
                floor: Floor("libsodium's verify and sign alone", bare), n: result.tickets)
        }
    }
}
