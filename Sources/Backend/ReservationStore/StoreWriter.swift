internal import QueueEngine
internal import Reservations

/// Decides and writes, batch by batch, on its own connection; knows nothing of threads.
///
/// Unchecked: the database is touched on its own serial queue of `QueueStore`'s only (`start` runs before that
/// queue is given anything).
final class StoreWriter: @unchecked Sendable {
    /// How long the openings are taken as they are: they change with the minute at most.
    private static let openingsLife = Duration.minutes(1)
    /// How often a transaction is tried where others are in its way.
    private static let attempts = 4
    /// Old rows are cleared away after so many commands or so much time: less in between than one bite.
    private static let pruneCommands = 128
    private static let pruneInterval = Duration.seconds(1)

    private let database: any Database
    private let published: Published
    private let board: MachineBoard
    private let now: @Sendable () -> Moment
    private let openings: @Sendable (Shop, Moment) -> [OpenInterval]
    private let codes: CodeDrawer
    /// Tells other servers of a change.
    private let tell: @Sendable (ChangeNotice) -> Void
    private let upkeep: Upkeep

    init(
        database: sending any Database, published: Published, board: MachineBoard,
        now: @escaping @Sendable () -> Moment,
        openings: @escaping @Sendable (Shop, Moment) -> [OpenInterval], codes: CodeDrawer,
        tell: @escaping @Sendable (ChangeNotice) -> Void
    ) {
        self.database = database
        self.published = published
        self.board = board
        self.now = now
        self.openings = openings
        self.codes = codes
        self.tell = tell
        upkeep = Upkeep(database: database)
    }

    func start() throws(StoreError) { try loadShops() }

    /// Commits what is to be committed, then does the rest.
    func run(_ batch: Batch) {
        if let shop = batch.shop {
            if !batch.commands.isEmpty { commit(batch.commands, of: shop) }
            if !batch.reports.isEmpty { write(batch.reports, of: shop) }
        }
        for task in batch.tasks { task(self) }
    }

    /// Looks for changes by administrators and by other servers; answers the shops whose queue needs a look.
    func look() -> [ShopID] {
        do throws(StoreError) {
            if try ShopRows.sequence(database) != published.sequence { try loadShops() }
            let sequences = try ShopRows.queueSequences(database)
            let moment = now()
            let behind = published.queues.filter { queue in
                !isFresh(queue, at: moment, sequence: sequences[queue.shop.id] ?? 0)
                    || queue.read(at: moment) { $0.isDue(in: $1) }
            }.map(\.shop.id)
            try upkeep.step(
                shops: published.shops, hasTrouble: published.trouble != nil, at: moment)
            published.trouble = nil
            return behind
        } catch {
            published.trouble = error
            return []
        }
    }

    /// Takes over what others changed; lets overdue holds lapse where nobody asks for anything.
    func look(at shop: ShopID) {
        guard let queue = published.queue(of: shop) else { return }
        do throws(StoreError) {
            let now = now()
            let revision = queue.revision
            try database.snapshot { () throws(StoreError) in
                try refresh(
                    queue, at: now, sequence: ShopRows.queueSequence(of: shop, in: database))
            }
            if queue.revision != revision { published.observer?(shop) }
            if queue.read(at: now, { $0.isDue(in: $1) }) { commit([], of: shop) }
        } catch {
            published.trouble = error
        }
    }

    /// Commits commands of a shop in one transaction, then answers everyone of them; without one, lets time
    /// pass.
    private func commit(_ commands: [WaitingCommand], of shop: ShopID) {
        var results: [CommandResult] = []
        let start = ContinuousClock.now
        do throws(StoreError) {
            guard let queue = published.queue(of: shop) else {
                throw StoreError(
                    .unknownShop, operation: "decide a command", "there is no shop \(shop)")
            }
            let revision = queue.revision
            results = try write(commands, to: queue)
            published.trouble = nil
            published.meter.count(commands.count, since: start, .committed)
            if queue.revision != revision { published.observer?(shop) }
        } catch {
            if error.code != .unknownShop { published.trouble = error }
            published.meter.count(commands.count, since: start, .failed)
            results = commands.map { _ in .unavailable(error) }
        }
        // The machine's next call is signed with the key that was let in.
        if commands.contains(where: { $0.request.command.isOfKeys }) {
            do throws(StoreError) {
                try loadShops()
                tell(.everything)
            } catch {
                published.trouble = error
            }
        }
        for (command, result) in zip(commands, results) { command.completion(result) }
    }

    /// Writes reports of one shop's machines in one transaction, then answers them.
    private func write(_ reports: [WaitingReport], of shop: ShopID) {
        do throws(StoreError) {
            let isObeyed = reports.contains { !$0.report.obeyed.isEmpty }
            let written = try database.transaction { () throws(StoreError) in
                _ = try ShopRows.lock(shop, in: database)
                var known: [MachineID: MachineStatusRecord] = [:]
                for status in try MachineRows.statuses(of: shop, in: database) {
                    known[status.machine] = status
                }
                var written: [MachineStatusRecord?] = []
                for waiting in reports {
                    let report = waiting.report
                    let isFresh = try RequestRows.remember(
                        nonce: report.nonce, of: report.keyID, in: shop,
                        until: report.nonceExpires, in: database)
                    guard isFresh else {
                        written.append(nil)
                        continue
                    }
                    let status = try MachineRows.write(
                        report, after: known[report.machine], to: database)
                    known[report.machine] = status
                    written.append(status)
                }
                // Another server must not give the machine its order again.
                if isObeyed { try ShopRows.raiseSequence(of: shop, in: database) }
                return written
            }
            if isObeyed { tell(.everything) }
            for (waiting, status) in zip(reports, written) {
                waiting.completion(.success(status.map { board.wrote(waiting.report, as: $0) }))
            }
        } catch {
            for waiting in reports { waiting.completion(.failure(error)) }
        }
    }

    /// What the holder of a code is told; nil where it was given to no reservation of the shop.
    func lookUp(_ code: PresentedCode, in shop: ShopID) throws(StoreError) -> Lookup? {
        let now = now()
        guard let queue = published.queue(of: shop) else {
            throw StoreError(
                .unknownShop, operation: "look up a code", "there is no shop \(shop)")
        }
        let found = try database.snapshot { () throws(StoreError) -> ReservationRecord? in
            try refresh(
                queue, at: now, sequence: ShopRows.queueSequence(of: shop, in: database))
            return try ReservationRows.record(code, of: shop, in: database)
        }
        return found.flatMap { record in
            queue.read(at: now) { state, context in
                state.report(on: record, in: context).map { Lookup(report: $0, now: now) }
            }
        }
    }

    /// Gives a machine that is not let in yet a code to show.
    func openPairing(_ request: PairingRequest) throws(StoreError) -> PairingOutcome {
        try database.transaction { () throws(StoreError) in
            try PairingRows.open(request, draw: codes.pairingCode, in: database)
        }
    }

    /// Commands in one transaction, first all together; where a row is refused, anew and each by itself.
    private func write(_ commands: [WaitingCommand], to queue: ShopQueue)
        throws(StoreError) -> [CommandResult]
    {
        var isCareful = false
        var attempt = 1
        while true {
            do throws(StoreError) {
                return try transact(commands, on: queue, carefully: isCareful)
            } catch {
                // What is in memory may hold what the disk does not.
                queue.freshness.stale = true
                switch error.code {
                case .constraint, .corrupt:
                    guard !isCareful else { throw error }
                    isCareful = true
                case .conflict:
                    guard attempt < Self.attempts else { throw error }
                    attempt += 1
                default: throw error
                }
            }
        }
    }

    private func transact(
        _ commands: [WaitingCommand], on queue: ShopQueue, carefully isCareful: Bool
    ) throws(StoreError) -> [CommandResult] {
        let shop = queue.shop.id
        var changed: Int64?
        let results = try database.transaction { () throws(StoreError) -> [CommandResult] in
            let sequence = try ShopRows.lock(shop, in: database)
            // After the lock: whoever had it before has decided earlier.
            let now = now()
            try refresh(queue, at: now, sequence: sequence)
            let revision = queue.revision
            var results: [CommandResult] = []
            if commands.isEmpty {
                try decide(.tick, on: queue, at: now)
            } else if isCareful {
                for command in commands {
                    try refresh(queue, at: now, sequence: sequence)
                    results.append(try perform(command.request, on: queue, at: now))
                }
            } else {
                results = try performTogether(commands.map(\.request), on: queue, at: now)
            }
            try prune(queue, after: commands.count, at: now)
            if queue.revision != revision {
                changed = sequence + 1
                try ShopRows.write(queueSequence: sequence + 1, of: shop, to: database)
            }
            return results
        }
        if let changed {
            queue.freshness.sequence = changed
            tell(.queue(shop, changed))
        }
        return results
    }

    private func prune(_ queue: ShopQueue, after count: Int, at now: Moment) throws(StoreError) {
        var fresh = queue.freshness
        fresh.unpruned += count
        let isTime = fresh.pruned.map { now < $0 || $0 + Self.pruneInterval <= now } ?? true
        if isTime || fresh.unpruned >= Self.pruneCommands {
            _ = try RequestRows.prune(queue.shop.id, at: now, in: database)
            fresh.pruned = now
            fresh.unpruned = 0
        }
        queue.freshness = fresh
    }

    /// Requests without a savepoint: a row that is refused makes all of them be done again.
    private func performTogether(
        _ requests: [CommandRequest], on queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> [CommandResult] {
        /// An idempotency key and whose it is.
        struct Name: Hashable {
            let machine: MachineID
            let key: String
        }
        // Those of this batch are not in the database yet when all are looked up.
        var given: [Name: (fingerprint: [UInt8], answer: StoredAnswer)] = [:]
        var results: [CommandResult] = []
        results.reserveCapacity(requests.count)
        let memories = try RequestRows.memories(of: requests, in: database)
        for (request, memory) in zip(requests, memories) {
            let name = Name(machine: request.machine, key: request.idempotencyKey)
            var memory = memory
            memory.stored = memory.stored ?? given[name]
            let result = try answer(
                request, knowing: memory, on: queue, at: now, isCareful: false)
            if case .answered(let answer, _) = result, request.command != .useNonce {
                given[name] = (request.fingerprint, answer)
            }
            results.append(result)
        }
        return results
    }

    /// One request in its savepoint: the failure of one leaves the others as they are.
    private func perform(_ request: CommandRequest, on queue: ShopQueue, at now: Moment)
        throws(StoreError) -> CommandResult
    {
        try database.savepoint()
        do throws(StoreError) {
            let memory = try RequestRows.memories(of: CollectionOfOne(request), in: database)[0]
            let result = try answer(
                request, knowing: memory, on: queue, at: now, isCareful: true)
            try database.releaseSavepoint()
            return result
        } catch {
            // The disk is everyone's trouble; a row that cannot be written or read is this request's.
            guard error.code == .constraint || error.code == .corrupt else { throw error }
            try database.rollbackSavepoint()
            queue.freshness.stale = true
            return .unavailable(error)
        }
    }

    private func answer(
        _ request: CommandRequest, knowing memory: RequestRows.Memory, on queue: ShopQueue,
        at now: Moment, isCareful: Bool
    ) throws(StoreError) -> CommandResult {
        guard memory.isFresh else { return .nonceSeen }
        if request.command == .useNonce {
            return .answered(request.answer(.success(.ticked), now), replayed: false)
        }
        if let stored = memory.stored {
            return stored.fingerprint == request.fingerprint
                ? .answered(stored.answer, replayed: true) : .keyReused
        }
        let result: Result<QueueOutcome, QueueRefusal>
        if request.command.isOfKeys {
            let isDone = try KeyRotation.perform(request, at: now, in: database)
            result = isDone ? .success(.ticked) : .failure(.notFound)
        } else if let command = try command(
            for: request, shop: queue.shop, at: now, isCareful: isCareful)
        {
            result = try decide(command, on: queue, at: now)
        } else {
            result = .failure(.notFound)
        }
        if case .failure = result, request.command.isPassage,
            let former = try RequestRows.repeatPassage(of: request, at: now, in: database)
        {
            return .answered(former, replayed: true)
        }
        if let entry = request.audit, case .success = result {
            try AuditRows.append(entry, of: request.shop, at: now, in: database)
        }
        let answer = request.answer(result, now)
        try RequestRows.store(answer, to: request, at: now, in: database)
        return .answered(answer, replayed: false)
    }

    /// Decides and writes what follows; after an error what is in memory is ahead of the disk.
    @discardableResult
    private func decide(_ command: QueueCommand, on queue: ShopQueue, at now: Moment)
        throws(StoreError) -> Result<QueueOutcome, QueueRefusal>
    {
        let shop = queue.shop.id
        let decision = try queue.perform(command, at: now) { id throws(StoreError) in
            try ReservationRows.record(id, of: shop, in: database)
        }
        for change in decision.changes {
            try ReservationRows.write(change, of: shop, to: database)
        }
        return decision.result
    }

    /// The command with what the store draws or finds; nil where a code leads to no reservation.
    private func command(
        for request: CommandRequest, shop: Shop, at now: Moment, isCareful: Bool
    ) throws(StoreError) -> QueueCommand? {
        let machine = request.machine
        func named(_ code: PresentedCode) throws(StoreError) -> ReservationID? {
            try ReservationRows.record(code, of: shop.id, in: database)?.hold.id
        }
        func of(_ number: QueueNumber) throws(StoreError) -> ReservationID? {
            guard let today = published.queue(of: shop.id)?.openings.first?.opens.day else {
                return nil
            }
            return try ReservationRows.id(of: number, on: today, in: shop.id, of: database)
        }
        switch request.command {
        case .hold(let kind):
            return .hold(kind, machine: machine, id: codes.reservationID(at: now))
        case .extend(let id): return .extend(id, machine: machine)
        case .release(let id): return .release(id, machine: machine)
        case .confirm(let id):
            return .confirm(
                id, machine: machine, code: codes.entryCode(tag: shop.tag),
                typed: try codes.typedCode(of: shop.id, askingFirst: isCareful, in: database))
        case .delete(let id, let proof): return .delete(id, proof: proof)
        case .enter(let code): return try named(code).map { .enter($0) }
        case .exit(let code, let point): return try named(code).map { .exit($0, at: point) }
        case .letIn(let number, let moment): return try of(number).map { .letIn($0, at: moment) }
        case .callAgain(let number): return try of(number).map { .callAgain($0) }
        case .restore(let number): return try of(number).map { .restore($0) }
        case .deleteForCustomer(let number):
            return try of(number).map { .deleteForCustomer($0) }
        case .correctOccupancy(let people): return .correctOccupancy(people: people)
        case .closeEarly(let moment): return .closeEarly(at: moment)
        case .addKey, .keepKey, .useNonce: return nil
        }
    }

    /// Whether a queue may be used as it is; `sequence` counts its changes in the database.
    private func isFresh(_ queue: ShopQueue, at now: Moment, sequence: Int64) -> Bool {
        let fresh = queue.freshness
        return !fresh.stale && fresh.sequence == sequence && !asksOpenings(fresh, at: now)
            && fresh.first.map { $0 <= today(queue, at: now) } ?? false
    }

    private func asksOpenings(_ fresh: ShopQueue.Freshness, at now: Moment) -> Bool {
        fresh.openingsAsked.map { now < $0 || $0 + Self.openingsLife <= now } ?? true
    }

    private func today(_ queue: ShopQueue, at now: Moment) -> CalendarDay {
        queue.openings.first?.opens.day ?? LocalMoment(now, offsetMinutes: 0).day
    }

    /// Makes what is known fit to decide at this moment: openings asked for, their day loaded, changes by
    /// others too. In a transaction that sees the `sequence` it is given.
    private func refresh(_ queue: ShopQueue, at now: Moment, sequence: Int64) throws(StoreError) {
        var fresh = queue.freshness
        if asksOpenings(fresh, at: now) {
            queue.openings = openings(queue.shop, now)
            fresh.openingsAsked = now
        }
        let today = today(queue, at: now)
        if fresh.stale || fresh.sequence != sequence || fresh.first.map({ today < $0 }) ?? true {
            queue.replace(
                try QueueRows.state(of: queue.shop, today: today, at: now, in: database))
            fresh.first = today
            fresh.sequence = sequence
            fresh.stale = false
        }
        queue.freshness = fresh
    }

    /// Loads shops and keys; a shop that is as it was keeps its queue.
    private func loadShops() throws(StoreError) {
        try published.loading.withLock { _ throws(StoreError) in
            // The sequence first: a change in between is then seen with the next look.
            let sequence = try ShopRows.sequence(database)
            let shops = try ShopRows.shops(database)
            let keys = try ShopRows.machineKeys(database)
            var queues: [ShopQueue] = []
            for shop in shops {
                if let known = published.queue(of: shop.id), known.shop == shop {
                    queues.append(known)
                } else {
                    let queue = ShopQueue(shop)
                    try database.snapshot { () throws(StoreError) in
                        try refresh(
                            queue, at: now(),
                            sequence: ShopRows.queueSequence(of: shop.id, in: database))
                    }
                    queues.append(queue)
                }
            }
            var orders: [ShopID: [MachineOrderRecord]] = [:]
            for shop in shops {
                orders[shop.id] = try MachineRows.orders(of: shop.id, in: database).filter {
                    $0.done == nil
                }
            }
            board.replace(orders: orders)
            published.replace(shops: shops, keys: keys, sequence: sequence, queues: queues)
        }
    }
}
