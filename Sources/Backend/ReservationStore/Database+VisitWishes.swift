public import Reservations
internal import RowColumns

/// A visit that a customer wanted and could not have, without the customer (rules 39) [R21].
public struct VisitWish: Hashable, Sendable {
    /// The day and the hour, 0 to 23, of the wanted slot by the shop's clock.
    public let day: CalendarDay
    public let hour: Int
    /// How long the customer wanted to stay; 0 if that was not said.
    public let minutes: Int

    public init(_ start: LocalMoment, minutes: Int?) {
        self.init(day: start.day, hour: start.time.hour, minutes: minutes ?? 0)
    }

    fileprivate init(day: CalendarDay, hour: Int, minutes: Int) {
        self.day = day
        self.hour = hour
        self.minutes = minutes
    }
}

private let addWish = Query(
    """
    INSERT INTO visit_wish (shop_id, day, hour, minutes, wishes)
    VALUES ($shop, $day, $hour, $minutes, 1)
    ON CONFLICT (shop_id, day, hour, minutes) DO UPDATE SET wishes = visit_wish.wishes + 1
    """)
private let deleteWishes = Query("DELETE FROM visit_wish WHERE shop_id = $shop AND day < $day")

/// Wishes: one row for a shop, an hour and a length, however many there were.
extension Database {
    func count(_ wish: VisitWish, of shop: ShopID) throws(StoreError) {
        try post(addWish, shop, wish.day, wish.hour, wish.minutes, changing: 1)
    }

    func pruneVisitWishes(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteWishes, shop, day)
    }
}

extension Administration {
    private enum WishColumn: Int, SelectedColumn { case day, hour, minutes, wishes }

    private static let selectWishes = Query(
        """
        SELECT \(WishColumn.list) FROM visit_wish
        WHERE shop_id = $shop AND day >= $first AND day <= $last ORDER BY day, hour, minutes
        """)

    /// How often each visit of the days from `first` to `last` was wanted in vain, in order.
    public func visitWishes(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [(wish: VisitWish, count: Int)] {
        try database.named(Self.selectWishes, shop, first, last) {
            (row: Row<WishColumn>) -> (wish: VisitWish, count: Int)? in
            CalendarDay(row.text(.day)).map { day in
                (
                    VisitWish(day: day, hour: row.count(.hour), minutes: row.count(.minutes)),
                    row.count(.wishes)
                )
            }
        }.compactMap(\.self)
    }
}
