internal import QueueEngine
internal import Reservations

extension Database {
    /// Loads the whole state of a shop's queue.
    ///
    /// - Parameter today: The day of the present opening or the next one; numbers of earlier days are loaded only if
    ///   holds need them.
    func queueState(
        of shop: Shop, today: CalendarDay, at now: Moment
    ) throws(StoreError) -> QueueState {
        var state = QueueState(policy: shop.policy)
        let holds = try holds(of: shop.id)
        // A hold may belong to a day that is over for all other reservations.
        let first = holds.map(\.day).reduce(today, min)
        try restoreDays(of: shop.id, from: first, to: &state)
        for hold in holds { state.restore(hold: hold) }
        for record in try liveReservations(of: shop.id) { state.restore(record) }
        let left = try checkedOut(of: shop.id, on: today, since: now - shop.policy.leaveDelay)
        for record in left { state.restore(record) }
        try restoreFloor(of: shop.id, to: &state)
        return state
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
        var state = former
        state.update(records, at: now)
        // A number may be assigned for a hold of a day that is over, or after a clock was set back.
        try restoreDays(of: shop, from: today.advanced(by: -7), to: &state)
        if content.hasFloor { try restoreFloor(of: shop, to: &state) }
        return state
    }
}
