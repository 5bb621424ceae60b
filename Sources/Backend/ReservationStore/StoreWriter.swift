internal import QueueEngine
internal import Reservations

/// What the writers of a store share.
struct WriterContext: Sendable {
    let published = Published()
    let board = MachineStatusCache()
    let now: @Sendable () -> Moment
    let uptime: @Sendable () -> ContinuousClock.Instant
    let openings: @Sendable (Shop, Moment) -> [OpenInterval]
    let local: @Sendable (Moment, Shop) -> LocalMoment
    let codes: CodeGenerator
    let signal: (any ChangeSignal)?
    /// Runs completions, in order, off the writer's queue.
    let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
    let sealer: AuditSealer?

    /// The first day whose customers may still wait for orders: today or, in the first half of a day of a shop that has stayed
    /// open over midnight, the day before.
    func firstOrderDay(_ now: Moment, _ shop: Shop) -> CalendarDay {
        let today = local(now, shop)
        let isMorning = today.time.hour < 12
        return (isMorning ? openings(shop, now).firstDay(at: now) : nil) ?? today.day
    }
}

/// Decides and writes, batch by batch, on its own connection; contains no threading.
///
/// Unchecked: the database is used only on its own serial queue of `QueueStore` (`connect` and the first `loadShops` run
/// before that queue is given any work).
final class StoreWriter: @unchecked Sendable {
    let database: any Database
    let context: WriterContext
    private let upkeep: Upkeep
    var changes = QueueChanges()
    /// The number of connections that are counted among the server's.
    var counted = 0
    /// The nonces of machines that ask for a pairing code, which belong to no shop.
    private var pairingNonces = NonceAges()

    init(_ database: sending any Database, _ context: WriterContext) {
        self.database = database
        self.context = context
        upkeep = Upkeep(
            database: database, sealer: context.sealer, firstOrderDay: context.firstOrderDay)
    }

    var published: Published { context.published }

    func connect() throws(StoreError) { _ = present(try database.changeSequence()) }

    /// Commits the commands and reports of a batch, then runs its tasks; or commits the commands of several shops.
    ///
    /// Returns false if commands of several shops are to be written shop by shop; nothing has been done then.
    func run(_ batches: [Batch]) -> Bool {
        if batches.count > 1 { return commit(batches, isLast: false) }
        for batch in batches {
            if let shop = batch.shop {
                if !batch.commands.isEmpty { commit([batch], isLast: true) }
                if !batch.reports.isEmpty { write(batch.reports, of: shop) }
            }
            for task in batch.tasks { task(self) }
        }
        return true
    }

    /// Looks for changes by administrators and by other servers; returns the shops whose queue needs a look.
    func look() -> [ShopID] {
        do throws(StoreError) {
            if present(try database.changeSequence()) != published.loaded { try loadShops() }
            let sequences = try database.shopSequences()
            let moment = context.now()
            let hasProgram = published.helpProgram != nil
            let behind = published.queues.filter { queue in
                let sequences = sequences[queue.shop.id] ?? (0, 0, 0)
                return !isFresh(queue, at: moment, sequence: sequences.queue)
                    || queue.read(at: moment) { $0.isDue(in: $1) }
                    || queue.help.loaded != present(sequences.help)
                    || queue.pickups.loaded != present(sequences.orders)
                    || queue.pickups.desk.isDue(at: moment)
                    || queue.help.desk.isDue(at: moment, hasProgram: hasProgram)
            }.map(\.shop.id)
            try upkeep.step(
                shops: published.shops, hasTrouble: published.trouble != nil, at: moment,
                uptime: context.uptime())
            published.trouble = nil
            return behind
        } catch {
            published.trouble = error
            return []
        }
    }

    /// Takes over changes by other servers; lets overdue holds expire if no machine asks for anything.
    func look(at shop: ShopID) {
        guard let queue = published.queue(of: shop) else { return }
        do throws(StoreError) {
            let now = context.now()
            let revision = queue.revision
            let sequences = try database.snapshot { () throws(StoreError) in
                let sequences = try database.sequences(of: shop)
                try refresh(queue, at: now, sequence: sequences.queue)
                return [shop: sequences]
            }
            if queue.revision != revision { published.observer?(shop) }
            try refreshHelp(of: [queue], at: now, sequences: sequences)
            try refreshPickups(of: [queue], sequences: sequences)
            try passHelpTime(of: queue, at: now)
            try passPickupTime(of: queue, at: now)
            if queue.read(at: now, { $0.isDue(in: $1) }) {
                commit([Batch(shop: shop)], isLast: true)
            }
        } catch { published.trouble = error }
    }

    /// Commits commands of shops in one transaction, then answers each of them; a shop without commands lets time pass.
    ///
    /// - Parameter isLast: Whether commands are answered that cannot be written. Otherwise this returns false if one shop
    ///   may be the reason.
    @discardableResult private func commit(_ batches: [Batch], isLast: Bool) -> Bool {
        let commands = batches.flatMap(\.commands)
        var results: [RequestResult] = []
        let start = ContinuousClock.now
        do throws(StoreError) {
            var shares: [ShopCommands] = []
            for batch in batches {
                guard let shop = batch.shop, let queue = published.queue(of: shop) else {
                    throw StoreError.noShop(batch.shop ?? ShopID(""), operation: "decide a command")
                }
                shares.append(ShopCommands(queue: queue, requests: batch.commands.map(\.request)))
            }
            let revisions = shares.map(\.queue.revision)
            results = try isLast ? write(shares[0]) : transact(shares, carefully: false)
            published.trouble = nil
            published.meter.count(commands.count, since: start, .committed)
            for (share, revision) in zip(shares, revisions) where share.queue.revision != revision {
                published.observer?(share.queue.shop.id)
            }
        } catch {
            let ofOneShop: Set<StoreError.Code> = [
                .constraint, .corrupt, .conflict, .busy, .unknownShop,
            ]
            if !isLast, ofOneShop.contains(error.code) { return false }
            if error.code != .unknownShop { published.trouble = error }
            published.meter.count(commands.count, since: start, .failed)
            results = commands.map { _ in .unavailable(error) }
        }
        // The machine's next call is signed with the key that was added.
        let hasKeys = commands.contains {
            if case .keys = $0.request.command { true } else { false }
        }
        if hasKeys {
            do throws(StoreError) {
                try loadShops()
                context.signal?.notify(.everything)
            } catch { published.trouble = error }
        }
        let ofDesks = commands.filter(\.request.command.isOfDesk).map(\.request.shop)
        // An order was called as a place has become free.
        let called = batches.compactMap(\.shop).filter { shop in
            published.queue(of: shop)?.pickups.loaded == Published.Loaded()
        }
        for shop in Set(ofDesks + called) {
            guard let queue = published.queue(of: shop) else { continue }
            do throws(StoreError) { try desksChanged(of: queue, at: context.now()) } catch {
                published.trouble = error
            }
        }
        guard !commands.isEmpty else { return true }
        context.deliver { [results] in
            for (command, result) in zip(commands, results) { command.completion(result) }
        }
        return true
    }

    /// Writes reports of one shop's machines in one transaction, then answers them.
    private func write(_ reports: [WaitingReport], of shop: ShopID) {
        do throws(StoreError) {
            let hasAcknowledgement = reports.contains { !$0.report.content.acknowledged.isEmpty }
            // What is answered once the transaction is committed; nil for a report whose signature came before.
            let written = try database.transaction { () throws(StoreError) in
                _ = try database.lock(shop)
                var known: [MachineID: MachineStatusRecord] = [:]
                for status in try database.machineStatuses(of: shop) {
                    known[status.machine] = status
                }
                var written: [() -> MachineReportResult?] = []
                for waiting in reports {
                    let report = waiting.report
                    if let wait = report.wait(after: known[report.machine]) {
                        written.append { MachineReportResult(wait: wait, through: 0, commands: []) }
                        continue
                    }
                    guard try database.remember(report.nonce, in: shop) else {
                        written.append { nil }
                        continue
                    }
                    let status = try database.write(report, after: known[report.machine])
                    known[report.machine] = status
                    written.append { [context] in context.board.wrote(report, as: status) }
                }
                // Another server must not give the machine its remote command again.
                if hasAcknowledgement { try database.raiseChangeSequence(of: shop) }
                return written
            }
            if hasAcknowledgement { context.signal?.notify(.everything) }
            let answers = written.map { $0() }
            context.deliver {
                for (waiting, answer) in zip(reports, answers) {
                    waiting.completion(.success(answer))
                }
            }
        } catch {
            context.deliver { for waiting in reports { waiting.completion(.failure(error)) } }
        }
    }

    /// What the holder of a code is shown; nil if no reservation of the shop has the code.
    func lookUp(_ code: PresentedCode, in shop: ShopID) throws(StoreError) -> FoundReservation? {
        let now = context.now()
        guard let queue = published.queue(of: shop) else {
            throw .noShop(shop, operation: "look up a code")
        }
        let found = try database.snapshot { () throws(StoreError) -> ReservationRecord? in
            try refresh(queue, at: now, sequence: database.sequences(of: shop).queue)
            return try database.record(code, of: shop)
        }
        return found.flatMap { record in
            queue.read(at: now) { state, context in state.found(record, in: context) }
        }
    }

    /// Counts a request that was refused before it came to the queue.
    func count(_ kind: RefusedRequestKind, of shop: ShopID) throws(StoreError) {
        guard let queue = published.queue(of: shop) else { return }
        let now = queue.local(context.now())
        try database.transaction { () throws(StoreError) in
            try database.count(kind, of: shop, at: now)
        }
    }

    /// Counts a visit that was wanted and not to be had.
    func count(_ slot: RefusedSlot, of shop: ShopID) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.count(slot, of: shop)
        }
    }

    /// Gives a machine that is not paired yet a code to show.
    func openPairing(_ request: PairingRequest) throws(StoreError) -> PairingOutcome {
        do throws(StoreError) {
            return try database.transaction { () throws(StoreError) in
                try database.openPairing(
                    request, draw: context.codes.pairingCode, &pairingNonces, at: context.uptime())
            }
        } catch {
            pairingNonces = NonceAges()
            throw error
        }
    }
}
