internal import QueueEngine
public import Reservations
internal import RowColumns

/// The kind of a customer's refused request.
public enum RefusedRequestKind: String, Hashable, Sendable, CaseIterable {
    /// A ticket: none is left for today, or the shop is closed.
    case ticket
    /// A visit: none is free within a month, or the shop is closed.
    case visit
    /// Any request with the ticket of another shop.
    case otherShop = "other-shop"
}

/// The number of requests of one kind that were refused within an hour of a day, by the shop's clock.
public struct RefusedRequestCount: Hashable, Sendable {
    public let day: CalendarDay
    /// 0 to 23.
    public let hour: Int
    public let kind: RefusedRequestKind
    public let count: Int
}

private let addRefusal = Query(
    """
    INSERT INTO refused_wish (shop_id, day, hour, kind, wishes)
    VALUES ($shop, $day, $hour, $kind, 1)
    ON CONFLICT (shop_id, day, hour, kind) DO UPDATE SET wishes = refused_wish.wishes + 1
    """)
private let deleteRefusals = Query("DELETE FROM refused_wish WHERE shop_id = $shop AND day < $day")

/// Refused requests: one row for a shop, an hour and a kind, however many there were.
extension Database {
    /// Counts a refused request; `now` is by the shop's clock.
    func count(_ kind: RefusedRequestKind, of shop: ShopID, at now: LocalMoment) throws(StoreError)
    { try post(addRefusal, shop, now.day, now.time.hour, kind, changing: 1) }

    func pruneRefusedRequests(_ shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteRefusals, shop, day)
    }
}

extension Administration {
    private enum CountColumn: Int, SelectedColumn { case day, hour, kind, wishes }

    private static let selectCounts = Query(
        """
        SELECT \(CountColumn.list) FROM refused_wish
        WHERE shop_id = $shop AND day >= $first AND day <= $last ORDER BY day, hour, kind
        """)

    /// Refused requests of customers on the days from `first` to `last`, in order; kinds of a newer program are left out.
    public func refusedRequests(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [RefusedRequestCount] {
        try database.named(Self.selectCounts, shop, first, last) {
            (row: Row<CountColumn>) -> RefusedRequestCount? in
            guard let day = CalendarDay(row.text(.day)),
                let kind = RefusedRequestKind(rawValue: row.text(.kind))
            else { return nil }
            return RefusedRequestCount(
                day: day, hour: row.count(.hour), kind: kind, count: row.count(.wishes))
        }.compactMap(\.self)
    }
}

extension AuthenticatedRequest {
    /// The kind of the customer's request, if it was refused.
    ///
    /// If a ticket is available, no refusal is counted, as the customer takes it.
    func refusedRequest(_ result: Result<QueueOutcome, Refused>) -> RefusedRequestKind? {
        guard case .queue(.hold(let kind, isRemote: false)) = command,
            case .failure(let refused) = result,
            [.noTicketToday, .nothingWithinAMonth, .shopClosed].contains(refused.refusal)
        else { return nil }
        return kind == .ticket ? .ticket : .visit
    }
}
