public import QueueEngine
public import Reservations
internal import RowColumns

extension Administration {
    private static let selectHistories = Query(
        """
        SELECT \(ReservationColumn.list), \(firstEvent("e.state = 'called'")),
            \(firstEvent("e.state = 'expired' AND e.cause IN ('checked-out', 'left', 'inferred')"))
        FROM reservation AS r
        WHERE shop_id = $shop COLLATE "binary" AND day >= $first AND day <= $last
            AND number IS NOT NULL
        ORDER BY day, number
        """)

    private static func firstEvent(_ condition: String) -> String {
        """
        (SELECT min(at_ms) FROM reservation_event AS e WHERE e.shop_id = r.shop_id
            AND e.reservation_id = r.id AND \(condition))
        """
    }

    /// Confirmed reservations of the days from `first` to `last` with their outcomes, in order.
    public func histories(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [ReservationHistory] {
        let called = ReservationColumn.allCases.count
        return try database.rows(Self.selectHistories, shop, first, last) {
            columns throws(StoreError) in
            func moment(_ column: Int) -> Moment? {
                columns.isNull(column) ? nil : Moment(milliseconds: columns.integer(column))
            }
            return ReservationHistory(
                try readReservation(columns), called: moment(called), left: moment(called + 1))
        }.compactMap(\.self)
    }
}
