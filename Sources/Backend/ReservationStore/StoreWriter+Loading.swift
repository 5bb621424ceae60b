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
            && fresh.first.map { $0 <= today(queue, at: now) } ?? false
    }

    private func asksOpenings(_ fresh: ShopQueue.Freshness, at now: Moment) -> Bool {
        fresh.openingsAsked.map { now < $0 || $0 + maxOpeningsAge <= now } ?? true
    }

    private func today(_ queue: ShopQueue, at now: Moment) -> CalendarDay {
        queue.openings.first?.opens.day ?? LocalMoment(now, offsetMinutes: 0).day
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
        let today = today(queue, at: now)
        let isWhole =
            !fresh.stale && fresh.loaded.connections == present.connections
            && fresh.first.map { $0 <= today } ?? false
        if !isWhole || fresh.loaded != present {
            let known = queue.read(at: now) { state, _ in state }
            if isWhole,
                let followed = try database.queueState(
                    known, of: queue.shop.id, today: today, after: fresh.loaded.sequence,
                    upTo: sequence, at: now)
            {
                queue.replace(followed)
            } else {
                queue.replace(try database.queueState(of: queue.shop, today: today, at: now))
                fresh.first = today
            }
            fresh.loaded = present
            fresh.stale = false
        }
        queue.freshness = fresh
    }

    /// Loads shops and keys; a shop that is unchanged keeps its queue.
    func loadShops() throws(StoreError) {
        try published.loading.withLock { _ throws(StoreError) in
            // The sequence is read first, so that a change in between is seen with the next look.
            let loaded = present(try database.changeSequence())
            let shops = try database.shops()
            let keys = try database.machineKeys()
            var queues: [ShopQueue] = []
            for shop in shops {
                if let known = published.queue(of: shop.id), known.shop == shop {
                    queues.append(known)
                } else {
                    let queue = ShopQueue(shop, local: context.local)
                    queue.help = published.queue(of: shop.id)?.help ?? ShopQueue.Help()
                    try database.snapshot { () throws(StoreError) in
                        try refresh(
                            queue, at: context.now(),
                            sequence: database.sequences(of: shop.id).queue)
                    }
                    queues.append(queue)
                }
            }
            let sequences = try database.shopSequences()
            for queue in queues {
                let sequence = sequences[queue.shop.id]?.help ?? 0
                try refreshHelp(of: queue, at: context.now(), sequence: sequence)
            }
            var commands: [ShopID: [RemoteCommandRecord]] = [:]
            for shop in shops {
                commands[shop.id] = try database.remoteCommands(of: shop.id).filter {
                    $0.done == nil
                }
            }
            context.board.replace(commands: commands)
            published.replace(shops: shops, keys: keys, loaded: loaded, queues: queues)
        }
    }
}
