internal import QueueEngine
internal import Reservations

/// A queue while its rows are read.
struct LoadedQueue {
    var state: QueueState
    var cells: [LearnedStays.Cell: DurationSums] = [:]
    var attendance = Attendance()
    var noShows: [HolderID: [Moment]] = [:]
    var collectors: [Collector] = []

    /// The state with what was read of customers.
    ///
    /// - Parameters:
    ///   - hasLearned: Whether the rows of what was learned of customers, and of orders at desks, were read.
    ///   - hasNoShows: Whether those of the calls that holders have missed were.
    func complete(hasLearned: Bool = true, hasNoShows: Bool = true) -> QueueState {
        var state = state
        if hasNoShows { state.restore(noShows: noShows) }
        if hasLearned {
            state.restore(stays: LearnedStays(cells: cells), attendance: attendance)
            state.restore(collectors: collectors)
        }
        return state
    }
}

extension Database {
    /// Loads the whole states of shops' queues.
    ///
    /// - Parameter shops: Each with the days of its present opening or the next one, in order: two, if the shop has stayed
    ///   open over midnight. Numbers of earlier days are loaded only if holds need them.
    func queueStates(
        of shops: [(shop: Shop, days: [CalendarDay])], at now: Moment
    ) throws(StoreError) -> [QueueState] {
        var holds = [[Hold]](repeating: [], count: shops.count)
        try ask(shops.map { [Self.holds(of: $0.shop.id)] }, about: &holds)
        var queues = zip(shops, holds).map { asked, holds in
            var state = QueueState(policy: asked.shop.policy)
            for hold in holds { state.restore(hold: hold) }
            return LoadedQueue(state: state)
        }
        let questions = zip(shops, holds).map { asked, holds in
            let shop = asked.shop
            // A hold may belong to a day that is over for all other reservations.
            let first = holds.map(\.day).reduce(asked.days[0], min)
            let left = asked.days.map {
                Self.checkedOut(of: shop.id, on: $0, since: now - shop.policy.leaveDelay)
            }
            return [
                Self.days(of: shop.id, from: first), Self.liveReservations(of: shop.id),
                Self.noShows(of: shop.id, since: now - QueueState.noShowMemory),
            ] + left + Self.floor(of: shop.id) + Self.collectors(of: shop.id, shop.policy, at: now)
        }
        try ask(questions, about: &queues)
        return queues.map { $0.complete() }
    }

    /// Updates a queue by what other servers have changed since its `known` change, from the subjects of these changes;
    /// returns nil if they are not known and everything must be loaded.
    func queueState(
        _ former: QueueState, of shop: ShopID, today: CalendarDay, after known: Int64,
        upTo last: Int64, at now: Moment
    ) throws(StoreError) -> QueueState? {
        guard let content = try queueChanges(of: shop, after: known, upTo: last) else { return nil }
        let records = try records(content.reservations, of: shop)
        guard records.count == content.reservations.count else { return nil }
        var queue = LoadedQueue(state: former)
        queue.state.update(records, at: now)
        // A number may be assigned for a hold of a day that is over, or after a clock was set back.
        var questions = [Self.days(of: shop, from: today.advanced(by: -7))]
        if content.hasFloor {
            questions += Self.floor(of: shop) + Self.collectors(of: shop, former.policy, at: now)
        }
        if content.hasNoShows {
            questions.append(Self.noShows(of: shop, since: now - QueueState.noShowMemory))
        }
        try ask(questions, about: &queue)
        return queue.complete(hasLearned: content.hasFloor, hasNoShows: content.hasNoShows)
    }
}
