internal import QueueEngine
internal import Reservations

/// Decides and writes, batch by batch; knows nothing of threads.
///
/// Unchecked: the database and what is loaded are touched on `QueueStore`'s serial queue only (`start` runs
/// before that queue is given anything).
final class StoreWriter: @unchecked Sendable {
    /// What of a queue may be used without loading it again.
    private struct Freshness {
        var stale = true
        /// When the openings were asked for; nil before the first time.
        var openingsAsked: Moment?
        /// The first day of which numbers are known.
        var first: CalendarDay?
    }

    /// How long the openings are taken as they are: they change with the minute at most.
    private static let openingsLife = Duration.minutes(1)

    private let database: any Database
    private let published: Published
    private let board: MachineBoard
    private let now: @Sendable () -> Moment
    private let openings: @Sendable (Shop, Moment) -> [OpenInterval]
    private let codes: CodeDrawer
    private var freshness: [ShopID: Freshness] = [:]
    /// Whether the trouble that is told comes from `idle`, which then takes it back: where nobody
    /// asks for anything, no commit would.
    private var isBlind = false

    init(
        database: sending any Database, published: Published, board: MachineBoard,
        now: @escaping @Sendable () -> Moment,
        openings: @escaping @Sendable (Shop, Moment) -> [OpenInterval], codes: CodeDrawer
    ) {
        self.database = database
        self.published = published
        self.board = board
        self.now = now
        self.openings = openings
        self.codes = codes
    }

    func start() throws(StoreError) { try loadShops() }

    /// Looks for changes by administrators; lets overdue holds lapse where nobody asks for anything.
    func idle() {
        do throws(StoreError) {
            if try ShopRows.sequence(database) != published.sequence { try loadShops() }
            for queue in published.queues {
                let now = now()
                try refresh(queue, at: now)
                if queue.read(at: now, { $0.isDue(in: $1) }) {
                    commit(Batch(shop: queue.shop.id, commands: []))
                }
            }
            if isBlind { published.trouble = nil }
            isBlind = false
        } catch {
            isBlind = true
            published.trouble = error
        }
    }

    /// Commits a batch in one transaction, then answers everyone in it.
    func commit(_ batch: Batch) {
        var results: [CommandResult] = []
        do throws(StoreError) {
            guard let queue = published.queue(of: batch.shop) else {
                throw StoreError(
                    .unknownShop, operation: "decide a command", "there is no shop \(batch.shop)")
            }
            let revision = queue.revision
            results = try write(batch, to: queue)
            // The machine's next call is signed with the key that was let in.
            if batch.commands.contains(where: { $0.request.command.isOfKeys }) { try loadShops() }
            published.trouble = nil
            if queue.revision != revision { published.observer?(batch.shop) }
        } catch {
            if error.code != .unknownShop {
                published.trouble = error
                isBlind = false
            }
            results = batch.commands.map { _ in .unavailable(error) }
        }
        for (command, result) in zip(batch.commands, results) { command.completion(result) }
    }

    /// Writes reports of one shop's machines in one transaction, then answers them.
    func write(_ reports: [WaitingReport], of shop: ShopID) {
        do throws(StoreError) {
            let written = try database.transaction { () throws(StoreError) in
                var known: [MachineID: MachineStatusRecord] = [:]
                for status in try MachineRows.statuses(of: shop, in: database) {
                    known[status.machine] = status
                }
                var written: [MachineStatusRecord] = []
                for waiting in reports {
                    let report = waiting.report
                    let status = try MachineRows.write(
                        report, after: known[report.machine], to: database)
                    known[report.machine] = status
                    written.append(status)
                }
                return written
            }
            for (waiting, status) in zip(reports, written) {
                waiting.completion(.success(board.wrote(waiting.report, as: status)))
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
        try refresh(queue, at: now)
        guard let record = try ReservationRows.record(code, of: shop, in: database) else {
            return nil
        }
        return queue.read(at: now) { state, context in
            state.report(on: record, in: context).map { Lookup(report: $0, now: now) }
        }
    }

    /// Gives a machine that is not let in yet a code to show.
    func openPairing(_ request: PairingRequest) throws(StoreError) -> PairingOutcome {
        try database.transaction { () throws(StoreError) in
            try PairingRows.open(request, draw: codes.pairingCode, in: database)
        }
    }

    private func write(_ batch: Batch, to queue: ShopQueue) throws(StoreError) -> [CommandResult] {
        do throws(StoreError) {
            return try database.transaction { () throws(StoreError) in
                let now = now()
                var results: [CommandResult] = []
                results.reserveCapacity(batch.commands.count)
                for command in batch.commands {
                    try refresh(queue, at: now)
                    results.append(try perform(command.request, on: queue, at: now))
                }
                if batch.commands.isEmpty {
                    try refresh(queue, at: now)
                    try decide(.tick, on: queue, at: now)
                }
                try RequestRows.prune(batch.shop, at: now, in: database)
                return results
            }
        } catch {
            // What is in memory may hold what the disk does not.
            freshness[batch.shop]?.stale = true
            throw error
        }
    }

    /// One request in its savepoint: the failure of one leaves the others as they are.
    private func perform(_ request: CommandRequest, on queue: ShopQueue, at now: Moment)
        throws(StoreError) -> CommandResult
    {
        try database.savepoint()
        do throws(StoreError) {
            let result = try answer(request, on: queue, at: now)
            try database.releaseSavepoint()
            return result
        } catch {
            // The disk is everyone's trouble; a row that cannot be written or read is this request's.
            guard error.code == .constraint || error.code == .corrupt else { throw error }
            try database.rollbackSavepoint()
            freshness[queue.shop.id]?.stale = true
            return .unavailable(error)
        }
    }

    private func answer(_ request: CommandRequest, on queue: ShopQueue, at now: Moment)
        throws(StoreError) -> CommandResult
    {
        guard try RequestRows.remember(request, in: database) else { return .nonceSeen }
        if let stored = try RequestRows.answer(to: request, in: database) {
            return stored.fingerprint == request.fingerprint
                ? .answered(stored.answer, replayed: true) : .keyReused
        }
        let result: Result<QueueOutcome, QueueRefusal>
        if request.command.isOfKeys {
            let isDone = try KeyRotation.perform(request, at: now, in: database)
            result = isDone ? .success(.ticked) : .failure(.notFound)
        } else if let command = try command(for: request, shop: queue.shop, at: now) {
            result = try decide(command, on: queue, at: now)
        } else {
            result = .failure(.notFound)
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
    private func command(for request: CommandRequest, shop: Shop, at now: Moment)
        throws(StoreError) -> QueueCommand?
    {
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
                typed: try codes.typedCode(of: shop.id, in: database))
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
        case .addKey, .keepKey: return nil
        }
    }

    /// Makes what is known fit to decide at this moment: openings asked for, their day loaded.
    private func refresh(_ queue: ShopQueue, at now: Moment) throws(StoreError) {
        var fresh = freshness[queue.shop.id] ?? Freshness()
        let life = Self.openingsLife
        if fresh.openingsAsked.map({ now < $0 || $0 + life <= now }) ?? true {
            queue.openings = openings(queue.shop, now)
            fresh.openingsAsked = now
        }
        let today = queue.openings.first?.opens.day ?? LocalMoment(now, offsetMinutes: 0).day
        if fresh.stale || fresh.first.map({ today < $0 }) ?? true {
            fresh.first = today
            queue.replace(
                try QueueRows.state(of: queue.shop, today: today, at: now, in: database))
            fresh.stale = false
        }
        freshness[queue.shop.id] = fresh
    }

    /// Loads shops and keys; a shop that is as it was keeps its queue.
    private func loadShops() throws(StoreError) {
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
                freshness[shop.id] = Freshness()
                try refresh(queue, at: now())
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
