internal import QueueEngine
internal import Reservations
internal import RowColumns

enum PickupColumn: Int, SelectedColumn {
    case id, reference, code, typedCode, announcedMs, promisedMs, parcels, state, stateMs, day
    case number, arrivedMs, desk, stepUndone, fetchingMs, calledMs, entered
}
private let selectOrder = Query(
    "SELECT \(PickupColumn.list) FROM pickup_order WHERE shop_id = $shop AND id = $id")
private let selectByReference = Query(
    """
    SELECT \(PickupColumn.list) FROM pickup_order WHERE shop_id = $shop AND reference = $reference
    """)
private let selectByCode = Query(
    "SELECT \(PickupColumn.list) FROM pickup_order WHERE shop_id = $shop AND code = $code")
private let selectByTypedCode = Query(
    "SELECT \(PickupColumn.list) FROM pickup_order WHERE shop_id = $shop AND typed_code = $typed")
private let selectTypedCode = Query(
    "SELECT 1 FROM pickup_order WHERE shop_id = $shop AND typed_code = $typed")
let isOrderHere = "state IN ('arrived', 'fetching', 'called', 'not-found')"
private let isWaiting = "state IN ('promised', 'on-shelf')"
let hasOrderEnded = "state IN ('handed-over', 'cancelled', 'expired')"
// Moments are never negative; this condition lets the index of moments be used, which has the orders in these states only.
let selectOrdersHere = Query(
    """
    SELECT \(PickupColumn.list) FROM pickup_order
    WHERE shop_id = $shop AND \(isOrderHere) AND arrived_ms >= 0 ORDER BY arrived_ms
    """)
private let selectOverdue = Query(
    """
    SELECT \(PickupColumn.list) FROM pickup_order
    WHERE shop_id = $shop AND \(isWaiting) AND promised_ms >= 0 AND promised_ms <= $before
    ORDER BY promised_ms LIMIT $count
    """)
private let countWaiting = Query(
    """
    SELECT count(*) FROM pickup_order
    WHERE shop_id = $shop AND \(isWaiting) AND promised_ms >= 0
    """)
private let selectEnded = Query(
    """
    SELECT id FROM pickup_order
    WHERE shop_id = $shop AND \(hasOrderEnded) AND state_ms >= 0 AND state_ms < $before
    ORDER BY state_ms LIMIT $count
    """)
private let selectPage = Query(
    """
    SELECT \(PickupColumn.list) FROM pickup_order
    WHERE shop_id = $shop AND id > $after ORDER BY id LIMIT $count
    """)
private let insertOrder = Query.insert(into: "pickup_order", "shop_id, \(PickupColumn.list)")
private let updateOrder = Query(
    """
    UPDATE pickup_order SET promised_ms = $promised, parcels = $parcels, state = $state,
        state_ms = $since, day = $day, number = $number, arrived_ms = $arrived, desk = $desk,
        step_undone = $undone, fetching_ms = $fetching,
        called_ms = $called, entered = $entered
    WHERE shop_id = $shop AND id = $id AND state = $former
    """)
private let insertEvent = Query(
    """
    INSERT INTO pickup_event (shop_id, order_id, position, at_ms, state, actor, latest_ms)
    VALUES ($shop, $id, coalesce((
        SELECT max(position) FROM pickup_event WHERE shop_id = $shop AND order_id = $id), 0) + 1,
        $at, $state, $actor, $latest)
    """)
private let selectFormerState = Query(
    """
    SELECT state FROM pickup_event WHERE shop_id = $shop AND order_id = $id
    ORDER BY position DESC LIMIT 1 OFFSET 1
    """)
private let deleteEvents = Query(
    "DELETE FROM pickup_event WHERE shop_id = $shop AND order_id = $id")
private let deleteOrder = Query("DELETE FROM pickup_order WHERE shop_id = $shop AND id = $id")
private let raiseNumber = Query(
    """
    INSERT INTO pickup_day (shop_id, day, last_number) VALUES ($shop, $day, 1)
    ON CONFLICT (shop_id, day) DO UPDATE SET last_number = pickup_day.last_number + 1
    """)
private let selectNumber = Query(
    "SELECT last_number FROM pickup_day WHERE shop_id = $shop AND day = $day")
let raiseOrderSequence = Query(
    "UPDATE change_sequence SET orders = orders + 1 WHERE shop_id = $shop")
private let deleteDays = Query("DELETE FROM pickup_day WHERE shop_id = $shop AND day < $day")

/// Orders that customers collect as rows (rules: orders).
extension Database {
    func order(_ id: OrderID, of shop: ShopID) throws(StoreError) -> PickupOrderRecord? {
        try rows(selectOrder, shop, id, read: readOrder).first
    }

    func order(
        named reference: String, of shop: ShopID
    ) throws(StoreError) -> PickupOrderRecord? {
        try rows(selectByReference, shop, reference, read: readOrder).first
    }

    /// The orders that exist, in one round trip.
    func orders(
        _ ids: some Collection<OrderID>, of shop: ShopID
    ) throws(StoreError) -> [PickupOrderRecord] {
        var orders: [PickupOrderRecord] = []
        try queries(ids.map { selectOrder.with(shop, $0) }) { _, row throws(StoreError) in
            orders.append(try readOrder(row))
        }
        return orders
    }

    /// The order that a code was given to, in any state.
    func order(
        _ code: PresentedOrderCode, of shop: ShopID
    ) throws(StoreError) -> PickupOrderRecord? {
        let query =
            switch code {
            case .entry: selectByCode
            case .typed: selectByTypedCode
            }
        return try rows(query, shop, code.text, read: readOrder).first
    }

    /// The state before the present one; nil if there was none.
    func formerState(of order: OrderID, in shop: ShopID) throws(StoreError) -> OrderState? {
        try rows(selectFormerState, shop, order) { OrderState(rawValue: $0.text(0)) }.first ?? nil
    }

    /// The next number of a day; the shop is locked.
    ///
    /// - Parameter taken: Numbers of customers who are here, maybe since the day before: they are left out.
    func nextPickupNumber(
        of shop: ShopID, on day: CalendarDay, without taken: [PickupNumber]
    ) throws(StoreError) -> PickupNumber {
        while true {
            try execute(raiseNumber, shop, day)
            let raw = try rows(selectNumber, shop, day) { $0.integer(0) }.first ?? 0
            guard let number = PickupNumber(rawValue: Int(raw)) else {
                throw .unreadable("a counter", operation: "draw a number for an order of \(day)")
            }
            if !taken.contains(number) { return number }
        }
    }

    /// Writes an order after it was `former`, nil for a new one, and the event if its state has changed.
    /// What it shows of the time of fetching is learned.
    ///
    /// - Parameters:
    ///   - actor: who did it, as the audit names people and machines.
    ///   - latest: By when it should be at a desk, as was quoted to its customer at the arrival.
    ///   - isNews: Whether customers who want notices get one of a new state.
    func write(
        _ order: PickupOrderRecord, after former: PickupOrderRecord?, by actor: String,
        of shop: ShopID, latest: Moment? = nil, isNews: Bool = true
    ) throws(StoreError) {
        let parcels = order.parcels.map(\.text).joined(separator: " ")
        if let former {
            try post(
                updateOrder, order.promised, parcels, order.state, order.since, order.turn?.day,
                order.turn?.number, order.turn?.arrived, order.desk, order.isUndone,
                order.fetchingSince, order.called, order.hasEntered, shop, order.id,
                former.state,
                changing: 1)
            if let time = order.fetchingTime(after: former) {
                try learnFetching(time, parcels: order.parcels.count, of: shop)
            }
        } else {
            try post(
                insertOrder, shop, order.id, order.reference, order.code, order.typedCode,
                order.announced, order.promised, parcels, order.state, order.since,
                order.turn?.day, order.turn?.number, order.turn?.arrived, order.desk,
                order.isUndone, order.fetchingSince, order.called, order.hasEntered,
                changing: 1)
        }
        // Every server shows the orders whose customers are here.
        if order.state.isHere || former?.state.isHere == true {
            try execute(raiseOrderSequence, shop)
        }
        if let former, isNews { try writeNotices(of: order, after: former, in: shop) }
        guard former?.state != order.state else { return }
        try post(
            insertEvent, shop, order.id, order.since, order.state, actor, latest, changing: 1)
    }

    /// Announces an order, or changes it; returns nil if the shop has too many. The shop is locked.
    ///
    /// - Parameters:
    ///   - waiting: How many orders wait for their customers; nil if they are not counted yet.
    ///   - actor: As of `write`.
    func announce(
        _ order: AnnouncedOrder, in shop: Shop, waiting: inout Int?, codes: CodeGenerator,
        by actor: String, at now: Moment
    ) throws(StoreError) -> (order: PickupOrderRecord, result: AnnouncementResult)? {
        guard let former = try self.order(named: order.reference, of: shop.id) else {
            let before = if let waiting { waiting } else { try waitingOrders(of: shop.id) }
            guard before < PickupOrder.maxOpen else { return nil }
            waiting = before + 1
            let new = order.record(
                id: codes.newID(at: now), code: codes.symbolCode(tag: shop.tag),
                typedCode: try codes.orderCode(of: shop.id, in: self), at: now)
            try write(new, after: nil, by: actor, of: shop.id)
            return (new, .added)
        }
        var changed = former
        guard changed.announce(order, at: now) else { return (former, .tooLate) }
        guard changed != former else { return (former, .unchanged) }
        try write(changed, after: former, by: actor, of: shop.id)
        return (changed, .changed)
    }

    /// How many orders wait for their customers.
    func waitingOrders(of shop: ShopID) throws(StoreError) -> Int {
        try rows(countWaiting, shop) { Int($0.integer(0)) }.first ?? 0
    }

    func isTakenByOrder(_ code: TypedCode, in shop: ShopID) throws(StoreError) -> Bool {
        try !rows(selectTypedCode, shop, code) { _ in true }.isEmpty
    }

    /// Passes each order of a shop to `body`, the one that was announced first in front.
    func eachOrder(
        of shop: ShopID, _ body: (PickupOrderRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        let pageRows = 1_000
        var after = ""
        while true {
            let page = try rows(selectPage, shop, after, pageRows, read: readOrder)
            for order in page { try body(order) }
            guard page.count == pageRows, let last = page.last else { return }
            after = last.id.rawValue
        }
    }

    /// Lets time pass for a batch of orders: those of which no customer came expire, and those whose customers were here on an
    /// earlier day go back on the shelf. Returns how many were changed.
    func passOrderTime(
        of shop: Shop, at now: Moment, since first: CalendarDay, atMost count: Int
    ) throws(StoreError) -> Int {
        let policy = shop.policy.orders
        let before = now - .seconds(policy.keptDays * 86_400)
        let here = try rows(selectOrdersHere, shop.id, read: readOrder)
        let overdue = try rows(selectOverdue, shop.id, before, count, read: readOrder)
        var changed = 0
        var hasCollector = false
        for former in (here + overdue) {
            var order = former
            order.pass(
                to: now, firstDay: first, keeping: policy.keptDays,
                callsAtOnce: !policy.isDeskInside)
            guard order != former else { continue }
            // No phone sounds at midnight for those who went home.
            let isOfEarlierDay = former.turn.map { $0.day < first } ?? false
            try write(order, after: former, by: "", of: shop.id, isNews: !isOfEarlierDay)
            changed += 1
            hasCollector = hasCollector || Collector(former, policy: shop.policy) != nil
        }
        if hasCollector { try raiseQueueSequence(of: shop.id) }
        return changed
    }

    /// Deletes a batch of orders that ended before a moment, with their events; returns how many.
    func pruneOrders(
        of shop: ShopID, before moment: Moment, atMost count: Int
    ) throws(StoreError) -> Int {
        let ended = try rows(selectEnded, shop, moment, count) { OrderID($0.text(0)) }
        for id in ended {
            try execute(deleteOrder, shop, id)
            try execute(deleteEvents, shop, id)
        }
        return ended.count
    }

    func prunePickupDays(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteDays, shop, day)
    }
}

func readOrder(_ columns: any Columns) throws(StoreError) -> PickupOrderRecord {
    let row = Row<PickupColumn>(columns)
    var parcels: [Parcel] = []
    for text in row.text(.parcels).split(separator: " ") {
        guard let parcel = Parcel(text: String(text)) else { throw unreadable(row) }
        parcels.append(parcel)
    }
    guard let code = PickupCode(rawValue: row.text(.code)),
        let typed = TypedCode(rawValue: row.text(.typedCode)),
        let state = OrderState(rawValue: row.text(.state))
    else { throw unreadable(row) }
    var turn: PickupOrderRecord.Turn?
    if let arrived = row.optionalMoment(.arrivedMs) {
        guard let day = row.optionalText(.day).flatMap({ CalendarDay($0) }),
            let number = PickupNumber(rawValue: row.count(.number))
        else { throw unreadable(row) }
        turn = PickupOrderRecord.Turn(day: day, number: number, arrived: arrived)
    }
    return PickupOrderRecord(
        id: OrderID(row.text(.id)), reference: row.text(.reference), code: code, typedCode: typed,
        announced: row.moment(.announcedMs), promised: row.moment(.promisedMs), parcels: parcels,
        state: state, since: row.moment(.stateMs), turn: turn,
        desk: row.isNull(.desk) ? nil : row.count(.desk),
        fetchingSince: row.optionalMoment(.fetchingMs), called: row.optionalMoment(.calledMs),
        hasEntered: row.isTrue(.entered), isUndone: row.isTrue(.stepUndone))
}

private func unreadable(_ row: Row<PickupColumn>) -> StoreError {
    .unreadable("an order", operation: "read order \(row.text(.id))")
}
