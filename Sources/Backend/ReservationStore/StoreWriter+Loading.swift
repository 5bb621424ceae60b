internal import QueueEngine
internal import Reservations

/// How long the openings are used without asking again: they change with the minute at most.
private let maxOpeningsAge = Duration.minutes(1)

/// Brings a writer's queues and shops up to date with the database.
extension StoreWriter {
    /// The state of the database that has this count of changes, on the connection by which it was read.
    func present(_ sequence: Int64) -> Published.Loaded {
        let made = database.connections
        defer { counted = made }
        return Published.Loaded(
            sequence: sequence, connections: published.connections(adding: made - counted))
    }

    /// Whether a queue may be used as it is; `sequence` counts its changes in the database.
    func isFresh(_ queue: ShopQueue, at now: Moment, sequence: Int64) -> Bool {
        let fresh = queue.freshness
        return !fresh.stale && fresh.loaded == present(sequence) && !asksOpenings(fresh, at: now)
            && isLoaded(fresh, from: days(queue, at: now)[0])
    }

    private func asksOpenings(_ fresh: ShopQueue.Freshness, at now: Moment) -> Bool {
        fresh.openingsAsked.map { now < $0 || $0 + maxOpeningsAge <= now } ?? true
    }

    private func isLoaded(_ fresh: ShopQueue.Freshness, from day: CalendarDay) -> Bool {
        fresh.first.map { $0 <= day } ?? false
    }

    /// The days whose customers may be in the queue, in order, at least one.
    func days(_ queue: ShopQueue, at now: Moment) -> [CalendarDay] {
        guard let opening = queue.openings.first(where: { now < $0.closes.moment }) else {
            return [LocalMoment(now, offsetMinutes: 0).day]
        }
        return Set([opening.begins.day, opening.opens.day]).sorted()
    }

    /// Brings a queue up to date for a decision at this moment: its openings, their day, and changes by other servers.
    /// Called in a transaction that sees the `sequence` it is given.
    func refresh(_ queue: ShopQueue, at now: Moment, sequence: Int64) throws(StoreError) {
        var fresh = queue.freshness
        let present = present(sequence)
        if asksOpenings(fresh, at: now) {
            queue.openings = context.openings(queue.shop, now)
            fresh.openingsAsked = now
        }
        let days = days(queue, at: now)
        let isWhole =
            !fresh.stale && fresh.loaded.connections == present.connections
            && isLoaded(fresh, from: days[0])
        if !isWhole || fresh.loaded != present {
            let known = queue.read(at: now) { state, _ in state }
            if isWhole,
                let followed = try database.queueState(
                    known, of: queue.shop.id, today: days[0], after: fresh.loaded.sequence,
                    upTo: sequence, at: now)
            {
                queue.replace(followed)
            } else {
                queue.replace(try database.queueStates(of: [(queue.shop, days)], at: now)[0])
                fresh.first = days[0]
            }
            fresh.loaded = present
            fresh.stale = false
        }
        queue.freshness = fresh
    }

    /// Loads shops and keys; a shop that is unchanged keeps its queue.
    func loadShops() throws(StoreError) {
        try published.loading.withLock { _ throws(StoreError) in
            try database.snapshot { () throws(StoreError) in try loadShopsInSnapshot() }
        }
    }

    private func loadShopsInSnapshot() throws(StoreError) {
        let loaded = present(try database.changeSequence())
        let sequences = try database.shopSequences()
        let shops = try database.shops()
        let keys = try database.machineKeys()
        let now = context.now()
        var new: [ShopQueue] = []
        let queues = shops.map { shop in
            let known = published.queue(of: shop.id)
            if let known, known.shop == shop { return known }
            let queue = ShopQueue(shop, local: context.local)
            queue.help = known?.help ?? ShopQueue.Help()
            new.append(queue)
            return queue
        }
        try load(new, at: now, sequences: sequences)
        try refreshHelp(of: queues, at: now, sequences: sequences)
        try refreshPickups(of: queues, sequences: sequences)
        let commands = try database.remoteCommands(of: shops.map(\.id))
        let open = zip(shops, commands).map { ($0.id, $1.filter { $0.done == nil }) }
        context.board.replace(commands: Dictionary(open) { first, _ in first })
        published.replace(shops: shops, keys: keys, loaded: loaded, queues: queues)
    }

    /// Loads queues of which nothing is known yet.
    private func load(
        _ queues: [ShopQueue], at now: Moment, sequences: [ShopID: ShopSequences]
    ) throws(StoreError) {
        let asked = queues.map { queue in
            queue.openings = context.openings(queue.shop, now)
            return (shop: queue.shop, days: days(queue, at: now))
        }
        let states = try database.queueStates(of: asked, at: now)
        for (place, queue) in queues.enumerated() {
            queue.replace(states[place])
            queue.freshness = ShopQueue.Freshness(
                stale: false, openingsAsked: now, first: asked[place].days[0],
                loaded: present(sequences[queue.shop.id]?.queue ?? 0))
        }
    }
}
