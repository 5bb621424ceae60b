internal import QueueEngine
public import Reservations
internal import RowColumns

/// Checks whether the rows of a shop agree with each other and with the rules of numbers and states.
///
/// Each rule is one statement, so that its result is also true beside a running server. The newest event in the
/// database, and not a clock, decides what is past, so that a backup is judged as of its own moment.
public enum DatabaseCheck {
    /// The highest number of findings of one rule that are shown; one is enough to know that something is wrong.
    private static let maxFindings = 20

    /// A query of the rows that break a rule, and the sentence about one of them.
    private typealias Rule = (query: Query, sentence: @Sendable (any Columns) -> String)

    private static func rule(_ text: String, sentence: @escaping @Sendable (any Columns) -> String)
        -> Rule
    { (Query(text + " LIMIT $maxFindings"), sentence) }

    /// All faults of a shop, in sentences for an administrator that contain no codes.
    ///
    /// - Parameter firstDay: Returns the first day whose customers may be in the shop's queue at a moment.
    public static func findings(
        of shop: ShopID, firstDay: (Moment) -> CalendarDay, in database: any Database
    ) throws(StoreError) -> [String] {
        var sentences: [String] = []
        for rule in rules + orderRules {
            sentences += try database.rows(rule.query, shop, maxFindings, read: rule.sentence)
        }
        return try sentences + overdue(shop, firstDay: firstDay, in: database)
            + unreadable(shop, in: database)
    }

    /// `prune` is deleting the days before the first that has a counter.
    private static let isKept = """
        day >= (SELECT COALESCE(min(c.day), '') FROM day_counter AS c WHERE c.shop_id = r.shop_id)
        """

    private static let orderRules: [Rule] = [
        rule(
            """
            SELECT r.id, r.state FROM pickup_order AS r
            WHERE r.shop_id = $shop AND NOT EXISTS (
                SELECT 1 FROM pickup_event AS e
                WHERE e.shop_id = r.shop_id AND e.order_id = r.id AND e.at_ms = r.state_ms
                    AND e.state = r.state)
            ORDER BY r.id
            """
        ) { "order \($0.text(0)) is \($0.text(1)) and no event says since when" },
        rule(
            """
            SELECT DISTINCT r.order_id FROM pickup_event AS r
            WHERE r.shop_id = $shop AND NOT EXISTS (
                SELECT 1 FROM pickup_order AS n
                WHERE n.shop_id = r.shop_id AND n.id = r.order_id)
            ORDER BY r.order_id
            """
        ) { "there are events of order \($0.text(0)), which is not there" },
        rule(
            """
            SELECT r.day, max(r.number) FROM pickup_order AS r
            WHERE r.shop_id = $shop AND r.number IS NOT NULL
            GROUP BY r.day HAVING max(r.number) > COALESCE((
                SELECT max(d.last_number) FROM pickup_day AS d
                WHERE d.shop_id = $shop AND d.day = r.day), 999999)
            ORDER BY r.day
            """
        ) { "orders of \($0.text(0)) have numbers up to \($0.integer(1)), above their counter" },
    ]

    private static let rules: [Rule] = [
        rule(
            """
            SELECT machine, count(*) FROM help_call
            WHERE shop_id = $shop AND ended_ms IS NULL
            GROUP BY machine HAVING count(*) > 1 ORDER BY machine
            """
        ) { "machine \($0.text(0)) has \($0.integer(1)) open calls for help" },
        rule(
            """
            SELECT day, number, count(*) FROM reservation
            WHERE shop_id = $shop AND number IS NOT NULL
            GROUP BY day, number HAVING count(*) > 1 ORDER BY day, number
            """
        ) { "number \($0.integer(1)) of \($0.text(0)) was given \($0.integer(2)) times" },
        rule(
            """
            SELECT r.day, count(DISTINCT r.number), max(r.number), min(r.number),
                COALESCE(max(d.moved_away), 0)
            FROM reservation AS r
            LEFT JOIN day_counter AS d ON d.shop_id = r.shop_id AND d.day = r.day
            WHERE r.shop_id = $shop AND r.number IS NOT NULL AND r.\(isKept)
            GROUP BY r.day
            HAVING max(r.number) - count(DISTINCT r.number) > COALESCE(max(d.moved_away), 0)
                OR (max(d.last_number) - max(r.number) BETWEEN 0 AND max(d.moved_away)
                    AND max(d.last_number) - count(DISTINCT r.number) <> max(d.moved_away))
            ORDER BY r.day
            """
        ) {
            "the numbers of \($0.text(0)) have gaps: \($0.integer(1)) reservations, "
                + "numbers \($0.integer(3)) to \($0.integer(2)), and \($0.integer(4)) that were left out "
                + "or that moved visits left"
        },
        rule(
            """
            SELECT r.day, r.last_number, COALESCE((
                SELECT max(n.number) FROM reservation AS n
                WHERE n.shop_id = r.shop_id COLLATE "binary" AND n.day = r.day
                    AND n.number IS NOT NULL), 0) AS highest
            FROM day_counter AS r
            WHERE r.shop_id = $shop AND r.last_number - COALESCE((
                SELECT max(n.number) FROM reservation AS n
                WHERE n.shop_id = r.shop_id COLLATE "binary" AND n.day = r.day
                    AND n.number IS NOT NULL), 0) NOT BETWEEN 0 AND r.moved_away
            ORDER BY r.day
            """
        ) {
            "the counter of \($0.text(0)) stands at \($0.integer(1)), the highest number is "
                + "\($0.integer(2))"
        },
        rule(
            """
            SELECT DISTINCT r.day FROM reservation AS r
            WHERE r.shop_id = $shop AND r.number IS NOT NULL AND r.\(isKept)
                AND NOT EXISTS (SELECT 1 FROM day_counter AS d
                    WHERE d.shop_id = r.shop_id AND d.day = r.day)
            ORDER BY r.day
            """
        ) { "\($0.text(0)) has numbers and no counter" },
        rule(
            """
            SELECT id, state FROM reservation
            WHERE shop_id = $shop AND (
                (state IN ('planned', 'called', 'active', 'expired')
                    AND (number IS NULL OR code IS NULL OR typed_code IS NULL))
                OR (state = 'pending' AND number IS NOT NULL))
            ORDER BY id
            """
        ) {
            "reservation \($0.text(0)) is \($0.text(1)) and its number and codes do not go with that"
        },
        rule(
            """
            SELECT r.id, r.state FROM reservation AS r
            WHERE r.shop_id = $shop AND NOT EXISTS (
                SELECT 1 FROM reservation_event AS e
                WHERE e.shop_id = r.shop_id AND e.reservation_id = r.id
                    AND e.at_ms = r.state_ms AND e.state = r.state)
            ORDER BY r.id
            """
        ) { "reservation \($0.text(0)) is \($0.text(1)) and no event says since when" },
        rule(
            """
            SELECT DISTINCT r.reservation_id FROM reservation_event AS r
            WHERE r.shop_id = $shop AND NOT EXISTS (
                SELECT 1 FROM reservation AS n
                WHERE n.shop_id = r.shop_id AND n.id = r.reservation_id)
            ORDER BY r.reservation_id
            """
        ) { "there are events of reservation \($0.text(0)), which is not there" },
    ]

    private static let selectNewest = Query(
        "SELECT max(at_ms) FROM reservation_event WHERE shop_id = $shop")
    private static let selectLive = Query(
        """
        SELECT day, number, state FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND \(Schema.isLive)
            AND day < $day
        ORDER BY day, number LIMIT $maxFindings
        """)
    private static let selectOpen = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND state = 'pending' AND expires_ms < $before
        ORDER BY expires_ms LIMIT $maxFindings
        """)

    /// Reservations that should have ended before the newest event was written.
    private static func overdue(
        _ shop: ShopID, firstDay: (Moment) -> CalendarDay, in database: any Database
    ) throws(StoreError) -> [String] {
        let newest =
            try database.rows(selectNewest, shop) {
                $0.isNull(0) ? nil : Moment(milliseconds: $0.integer(0))
            }.first ?? nil
        guard let newest else { return [] }
        // After closing, customers who are called may still come.
        let first = firstDay(newest - .minutes(ShopPolicy.entryTimeLimitMinutes))
        return try database.rows(selectLive, shop, first, maxFindings) {
            "number \($0.integer(1)) of \($0.text(0)) is still \($0.text(2)), a day later"
        }
            + database.rows(selectOpen, shop, newest - Pruning.holdLifetime, maxFindings) {
                "hold \($0.text(0)) was never ended"
            }
    }

    private static let selectRows = Query(
        """
        SELECT id, kind, day, state, cause, number, code, typed_code FROM reservation
        WHERE shop_id = $shop ORDER BY id
        """)

    /// Rows that no program of ours can have written.
    private static func unreadable(
        _ shop: ShopID, in database: any Database
    ) throws(StoreError) -> [String] {
        var found: [String] = []
        try database.query(selectRows, shop) { row in
            guard found.count < maxFindings else { return }
            let isConfirmed = !row.isNull(5)
            let isReadable =
                ReservationKind(rawValue: row.text(1)) != nil && CalendarDay(row.text(2)) != nil
                && ReservationState(rawValue: row.text(3)) != nil
                && TransitionCause(rawValue: row.text(4)) != nil
            let hasCodes =
                QueueNumber(rawValue: Int(row.integer(5))) != nil
                && EntryCode(rawValue: row.text(6)) != nil
                && TypedCode(rawValue: row.text(7)) != nil
            if !isReadable || (isConfirmed && !hasCodes) {
                found.append("reservation \(row.text(0)) cannot be read")
            }
        }
        return found
    }
}
