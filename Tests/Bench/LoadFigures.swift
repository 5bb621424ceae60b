/// The result for one number of machines, with the figures that it is compared with.
struct LoadFigures {
    /// The result of the same load without the component that is measured.
    struct Bare {
        let what: String
        let perSecond: Double
        var latencies: BenchSamples
        /// Nanoseconds for all tickets.
        let cpu: Int64
        let tickets: Int
    }

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
    let bare: Bare?
    let budgets: Budgets?

    func show(_ report: Report) {
        var latencies = result.latencies
        var bareLatencies = bare?.latencies ?? BenchSamples()
        let count = result.tickets
        func floor(_ value: Double?) -> Floor? {
            guard let bare, let value else { return nil }
            return Floor(bare.what, value)
        }
        report.figure(
            "\(name).tickets-per-second.\(machines)", result.perSecond, "tickets/s",
            floor: floor(bare?.perSecond), budget: budgets?.perSecond, n: count)
        for percent in [50.0, 99.0] {
            report.figure(
                "\(name).ticket-p\(Int(percent)).\(machines)", latencies.milliseconds(percent),
                "ms", floor: floor(bareLatencies.milliseconds(percent)),
                budget: percent == 99 ? budgets?.slowest : nil, n: count)
        }
        report.figure(
            "\(name).cpu-per-ticket.\(machines)",
            Double(result.backendCPU) / 1e6 / Double(max(1, count)), "ms",
            floor: floor(bare.map { Double($0.cpu) / 1e6 / Double(max(1, $0.tickets)) }),
            budget: budgets == nil ? nil : .atMost(0.5), n: count)
        report.figure("\(name).batch.\(machines)", batch, "commands", budget: budgets?.batch)
        report.figure("\(name).processors-busy.\(machines)", result.busy, "%")
    }
}

/// A ticket's identifier and number.
struct TicketNumber: Decodable {
    let id: String
    let number: Int
}

extension [TicketNumber] {
    /// Counts the acknowledged tickets that are missing or changed here, the numbers that were given twice, and the
    /// gaps.
    func faults(_ acknowledged: [TicketNumber]) -> Int {
        let numbers = Dictionary(map { ($0.id, $0.number) }) { first, _ in first }
        var faults = acknowledged.count { numbers[$0.id] != $0.number }
        faults += count - Set(map(\.number)).count
        faults += abs((map(\.number).max() ?? 0) - count)
        faults += acknowledged.count - Set(acknowledged.map(\.number)).count
        return faults
    }
}
