internal import QueueEngine
internal import Reservations

/// How long the openings are taken as they are: they change with the minute at most.
private let maxOpeningsAge = Duration.minutes(1)

/// What a writer knows of queues and shops is brought to what the database holds.
extension StoreWriter {
    /// The state of the database that has this count of changes; on the connection that it was read by.
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
            && fresh.first.map { $0 <= today(queue, at: now) } ?? false
    }

    private func asksOpenings(_ fresh: ShopQueue.Freshness, at now: Moment) -> Bool {
        fresh.openingsAsked.map { now < $0 || $0 + maxOpeningsAge <= now } ?? true
    }

    private func today(_ queue: ShopQueue, at now: Moment) -> CalendarDay {
        queue.openings.first?.opens.day ?? LocalMoment(now, offsetMinutes: 0).day
    }

    /// Makes what is known fit to decide at this moment: openings asked for, their day loaded, changes by
    /// others too. In a transaction that sees the `sequence` it is given.
    func refresh(_ queue: ShopQueue, at now: Moment, sequence: Int64) throws(StoreError) {
        var fresh = queue.freshness
        let present = present(sequence)
        if asksOpenings(fresh, at: now) {
            queue.openings = openings(queue.shop, now)
            fresh.openingsAsked = now
        }
        let today = today(queue, at: now)
        let isWhole =
            !fresh.stale && fresh.loaded.connections == present.connections
            && fresh.first.map { $0 <= today } ?? false
        if !isWhole || fresh.loaded != present {
            let known = queue.read(at: now) { state, _ in state }
            if isWhole,
                let followed = try QueueRows.state(
                    known, of: queue.shop.id, today: today, after: fresh.loaded.sequence,
                    upTo: sequence, at: now, in: database)
            {
                queue.replace(followed)
            } else {
                queue.replace(
                    try QueueRows.state(of: queue.shop, today: today, at: now, in: database))
                fresh.first = today
            }
            fresh.loaded = present
            fresh.stale = false
        }
        queue.freshness = fresh
    }

    /// Loads shops and keys; a shop that is as it was keeps its queue.
    func loadShops() throws(StoreError) {
        try published.loading.withLock { _ throws(StoreError) in
            // The sequence first: a change in between is then seen with the next look.
            let loaded = present(try ShopRows.sequence(database))
            let shops = try ShopRows.shops(database)
            let keys = try ShopRows.machineKeys(database)
            var queues: [ShopQueue] = []
            for shop in shops {
                if let known = published.queue(of: shop.id), known.shop == shop {
                    queues.append(known)
                } else {
                    let queue = ShopQueue(shop, local: local)
                    try database.snapshot { () throws(StoreError) in
                        try refresh(
                            queue, at: now(),
                            sequence: ShopRows.queueSequence(of: shop.id, in: database))
                    }
                    queues.append(queue)
                }
            }
            var commands: [ShopID: [RemoteCommandRecord]] = [:]
            for shop in shops {
                commands[shop.id] = try MachineRows.commands(of: shop.id, in: database).filter {
                    $0.done == nil
                }
            }
            board.replace(commands: commands)
            published.replace(shops: shops, keys: keys, loaded: loaded, queues: queues)
        }
    }
}
