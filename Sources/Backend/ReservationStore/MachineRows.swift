internal import Reservations

/// What machines tell of themselves, and orders for them, as rows.
enum MachineRows {
    /// Events of one shop: years of a quiet one, days of a very bad one.
    static let mostEvents: Int64 = 10_000

    private static let selectStatus = Query(
        """
        SELECT shop_id, machine, seen_ms, condition, memory, events_through, events_dropped
        FROM machine_status WHERE shop_id = $shop ORDER BY machine
        """, "shop")
    private static let writeStatus = Query(
        """
        INSERT INTO machine_status (shop_id, machine, seen_ms, condition, memory, events_through,
            events_dropped)
        VALUES ($shop, $machine, $seen, $condition, $memory, $through, $dropped)
        ON CONFLICT (shop_id, machine) DO UPDATE SET seen_ms = excluded.seen_ms,
            condition = excluded.condition, memory = excluded.memory,
            events_through = excluded.events_through, events_dropped = excluded.events_dropped
        """, "shop", "machine", "seen", "condition", "memory", "through", "dropped")
    private static let lastPosition = Query(
        "SELECT coalesce(max(position), 0) FROM machine_event WHERE shop_id = $shop", "shop")
    private static let insertEvent = Query(
        """
        INSERT INTO machine_event (shop_id, position, machine, at_ms, offset_minutes, person, kind,
            detail)
        VALUES ($shop, $position, $machine, $at, $offset, $person, $kind, $detail)
        """, "shop", "position", "machine", "at", "offset", "person", "kind", "detail")
    private static let pruneEvents = Query(
        "DELETE FROM machine_event WHERE shop_id = $shop AND position <= $position", "shop",
        "position")
    private static let selectEvents = Query(
        """
        SELECT machine, at_ms, offset_minutes, person, kind, detail FROM machine_event
        WHERE shop_id = $shop AND machine = $machine ORDER BY position DESC LIMIT $count
        """, "shop", "machine", "count")
    private static let writePapers = Query(
        """
        INSERT INTO machine_paper_day (shop_id, day, machine, memory, printed, failed, copies)
        VALUES ($shop, $day, $machine, $memory, $printed, $failed, $copies)
        ON CONFLICT (shop_id, day, machine, memory) DO UPDATE SET printed = excluded.printed,
            failed = excluded.failed, copies = excluded.copies
        """, "shop", "day", "machine", "memory", "printed", "failed", "copies")
    private static let selectPapers = Query(
        """
        SELECT day, CAST(sum(printed) AS BIGINT), CAST(sum(failed) AS BIGINT),
            CAST(sum(copies) AS BIGINT)
        FROM machine_paper_day WHERE shop_id = $shop AND day >= $first AND day <= $last
        GROUP BY day ORDER BY day
        """, "shop", "first", "last")
    private static let selectOrders = Query(
        """
        SELECT machine, id, kind, message, given_ms, done_ms FROM machine_order
        WHERE shop_id = $shop ORDER BY machine, id
        """, "shop")
    private static let insertOrder = Query(
        """
        INSERT INTO machine_order (shop_id, machine, id, kind, message, given_ms)
        VALUES ($shop, $machine, $id, $kind, $message, $given)
        """, "shop", "machine", "id", "kind", "message", "given")
    private static let deleteOrder = Query(
        "DELETE FROM machine_order WHERE shop_id = $shop AND machine = $machine AND kind = $kind",
        "shop", "machine", "kind")
    private static let finishOrder = Query(
        """
        UPDATE machine_order SET done_ms = $now
        WHERE shop_id = $shop AND machine = $machine AND id = $id AND done_ms IS NULL
        """, "shop", "machine", "id", "now")

    /// What the machines of a shop told last.
    static func statuses(
        of shop: ShopID, in database: any Database
    ) throws(StoreError) -> [MachineStatusRecord] {
        try database.rows(selectStatus, [.text(shop.rawValue)]) { row in
            MachineStatusRecord(
                shop: ShopID(row.text(0)), machine: MachineID(row.text(1)),
                seen: Moment(milliseconds: row.integer(2)), condition: row.text(3),
                memory: row.text(4), through: row.integer(5), dropped: Int(row.integer(6)))
        }
    }

    /// Takes over what a report tells and was not known; answers what is known then.
    static func write(
        _ report: MachineReport, after known: MachineStatusRecord?, to database: any Database
    ) throws(StoreError) -> MachineStatusRecord {
        let shop = DatabaseValue.text(report.shop.rawValue)
        let machine = DatabaseValue.text(report.machine.rawValue)
        let isSame = known?.memory == report.memory
        var status = MachineStatusRecord(
            shop: report.shop, machine: report.machine, seen: report.seen,
            condition: report.condition, memory: report.memory,
            through: isSame ? known?.through ?? 0 : 0, dropped: known?.dropped ?? 0)
        let events = report.events.filter { $0.sequence > status.through }
        if let last = events.last {
            status.through = last.sequence
            status.dropped += report.dropped
            try insert(events, of: shop, into: database)
        }
        for papers in report.papers {
            try database.execute(
                writePapers,
                [
                    shop, .text(papers.day.description), machine, .text(report.memory),
                    .count(papers.printed), .count(papers.failed), .count(papers.copies),
                ])
        }
        for order in report.obeyed.sorted() {
            try database.execute(
                finishOrder,
                [shop, machine, .integer(order), .integer(report.seen.milliseconds)])
        }
        try database.execute(
            writeStatus,
            [
                shop, machine, .integer(status.seen.milliseconds), .text(status.condition),
                .text(status.memory), .integer(status.through), .count(status.dropped),
            ])
        return status
    }

    private static func insert(
        _ events: [MachineEventRecord], of shop: DatabaseValue, into database: any Database
    ) throws(StoreError) {
        var position = try database.rows(lastPosition, [shop]) { $0.integer(0) }.first ?? 0
        for event in events {
            position += 1
            try database.execute(
                insertEvent,
                [
                    shop, .integer(position), .text(event.machine.rawValue),
                    .integer(event.at.moment.milliseconds), .count(event.at.offsetMinutes),
                    .optional(event.person), .text(event.kind), .text(event.detail),
                ])
        }
        try database.execute(pruneEvents, [shop, .integer(position - mostEvents)])
    }

    /// The last events of a machine, newest first.
    static func events(
        of machine: MachineID, in shop: ShopID, count: Int, from database: any Database
    ) throws(StoreError) -> [MachineEventRecord] {
        try database.rows(
            selectEvents, [.text(shop.rawValue), .text(machine.rawValue), .count(count)]
        ) { row in
            MachineEventRecord(
                machine: MachineID(row.text(0)), sequence: 0,
                at: LocalMoment(
                    Moment(milliseconds: row.integer(1)), offsetMinutes: Int(row.integer(2))),
                person: row.isNull(3) ? nil : row.text(3), kind: row.text(4), detail: row.text(5))
        }
    }

    /// Fates of papers by day, all machines of the shop together.
    static func papers(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay, in database: any Database
    ) throws(StoreError) -> [PaperCount] {
        try database.rows(
            selectPapers,
            [.text(shop.rawValue), .text(first.description), .text(last.description)]
        ) { row throws(StoreError) in
            guard let day = CalendarDay(row.text(0)) else { throw unreadable("papers of a day") }
            return PaperCount(
                day: day, printed: Int(row.integer(1)), failed: Int(row.integer(2)),
                copies: Int(row.integer(3)))
        }
    }

    /// All orders of a shop that are remembered, the oldest first of each machine.
    static func orders(
        of shop: ShopID, in database: any Database
    ) throws(StoreError) -> [MachineOrderRecord] {
        try database.rows(selectOrders, [.text(shop.rawValue)]) { row throws(StoreError) in
            guard let kind = MachineOrderRecord.Kind(rawValue: row.text(2)) else {
                throw unreadable("an order for machine \(row.text(0))")
            }
            return MachineOrderRecord(
                machine: MachineID(row.text(0)), id: row.integer(1), kind: kind,
                message: row.isNull(3) ? nil : row.text(3),
                given: Moment(milliseconds: row.integer(4)),
                done: row.isNull(5) ? nil : Moment(milliseconds: row.integer(5)))
        }
    }

    /// Gives a machine an order, in the place of those that it makes void.
    static func give(
        _ kind: MachineOrderRecord.Kind, message: String?, to machine: MachineID, of shop: ShopID,
        at now: Moment, in database: any Database
    ) throws(StoreError) -> MachineOrderRecord {
        let last = try orders(of: shop, in: database).filter { $0.machine == machine }.last?.id ?? 0
        for void in kind.replaced {
            try database.execute(
                deleteOrder,
                [.text(shop.rawValue), .text(machine.rawValue), .text(void.rawValue)])
        }
        // By the time, so that a machine that knew another database takes none for an old one.
        let id = max(last + 1, now.milliseconds)
        try database.execute(
            insertOrder,
            [
                .text(shop.rawValue), .text(machine.rawValue), .integer(id), .text(kind.rawValue),
                .optional(message), .integer(now.milliseconds),
            ])
        return MachineOrderRecord(
            machine: machine, id: id, kind: kind, message: message, given: now, done: nil)
    }

    private static func unreadable(_ what: String) -> StoreError {
        StoreError(
            .corrupt, operation: "read of the machines",
            "the database holds a row this program cannot read: \(what)")
    }
}
