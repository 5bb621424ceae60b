internal import Reservations

/// A request that waits for its batch.
struct WaitingCommand: Sendable {
    let request: CommandRequest
    let completion: @Sendable (CommandResult) -> Void
}

/// A machine's report that waits to be written.
struct WaitingReport: Sendable {
    let report: MachineReport
    let completion: @Sendable (Result<MachineAnswer, StoreError>) -> Void
}

/// The commands of one shop that are committed together.
struct Batch: Sendable {
    let shop: ShopID
    let commands: [WaitingCommand]
}

/// Commands in order of arrival, a line for each shop; shops take turns.
struct WaitingLine: Sendable {
    private var lines: [ShopID: [WaitingCommand]] = [:]
    /// Shops with a line, the one whose turn it is first.
    private var turns: [ShopID] = []
    private(set) var count = 0

    mutating func append(_ command: WaitingCommand) {
        let shop = command.request.shop
        if lines[shop, default: []].isEmpty { turns.append(shop) }
        lines[shop, default: []].append(command)
        count += 1
    }

    /// The oldest commands of the shop whose turn it is; nil where nothing waits.
    mutating func takeBatch(atMost limit: Int) -> Batch? {
        guard let shop = turns.first else { return nil }
        turns.removeFirst()
        guard var line = lines.removeValue(forKey: shop) else { return nil }
        let taken = Array(line.prefix(limit))
        line.removeFirst(taken.count)
        if !line.isEmpty {
            lines[shop] = line
            turns.append(shop)
        }
        count -= taken.count
        return Batch(shop: shop, commands: taken)
    }
}
