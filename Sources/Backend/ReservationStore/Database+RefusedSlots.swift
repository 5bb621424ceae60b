public import Reservations
internal import RowColumns

/// A visit that a customer wanted and could not have, without the customer (rules: slot-suggestions) [UC5].
public struct RefusedSlot: Hashable, Sendable {
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

private let addSlot = Query(
    """
    INSERT INTO refused_slot (shop_id, day, hour, minutes, requests)
    VALUES ($shop, $day, $hour, $minutes, 1)
    ON CONFLICT (shop_id, day, hour, minutes) DO UPDATE SET requests = refused_slot.requests + 1
    """)
private let deleteSlots = Query("DELETE FROM refused_slot WHERE shop_id = $shop AND day < $day")

/// Refused slots: one row for a shop, an hour and a length, however many there were.
extension Database {
    func count(_ slot: RefusedSlot, of shop: ShopID) throws(StoreError) {
        try post(addSlot, shop, slot.day, slot.hour, slot.minutes, changing: 1)
    }

    func pruneRefusedSlots(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteSlots, shop, day)
    }
}

extension Administration {
    private enum SlotColumn: Int, SelectedColumn { case day, hour, minutes, requests }

    private static let selectSlots = Query(
        """
        SELECT \(SlotColumn.list) FROM refused_slot
        WHERE shop_id = $shop AND day >= $first AND day <= $last ORDER BY day, hour, minutes
        """)

    /// How often each visit of the days from `first` to `last` was wanted in vain, in order.
    public func refusedSlots(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [(slot: RefusedSlot, count: Int)] {
        try database.named(Self.selectSlots, shop, first, last) {
            (row: Row<SlotColumn>) -> (slot: RefusedSlot, count: Int)? in
            CalendarDay(row.text(.day)).map { day in
                (
                    RefusedSlot(day: day, hour: row.count(.hour), minutes: row.count(.minutes)),
                    row.count(.requests)
                )
            }
        }.compactMap(\.self)
    }
}
