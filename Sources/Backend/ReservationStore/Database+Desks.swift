public import QueueEngine
public import Reservations
internal import RowColumns

private enum FetchColumn: Int, SelectedColumn { case parcels, observations, logs, squares }
private let selectFetches = Query(
    "SELECT \(FetchColumn.list) FROM pickup_fetch WHERE shop_id = $shop")
private let selectFetchesOf = Query(
    """
    SELECT \(FetchColumn.list) FROM pickup_fetch WHERE shop_id = $shop AND parcels = $parcels
    """)
private let writeFetches = Query.insert(
    into: "pickup_fetch", "shop_id, \(FetchColumn.list)", replacing: "shop_id, parcels")
private enum StepColumn: Int, SelectedColumn { case desk, atMs }
private let selectSteps = Query("SELECT \(StepColumn.list) FROM pickup_step WHERE shop_id = $shop")
private let writeStep = Query.insert(
    into: "pickup_step", "shop_id, \(StepColumn.list)", replacing: "shop_id, desk")

private enum EventColumn: Int, SelectedColumn { case orderID, position, atMs, state, latestMs }
private let selectEvents = Query(
    """
    SELECT \(EventColumn.list) FROM pickup_event
    WHERE shop_id = $shop AND (order_id, position) > ($order, $position)
    ORDER BY order_id, position LIMIT $count
    """)

// The first orders are those whose customers are here, the others were handed over a short time ago.
private let selectCollected = Query(
    """
    SELECT \(PickupColumn.list) FROM pickup_order
    WHERE shop_id = $shop AND \(isOrderHere) AND arrived_ms >= 0
        AND (state = 'called' OR called_ms IS NOT NULL)
    UNION ALL
    SELECT \(PickupColumn.list) FROM pickup_order
    WHERE shop_id = $shop AND \(hasOrderEnded) AND state_ms > $since AND called_ms IS NOT NULL
    """)
private let callOrder = Query(
    """
    UPDATE pickup_order SET called_ms = $at
    WHERE shop_id = $shop AND id = $id AND state = 'called' AND called_ms IS NULL
    """)

/// What the desks of a shop have to do, and what was learned of their assistants (rules: order-desks, order-forecasts).
extension Database {
    /// The orders whose customers are here.
    func pickupDesk(of shop: Shop) throws(StoreError) -> PickupDesk {
        try pickupDesks(of: [shop])[0]
    }

    /// These orders of each of the shops.
    func pickupDesks(of shops: [Shop]) throws(StoreError) -> [PickupDesk] {
        var rows = [DeskRows](repeating: DeskRows(), count: shops.count)
        try ask(shops.map { Self.desk(of: $0.id) }, about: &rows)
        return zip(shops, rows).map { shop, rows in
            PickupDesk(
                rows.orders, policy: shop.policy.orders,
                learned: LearnedFetches(cells: rows.fetches), steps: rows.steps)
        }
    }

    private static func desk(of shop: ShopID) -> [Question<DeskRows>] {
        [
            Question(selectOrdersHere.with(shop)) { columns, desk throws(StoreError) in
                desk.orders.append(try readOrder(columns))
            },
            Question(selectFetches.with(shop)) { columns, desk in
                let row = Row<FetchColumn>(columns)
                desk.fetches[row.count(.parcels)] = sums(row)
            },
            Question(selectSteps.with(shop)) { columns, desk in
                let row = Row<StepColumn>(columns)
                desk.steps[row.count(.desk)] = row.moment(.atMs)
            },
        ]
    }

    /// Learns how long an assistant took to bring an order to a desk, if that is plausible. The shop is locked.
    func learnFetching(_ time: Duration, parcels: Int, of shop: ShopID) throws(StoreError) {
        let former = try rows(selectFetchesOf, shop, parcels) { sums(Row<FetchColumn>($0)) }
        let learned = LearnedFetches.learning(time, after: former.first ?? DurationSums())
        guard let learned else { return }
        try post(
            writeFetches, shop, parcels, learned.count, learned.logs, learned.squares, changing: 1)
    }

    /// The orders at desks inside the shop, and those that were handed over a moment ago.
    func collectors(of shop: Shop, at now: Moment) throws(StoreError) -> [Collector] {
        var queue = LoadedQueue(state: QueueState(policy: shop.policy))
        try ask(Self.collectors(of: shop.id, shop.policy, at: now), about: &queue)
        return queue.collectors
    }

    /// Asks for them; asks nothing if the desks are not inside.
    static func collectors(
        of shop: ShopID, _ policy: ShopPolicy, at now: Moment
    ) -> [Question<LoadedQueue>] {
        guard policy.orders.isDeskInside else { return [] }
        return [
            Question(selectCollected.with(shop, now - policy.collectorDelay)) {
                columns, queue throws(StoreError) in
                let order = try readOrder(columns)
                if let collector = Collector(order, policy: policy) {
                    queue.collectors.append(collector)
                }
            }
        ]
    }

    /// An order that waited at a desk is called, as there is a place for its customer.
    func call(_ order: OrderID, at now: Moment, of shop: ShopID) throws(StoreError) {
        try post(callOrder, now, shop, order, changing: 1)
        try execute(raiseOrderSequence, shop)
    }

    /// The queue has changed beside its own commands, so that every server loads it again. The shop is locked.
    func raiseQueueSequence(of shop: ShopID) throws(StoreError) {
        try write(queueSequence: try sequences(of: shop).queue + 1, of: shop)
    }

    /// Remembers that a step was taken at a desk.
    func writeStep(at desk: Int, of shop: ShopID, now: Moment) throws(StoreError) {
        try post(ReservationStore.writeStep, shop, desk, now, changing: 1)
    }
}

extension Administration {
    /// What became of the orders whose customers came in a period, as far as the shop still remembers it.
    ///
    /// - Parameter local: Returns a moment as the shop's clock shows it.
    public func orderReport(
        of shop: ShopID, in period: Range<Moment>,
        local: @escaping @Sendable (Moment) -> LocalMoment
    ) throws(StoreError) -> OrderReport {
        let pageRows = 5_000
        var report = OrderReport(of: period, local: local)
        var last = (order: "", position: 0)
        var events: [OrderReport.Event] = []
        while true {
            let rows: [(String, Int, OrderReport.Event)] = try database.rows(
                selectEvents, shop, last.order, last.position, pageRows
            ) { columns throws(StoreError) in
                let row = Row<EventColumn>(columns)
                guard let state = OrderState(rawValue: row.text(.state)) else {
                    throw .unreadable("a state", row.text(.state), operation: "report on orders")
                }
                let event = OrderReport.Event(
                    at: row.moment(.atMs), state: state, latest: row.optionalMoment(.latestMs))
                return (row.text(.orderID), row.count(.position), event)
            }
            for (order, position, event) in rows {
                if order != last.order {
                    report.add(events)
                    events = []
                }
                events.append(event)
                last = (order, position)
            }
            guard rows.count == pageRows else { break }
        }
        report.add(events)
        return report
    }
}

/// The rows of which a `PickupDesk` is made.
private struct DeskRows {
    var orders: [PickupOrderRecord] = []
    var fetches: [Int: DurationSums] = [:]
    var steps: [Int: Moment] = [:]
}

private func sums(_ row: Row<FetchColumn>) -> DurationSums {
    DurationSums(
        count: row.integer(.observations), logs: row.integer(.logs), squares: row.integer(.squares))
}
