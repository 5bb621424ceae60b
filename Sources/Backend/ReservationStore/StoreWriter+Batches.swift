internal import QueueEngine
internal import Reservations

/// How often a transaction is tried if other transactions are in its way.
private let attempts = 4
/// Old rows are deleted after so many commands or so much time: fewer are added in between than one batch deletes.
private let pruneCommands = 128
private let pruneInterval = Duration.seconds(1)

/// The commands of a shop that are written in one transaction; if there are none, time passes.
struct ShopCommands {
    let queue: ShopQueue
    var requests: [AuthenticatedRequest]
}

/// Commands, decided and written in one transaction.
extension StoreWriter {
    /// Writes a shop's commands in one transaction, first all together; if a row is refused, again with a savepoint for
    /// each.
    func write(_ commands: ShopCommands) throws(StoreError) -> [RequestResult] {
        var isCareful = false
        var attempt = 1
        while true {
            do throws(StoreError) {
                return try transact([commands], carefully: isCareful)
            } catch {
                switch error.code {
                case .constraint, .corrupt:
                    guard !isCareful else { throw error }
                    isCareful = true
                case .conflict:
                    guard attempt < attempts else { throw error }
                    attempt += 1
                case .busy, .full, .inputOutput, .notOurs, .newer, .readOnly, .missing, .served,
                    .overloaded, .lost, .stopped, .unknownShop, .refused, .other:
                    throw error
                }
            }
        }
    }

    /// Writes commands of shops in one transaction, once; returns the results of all of them in order.
    ///
    /// Shops are locked in the order of their names, so that servers never wait for one another in a circle. A
    /// transaction of several shops gives up soon if a server that hangs has locked one of them.
    func transact(
        _ shares: [ShopCommands], carefully isCareful: Bool
    ) throws(StoreError) -> [RequestResult] {
        let claimed = claim(for: shares)
        do throws(StoreError) {
            let results = try transactClaimed(claimed, carefully: isCareful)
            endAttempts(of: claimed)
            return results
        } catch {
            // After a lost connection the places may be there.
            if error.code != .lost { endAttempts(of: claimed) }
            throw error
        }
    }

    private func transactClaimed(
        _ shares: [ShopCommands], carefully isCareful: Bool
    ) throws(StoreError) -> [RequestResult] {
        // The requests of this batch together are looked up when the shops are locked; if they are handled one by one,
        // each is looked up separately.
        let together = isCareful ? [] : shares.flatMap(\.requests)
        var memories = [RequestMemory](repeating: .init(), count: together.count)
        var found = [Int64?](repeating: nil, count: shares.count)
        let hurry = shares.count > 1 ? database.dialect.hurry : nil
        let order = shares.indices.sorted {
            shares[$0].queue.shop.id.rawValue < shares[$1].queue.shop.id.rawValue
        }
        let before = hurry.map { [$0.with()] } ?? []
        let locks = order.map { database.lockQuery(of: shares[$0].queue.shop.id) }
        var hasBegun = false
        var changed: [(queue: ShopQueue, sequence: Int64)] = []
        let results: [RequestResult]
        do throws(StoreError) {
            results = try database.transaction(
                asking: before + locks + together.map(RequestMemory.question),
                row: { place, row in
                    let place = place - before.count
                    if place >= locks.count {
                        memories[place - locks.count].learn(row)
                    } else if place >= 0 {
                        found[order[place]] = row.integer(0)
                    }
                }
            ) { () throws(StoreError) -> [RequestResult] in
                hasBegun = true
                // The time is read after the lock: a server that had the lock before has decided earlier.
                let now = context.now()
                var results: [RequestResult] = []
                for (share, sequence) in zip(shares, found) {
                    let sequence = try database.existing(sequence, share.queue.shop.id)
                    let known = isCareful ? nil : memories[results.count...]
                    let isChanged = try decide(
                        share, knowing: known, at: now, sequence: sequence, into: &results)
                    if isChanged { changed.append((share.queue, sequence + 1)) }
                }
                return results
            }
        } catch {
            // The states in memory may contain changes that are not on the disk.
            if hasBegun { for share in shares { share.queue.becomeStale() } }
            throw error
        }
        for (queue, sequence) in changed {
            queue.freshness.loaded.sequence = sequence
            context.signal?.notify(.queue(queue.shop.id, sequence))
        }
        return results
    }

    /// Decides a shop's commands, writes what follows and adds the results; returns whether its queue was changed.
    ///
    /// - Parameter memories: What is known of the requests, from the first one on; nil if each is performed carefully.
    private func decide(
        _ commands: ShopCommands, knowing memories: ArraySlice<RequestMemory>?, at now: Moment,
        sequence: Int64, into results: inout [RequestResult]
    ) throws(StoreError) -> Bool {
        let (queue, requests) = (commands.queue, commands.requests)
        let shop = queue.shop.id
        try refresh(queue, at: now, sequence: sequence)
        let revision = queue.revision
        changes = QueueChanges()
        if requests.isEmpty {
            try decide(.tick, on: queue, at: now)
            try writeNumbers(of: shop)
        } else if let memories {
            results += try performTogether(requests, knowing: memories, on: queue, at: now)
        } else {
            for request in requests {
                try refresh(queue, at: now, sequence: sequence)
                results.append(try perform(request, on: queue, at: now))
            }
        }
        if changes.callsOrders { queue.pickups.loaded = Published.Loaded() }
        try prune(queue, after: requests.count, at: now, sequence: sequence)
        guard queue.revision != revision else { return false }
        if database.dialect.locksRows {
            try database.write(changes, as: sequence + 1, of: shop)
        }
        try database.write(queueSequence: sequence + 1, of: shop)
        return true
    }

    private func prune(
        _ queue: ShopQueue, after count: Int, at now: Moment, sequence: Int64
    ) throws(StoreError) {
        var fresh = queue.freshness
        fresh.unpruned += count
        let isTime = fresh.pruned.map { now < $0 || $0 + pruneInterval <= now } ?? true
        if isTime || fresh.unpruned >= pruneCommands {
            try database.pruneAnswers(queue.shop.id, at: now)
            try database.pruneNonces(queue.shop.id, &fresh.nonces, at: context.uptime())
            if database.dialect.locksRows {
                try database.pruneQueueChanges(queue.shop.id, upTo: sequence)
            }
            fresh.pruned = now
            fresh.unpruned = 0
        }
        queue.freshness = fresh
    }

    /// Performs requests without savepoints: if a row is refused, all of them are performed again.
    private func performTogether(
        _ requests: [AuthenticatedRequest], knowing memories: ArraySlice<RequestMemory>,
        on queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> [RequestResult] {
        /// An idempotency key and who used it.
        struct Name: Hashable {
            let sender: HoldOwner
            let key: String
        }
        // Answers given in this batch are not in the database yet when all requests are looked up.
        var given: [Name: (fingerprint: [UInt8], answer: StoredAnswer)] = [:]
        var results: [RequestResult] = []
        results.reserveCapacity(requests.count)
        for (request, memory) in zip(requests, memories) {
            let name = Name(sender: request.sender, key: request.idempotencyKey)
            var memory = memory
            memory.stored = memory.stored ?? given[name]
            let result = try answer(request, knowing: memory, on: queue, at: now, isCareful: false)
            if case .answered(let answer, _) = result, request.command != .useNonce {
                given[name] = (request.fingerprint, answer)
            }
            results.append(result)
        }
        try writeNumbers(of: queue.shop.id)
        return results
    }

    private func writeNumbers(of shop: ShopID) throws(StoreError) {
        for (day, number) in changes.numbers { try database.write(number, of: day, in: shop) }
    }

    /// Performs one request in its savepoint, so that its failure does not affect the others.
    private func perform(_ request: AuthenticatedRequest, on queue: ShopQueue, at now: Moment)
        throws(StoreError) -> RequestResult
    {
        try database.savepoint()
        changes.numbers = [:]
        do throws(StoreError) {
            let memory = try database.memory(of: request)
            let result = try answer(request, knowing: memory, on: queue, at: now, isCareful: true)
            try writeNumbers(of: queue.shop.id)
            try database.releaseSavepoint()
            return result
        } catch {
            // A failure of the disk concerns all requests; a row that cannot be written or read concerns only this one.
            guard error.code == .constraint || error.code == .corrupt else { throw error }
            try database.rollbackSavepoint()
            queue.freshness.stale = true
            return .unavailable(error)
        }
    }

    private func answer(
        _ request: AuthenticatedRequest, knowing memory: RequestMemory, on queue: ShopQueue,
        at now: Moment, isCareful: Bool
    ) throws(StoreError) -> RequestResult {
        guard memory.isFresh else { return .nonceSeen }
        if let nonce = request.nonce { try database.rememberNew(nonce, in: request.shop) }
        if request.command == .useNonce {
            return .answered(request.answer(.success(.ticked), now), replayed: false)
        }
        if let stored = memory.stored {
            return stored.fingerprint == request.fingerprint
                ? .answered(stored.answer, replayed: true) : .keyReused
        }
        if let claim = request.claim, !claim.isTaken(at: queue.local(now)) {
            return .unavailable(.claimIsBusy)
        }
        let result: Result<QueueOutcome, Refused>
        // A command that finds its work done by another staff member is no entry of the audit.
        var isChanged = true
        if let refused = request.claim?.refused {
            result = .failure(refused)
        } else if case .help(let command) = request.command {
            (result, isChanged) = try perform(command, of: queue, at: now)
        } else if let command = try orderCommand(of: request, in: queue.shop) {
            let performed = try perform(command, by: request.sender.name, of: queue, at: now)
            isChanged = performed.isChanged
            result =
                isChanged && command.concernsPlaces
                ? try collect(performed.0, of: queue, at: now) : performed.0
        } else if case .keys(let change) = request.command {
            let isDone = try KeyRotation.perform(change, of: request, at: now, in: database)
            result = isDone ? .success(.ticked) : .refused(.keyTaken)
        } else if case .queue(let command) = request.command {
            result = try decide(
                command, by: request.sender, on: queue, at: now, isCareful: isCareful)
        } else {
            result = .refused(.notFound)
        }
        if case .failure = result, request.command.isPassage,
            let former = try database.repeatPassage(of: request, at: now)
        {
            return .answered(former, replayed: true)
        }
        if let entry = request.audit, isChanged, case .success = result {
            try database.append(entry, of: request.shop, at: now)
        }
        if let kind = request.refusedRequest(result) {
            try database.count(kind, of: request.shop, at: queue.local(now))
        }
        let answer = request.answer(result, now)
        try database.store(answer, to: request, at: now)
        return .answered(answer, replayed: false)
    }

    /// Decides a command and writes what follows; after an error the state in memory is ahead of the disk.
    @discardableResult func decide(
        _ command: QueueCommand, by sender: HoldOwner? = nil, on queue: ShopQueue,
        at now: Moment, isCareful: Bool = true
    ) throws(StoreError) -> Result<QueueOutcome, Refused> {
        let shop = queue.shop.id
        // The queue is locked while it decides, so that its days are asked for before, where they are needed.
        var days: [CalendarDay] = []
        if case .reservation(.number, _) = command { days = self.days(queue, at: now) }
        let records = StoredReservations(
            database: database, shop: queue.shop, days: days, now: now, codes: context.codes,
            isCareful: isCareful)
        let decision = try queue.perform(command, by: sender, at: now, records)
        for change in decision.changes {
            changes.add(change)
            try database.write(change, of: shop)
            try database.writeNotices(of: change, at: now, in: shop)
        }
        return decision.result
    }
}

/// What the database has of a shop's reservations, for a decision.
private struct StoredReservations: QueueRecords {
    /// The staff mean a customer of the day before, who waits no more, by a number only for so long.
    private static let staffMemory = Duration.minutes(60)

    let database: any Database
    let shop: Shop
    /// The days whose customers may be in the queue; empty if the command names no number.
    let days: [CalendarDay]
    let now: Moment
    let codes: CodeGenerator
    /// Whether codes are looked up first: a row that the schema refuses would concern this request only.
    let isCareful: Bool

    func record(_ name: ReservationName) throws(StoreError) -> ReservationRecord? {
        switch name {
        case .id(let id): return try database.record(id, of: shop.id)
        case .code(let code): return try database.record(code, of: shop.id)
        case .number(let number):
            let id = try database.presentID(
                of: number, on: days, in: shop.id, since: now - Self.staffMemory)
            guard let id else { return nil }
            return try database.record(id, of: shop.id)
        }
    }

    func sentHome(on days: [CalendarDay]) throws(StoreError) -> [ReservationRecord] {
        var records: [ReservationRecord] = []
        for id in try database.sentHome(of: shop.id, on: days) {
            if let record = try database.record(id, of: shop.id) { records.append(record) }
        }
        return records
    }

    func newID(at now: Moment) -> ReservationID { codes.newID(at: now) }

    func newCodes(isAnother: Bool) throws(StoreError) -> (code: EntryCode, typed: TypedCode) {
        (
            codes.symbolCode(tag: shop.tag),
            try codes.typedCode(of: shop.id, askingFirst: isCareful || isAnother, in: database)
        )
    }
}
