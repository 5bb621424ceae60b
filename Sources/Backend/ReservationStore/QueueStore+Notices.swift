public import QueueEngine
public import Reservations

/// The notices of customers' phones (rules: notices).
extension QueueStore {
    /// A customer hears that the call is near when it is expected within this time [R13.1].
    public static let noticeBefore = Duration.minutes(2)
    /// A customer hears that the call comes later if the earliest time is later than what was shown by more than this.
    public static let noticedDelay = Duration.minutes(15)
    /// The most changes of subscriptions that may wait: each is a transaction of its own, of some milliseconds.
    static let maxWaitingSubscriptions = 16

    /// Has a browser get the notices of a place or of an order from now on, or renews that: what the page shows now counts
    /// as shown.
    ///
    /// `completion` is called as by `record`; what is not there gets no notices.
    ///
    /// - Parameter record: The place as it was opened: nothing is written once its link is another one.
    public func subscribe(
        _ subscription: Subscription, to subject: NoticeSubject, in shop: ShopID,
        opened record: ReservationRecord? = nil,
        completion: @escaping @Sendable (Result<SubscriptionOutcome, StoreError>) -> Void
    ) {
        aside(of: shop, count: \.subscriptions, atMost: Self.maxWaitingSubscriptions, completion) {
            writer throws(StoreError) in
            try writer.changeSubscriptions(of: shop) { database, now throws(StoreError) in
                if let record,
                    try database.record(record.hold.id, of: shop)?.hasSameLink(as: record) != true
                {
                    return SubscriptionOutcome(isFull: false, endedNumbers: [], hasEnded: true)
                }
                return try database.write(subscription, to: subject, of: shop, at: now)
            }
        }
    }

    /// Ends that. `completion` is called as by `record`.
    public func unsubscribe(
        _ id: String, from subject: NoticeSubject, in shop: ShopID,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        aside(of: shop, count: \.subscriptions, atMost: Self.maxWaitingSubscriptions, completion) {
            writer throws(StoreError) in
            // What is none takes no lock.
            guard try writer.database.hasSubscription(id, to: subject, of: shop) else { return }
            try writer.changeSubscriptions(of: shop) { database, _ throws(StoreError) in
                try database.delete(subscription: id, from: subject.id, of: shop)
            }
        }
    }

    /// Looks at the forecasts of all places with a browser, and writes the notices of calls that are near, or later than
    /// they were shown.
    ///
    /// `completion` is called when all of that is written, or after a failure.
    public func watchNotices(completion: @escaping @Sendable (StoreError?) -> Void) {
        aside(
            of: nil,
            { [self] (result: Result<[WatchedSubscription], StoreError>) in
                guard case .success(let watched) = result else {
                    return completion(result.failure)
                }
                watch(Dictionary(grouping: watched, by: \.shop)[...], completion)
            }
        ) { writer throws(StoreError) in try writer.database.watchedSubscriptions() }
    }

    /// One shop after the other, so that no writer is busy with this for long; beside the forecasts, of which it needs one for
    /// each shop, and not on the way of answers.
    private func watch(
        _ shops: Dictionary<ShopID, [WatchedSubscription]>.SubSequence,
        _ completion: @escaping @Sendable (StoreError?) -> Void
    ) {
        forecasts.async { [self] in
            var rest = shops
            while let (shop, watched) = rest.popFirst() {
                guard let due = published.queue(of: shop)?.due(watched, at: now), !due.isEmpty
                else {
                    continue
                }
                let others = rest
                return aside(
                    of: shop,
                    { [self] (result: Result<Void, StoreError>) in
                        if let failure = result.failure { return completion(failure) }
                        watch(others, completion)
                    }
                ) { writer throws(StoreError) in try writer.write(due, of: shop) }
            }
            completion(nil)
        }
    }

    /// Leases notices whose time has come by the real clock; `completion` is called as by `record`.
    public func leaseNotices(
        atMost count: Int, at now: Moment, until end: Moment,
        completion: @escaping @Sendable (Result<[LeasedNotice], StoreError>) -> Void
    ) {
        aside(of: nil, completion) { writer throws(StoreError) in
            try writer.hurriedly { () throws(StoreError) in
                try writer.database.leaseNotices(atMost: count, at: now, until: end)
            }
        }
    }

    /// Writes what became of leased notices, all or none; `completion` is called as by `record`.
    public func end(
        _ ends: [NoticeEnd], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        aside(of: nil, completion) { writer throws(StoreError) in try writer.write(ends) }
    }
}

/// What must be written about a subscription: a notice, if there is one, and the earliest time that counts as shown now.
struct DueNotice {
    let watched: WatchedSubscription
    let kind: NoticeKind?
    let shown: Moment
}

extension ShopQueue {
    /// What must be written now about the shop's subscriptions.
    func due(_ watched: [WatchedSubscription], at now: Moment) -> [DueNotice] {
        let (state, context) = read(at: now) { ($0, $1) }
        let forecasts = state.callForecasts(of: Set(watched.map(\.reservation)), in: context)
        return watched.compactMap { one in
            forecasts[one.reservation].flatMap { one.due($0, at: now) }
        }
    }
}

extension WatchedSubscription {
    fileprivate func due(_ forecast: CallForecast, at now: Moment) -> DueNotice? {
        let earliest = forecast.earliest
        if !isSoon, forecast.expected <= now + QueueStore.noticeBefore {
            return DueNotice(watched: self, kind: .soon, shown: shown ?? earliest)
        }
        guard let shown else { return DueNotice(watched: self, kind: nil, shown: earliest) }
        guard earliest > shown + QueueStore.noticedDelay else { return nil }
        // A customer who has heard that the call is near waits at the door, and hears only of a long delay.
        let isLong = forecast.expected > now + QueueStore.noticedDelay
        return DueNotice(watched: self, kind: !isSoon || isLong ? .later : nil, shown: earliest)
    }
}

extension StoreWriter {
    /// Changes subscriptions under the shop's lock, so that a notice of a transition is not missed.
    func changeSubscriptions<Value: Sendable>(
        of shop: ShopID,
        _ body: (any Database, Moment) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let now = context.now()
        return try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop)
            return try body(database, now)
        }
    }

    /// Writes what is due of reservations that still wait.
    func write(_ due: [DueNotice], of shop: ShopID) throws(StoreError) {
        let now = context.now()
        try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop)
            let records = try database.records(Set(due.map(\.watched.reservation)), of: shop)
            let waiting = Set(records.filter { $0.state == .planned }.map(\.hold.id))
            for one in due where waiting.contains(one.watched.reservation) {
                try database.write(one.kind, to: one.watched, shown: one.shown, at: now)
            }
        }
    }

    func write(_ ends: [NoticeEnd]) throws(StoreError) {
        struct Counted: Hashable {
            let shop: ShopID
            let reason: NoticeReason
        }
        var counts: [Counted: (sent: Int, unsent: Int)] = [:]
        for end in ends {
            let counted = Counted(shop: end.notice.name.shop, reason: end.notice.reason)
            switch end.outcome {
            case .sent: counts[counted, default: (0, 0)].sent += 1
            case .unsent, .gone: counts[counted, default: (0, 0)].unsent += 1
            case .later: break
            }
        }
        let now = context.now()
        // Servers write rows of days in one order, so that they never wait for one another in a circle.
        let ordered = counts.sorted {
            ($0.key.shop.rawValue, $0.key.reason.rawValue)
                < ($1.key.shop.rawValue, $1.key.reason.rawValue)
        }
        // Shops' transactions change the same rows, in another order: this one gives way, and is tried again.
        try hurriedly { () throws(StoreError) in
            for end in ends { try database.write(end) }
            for (counted, count) in ordered {
                guard let queue = published.queue(of: counted.shop) else { continue }
                try database.count(
                    counted.reason, sent: count.sent, unsent: count.unsent, of: counted.shop,
                    on: queue.local(now).day)
            }
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
