internal import Reservations

/// A request that waits for its batch.
struct WaitingCommand: Sendable {
    let request: AuthenticatedRequest
    let completion: @Sendable (RequestResult) -> Void
}

/// A machine's report that waits to be written.
struct WaitingReport: Sendable {
    let report: MachineReport
    let completion: @Sendable (Result<MachineReportResult?, StoreError>) -> Void
}

/// A task that a writer runs between two batches.
typealias WaitingTask = @Sendable (StoreWriter) -> Void

/// A shop's work for one writer: its commands, committed together, then reports of its machines, then tasks.
struct Batch: Sendable {
    /// The shop; nil for tasks that concern no shop's queue.
    let shop: ShopID?
    var commands: [WaitingCommand] = []
    var reports: [WaitingReport] = []
    var tasks: [WaitingTask] = []
    /// Whether its commands are not committed together with those of other shops again.
    var isAlone = false

    /// Whether it may be written in one transaction with the commands of other shops.
    var canShare: Bool { shop != nil && !isAlone && reports.isEmpty && tasks.isEmpty }
}

/// Commands, reports and tasks in order of arrival, in a queue for each shop; shops take turns, and each has one writer
/// at a time.
struct WaitingQueue: Sendable {
    /// The work of each shop that waits or is being done.
    private var lines: [ShopID?: Batch] = [:]
    /// The shops on whose batch a writer works.
    private var busy: Set<ShopID?> = []
    /// Shops with waiting work and no writer, the one whose turn it is first.
    private var turns: [ShopID?] = []
    private(set) var count = 0
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

    private mutating func append(to shop: ShopID?, _ change: (inout Batch) -> Void) {
        if lines[shop] == nil, !busy.contains(shop) { turns.append(shop) }
        change(&lines[shop, default: Batch(shop: shop)])
    }

    /// The oldest commands, all reports and tasks of the shop whose turn it is, with the commands of further shops that
    /// have nothing else; empty if there is none. These shops have no other turn until `finished` is called.
    mutating func takeBatches(atMost limit: Int) -> [Batch] {
        guard !turns.isEmpty, let first = take(turns.removeFirst(), atMost: limit) else {
            return []
        }
        var batches = [first]
        var left = limit - first.commands.count
        guard first.canShare else { return batches }
        let waiting = turns
        turns = []
        for shop in waiting {
            if left > 0, lines[shop]?.canShare == true, let next = take(shop, atMost: left) {
                batches.append(next)
                left -= next.commands.count
            } else {
                turns.append(shop)
            }
        }
        return batches
    }

    private mutating func take(_ shop: ShopID?, atMost limit: Int) -> Batch? {
        guard var batch = lines.removeValue(forKey: shop) else { return nil }
        if batch.commands.count > limit {
            let rest = Array(batch.commands[limit...])
            lines[shop] = Batch(shop: shop, commands: rest)
            batch.commands.removeLast(rest.count)
        }
        busy.insert(shop)
        count -= batch.commands.count
        reports -= batch.reports.count
        return batch
    }

    /// Puts commands that were not written before those that came meanwhile; they will be written without other shops.
    mutating func putBack(_ batch: Batch) {
        count += batch.commands.count
        var whole = lines[batch.shop] ?? Batch(shop: batch.shop)
        whole.commands = batch.commands + whole.commands
        whole.isAlone = true
        lines[batch.shop] = whole
    }

    /// Ends the batch of the shop; its next turn comes after those of the other shops.
    mutating func finished(_ shop: ShopID?) {
        busy.remove(shop)
        if lines[shop] != nil { turns.append(shop) }
    }
}
