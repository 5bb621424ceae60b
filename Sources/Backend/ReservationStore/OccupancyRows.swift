internal import QueueEngine
internal import Reservations
internal import RowColumns

/// A shop's data besides its reservations: numbers of its days, people inside, what was learned.
enum OccupancyRows {
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
    private enum DayColumn: Int, SelectedColumn {
        case day, lastNumber, closesMs, ticketsEnded
    }

    private enum StayColumn: Int, SelectedColumn {
        case hourOfWeek, observations, logs, squares
    }

    private enum FloorColumn: Int, SelectedColumn {
        case strangers, strangersMs, came, missed, exits, inferred
    }

    private static let selectDays = Query(
        """
        SELECT \(DayColumn.list) FROM day_counter
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
        "SELECT \(StayColumn.list) FROM learned_stay WHERE shop_id = $shop", "shop")
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
        "SELECT \(FloorColumn.list) FROM shop_floor WHERE shop_id = $shop", "shop")

    /// Writes a fact that does not concern one reservation; other facts are ignored.
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

    /// Restores numbers, early closings and ends of tickets from a day on.
    static func restoreDays(
        of shop: ShopID, from first: CalendarDay, to state: inout QueueState,
        in database: any Database
    ) throws(StoreError) {
        try database.query(selectDays, [.text(shop.rawValue), .text(first.description)]) {
            columns throws(StoreError) in
            let row = Row<DayColumn>(columns)
            guard let day = CalendarDay(row.text(.day)) else {
                throw StoreError(
                    .corrupt, operation: "load a queue",
                    "the database holds a day this program cannot read: \(row.text(.day))")
            }
            state.restore(
                day: day, counter: row.count(.lastNumber), closes: row.optionalMoment(.closesMs),
                endsTickets: row.isTrue(.ticketsEnded))
        }
    }

    /// Restores the number of unregistered occupants, and what was learned of customers.
    static func restoreFloor(
        of shop: ShopID, to state: inout QueueState, in database: any Database
    ) throws(StoreError) {
        var cells: [LearnedStays.Cell: LearnedStays.Sums] = [:]
        try database.query(selectStays, [.text(shop.rawValue)]) { columns in
            let row = Row<StayColumn>(columns)
            cells[row.count(.hourOfWeek)] = LearnedStays.Sums(
                count: row.integer(.observations), logs: row.integer(.logs),
                squares: row.integer(.squares))
        }
        var attendance = Attendance()
        try database.query(selectFloor, [.text(shop.rawValue)]) { columns in
            let row = Row<FloorColumn>(columns)
            state.restore(
                strangers: row.count(.strangers), since: row.moment(.strangersMs))
            attendance = Attendance(
                came: row.integer(.came), missed: row.integer(.missed), left: row.integer(.exits),
                inferred: row.integer(.inferred))
        }
        state.restore(stays: LearnedStays(cells: cells), attendance: attendance)
    }
}
