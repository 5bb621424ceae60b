internal import Dispatch
public import QueueEngine
public import Reservations
internal import Synchronization

/// The one writer of a database: decides commands in order and commits them in batches.
///
/// Everything that waits for one shop goes into one transaction, a savepoint each; answers are given after
/// the commit. What is known of each queue is kept in memory and changed only by what was written; after a
/// failed commit it is loaded again. All work on the database happens on one serial queue.
public final class QueueStore: Sendable {
    /// Commands in one transaction: enough to pay one disk flush by many, few enough to stay below 10 ms.
    public static let largestBatch = 256
    /// Commands that may wait; above it the store answers unavailable at once. About a third of a second.
    public static let longestLine = 4_096
    /// Look-ups that may wait, as people at machines cause them: a few milliseconds' work.
    public static let longestLookupLine = 256
    /// Reports of machines that may wait to be written: as many machines as one server has.
    public static let longestReportLine = 4_096
    /// A report that tells nothing new is written after this long, so that its machine is not taken to be
    /// silent: ten thousand machines cost some hundred small writes a second.
    public static let statusLife = Duration.seconds(60)
    /// How often a queue that changes is played forward at most (rules 28).
    static let forecastInterval = Duration.milliseconds(250)
    /// Forecasts of very long queues take at most one part in so many of a core.
    static let forecastShare = 20
    /// How often changes by administrators are looked for: rules 27 wants them within a second.
    static let pollInterval = Duration.milliseconds(500)

    private struct Line {
        var waiting = WaitingLine()
        var lookups = 0
        var reports: [WaitingReport] = []
        var scheduled = false
        var stopped = false
    }

    /// What lets time pass for the queues.
    public enum Pace: Hashable, Sendable {
        /// By itself, in the background.
        case realTime
        /// Only `tick()`, so that a simulation repeats itself.
        case stepped
    }

    private let line = Mutex(Line())
    private let queue = DispatchQueue(label: "clup.store.writer", qos: .userInitiated)
    private let forecasts = DispatchQueue(label: "clup.store.forecasts", qos: .utility)
    private let writer: StoreWriter
    private let published: Published
    private let board = MachineBoard()
    private let now: @Sendable () -> Moment

    /// Loads every shop's queue; the database is the store's alone from here on.
    ///
    /// - Parameters:
    ///   - now: the clock of the queue, holds and numbers.
    ///   - openings: a shop's present opening, where there is one, and those to come, in order. Asked at
    ///     most once a minute and after a change of the shop, from the writer's queue.
    ///   - randomBytes: unpredictable bytes, as many as asked.
    public init(
        database: sending any Database, pace: Pace = .realTime,
        now: @escaping @Sendable () -> Moment,
        openings: @escaping @Sendable (Shop, Moment) -> [OpenInterval],
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) throws(StoreError) {
        self.now = now
        published = Published()
        writer = StoreWriter(
            database: database, published: published, board: board, now: now, openings: openings,
            codes: CodeDrawer(randomBytes: randomBytes))
        try writer.start()
        if pace == .realTime {
            schedulePoll()
            scheduleForecasts()
        }
    }

    /// Queues a request; `completion` is called exactly once, after the commit, on the writer's queue.
    ///
    /// Answers `unavailable` at once, on the caller's thread, where too many wait or the store is stopped.
    public func perform(
        _ request: CommandRequest, completion: @escaping @Sendable (CommandResult) -> Void
    ) {
        let (refusal, mustSchedule) = line.withLock { line -> (StoreError?, Bool) in
            if line.stopped { return (Self.stopped, false) }
            guard line.waiting.count < Self.longestLine else { return (Self.overloaded, false) }
            line.waiting.append(WaitingCommand(request: request, completion: completion))
            defer { line.scheduled = true }
            return (nil, !line.scheduled)
        }
        if let refusal {
            completion(.unavailable(refusal))
        } else if mustSchedule {
            queue.async { [self] in drain() }
        }
    }

    /// Finds the reservation of a code in its shop, between two batches; changes nothing.
    ///
    /// `completion` is called exactly once, on the writer's queue, with nil where there is none; at once, on
    /// the caller's thread, where too many wait or the store is stopped.
    public func lookUp(
        _ code: PresentedCode, in shop: ShopID,
        completion: @escaping @Sendable (Result<Lookup?, StoreError>) -> Void
    ) {
        aside(completion) { [writer] () throws(StoreError) in try writer.lookUp(code, in: shop) }
    }

    /// Gives a machine that is not let in yet a code to show; `completion` as of `lookUp`.
    public func openPairing(
        _ request: PairingRequest,
        completion: @escaping @Sendable (Result<PairingOutcome, StoreError>) -> Void
    ) {
        aside(completion) { [writer] () throws(StoreError) in try writer.openPairing(request) }
    }

    /// Does on the writer's queue what is not part of a batch.
    private func aside<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) {
        let refusal = line.withLock { line -> StoreError? in
            if line.stopped { return Self.stopped }
            guard line.lookups < Self.longestLookupLine else { return Self.overloaded }
            line.lookups += 1
            return nil
        }
        if let refusal { return completion(.failure(refusal)) }
        queue.async { [self] in
            line.withLock { $0.lookups -= 1 }
            let result: Result<Value, StoreError>
            do throws(StoreError) {
                result = .success(try body())
            } catch {
                result = .failure(error)
            }
            completion(result)
        }
    }

    /// Takes over what a machine tells of itself.
    ///
    /// `completion` is called exactly once: at once, on the caller's thread, where the report tells nothing
    /// new, too many wait or the store is stopped; else on the writer's queue, after the commit.
    public func report(
        _ report: MachineReport,
        completion: @escaping @Sendable (Result<MachineAnswer, StoreError>) -> Void
    ) {
        if let answer = board.answer(to: report) { return completion(.success(answer)) }
        let (refusal, mustSchedule) = line.withLock { line -> (StoreError?, Bool) in
            if line.stopped { return (Self.stopped, false) }
            guard line.reports.count < Self.longestReportLine else {
                return (Self.overloaded, false)
            }
            line.reports.append(WaitingReport(report: report, completion: completion))
            return (nil, line.reports.count == 1)
        }
        if let refusal {
            completion(.failure(refusal))
        } else if mustSchedule {
            queue.async { [self] in writeReports() }
        }
    }

    /// Writes all reports that wait, each shop's in a transaction of its own.
    private func writeReports() {
        let reports = line.withLock { line in
            defer { line.reports = [] }
            return line.reports
        }
        for (shop, reports) in Dictionary(grouping: reports, by: \.report.shop) {
            writer.write(reports, of: shop)
        }
    }

    /// What may be told of a shop's queue now; nil for an unknown shop.
    ///
    /// From memory, O(log n), never waits for the disk. May be ahead of the disk by the batch that is being
    /// committed: it is a notice, not an answer to anyone.
    public func overview(of shop: ShopID) -> QueueOverview? {
        published.queue(of: shop)?.read(at: now()) { $0.overview(in: $1) }
    }

    /// What the staff may see of a shop's queue now; nil for an unknown shop. As `overview` of the disk.
    public func staffView(of shop: ShopID) -> StaffView? {
        published.queue(of: shop)?.read(at: now()) { $0.staffView(in: $1) }
    }

    /// What may be shown of a shop's queue now; nil for an unknown shop. As `overview` of the disk.
    public func turns(of shop: ShopID) -> TurnSnapshot? {
        published.queue(of: shop)?.read(at: now()) { $0.turns(in: $1) }
    }

    /// Calls `changed` after each commit that changed a shop's queue and after each new forecast of it.
    ///
    /// On the store's own queues, so it must be quick. One observer; the last one given counts.
    public func observe(_ changed: (@Sendable (ShopID) -> Void)?) { published.observer = changed }

    /// Every shop, as of the last look at the database.
    public func shops() -> [Shop] { published.shops }

    /// Every key, revoked ones too, as of the last look at the database.
    public func machineKeys() -> [MachineKeyRecord] { published.keys }

    /// Grows whenever `shops()` or `machineKeys()` may answer something else.
    public func changeSequence() -> Int64 { published.sequence }

    /// Why the store could not write when it last tried; nil while it can.
    public func trouble() -> StoreError? { published.trouble }

    /// Finishes what waits, then stops; further requests are unavailable. Not from a completion.
    public func stop() {
        line.withLock { $0.stopped = true }
        queue.sync {
            while commitBatch() {}
            writeReports()
        }
    }

    /// Commits one batch and queues itself again, so that the poll has its turn under load too.
    private func drain() {
        if commitBatch() { queue.async { [self] in drain() } }
    }

    /// Commits the next batch; false where nothing waits.
    private func commitBatch() -> Bool {
        let batch = line.withLock { line in
            let batch = line.waiting.takeBatch(atMost: Self.largestBatch)
            if batch == nil { line.scheduled = false }
            return batch
        }
        guard let batch else { return false }
        writer.commit(batch)
        return true
    }

    /// Lets time pass for every shop at once; for a clock that was moved.
    public func tick() { queue.sync { writer.idle() } }

    /// Runs until the store is stopped or nobody has it any more.
    private func schedulePoll() {
        let milliseconds = Int(Self.pollInterval.wholeMilliseconds)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, !self.line.withLock({ $0.stopped }) else { return }
            self.writer.idle()
            self.schedulePoll()
        }
    }

    /// Plays the queues that have changed forward, off the path of requests (rules 28).
    private func scheduleForecasts(after pause: Duration = forecastInterval) {
        let milliseconds = Int(pause.wholeMilliseconds)
        forecasts.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, !self.line.withLock({ $0.stopped }) else { return }
            let start = ContinuousClock.now
            let now = self.now()
            for queue in self.published.queues where queue.startForecast(at: now) {
                queue.forecast(at: now)
                self.published.observer?(queue.shop.id)
            }
            let took = ContinuousClock.now - start
            self.scheduleForecasts(after: max(Self.forecastInterval, took * Self.forecastShare))
        }
    }

    private static let overloaded = StoreError(
        .overloaded, operation: "queue a command", "too many commands wait to be stored")
    private static let stopped = StoreError(
        .stopped, operation: "queue a command", "the store is stopping")
}
