internal import QueueEngine
internal import Reservations
internal import RowColumns

/// Reservations of past days with their outcomes, for reports.
enum HistoryRows {
    private enum Column: Int, SelectedColumn {
        case day, kind, number, confirmedMs, offsetMinutes, earliestMs, expectedMs, latestMs
        case peopleAhead, state, cause, enteredMs, calledMs, leftMs

        var sql: String {
            switch self {
            case .calledMs: Self.firstEvent("e.state = 'called'")
            case .leftMs:
                Self.firstEvent(
                    "e.state = 'expired' AND e.cause IN ('checked-out', 'left', 'inferred')")
            case .day, .kind, .number, .confirmedMs, .offsetMinutes, .earliestMs, .expectedMs,
                .latestMs, .peopleAhead, .state, .cause, .enteredMs:
                columnName
            }
        }

        private static func firstEvent(_ condition: String) -> String {
            """
            (SELECT min(at_ms) FROM reservation_event AS e WHERE e.shop_id = r.shop_id
                AND e.reservation_id = r.id AND \(condition))
            """
        }
    }

    private static let select = Query(
        """
        SELECT \(Column.list)
        FROM reservation AS r
        WHERE shop_id = $shop COLLATE "binary" AND day >= $first AND day <= $last
            AND number IS NOT NULL
        ORDER BY day, number
        """)

    /// Confirmed reservations of the days from `first` to `last`, in order.
    static func histories(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay, in database: any Database
    ) throws(StoreError) -> [ReservationHistory] {
        try database.named(select, shop, first, last, read: read)
    }

    private static func read(_ row: Row<Column>) throws(StoreError) -> ReservationHistory {
        guard let day = CalendarDay(row.text(.day)),
            let kind = ReservationKind(rawValue: row.text(.kind)),
            let number = QueueNumber(rawValue: row.count(.number)),
            let state = ReservationState(rawValue: row.text(.state)),
            let cause = TransitionCause(rawValue: row.text(.cause))
        else {
            throw StoreError(
                .corrupt, operation: "read the history",
                "the database holds a reservation this program cannot read")
        }
        func local(_ column: Column) -> LocalMoment {
            LocalMoment(row.moment(column), offsetMinutes: row.count(.offsetMinutes))
        }
        return ReservationHistory(
            day: day, kind: kind, number: number, confirmed: row.moment(.confirmedMs),
            told: WaitEstimate(
                expected: local(.expectedMs), earliest: local(.earliestMs),
                latest: local(.latestMs), peopleAhead: row.count(.peopleAhead)), state: state,
            cause: cause, called: row.optionalMoment(.calledMs),
            entered: row.optionalMoment(.enteredMs), left: row.optionalMoment(.leftMs))
    }
}
