internal import QueueEngine
internal import Reservations

/// What a shop knows besides its reservations: numbers of its days, people inside, what was learned.
enum FloorRows {
    private static let writeCounter = Query(
        """
        INSERT INTO day_counter (shop_id, day, last_number) VALUES ($shop, $day, $number)
        ON CONFLICT (shop_id, day) DO UPDATE SET last_number = excluded.last_number
        """,
        "shop", "day", "number")
    private static let writeClosing = Query(
        """
        INSERT INTO day_counter (shop_id, day, last_number, closes_ms)
        VALUES ($shop, $day, 0, $closes)
        ON CONFLICT (shop_id, day) DO UPDATE SET closes_ms = excluded.closes_ms
        """,
        "shop", "day", "closes")
    private static let writeTicketsEnded = Query(
        """
        INSERT INTO day_counter (shop_id, day, last_number, tickets_ended)
        VALUES ($shop, $day, 0, $ended)
        ON CONFLICT (shop_id, day) DO UPDATE SET tickets_ended = excluded.tickets_ended
        """,
        "shop", "day", "ended")
    private static let selectDays = Query(
        """
        SELECT day, last_number, closes_ms, tickets_ended FROM day_counter
        WHERE shop_id = $shop AND day >= $first
        """,
        "shop", "first")
    private static let writeStay = Query(
        """
        INSERT INTO learned_stay (shop_id, hour_of_week, observations, logs, squares)
        VALUES ($shop, $hour, $count, $logs, $squares)
        ON CONFLICT (shop_id, hour_of_week) DO UPDATE SET
            observations = excluded.observations, logs = excluded.logs, squares = excluded.squares
        """,
        "shop", "hour", "count", "logs", "squares")
    private static let selectStays = Query(
        """
        SELECT hour_of_week, observations, logs, squares FROM learned_stay WHERE shop_id = $shop
        """,
        "shop")
    private static let writeStrangers = Query(
        """
        INSERT INTO shop_floor (shop_id, strangers, strangers_ms) VALUES ($shop, $count, $since)
        ON CONFLICT (shop_id) DO UPDATE SET
            strangers = excluded.strangers, strangers_ms = excluded.strangers_ms
        """,
        "shop", "count", "since")
    private static let writeAttendance = Query(
        """
        INSERT INTO shop_floor (shop_id, came, missed, exits, inferred)
        VALUES ($shop, $came, $missed, $left, $inferred)
        ON CONFLICT (shop_id) DO UPDATE SET came = excluded.came, missed = excluded.missed,
            exits = excluded.exits, inferred = excluded.inferred
        """,
        "shop", "came", "missed", "left", "inferred")
    private static let selectFloor = Query(
        """
        SELECT strangers, strangers_ms, came, missed, exits, inferred FROM shop_floor
        WHERE shop_id = $shop
        """,
        "shop")

    /// Writes a fact that is not about one reservation; others are none of its.
    static func write(
        _ change: QueueChange, of shop: DatabaseValue, to database: any Database
    ) throws(StoreError) {
        switch change {
        case .counterAdvanced(let day, let number):
            try database.post(
                writeCounter, [shop, .text(day.description), .count(number.rawValue)], changing: 1)
        case .closingSet(let day, let moment):
            try database.post(
                writeClosing, [shop, .text(day.description), .optional(moment?.milliseconds)],
                changing: 1)
        case .ticketsEnded(let day, let ended):
            try database.post(
                writeTicketsEnded, [shop, .text(day.description), .count(ended ? 1 : 0)],
                changing: 1)
        case .strangers(let count, let since):
            try database.post(
                writeStrangers, [shop, .count(count), .integer(since.milliseconds)], changing: 1)
        case .learnedStays(let hour, let sums):
            try database.post(
                writeStay,
                [
                    shop, .count(hour), .integer(sums.count), .integer(sums.logs),
                    .integer(sums.squares),
                ], changing: 1)
        case .learnedAttendance(let attendance):
            try database.post(
                writeAttendance,
                [
                    shop, .integer(attendance.came), .integer(attendance.missed),
                    .integer(attendance.left), .integer(attendance.inferred),
                ], changing: 1)
        case .inserted, .ended, .confirmed, .moved, .extended: break
        }
    }

    /// Numbers, early closings and ends of tickets from a day on.
    static func restoreDays(
        of shop: ShopID, from first: CalendarDay, to state: inout QueueState,
        in database: any Database
    ) throws(StoreError) {
        try database.query(selectDays, [.text(shop.rawValue), .text(first.description)]) {
            row throws(StoreError) in
            guard let day = CalendarDay(row.text(0)) else {
                throw StoreError(
                    .corrupt, operation: "load a queue",
                    "the database holds a day this program cannot read: \(row.text(0))")
            }
            state.restore(
                day: day, counter: Int(row.integer(1)),
                closes: row.isNull(2) ? nil : Moment(milliseconds: row.integer(2)),
                endsTickets: row.integer(3) != 0)
        }
    }

    /// People inside who have no reservation, and what was learned of customers.
    static func restoreFloor(
        of shop: ShopID, to state: inout QueueState, in database: any Database
    ) throws(StoreError) {
        var cells: [LearnedStays.Cell: LearnedStays.Sums] = [:]
        try database.query(selectStays, [.text(shop.rawValue)]) { row in
            cells[Int(row.integer(0))] = LearnedStays.Sums(
                count: row.integer(1), logs: row.integer(2), squares: row.integer(3))
        }
        var attendance = Attendance()
        try database.query(selectFloor, [.text(shop.rawValue)]) { row in
            state.restore(
                strangers: Int(row.integer(0)), since: Moment(milliseconds: row.integer(1)))
            attendance = Attendance(
                came: row.integer(2), missed: row.integer(3), left: row.integer(4),
                inferred: row.integer(5))
        }
        state.restore(stays: LearnedStays(cells: cells), attendance: attendance)
    }
}
