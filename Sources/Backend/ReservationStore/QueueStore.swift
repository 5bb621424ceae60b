internal import Dispatch
internal import QueueEngine
public import Reservations
internal import Synchronization

/// The writers of a database: they decide commands in order and commit them in batches.
///
/// All commands that wait go into one transaction, also those of several shops; answers are given after the commit. The
/// state of each queue is kept in memory and changed only by what was written; after a failed commit, and after a
/// change by another server, it is loaded again. Each writer has a connection and a serial queue of its own; a shop has
/// one writer at a time. A further writer begins only if those at work take long, so that flushes are shared. SQLite
/// has one writer for all shops.
public final class QueueStore: Sendable {
    /// The highest number of commands in one transaction: many share one disk flush, and they take under 10 ms.
    public static let maxBatchCommands = 256
    /// The highest number of waiting commands, about a third of a second; above it the store is unavailable at once.
    public static let maxWaiting = 4_096
    /// The highest number of look-ups that may wait; customers at machines cause them. A few milliseconds' work.
    public static let maxWaitingLookups = 256
    /// The highest number of look-ups for customers' phones that may wait beside them.
    public static let maxWaitingPhoneLookups = 64
    /// The highest number of machine reports that may wait to be written: as many as one server has machines.
    public static let maxWaitingReports = 4_096
    /// A report with nothing new is written after this long, so that its machine does not count as silent: ten thousand
    /// machines cost a few hundred small writes a second.
    public static let maxStatusAge = Duration.seconds(60)
    /// How often a queue that changes is played forward at most (rules: forecasts).
    static let forecastInterval = Duration.milliseconds(250)
    /// Forecasts of very long queues take at most one part in so many of a core.
    static let maxForecastShare = 20
    /// How often the store looks for changes by administrators, which must take effect within a second (rules: one-server).
    static let pollInterval = Duration.milliseconds(500)

    /// How long work waits for the writers that are at work, before a further one begins: longer than most commits take.
    static let writerTimeout = Duration.milliseconds(10)

    /// How long changes by another server are gathered, so that a burst of them costs one load.
    static let announcementDelay = Duration.milliseconds(20)

    private struct Worker {
        let writer: StoreWriter
        let queue = DispatchQueue(label: "clup.store.writer", qos: .userInitiated)
    }

    let line: Mutex<WriterLine>
    private let workers: [Worker]
    private let batch: Int
    /// Entered by every writer that is at work, and by every answer that is to be given.
    private let working = DispatchGroup()
    /// Answers are given on this queue, so that the next batch does not wait for their cost.
    private let answers = DispatchQueue(label: "clup.store.answers", qos: .userInitiated)
    private let polls = DispatchQueue(label: "clup.store.polls", qos: .userInitiated)
    let forecasts = DispatchQueue(label: "clup.store.forecasts", qos: .utility)
    let context: WriterContext

    /// Loads every shop's queue; the database is used only by the store from here on.
    ///
    /// - Parameters:
    ///   - isStepped: Whether time passes only with `tick()`, so that a simulation can be repeated.
    ///   - now: The clock of the queue, holds and numbers.
    ///   - uptime: The clock by which nonces age, which cannot be set.
    ///   - openings: Returns a shop's present opening, if there is one, and those to come, in order. Called at most
    ///     once a minute and after a change of the shop, from the writer's queue.
    ///   - local: Returns a moment as a shop's clock shows it.
    ///   - randomBytes: Returns as many unpredictable bytes as asked.
    ///   - batch: The highest number of commands in one transaction; benchmarks compare different values.
    ///   - connections: The connections of further writers, if the engine lets several write at once.
    ///   - signal: Notifies other servers on the database of changes, if there may be any.
    ///   - sealer: Signs the ends of audits from time to time; nil leaves them unsigned.
    public init(
        database: sending any Database, isStepped: Bool = false,
        now: @escaping @Sendable () -> Moment,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        openings: @escaping @Sendable (Shop, Moment) -> [OpenInterval],
        local: @escaping @Sendable (Moment, Shop) -> LocalMoment,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], batch: Int = maxBatchCommands,
        connections: [@Sendable () -> sending any Database] = [], signal: (any ChangeSignal)? = nil,
        sealer: AuditSealer? = nil
    ) throws(StoreError) {
        self.batch = batch
        let context = WriterContext(
            now: now, uptime: uptime, openings: openings, local: local,
            codes: CodeGenerator(randomBytes: randomBytes), signal: signal,
            deliver: { [answers, working] answer in
                answers.async(group: working, execute: answer)
            }, sealer: sealer)
        self.context = context
        let first = StoreWriter(database, context)
        workers =
            [Worker(writer: first)]
            + connections.map { Worker(writer: StoreWriter($0(), context)) }
        line = Mutex(WriterLine(writers: workers.count))
        // Connections come first, as each later one makes everything be read again. A failed one is made later.
        for worker in workers.dropFirst() { try? worker.writer.connect() }
        try first.loadShops()
        signal?.start { [weak self] in self?.heard($0) }
        if !isStepped {
            schedulePoll()
            scheduleForecasts()
        }
    }

    var published: Published { context.published }

    /// Queues a request; `completion` is called exactly once, after the commit, on the answers' queue.
    ///
    /// Answers `unavailable` at once, on the caller's thread, if too many requests wait or the store is stopped.
    public func perform(
        _ request: AuthenticatedRequest, completion: @escaping @Sendable (RequestResult) -> Void
    ) {
        let refusal = add(unless: { $0.waiting.count >= Self.maxWaiting }) {
            $0.waiting.append(WaitingCommand(request: request, completion: completion))
        }
        if let refusal { completion(.unavailable(refusal)) }
    }

    /// Stores a machine's report.
    ///
    /// `completion` is called exactly once, with nil if a report with the same signature was written before: at once,
    /// on the caller's thread, if the report contains nothing new, too many wait or the store is stopped; otherwise on
    /// the answers' queue, after the commit.
    public func report(
        _ report: MachineReport,
        completion: @escaping @Sendable (Result<MachineReportResult?, StoreError>) -> Void
    ) {
        if let answer = context.board.answer(to: report) { return completion(.success(answer)) }
        let refusal = add(unless: { $0.waiting.reports >= Self.maxWaitingReports }) {
            $0.waiting.append(WaitingReport(report: report, completion: completion))
        }
        if let refusal { completion(.failure(refusal)) }
    }

    /// The public status of a shop's queue now; nil for an unknown shop.
    ///
    /// It is read from memory, in O(log n), and never waits for the disk. It may be ahead of the disk by the batch that
    /// is being committed: it is a notice, not the answer to a request.
    public func status(of shop: ShopID) -> QueueStatus? {
        published.queue(of: shop)?.read(at: context.now()) { $0.status(in: $1) }
    }

    /// A shop's queue now as the staff sees it; nil for an unknown shop. It is read from memory, as `status`.
    public func staffQueue(of shop: ShopID) -> StaffQueue? {
        published.queue(of: shop)?.read(at: context.now()) { $0.staffQueue(in: $1) }
    }

    /// The content of a shop's public displays now; nil for an unknown shop. It is read from memory, as `status`.
    public func turns(of shop: ShopID) -> TurnsMessage? {
        published.queue(of: shop).map { queue in
            let now = context.now()
            var message = queue.read(at: now) { $0.turns(in: $1) }
            message.orders = queue.pickups.desk.turns(at: now, local: queue.local)
            return message
        }
    }

    /// The orders of a shop whose customers are here now; nil for an unknown shop. They are read from memory, as `status`.
    public func deskOrders(of shop: ShopID) -> DeskOrders? {
        published.queue(of: shop).map { queue in
            queue.pickups.desk.shownAtDesk(at: context.now(), local: queue.local)
        }
    }

    /// Calls `changed` after each change of a shop's orders whose customers are here, as `observeHelp`.
    public func observePickups(_ changed: (@Sendable (ShopID) -> Void)?) {
        published.pickupObserver = changed
    }

    /// The calls for help of a shop now; nil for an unknown shop. They are read from memory, as `status`.
    public func helpCalls(of shop: ShopID) -> HelpCalls? {
        published.queue(of: shop).map { queue in
            queue.help.desk.reported(of: queue.shop, at: context.now(), local: queue.local)
        }
    }

    /// Calls `changed` after each change of a shop's calls for help; it must be quick. There is one observer.
    public func observeHelp(_ changed: (@Sendable (ShopID) -> Void)?) {
        published.helpObserver = changed
    }

    /// Calls `start` when no staff member has gone to a call for a minute, and each minute again (rules: help-staff); of
    /// several servers one calls it. It must be quick.
    ///
    /// - Parameter start: Gets the shop, the call, and how often the program is started for it by now.
    public func startHelpProgram(_ start: (@Sendable (Shop, HelpCall, Int) -> Void)?) {
        published.helpProgram = start
    }

    /// Calls `changed` after each commit that changed a shop's queue and after each new forecast of it.
    ///
    /// It is called on the store's own queues, so it must be quick. There is one observer: the one that was set last.
    public func observe(_ changed: (@Sendable (ShopID) -> Void)?) { published.observer = changed }

    /// Calls `got` with each message that is passed to `send`, here and at other servers of the database.
    ///
    /// As with `observe`, there is one observer, which must be quick.
    public func observeMessages(_ got: (@Sendable (ShopID, String) -> Void)?) {
        published.messages = got
    }

    /// Passes a message of at most 2,000 bytes to the observer of messages at every server; a server that has no
    /// connection at the moment misses it.
    public func send(_ message: String, to shop: ShopID) {
        published.messages?(shop, message)
        context.signal?.notify(.message(shop, message))
    }

    /// The clock of the queue.
    public var now: Moment { context.now() }

    /// The number of servers that work on the database, including this one.
    public var servers: Int { context.signal?.servers ?? 1 }

    /// Every shop, as of the last look at the database.
    public func shops() -> [Shop] { published.shops }

    /// Every key, including revoked ones, as of the last look at the database.
    public func machineKeys() -> [MachineKeyRecord] { published.keys }

    /// Grows whenever the result of `shops()` or `machineKeys()` changes.
    public func version() -> Int64 { published.version }

    /// The measurements of transactions since the start.
    public var meter: StoreMeter { published.meter }

    /// The print outcomes of a day, summed over all machines of a shop that reported them since the start; from memory.
    public func papers(of shop: ShopID, on day: CalendarDay) -> PrintTally {
        context.board.papers(of: shop, on: day)
    }

    /// Why the store could not write when it last tried; nil while it can.
    public func trouble() -> StoreError? { published.trouble }

    /// Finishes what waits, then stops; further requests are unavailable. Must not be called from a completion.
    public func stop() {
        line.withLock { $0.stopped = true }
        working.wait()
        context.signal?.stop()
    }

    /// Adds to the queue, unless the store is stopped or `isFull` is true, and wakes a writer if one rests.
    func add(
        unless isFull: (WriterLine) -> Bool = { _ in false }, _ change: (inout WriterLine) -> Void
    ) -> StoreError? {
        let (refusal, call) = line.withLock { line -> (StoreError?, WriterLine.Call) in
            if line.stopped { return (Self.stopped, WriterLine.Call()) }
            if isFull(line) { return (Self.overloaded, WriterLine.Call()) }
            change(&line)
            return (nil, findWriter(in: &line))
        }
        wake(call)
        return refusal
    }

    /// Finds the writer to wake; it counts as being at work before the store can be stopped.
    private func findWriter(
        in line: inout WriterLine, since known: Int? = nil
    ) -> WriterLine.Call {
        let call = line.findWriter(since: known)
        if call.writer != nil { working.enter() }
        return call
    }

    private func wake(_ call: WriterLine.Call) {
        if let writer = call.writer { workers[writer].queue.async { [self] in work(writer) } }
        guard let watched = call.watched else { return }
        let milliseconds = Int(Self.writerTimeout.wholeMilliseconds)
        polls.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self else { return }
            wake(line.withLock { self.findWriter(in: &$0, since: watched) })
        }
    }

    /// Does one batch and queues itself again, until no shop is left without a writer.
    private func work(_ index: Int) {
        let batches = line.withLock { $0.takeBatches(for: index, atMost: batch) }
        guard !batches.isEmpty else { return working.leave() }
        let isWritten = workers[index].writer.run(batches)
        line.withLock { $0.finished(batches, isWritten: isWritten) }
        workers[index].queue.async { [self] in work(index) }
    }

    /// Lets time pass for every shop at once; needed after a clock was moved.
    public func tick() {
        let looks = DispatchGroup()
        for shop in published.shops { look(at: shop.id, in: looks) }
        looks.enter()
        if !look(in: looks, then: { looks.leave() }) { looks.leave() }
        looks.wait()
    }

    private func look(at shop: ShopID, in group: DispatchGroup? = nil) {
        group?.enter()
        let refusal = add {
            $0.waiting.append(
                { writer in
                    writer.look(at: shop)
                    group?.leave()
                }, of: shop)
        }
        if refusal != nil { group?.leave() }
    }

    /// Looks at the whole database, then at the shops that need it; `done` is called after the first of these, and
    /// `group` is entered for the others. Returns false if the store is stopped.
    @discardableResult private func look(
        in group: DispatchGroup? = nil, then done: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let refusal = add {
            $0.waiting.append(
                { [weak self] writer in
                    for shop in writer.look() { self?.look(at: shop, in: group) }
                    done()
                }, of: nil)
        }
        return refusal == nil
    }

    /// Handles a notice that another server, or this one, has changed something.
    private func heard(_ notice: ChangeNotice) {
        if case .message(let shop, let message) = notice {
            published.messages?(shop, message)
            return
        }
        if case .desks(let shop) = notice { return look(at: shop) }
        guard case .queue(let shop, let sequence) = notice, let queue = published.queue(of: shop)
        else {
            look()
            return
        }
        guard queue.freshness.loaded.sequence < sequence,
            line.withLock({ $0.announced.insert(shop).inserted })
        else { return }
        let milliseconds = Int(Self.announcementDelay.wholeMilliseconds)
        polls.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.line.withLock { _ = $0.announced.remove(shop) }
            self?.look(at: shop)
        }
    }

    /// Looks at the database regularly until the store is stopped or released.
    private func schedulePoll() {
        let milliseconds = Int(Self.pollInterval.wholeMilliseconds)
        polls.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.look { [weak self] in self?.schedulePoll() }
        }
    }

    private func scheduleForecasts(after pause: Duration = forecastInterval) {
        let milliseconds = Int(pause.wholeMilliseconds)
        forecasts.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, !self.line.withLock({ $0.stopped }) else { return }
            let start = ContinuousClock.now
            self.forecastChangedQueues()
            let took = ContinuousClock.now - start
            self.scheduleForecasts(after: max(Self.forecastInterval, took * Self.maxForecastShare))
        }
    }

    /// Makes the forecasts that are out of date at once; needed after a clock was moved, before anyone asks for a wait.
    public func renewForecasts() { forecasts.sync { forecastChangedQueues() } }

    /// Plays the queues that have changed forward, off the path of requests (rules: forecasts).
    private func forecastChangedQueues() {
        let now = context.now()
        for queue in published.queues where queue.startForecast(at: now) {
            queue.forecast(at: now)
            published.observer?(queue.shop.id)
        }
    }

    private static let overloaded = StoreError(
        .overloaded, operation: "queue a command", "too many commands wait to be stored")
    private static let stopped = StoreError(
        .stopped, operation: "queue a command", "the store is stopping")
}
