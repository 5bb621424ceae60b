internal import QueueEngine
internal import Reservations
internal import RowColumns

// The columns reservation_id of these tables have the identifiers of places, and of orders (rules: order-pages).
private let insertSubscription = Query.insert(
    into: "subscription",
    "shop_id, reservation_id, id, endpoint, p256dh, auth, language, made_ms, shown_ms, is_soon, is_order, is_proved",
    replacing: "shop_id, reservation_id, id")
private enum KnownColumn: Int, SelectedColumn { case id, isSoon, isProved, endpoint, language }
private let selectKnown = Query(
    """
    SELECT \(KnownColumn.list) FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation ORDER BY made_ms, id
    """)
private let removeSubscription = Query(
    """
    DELETE FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation AND id = $id
    """)
private let removeSubscriptions = Query(
    "DELETE FROM subscription WHERE shop_id = $shop AND reservation_id = $reservation")
private let removeUnproved = Query(
    """
    DELETE FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation AND is_proved = 0
    """)
private let removeBrowsers = Query(
    """
    DELETE FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation AND substr(id, 1, 4) <> 'sms/'
    """)
private let unprove = Query(
    "UPDATE subscription SET is_proved = 0 WHERE shop_id = $shop AND reservation_id = $reservation")
private let selectOne = Query(
    """
    SELECT 1 FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation AND id = $id
    """)
private let selectNumbers = Query(
    """
    SELECT id FROM subscription
    WHERE shop_id = $shop AND reservation_id = $reservation AND substr(id, 1, 4) = 'sms/'
    """)
private let selectEnded = Query(
    """
    SELECT DISTINCT s.reservation_id FROM subscription AS s
    WHERE s.shop_id = $shop AND NOT EXISTS (
        SELECT 1 FROM reservation AS r
        WHERE r.shop_id = $shop AND r.id = s.reservation_id
            AND NOT (r.state IN ('expired', 'deleted') AND r.state_ms <= $before))
    AND NOT EXISTS (
        SELECT 1 FROM pickup_order AS o
        WHERE o.shop_id = $shop AND o.id = s.reservation_id
            AND NOT (o.state IN ('handed-over', 'cancelled', 'expired') AND o.state_ms <= $before))
    LIMIT $count
    """)
private let removeLostNotices = Query(
    """
    DELETE FROM notice WHERE shop_id = $shop AND NOT EXISTS (
        SELECT 1 FROM subscription AS s
        WHERE s.shop_id = $shop AND s.reservation_id = notice.reservation_id
            AND s.id = notice.subscription_id)
    """)
private let removeNotice = Query(
    """
    DELETE FROM notice
    WHERE shop_id = $shop AND reservation_id = $reservation AND subscription_id = $id
    """)

/// A subscription as it is known when another one is written.
private struct KnownSubscription {
    let id: String
    let isSoon: Bool
    let isProved: Bool
    let endpoint: String
    let language: String

    var isNumber: Bool { Subscription.isNumber(id) }
    /// Nil for a browser.
    var number: EndedNumber? {
        isNumber ? EndedNumber(id: id, sealed: endpoint, language: language) : nil
    }
}

/// Subscriptions to the notices of a place or of an order.
extension Database {
    /// The subscriptions to a place or to an order, the oldest first.
    private func known(
        to subject: NoticeSubject, of shop: ShopID
    ) throws(StoreError) -> [KnownSubscription] {
        try named(selectKnown, shop, subject.id) { (row: Row<KnownColumn>) in
            KnownSubscription(
                id: row.text(.id), isSoon: row.isTrue(.isSoon), isProved: row.isTrue(.isProved),
                endpoint: row.text(.endpoint), language: row.text(.language))
        }
    }

    /// Writes a subscription to a place or to an order, or renews it; its oldest browser ends if there are too many, and the
    /// number that it had. One without a proof ends none.
    func write(
        _ subscription: Subscription, to subject: NoticeSubject, of shop: ShopID,
        at now: Moment
    ) throws(StoreError) -> SubscriptionOutcome {
        var known = try known(to: subject, of: shop)
        let former = known.first { $0.id == subscription.id }
        known.removeAll { $0.id == subscription.id }
        let isProved = subscription.isProved || former?.isProved == true
        // Those without a proof, and those with one, take no room from one another.
        let alike = known.filter { $0.isNumber == subscription.isNumber }
            .filter { $0.isNumber || $0.isProved == isProved }
        let most = subscription.isNumber ? 1 : Subscription.maxBrowsersPerPlace
        guard isProved || former != nil || alike.count < most else {
            return SubscriptionOutcome(isFull: true, endedNumbers: [])
        }
        let ended = alike.dropLast(most - 1)
        for one in ended { try delete(subscription: one.id, from: subject.id, of: shop) }
        let (endpoint, p256dh, auth) =
            switch subscription.recipient {
            case .browser(let endpoint, let p256dh, let auth): (endpoint, p256dh, auth)
            case .number(let sealed): (sealed, "", "")
            }
        try execute(
            insertSubscription, shop, subject.id, subscription.id, endpoint, p256dh, auth,
            subscription.language, now, Moment?.none, former?.isSoon ?? false,
            subject.isOrder, isProved)
        // A number that has the place already has heard of it.
        if subscription.isNumber, former?.isProved != true {
            try writeNotice(.booking, to: subscription.id, of: subject.id, in: shop, at: now)
        }
        return SubscriptionOutcome(isFull: false, endedNumbers: ended.compactMap(\.number))
    }

    /// Ends a subscription, and what waits to be sent to it.
    func delete(
        subscription id: String, from subject: String, of shop: ShopID
    ) throws(StoreError) {
        try execute(removeSubscription, shop, subject, id)
        try execute(removeNotice, shop, subject, id)
    }

    func hasSubscription(
        _ id: String, to subject: NoticeSubject, of shop: ShopID
    ) throws(StoreError) -> Bool {
        try !rows(selectOne, shop, subject.id, id) { _ in true }.isEmpty
    }

    /// Ends the subscriptions of those who only had the link of a place, which has another one now.
    func deleteUnprovedSubscriptions(to place: ReservationID, of shop: ShopID) throws(StoreError) {
        try post(removeUnproved, shop, place, changing: nil)
    }

    /// Ends the subscriptions of browsers to a place and what waits to be sent about it, and takes from its numbers that they
    /// are its customer's.
    func endProofs(of place: ReservationID, in shop: ShopID) throws(StoreError) {
        try post(removeBrowsers, shop, place, changing: nil)
        try post(unprove, shop, place, changing: nil)
        try deleteNotices(about: place, of: shop)
    }

    /// Whether a telephone number gets the notices of a place.
    func hasNumber(_ reservation: ReservationID, of shop: ShopID) throws(StoreError) -> Bool {
        try !rows(selectNumbers, shop, reservation) { $0.text(0) }.isEmpty
    }

    /// Ends the SMS about a place, or those to numbers that are not its customer's any more, and returns the numbers that got
    /// them.
    func deleteNumbers(
        from reservation: ReservationID, of shop: ShopID, onlyUnproved: Bool
    ) throws(StoreError) -> [EndedNumber] {
        let place = NoticeSubject.place(reservation)
        let numbers = try known(to: place, of: shop).filter {
            $0.isNumber && !($0.isProved && onlyUnproved)
        }
        for one in numbers { try delete(subscription: one.id, from: place.id, of: shop) }
        return numbers.compactMap(\.number)
    }

    /// Deletes the subscriptions to some of the places and orders that ended before a moment, or are not there, and notices
    /// without a subscription; returns how many were found.
    func pruneSubscriptions(
        of shop: ShopID, atMost count: Int, before moment: Moment
    ) throws(StoreError) -> Int {
        let ended = try rows(selectEnded, shop, moment, count) { ReservationID($0.text(0)) }
        for reservation in ended { try execute(removeSubscriptions, shop, reservation) }
        try execute(removeLostNotices, shop)
        return ended.count
    }
}
