internal import QueueEngine
internal import Reservations

/// Loads what is known of a shop's queue.
enum QueueRows {
    /// What is known of a shop's queue.
    ///
    /// - Parameter today: the day of the present opening or the next one; numbers of earlier days are asked
    ///   for by their holds only.
    static func state(
        of shop: Shop, today: CalendarDay, at now: Moment, in database: any Database
    ) throws(StoreError) -> QueueState {
        var state = QueueState(policy: shop.policy)
        let holds = try ReservationRows.holds(of: shop.id, in: database)
        // A hold's day may be over for everyone else.
        let first = holds.map(\.day).reduce(today, min)
        try FloorRows.restoreDays(of: shop.id, from: first, to: &state, in: database)
        for hold in holds { state.restore(hold: hold) }
        for record in try ReservationRows.live(of: shop.id, in: database) { state.restore(record) }
        let left = try ReservationRows.left(
            of: shop.id, on: today, since: now - shop.policy.leaveDelay, in: database)
        for record in left { state.restore(record) }
        try FloorRows.restoreFloor(of: shop.id, to: &state, in: database)
        return state
    }
}
