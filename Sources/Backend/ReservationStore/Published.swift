internal import QueueEngine
internal import Reservations
internal import Synchronization

/// What readers on other threads may see: shops, keys and each shop's queue.
final class Published: Sendable {
    private struct Content {
        var shops: [Shop] = []
        var keys: [MachineKeyRecord] = []
        var sequence: Int64 = 0
        var queues: [ShopID: ShopQueue] = [:]
        var trouble: StoreError?
    }

    private let content = Mutex(Content())

    var shops: [Shop] { content.withLock { $0.shops } }
    var keys: [MachineKeyRecord] { content.withLock { $0.keys } }
    var sequence: Int64 { content.withLock { $0.sequence } }

    var trouble: StoreError? {
        get { content.withLock { $0.trouble } }
        set { content.withLock { $0.trouble = newValue } }
    }

    var queues: [ShopQueue] { content.withLock { Array($0.queues.values) } }

    func queue(of shop: ShopID) -> ShopQueue? { content.withLock { $0.queues[shop] } }

    func replace(
        shops: [Shop], keys: [MachineKeyRecord], sequence: Int64, queues: [ShopQueue]
    ) {
        content.withLock {
            $0.shops = shops
            $0.keys = keys
            $0.sequence = sequence
            $0.queues = Dictionary(queues.map { ($0.shop.id, $0) }) { first, _ in first }
        }
    }
}

/// One shop's queue in memory; written by the writer only, read by anyone.
final class ShopQueue: Sendable {
    private struct Content {
        var state: QueueState
        var openings: [OpenInterval] = []
    }

    let shop: Shop
    private let content: Mutex<Content>

    init(_ shop: Shop) {
        self.shop = shop
        content = Mutex(Content(state: QueueState(policy: shop.policy)))
    }

    var openings: [OpenInterval] {
        get { content.withLock { $0.openings } }
        set { content.withLock { $0.openings = newValue } }
    }

    func overview(at now: Moment) -> QueueOverview {
        content.withLock { $0.state.overview(at: now, openings: $0.openings) }
    }

    func replace(_ state: QueueState) { content.withLock { $0.state = state } }

    func apply(_ changes: [QueueChange]) { content.withLock { $0.state.apply(changes) } }

    /// Whether every day a command at this moment may touch is loaded.
    func read<Result>(
        _ body: (QueueState, [OpenInterval]) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try content.withLock { content throws(StoreError) in
            try body(content.state, content.openings)
        }
    }
}
