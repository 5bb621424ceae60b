internal import QueueEngine
public import Reservations
internal import RowColumns

private let removeNotices = Query(
    "DELETE FROM notice WHERE shop_id = $shop AND reservation_id = $reservation")
private let removeQuestions = Query(
    "DELETE FROM notice WHERE shop_id = $shop AND reservation_id = $reservation AND kind = $kind")
// A value that is selected has no type of its own in PostgreSQL. A newer notice takes the place of one that waits.
private let reportToAll = """
    INSERT INTO notice (shop_id, reservation_id, subscription_id, kind, made_ms, next_ms, tries)
    SELECT shop_id, reservation_id, id, CAST($kind AS TEXT), CAST($now AS BIGINT), 0, 0
    FROM subscription WHERE shop_id = $shop AND reservation_id = $reservation
    """
private let replaceNotice = """
     ON CONFLICT (shop_id, reservation_id, subscription_id) DO UPDATE
    SET kind = excluded.kind, made_ms = excluded.made_ms, next_ms = 0, tries = 0
    """
private let report = Query(reportToAll + replaceNotice)
private let reportOne = Query(reportToAll + " AND id = $id" + replaceNotice)
private let reportToNumbers = Query(
    reportToAll + " AND substr(id, 1, 4) = 'sms/' AND is_proved = 1" + replaceNotice)
/// A question takes the place of no notice that waits, as of one that says that the call is near.
private let reportQuestion = Query(
    reportToAll + " ON CONFLICT (shop_id, reservation_id, subscription_id) DO NOTHING")
private let waitAgain = Query(
    """
    UPDATE subscription SET shown_ms = NULL, is_soon = 0
    WHERE shop_id = $shop AND reservation_id = $reservation
    """)
private enum WatchedColumn: Int, SelectedColumn { case shopID, reservationID, id, shownMs, isSoon }
// Orders are not called at a time that a forecast says; their subscriptions may be many, and live for weeks.
private let selectWatched = Query(
    "SELECT \(WatchedColumn.list) FROM subscription WHERE is_order = 0")
private let markWatched = Query(
    """
    UPDATE subscription SET shown_ms = $shown, is_soon = $isSoon
    WHERE shop_id = $shop AND reservation_id = $reservation AND id = $id AND is_soon = $wasSoon
        AND shown_ms IS NOT DISTINCT FROM $former
    """)
private enum DueColumn: Int, SelectedColumn {
    case shopID, reservationID, subscriptionID, kind, madeMs, tries
    case endpoint, p256dh, auth, language

    var sql: String {
        switch self {
        case .shopID, .reservationID, .subscriptionID, .kind, .madeMs, .tries:
            "notice.\(columnName)"
        case .endpoint, .p256dh, .auth, .language: "s.\(columnName)"
        }
    }
}
private let dueText = """
    SELECT \(DueColumn.list) FROM notice JOIN subscription AS s
    ON s.shop_id = notice.shop_id AND s.reservation_id = notice.reservation_id
        AND s.id = notice.subscription_id
    WHERE notice.next_ms <= $now ORDER BY notice.next_ms LIMIT $count
    """
private let selectDue = Query(dueText)
/// Where several servers write: rows that another one changes now are left to it.
private let selectDueUnlocked = Query(dueText + " FOR UPDATE OF notice SKIP LOCKED")
private let lease = Query(
    """
    UPDATE notice SET next_ms = $until, tries = tries + 1
    WHERE shop_id = $shop AND reservation_id = $reservation AND subscription_id = $id
    """)
private let removeLeased = Query(
    """
    DELETE FROM notice
    WHERE shop_id = $shop AND reservation_id = $reservation AND subscription_id = $id
        AND next_ms = $lease
    """)
private let postpone = Query(
    """
    UPDATE notice SET next_ms = $next
    WHERE shop_id = $shop AND reservation_id = $reservation AND subscription_id = $id
        AND next_ms = $lease
    """)
private let addCount = Query(
    """
    INSERT INTO notice_day (shop_id, day, kind, sent, unsent)
    VALUES ($shop, $day, $kind, $sent, $unsent)
    ON CONFLICT (shop_id, day, kind) DO UPDATE
    SET sent = notice_day.sent + excluded.sent, unsent = notice_day.unsent + excluded.unsent
    """)
private let deleteCounts = Query("DELETE FROM notice_day WHERE shop_id = $shop AND day < $day")

/// A subscription as far as it must be looked at.
struct WatchedSubscription: Hashable {
    let shop: ShopID
    let reservation: ReservationID
    let id: String
    /// The earliest time that its customer was shown; nil if that is to be remembered now.
    let shown: Moment?
    /// Whether its customer has heard that the call is near.
    let isSoon: Bool
}

/// The notices that wait to be sent.
extension Database {
    /// Writes the notices of what is decided, in its transaction.
    func writeNotices(
        of change: QueueChange, at now: Moment, in shop: ShopID
    ) throws(StoreError) {
        switch change {
        case .moved(let transition): try writeNotices(of: transition, in: shop)
        case .orderCalled(let order, let moment):
            try post(report, NoticeReason.order(.called), moment, shop, order, changing: nil)
        case .questionChanged(let id, let question):
            guard question.asked != nil else { return }
            if question.answered == nil {
                try post(
                    reportQuestion, NoticeReason.place(.question), now, shop, id, changing: nil)
            } else {
                // A question that waits to be sent is answered.
                try post(
                    removeQuestions, shop, id, NoticeReason.place(.question), changing: nil)
            }
        case .inserted, .confirmed, .turnChanged, .rebooked, .recoded, .extended, .counterAdvanced,
            .closingSet, .ticketsEnded, .unregistered, .learnedStays, .learnedAttendance, .noShow,
            .noShowsForgotten,
            .collectorsChanged:
            break
        }
    }

    /// Writes the notices of what has changed for the customer of an order, in its transaction (rules: order-pages).
    func writeNotices(
        of order: PickupOrderRecord, after former: PickupOrderRecord, in shop: ShopID
    ) throws(StoreError) {
        guard former.shownState != order.shownState,
            let kind = OrderNoticeKind(from: former.shownState, to: order.shownState)
        else { return }
        try post(report, NoticeReason.order(kind), order.since, shop, order.id, changing: nil)
    }

    func deleteNotices(about place: ReservationID, of shop: ShopID) throws(StoreError) {
        try post(removeNotices, shop, place, changing: nil)
    }

    private func writeNotices(of transition: Transition, in shop: ShopID) throws(StoreError) {
        guard let effect = NoticeEffect(transition) else { return }
        if effect.isMoved {
            try post(removeNotices, shop, transition.id, changing: nil)
            try post(
                reportToNumbers, NoticeReason.booking, transition.at, shop, transition.id,
                changing: nil)
        } else if let kind = effect.kind {
            try post(
                report, NoticeReason.place(kind), transition.at, shop, transition.id, changing: nil)
        } else {
            try post(removeNotices, shop, transition.id, changing: nil)
        }
        if effect.waitsAgain { try post(waitAgain, shop, transition.id, changing: nil) }
    }

    func watchedSubscriptions() throws(StoreError) -> [WatchedSubscription] {
        try named(selectWatched) { (row: Row<WatchedColumn>) in
            WatchedSubscription(
                shop: ShopID(row.text(.shopID)),
                reservation: ReservationID(row.text(.reservationID)),
                id: row.text(.id), shown: row.optionalMoment(.shownMs), isSoon: row.isTrue(.isSoon))
        }
    }

    /// Remembers what a customer was shown and has heard, and writes the notice for it, unless that was done before.
    func write(
        _ kind: NoticeKind?, to watched: WatchedSubscription, shown: Moment, at now: Moment
    ) throws(StoreError) {
        // A customer whose call comes later hears again when it is near.
        let isSoon = kind == .soon || watched.isSoon && kind != .later
        let (shop, reservation, id) = (watched.shop, watched.reservation, watched.id)
        let marked = try execute(
            markWatched, shown, isSoon, shop, reservation, id, watched.isSoon, watched.shown)
        guard marked == 1, let kind else { return }
        try writeNotice(.place(kind), to: id, of: reservation.rawValue, in: shop, at: now)
    }

    /// Writes a notice for one subscription to a place or to an order, in the transaction of what it reports.
    func writeNotice(
        _ reason: NoticeReason, to subscription: String, of subject: String, in shop: ShopID,
        at now: Moment
    ) throws(StoreError) { try execute(reportOne, reason, now, shop, subject, subscription) }

    /// Leases notices whose time has come, the oldest first. No shop is locked: of several servers one locks the row.
    func leaseNotices(
        atMost count: Int, at now: Moment, until end: Moment
    ) throws(StoreError) -> [LeasedNotice] {
        let query = dialect.locksRows ? selectDueUnlocked : selectDue
        var leased = try named(query, now, count) {
            (row: Row<DueColumn>) -> LeasedNotice? in
            guard let reason = NoticeReason(rawValue: row.text(.kind)) else { return nil }
            let name = LeasedNotice.Name(
                shop: ShopID(row.text(.shopID)),
                subject: row.text(.reservationID),
                subscription: row.text(.subscriptionID))
            let recipient: Subscription.Recipient =
                Subscription.isNumber(name.subscription)
                ? .number(sealed: row.text(.endpoint))
                : .browser(
                    endpoint: row.text(.endpoint), p256dh: row.text(.p256dh),
                    auth: row.text(.auth))
            let subscription = Subscription(
                id: name.subscription, recipient, language: row.text(.language), isProved: false)
            return LeasedNotice(
                name: name, reason: reason, made: row.moment(.madeMs), tries: row.count(.tries) + 1,
                lease: end, subscription: subscription, record: nil, order: nil)
        }.compactMap(\.self)
        for name in leased.map(\.name) {
            try post(lease, end, name.shop, name.subject, name.subscription, changing: 1)
        }
        for (shop, places) in Dictionary(grouping: leased.indices, by: { leased[$0].name.shop }) {
            var records: [String: ReservationRecord] = [:]
            var orders: [String: PickupOrderRecord] = [:]
            var reservationIDs: Set<ReservationID> = []
            var orderIDs: Set<OrderID> = []
            for notice in places.map({ leased[$0] }) {
                switch notice.reason {
                case .place, .booking: reservationIDs.insert(ReservationID(notice.name.subject))
                case .order: orderIDs.insert(OrderID(notice.name.subject))
                }
            }
            for record in try self.records(reservationIDs, of: shop) {
                records[record.hold.id.rawValue] = record
            }
            for order in try self.orders(orderIDs, of: shop) { orders[order.id.rawValue] = order }
            for place in places {
                leased[place].record = records[leased[place].name.subject]
                leased[place].order = orders[leased[place].name.subject]
            }
        }
        return leased
    }

    /// Ends a lease; a notice that was replaced meanwhile stays.
    func write(_ end: NoticeEnd) throws(StoreError) {
        let (name, lease) = (end.notice.name, end.notice.lease)
        switch end.outcome {
        case .sent, .unsent:
            try post(
                removeLeased, name.shop, name.subject, name.subscription, lease, changing: nil)
        case .later(let next):
            try post(
                postpone, next, name.shop, name.subject, name.subscription, lease,
                changing: nil)
        case .gone:
            try delete(subscription: name.subscription, from: name.subject, of: name.shop)
        }
    }

    func count(
        _ reason: NoticeReason, sent: Int, unsent: Int, of shop: ShopID, on day: CalendarDay
    ) throws(StoreError) { try post(addCount, shop, day, reason, sent, unsent, changing: 1) }

    func pruneNoticeCounts(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteCounts, shop, day)
    }
}

extension Administration {
    private enum CountColumn: Int, SelectedColumn { case day, kind, sent, unsent }

    private static let selectCounts = Query(
        """
        SELECT \(CountColumn.list) FROM notice_day
        WHERE shop_id = $shop AND day >= $first AND day <= $last ORDER BY day, kind
        """)

    /// Notices to customers' phones on the days from `first` to `last`, in order; kinds of a newer program are left out.
    public func noticeCounts(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [NoticeCount] {
        try database.named(Self.selectCounts, shop, first, last) {
            (row: Row<CountColumn>) -> NoticeCount? in
            guard let day = CalendarDay(row.text(.day)),
                let reason = NoticeReason(rawValue: row.text(.kind))
            else { return nil }
            return NoticeCount(
                day: day, reason: reason, sent: row.count(.sent), unsent: row.count(.unsent))
        }.compactMap(\.self)
    }
}
