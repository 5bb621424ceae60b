internal import QueueEngine
internal import Reservations

/// Reservations of days gone by, with what became of them, for reports.
enum HistoryRows {
    private static let select = Query(
        """
        SELECT day, kind, number, confirmed_ms, offset_minutes, earliest_ms, expected_ms, latest_ms,
            people_ahead, state, cause, entered_ms,
            (SELECT min(at_ms) FROM reservation_event AS e WHERE e.shop_id = r.shop_id
                AND e.reservation_id = r.id AND e.state = 'called'),
            (SELECT min(at_ms) FROM reservation_event AS e WHERE e.shop_id = r.shop_id
                AND e.reservation_id = r.id AND e.state = 'expired'
                AND e.cause IN ('checked-out', 'left', 'inferred'))
        FROM reservation AS r
        WHERE shop_id = $shop COLLATE "binary" AND day >= $first AND day <= $last
            AND number IS NOT NULL
        ORDER BY day, number
        """,
        "shop", "first", "last")

    /// Confirmed reservations of the days from `first` to `last`, in order.
    static func histories(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay, in database: any Database
    ) throws(StoreError) -> [ReservationHistory] {
        try database.rows(
            select, [.text(shop.rawValue), .text(first.description), .text(last.description)],
            read: read)
    }

    private static func read(_ row: any Columns) throws(StoreError) -> ReservationHistory {
        guard let day = CalendarDay(row.text(0)), let kind = ReservationKind(rawValue: row.text(1)),
            let number = QueueNumber(rawValue: Int(row.integer(2))),
            let state = ReservationState(rawValue: row.text(9)),
            let cause = TransitionCause(rawValue: row.text(10))
        else {
            throw StoreError(
                .corrupt, operation: "read the history",
                "the database holds a reservation this program cannot read")
        }
        let offset = Int(row.integer(4))
        func moment(_ column: Int) -> Moment? {
            row.isNull(column) ? nil : Moment(milliseconds: row.integer(column))
        }
        func local(_ column: Int) -> LocalMoment {
            LocalMoment(Moment(milliseconds: row.integer(column)), offsetMinutes: offset)
        }
        return ReservationHistory(
            day: day, kind: kind, number: number, confirmed: Moment(milliseconds: row.integer(3)),
            told: WaitEstimate(
                expected: local(6), earliest: local(5), latest: local(7),
                peopleAhead: Int(row.integer(8))), state: state, cause: cause, called: moment(12),
            entered: moment(11), left: moment(13))
    }
}
