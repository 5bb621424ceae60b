internal import QueueEngine
internal import Reservations

enum QueueRows {
    /// Loads the whole state of a shop's queue.
    ///
    /// - Parameter today: The day of the present opening or the next one; numbers of earlier days are loaded only if
    ///   holds need them.
    static func state(
        of shop: Shop, today: CalendarDay, at now: Moment, in database: any Database
    ) throws(StoreError) -> QueueState {
        var state = QueueState(policy: shop.policy)
        let holds = try ReservationRows.holds(of: shop.id, in: database)
        // A hold may belong to a day that is over for all other reservations.
        let first = holds.map(\.day).reduce(today, min)
        try OccupancyRows.restoreDays(of: shop.id, from: first, to: &state, in: database)
        for hold in holds { state.restore(hold: hold) }
        for record in try ReservationRows.live(of: shop.id, in: database) { state.restore(record) }
        let left = try ReservationRows.left(
            of: shop.id, on: today, since: now - shop.policy.leaveDelay, in: database)
        for record in left { state.restore(record) }
        try OccupancyRows.restoreFloor(of: shop.id, to: &state, in: database)
        return state
    }

    /// Updates a queue by what other servers have changed since its `known` change, from the subjects of these changes;
    /// returns nil if they are not known and everything must be loaded.
    static func state(
        _ former: QueueState, of shop: ShopID, today: CalendarDay, after known: Int64,
        upTo last: Int64, at now: Moment, in database: any Database
    ) throws(StoreError) -> QueueState? {
        guard
            let content = try ChangeRows.content(of: shop, after: known, upTo: last, in: database)
        else { return nil }
        let records = try ReservationRows.records(content.reservations, of: shop, in: database)
        guard records.count == content.reservations.count else { return nil }
        var state = former
        state.update(records, at: now)
        // A number may be assigned for a hold of a day that is over, or after a clock was set back.
        try OccupancyRows.restoreDays(
            of: shop, from: today.advanced(by: -7), to: &state, in: database)
        if content.hasFloor {
            try OccupancyRows.restoreFloor(of: shop, to: &state, in: database)
        }
        return state
    }
}
