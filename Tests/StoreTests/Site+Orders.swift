internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

internal import struct TestSupport.Checker
internal import struct TestSupport.OrderHistory

/// Orders that customers collect, and what is done with them at machines and desks.
extension Site {
    /// A site with two desks, which keeps orders for a week.
    static func withDesks(_ engine: StoreEngine) throws -> Site {
        try Site(engine) {
            $0.orders.desks = 2
            $0.orders.keptDays = 7
            $0.orders.rememberedDays = 30
        }
    }

    static func order(
        _ reference: String, _ promised: Moment = at("09:00"), _ parcels: String = "medium@A3"
    ) throws -> AnnouncedOrder {
        let parcels = parcels.split(separator: " ").compactMap { Parcel(text: String($0)) }
        return try #require(
            AnnouncedOrder(reference: reference, promised: promised, parcels: parcels))
    }

    @discardableResult
    func announce(
        _ orders: AnnouncedOrder...
    ) throws -> [(order: PickupOrderRecord, result: AnnouncementResult)] {
        var announced: [(PickupOrderRecord, AnnouncementResult)] = []
        try administration().announce(
            orders, in: shop, randomBytes: { RandomBytes.make($0) }
        ) { announced.append(($0, $1)) }
        return announced
    }

    /// Orders that are on the shelf.
    func announce(_ references: some Sequence<String>) throws -> [PickupOrderRecord] {
        try references.map { try announce(Self.order($0))[0].order }
    }

    /// Starts a server, announces orders, and has their customers come, in this order.
    func arrivals(
        _ references: [String]
    ) async throws -> (Site, QueueStore, [PickupOrderRecord]) {
        let store = try store()
        return (self, store, try await arrivals(references, on: store))
    }

    func arrivals(
        _ references: [String], on store: QueueStore
    ) async throws -> [PickupOrderRecord] {
        let orders = try announce(references)
        for order in orders { #expect(try await arrive(order, on: store)[0] == "came") }
        return orders
    }

    /// What a machine says to which a customer shows the code of an order.
    func arrive(
        _ order: PickupOrderRecord, _ proof: PresentedOrderCode? = nil, on store: QueueStore,
        machine: String = "door-1", key: String = fresh("k")
    ) async throws -> [String] {
        try await store.words(
            .make(
                .order(.arrive(order.id, proof: proof ?? .entry(order.code))), machine: machine,
                key: key, at: clock.now))
    }

    @discardableResult
    func take(
        _ step: DeskStep, _ order: PickupOrderRecord, at desk: Int = 1, on store: QueueStore,
        key: String = fresh("k")
    ) async throws -> [String] {
        try await store.words(
            .make(
                .order(.take(order.id, step, desk: desk)), machine: "desk-\(desk)", key: key,
                at: clock.now))
    }

    /// Fetches an order to a desk.
    func ready(
        _ order: PickupOrderRecord, at desk: Int = 1, on store: QueueStore
    ) async throws {
        for step in [DeskStep.fetch, .ready] {
            #expect(try await take(step, order, at: desk, on: store)[0] == "done")
        }
    }

    /// The states of an order, each with who led to it.
    func states(of order: OrderID) throws -> [String] {
        try texts(
            "SELECT state || ' ' || actor FROM pickup_event WHERE order_id = '\(order)' ORDER BY position"
        )
    }

    /// Expects that what is stored of orders can have happened.
    func expectPossibleOrders(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let history = try await OrderHistory(database: place)
        let found = Checker([], rows: [], orders: history).violations()
        #expect(found.isEmpty, sourceLocation: sourceLocation)
    }
}

extension QueueStore {
    func look(_ code: PresentedOrderCode) async throws -> PickupOrder? {
        try await done { lookUpOrder(code, in: Site.shopID, completion: $0) }
    }

    /// The orders that desks are shown, with their states.
    var deskStates: [String] {
        deskOrders(of: Site.shopID)?.orders.map { "\($0.reference) \($0.state.rawValue)" } ?? []
    }
}
