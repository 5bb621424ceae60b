internal import QueueEngine
internal import Reservations
internal import Synchronization

/// The data that readers on other threads may see: shops, keys and each shop's queue.
@dynamicMemberLookup final class Published: Sendable {
    /// The state of the database from which something was loaded. What was loaded before the last connection was made
    /// may have been lost with the server that it was read from, and its sequence may have been used again.
    struct Loaded: Hashable {
        /// The number of its changes in the database; -1 before it was loaded.
        var sequence: Int64 = -1
        /// The number of connections that this server's writers had made before.
        var connections = 0
    }

    struct Content {
        fileprivate(set) var shops: [Shop] = []
        fileprivate(set) var keys: [MachineKeyRecord] = []
        /// Grows with every change of shops and keys.
        fileprivate(set) var version: Int64 = 0
        /// The state of the database from which shops and keys were loaded.
        fileprivate(set) var loaded = Loaded()
        fileprivate var connections = 0
        fileprivate var queues: [ShopID: ShopQueue] = [:]
        /// Why the last write to the database, or look at it, failed.
        var trouble: StoreError?
        var observer: (@Sendable (ShopID) -> Void)?
        /// Called after each change of a shop's calls for help.
        var helpObserver: (@Sendable (ShopID) -> Void)?
        /// Called after each change of a shop's orders whose customers are here.
        var pickupObserver: (@Sendable (ShopID) -> Void)?
        /// Starts the help program for a call, the given number of times so far; nil if there is none.
        var helpProgram: (@Sendable (Shop, HelpCall, Int) -> Void)?
        /// Called with the messages of servers to their open sockets besides the queue.
        var messages: (@Sendable (ShopID, String) -> Void)?
    }

    private let content = Mutex(Content())
    let meter = StoreMeter()
    /// Held while shops and keys are loaded, so that only one writer loads them at a time.
    let loading = Mutex<Void>(())

    /// Reads or replaces one part of the content, which other threads may change before and after.
    subscript<Part: Sendable>(dynamicMember part: WritableKeyPath<Content, Part>) -> Part {
        get { content.withLock { $0[keyPath: part] } }
        set { content.withLock { $0[keyPath: part] = newValue } }
    }

    subscript<Part: Sendable>(dynamicMember part: KeyPath<Content, Part>) -> Part {
        content.withLock { $0[keyPath: part] }
    }

    /// Adds `more` connections and returns how many this server's writers have made.
    func connections(adding more: Int) -> Int {
        content.withLock {
            $0.connections += more
            return $0.connections
        }
    }

    var queues: [ShopQueue] { content.withLock { Array($0.queues.values) } }

    func queue(of shop: ShopID) -> ShopQueue? { content.withLock { $0.queues[shop] } }

    func replace(shops: [Shop], keys: [MachineKeyRecord], loaded: Loaded, queues: [ShopQueue]) {
        content.withLock {
            if $0.shops != shops || $0.keys != keys { $0.version += 1 }
            $0.shops = shops
            $0.keys = keys
            $0.loaded = loaded
            $0.queues = Dictionary(queues.map { ($0.shop.id, $0) }) { first, _ in first }
        }
    }
}

/// One shop's queue in memory; changed only by the writer that has the shop's turn, read by any thread.
final class ShopQueue: Sendable {
    /// The parts of a queue that may be used without loading it again.
    struct Freshness {
        var stale = true
        /// When the openings were asked for; nil before the first time.
        var openingsAsked: Moment?
        /// The first day whose numbers are loaded.
        var first: CalendarDay?
        /// The state of the database when it was loaded, or last changed by this server.
        var loaded = Published.Loaded()
        /// When old rows were deleted; nil before the first time.
        var pruned: Moment?
        /// The number of commands since then.
        var unpruned = 0
        var nonces = NonceAges()
    }

    /// The shop's calls for help, and the state of the database from which they were loaded.
    struct Help {
        var desk = HelpDesk()
        var loaded = Published.Loaded()
    }

    /// The shop's orders whose customers are here, and the state of the database from which they were loaded.
    struct Pickups {
        var desk: PickupDesk
        var loaded = Published.Loaded()
    }

    private struct Content {
        var freshness = Freshness()
        var help = Help()
        var pickups: Pickups
        var state: QueueState
        var openings: [OpenInterval] = []
        var forecast: WaitForecast?
        /// Grows with every change.
        var revision: Int64 = 0
        /// The revision of the forecast, and whether one is being computed.
        var forecasted: Int64 = -1
        var isForecasting = false
    }

    /// An older forecast is not used: the queue's clock may have been moved.
    private static let maxForecastAge = Duration.seconds(60)
    /// The highest age of the forecast of a queue that does not change.
    private static let maxIdleForecastAge = Duration.seconds(5)

    let shop: Shop
    private let localTime: @Sendable (Moment, Shop) -> LocalMoment
    private let content: Mutex<Content>

    /// - Parameter local: Returns a moment as a shop's clock shows it.
    init(_ shop: Shop, local: @escaping @Sendable (Moment, Shop) -> LocalMoment) {
        self.shop = shop
        localTime = local
        content = Mutex(
            Content(
                pickups: Pickups(desk: PickupDesk([], policy: shop.policy.orders)),
                state: QueueState(policy: shop.policy)))
    }

    var openings: [OpenInterval] {
        get { content.withLock { $0.openings } }
        set { content.withLock { $0.openings = newValue } }
    }

    var help: Help {
        get { content.withLock { $0.help } }
        set { content.withLock { $0.help = newValue } }
    }

    var pickups: Pickups {
        get { content.withLock { $0.pickups } }
        set { content.withLock { $0.pickups = newValue } }
    }

    var freshness: Freshness {
        get { content.withLock { $0.freshness } }
        set { content.withLock { $0.freshness = newValue } }
    }

    /// The state in memory and the ages of nonces are read from the database again before the next use.
    func becomeStale() {
        content.withLock {
            $0.freshness.stale = true
            $0.freshness.nonces = NonceAges()
        }
    }

    var revision: Int64 { content.withLock { $0.revision } }

    func replace(_ state: QueueState) {
        content.withLock {
            $0.state = state
            $0.revision += 1
        }
    }

    func perform(
        _ command: QueueCommand, by sender: HoldOwner?, at now: Moment,
        _ records: some QueueRecords<StoreError>
    ) throws(StoreError) -> Decision {
        try content.withLock { content throws(StoreError) in
            let context = context(content, at: now)
            let decision = try content.state.perform(
                command, by: sender, in: context, records)
            if !decision.changes.isEmpty { content.revision += 1 }
            // The last free place is taken: until the next forecast is ready, no customer may be quoted "at once".
            if content.state.freePlaces <= 0, content.forecast?.hadPlace == true {
                let openings = content.state.effective(content.openings)
                content.forecast = openings.first { $0.contains(now) }.map {
                    WaitForecast(content.state, at: now, in: $0)
                }
            }
            return decision
        }
    }

    func read<Result>(at now: Moment, _ body: (QueueState, QueueContext) -> Result) -> Result {
        content.withLock { body($0.state, context($0, at: now)) }
    }

    /// Whether the forecast is of an older queue, or older than `maxIdleForecastAge`; then this caller, and no other
    /// until it has done so, must call `forecast`.
    func startForecast(at now: Moment) -> Bool {
        content.withLock { content in
            guard !content.isForecasting else { return false }
            let age = content.forecast.map { now - $0.made }
            let isOld = age.map { $0 < .zero || $0 > Self.maxIdleForecastAge } ?? true
            guard content.forecasted != content.revision || isOld else { return false }
            content.isForecasting = true
            return true
        }
    }

    /// Computes the forecast again, outside the lock (rules: forecasts).
    func forecast(at now: Moment) {
        let (state, openings, revision) = content.withLock { ($0.state, $0.openings, $0.revision) }
        let opening = state.effective(openings).first { $0.contains(now) }
        let forecast = opening.map { WaitForecast(state, at: now, in: $0) }
        content.withLock {
            $0.forecast = forecast
            $0.forecasted = revision
            $0.isForecasting = false
        }
    }

    private func context(_ content: Content, at now: Moment) -> QueueContext {
        let forecast = content.forecast.flatMap {
            $0.made <= now && now - $0.made < Self.maxForecastAge ? $0 : nil
        }
        return QueueContext(
            shop: shop, now: now, openings: content.openings, forecast: forecast,
            local: { [shop, localTime] in localTime($0, shop) })
    }

    func local(_ moment: Moment) -> LocalMoment { localTime(moment, shop) }
}
