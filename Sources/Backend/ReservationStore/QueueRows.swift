internal import QueueEngine
internal import Reservations

/// Loads what is known of a shop's queue: holds, days in use, and the visits and numbers of days to come.
enum QueueRows {
    private static let selectTickets = Query(
        """
        SELECT number, confirmed_ms, state, state_ms FROM reservation
        WHERE shop_id = $shop AND day = $day AND number IS NOT NULL AND kind = 'ticket'
        ORDER BY number
        """,
        "shop", "day")
    // Of days to come only the visits that are; of days in use also when those that are not any more went.
    private static let selectVisits = Query(
        """
        SELECT day, created_ms, state, state_ms, visit_start_ms, visit_start_offset, visit_end_ms,
            visit_end_offset
        FROM reservation
        WHERE shop_id = $shop AND kind = 'visit' AND day >= $first
            AND (state <> 'deleted' OR day <= $last)
        ORDER BY day
        """,
        "shop", "first", "last")
    private static let selectCounters = Query(
        "SELECT day, last_number FROM day_counter WHERE shop_id = $shop AND day >= $first", "shop",
        "first")

    /// What is known of a shop's queue.
    ///
    /// - Parameters:
    ///   - days: whose tickets are loaded.
    ///   - first: the first day of which visits and numbers may be asked for; nil for those of `days`.
    static func state(
        of shop: Shop, days: Set<CalendarDay>, from first: CalendarDay?, in database: any Database
    ) throws(StoreError) -> QueueState {
        var state = QueueState(policy: shop.policy)
        let holds = try ReservationRows.holds(of: shop.id, in: database)
        for hold in holds { state.restore(hold: hold) }
        // A hold's day may be over for everyone else.
        let days = days.union(holds.filter { $0.kind == .ticket }.map(\.day))
        guard let first = (days.union(holds.map(\.day)) + (first.map { [$0] } ?? [])).min() else {
            return state
        }
        let counters = try counters(of: shop.id, from: first, in: database)
        let visits = try visits(of: shop.id, from: first, days: days, in: database)
        for day in Set(counters.keys).union(visits.keys).union(days) {
            let counter = counters[day] ?? 0
            if days.contains(day) {
                state.restore(
                    day: day, counter: counter,
                    tickets: try tickets(of: shop.id, on: day, in: database),
                    visits: visits[day] ?? [])
            } else {
                state.restore(day: day, counter: counter)
                for visit in visits[day] ?? [] where visit.deleted == nil {
                    state.restore(visit: visit, on: day)
                }
            }
        }
        return state
    }

    private static func tickets(of shop: ShopID, on day: CalendarDay, in database: any Database)
        throws(StoreError) -> [DayTicket]
    {
        try database.rows(selectTickets, [.text(shop.rawValue), .text(day.description)]) { row in
            DayTicket(
                number: Int(row.integer(0)), confirmed: Moment(milliseconds: row.integer(1)),
                deleted: deleted(row, state: 2))
        }
    }

    private static func visits(
        of shop: ShopID, from first: CalendarDay, days: Set<CalendarDay>, in database: any Database
    ) throws(StoreError) -> [CalendarDay: [DayVisit]] {
        var visits: [CalendarDay: [DayVisit]] = [:]
        let last = days.max()?.description ?? ""
        try database.query(
            selectVisits, [.text(shop.rawValue), .text(first.description), .text(last)]
        ) { row throws(StoreError) in
            guard let day = CalendarDay(row.text(0)),
                let slot = ReservationRows.visit(row, from: 4)
            else { throw unreadable(row.text(0)) }
            visits[day, default: []].append(
                DayVisit(
                    slot: slot, taken: Moment(milliseconds: row.integer(1)),
                    deleted: deleted(row, state: 2)))
        }
        return visits
    }

    private static func counters(
        of shop: ShopID, from first: CalendarDay, in database: any Database
    ) throws(StoreError) -> [CalendarDay: Int] {
        var counters: [CalendarDay: Int] = [:]
        try database.query(
            selectCounters, [.text(shop.rawValue), .text(first.description)]
        ) { row throws(StoreError) in
            guard let day = CalendarDay(row.text(0)) else { throw unreadable(row.text(0)) }
            counters[day] = Int(row.integer(1))
        }
        return counters
    }

    /// When a row was deleted; its state and the moment of it stand in two columns.
    private static func deleted(_ row: any Columns, state column: Int) -> Moment? {
        row.text(column) == ReservationState.deleted.rawValue
            ? Moment(milliseconds: row.integer(column + 1)) : nil
    }

    private static func unreadable(_ day: String) -> StoreError {
        StoreError(
            .corrupt, operation: "load a queue",
            "the database holds a day or a visit this program cannot read: \(day)")
    }
}
