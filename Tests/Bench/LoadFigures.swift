import Glibc

/// The result for one number of machines, with the figures that it is compared with.
struct LoadFigures {
    /// The budgets at the full number of machines.
    struct Budgets {
        let perSecond: Budget
        /// The time of the 99th of a hundred tickets, in milliseconds.
        let slowest: Budget
        let batch: Budget?
    }

    /// The prefix of the figures' names.
    let name: String
    let machines: Int
    let result: LoadGenerator.Result
    /// The mean number of commands in a commit.
    let batch: Double
    /// The result of the same load without the component that is measured.
    let bare: (what: String, result: LoadGenerator.Result)?
    let budgets: Budgets?

    func show(_ report: Report) {
        let count = result.tickets
        func floor(_ value: (LoadGenerator.Result) -> Double) -> Floor? {
            bare.map { Floor($0.what, value($0.result)) }
        }
        report.figure(
            "\(name).tickets-per-second.\(machines)", result.perSecond, "tickets/s",
            floor: floor(\.perSecond), budget: budgets?.perSecond, n: count)
        report.times(
            "\(name).ticket", of: result.latencies, suffix: ".\(machines)",
            floor: bare.map { ($0.what, $0.result.latencies) }, budget: budgets?.slowest)
        report.figure(
            "\(name).cpu-per-ticket.\(machines)", result.backendCPUEach, "ms",
            floor: floor(\.backendCPUEach),
            budget: budgets == nil ? nil : .atMost(0.5), n: count)
        report.figure("\(name).batch.\(machines)", batch, "commands", budget: budgets?.batch)
        report.figure("\(name).processors-busy.\(machines)", result.busy, "%")
    }
}

/// A ticket's identifier and number.
struct TicketNumber {
    let id: String
    let number: Int
}

extension BenchShop {
    /// The mean number of commands in a commit between two moments: the commands of one batch have one time; batches that
    /// end within the same millisecond look like one.
    func meanBatch(_ load: LoadGenerator.Result) throws -> Double {
        let counts =
            try rows(
                """
                SELECT count(*) || ' ' || count(DISTINCT created_ms) FROM idempotency
                WHERE created_ms BETWEEN \(load.from) AND \(load.to)
                """
            ).first?.split(separator: " ").compactMap { Double($0) } ?? []
        return counts.count == 2 ? counts[0] / max(1, counts[1]) : 1
    }

    /// Kills the server, since what it acknowledged must be stored in any case; reports the tickets that are missing or
    /// differ from what was answered, the numbers that were given twice and the gaps, and the memory of the server until
    /// then.
    func reportFaults(
        _ acknowledged: [TicketNumber], of name: String, idle: Double? = nil, _ report: Report
    ) throws {
        let memory = process.peakMemory
        process.stopBlocking(SIGKILL)
        let stored = try rows(
            "SELECT id || ' ' || number FROM reservation WHERE number IS NOT NULL"
        )
        .map { $0.split(separator: " ") }
        let numbers = stored.compactMap { Int($0[1]) }
        let byID = Dictionary(zip(stored.map { String($0[0]) }, numbers)) { first, _ in first }
        var faults = acknowledged.count { byID[$0.id] != $0.number }
        faults += stored.count - Set(numbers).count
        faults += abs((numbers.max() ?? 0) - stored.count)
        faults += acknowledged.count - Set(acknowledged.map(\.number)).count
        if try rows("SELECT last_number FROM day_counter") != ["\(stored.count)"] { faults += 1 }
        report.figure(
            "\(name).faults", Double(faults), "tickets", budget: .atMost(0),
            n: acknowledged.count)
        report.figure(
            "\(name).memory", memory, "MiB",
            floor: idle.map { Floor("the same before its first call", $0) }, budget: .atMost(60))
    }
}
