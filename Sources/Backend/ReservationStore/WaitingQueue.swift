internal import Reservations

/// A request that waits for its batch.
struct WaitingCommand: Sendable {
    let request: AuthenticatedRequest
    let completion: @Sendable (CommandResult) -> Void
}

/// A machine's report that waits to be written.
struct WaitingReport: Sendable {
    let report: MachineReport
    let completion: @Sendable (Result<MachineReportResult?, StoreError>) -> Void
}

/// What a writer does between two batches.
typealias WaitingTask = @Sendable (StoreWriter) -> Void

/// What one writer does at a time: commands of a shop that are committed together, then reports of its
/// machines, then its tasks.
struct Batch: Sendable {
    /// Nil for what is about no shop's queue.
    let shop: ShopID?
    var commands: [WaitingCommand] = []
    var reports: [WaitingReport] = []
    var tasks: [WaitingTask] = []
}

/// Commands, reports and tasks in order of arrival, a line for each shop; shops take turns, and each has one writer
/// at a time.
struct WaitingQueue: Sendable {
    private struct Line {
        var commands: [WaitingCommand] = []
        var reports: [WaitingReport] = []
        var tasks: [WaitingTask] = []
        /// Whether a writer is at its batch.
        var isBusy = false

        var isEmpty: Bool { commands.isEmpty && reports.isEmpty && tasks.isEmpty }
    }

    private var lines: [ShopID?: Line] = [:]
    /// Shops with a line and no writer, the one whose turn it is first.
    private var turns: [ShopID?] = []
    /// Commands that wait.
    private(set) var count = 0
    /// Reports that wait.
    private(set) var reports = 0

    var hasTurn: Bool { !turns.isEmpty }

    mutating func append(_ command: WaitingCommand) {
        append(to: command.request.shop) { $0.commands.append(command) }
        count += 1
    }

    mutating func append(_ report: WaitingReport) {
        append(to: report.report.shop) { $0.reports.append(report) }
        reports += 1
    }

    mutating func append(_ task: @escaping WaitingTask, of shop: ShopID?) {
        append(to: shop) { $0.tasks.append(task) }
    }

    private mutating func append(to shop: ShopID?, _ change: (inout Line) -> Void) {
        if let line = lines[shop], line.isBusy || !line.isEmpty {
            change(&lines[shop, default: Line()])
        } else {
            turns.append(shop)
            change(&lines[shop, default: Line()])
        }
    }

    /// The oldest commands, all reports and tasks of the shop whose turn it is; nil where there is none. The shop has
    /// no other turn until `finished` is told.
    mutating func takeBatch(atMost limit: Int) -> Batch? {
        guard !turns.isEmpty else { return nil }
        let shop = turns.removeFirst()
        guard var line = lines[shop] else { return nil }
        let batch = Batch(
            shop: shop, commands: Array(line.commands.prefix(limit)), reports: line.reports,
            tasks: line.tasks)
        line.commands.removeFirst(batch.commands.count)
        line.reports = []
        line.tasks = []
        line.isBusy = true
        lines[shop] = line
        count -= batch.commands.count
        reports -= batch.reports.count
        return batch
    }

    /// The batch of the shop is done; its next turn comes after those of the others.
    mutating func finished(_ shop: ShopID?) {
        guard let line = lines[shop] else { return }
        if line.isEmpty {
            lines[shop] = nil
        } else {
            lines[shop]?.isBusy = false
            turns.append(shop)
        }
    }
}
