internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

internal import func TestSupport.eventually

@Suite("Desks inside the shop in the store, on both engines (rules: desks-inside)", .stopsStores)
struct DeskPlaceStoreTests {
    private func site(_ engine: StoreEngine, capacity: Int) throws -> Site {
        try Site(engine, capacity: capacity) {
            $0.orders.desks = 20
            $0.orders.isDeskInside = true
        }
    }

    private func called(_ store: QueueStore) -> [String] {
        store.turns(of: Site.shopID)?.orders?.map(\.number.text).sorted() ?? []
    }

    /// People who are called or inside by the rows of the database, and orders that have a place.
    private func taken(_ site: Site) throws -> Int {
        try site.count("SELECT count(*) FROM reservation WHERE state IN ('called', 'active')")
            + site.count(
                """
                SELECT count(*) FROM pickup_order WHERE called_ms IS NOT NULL
                    AND state IN ('arrived', 'fetching', 'called', 'not-found', 'handed-over')
                """)
    }

    @Test(
        "An order waits for a free place, is called by itself when there is one, and is let in once",
        arguments: engines)
    func waits(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await site(engine, capacity: 1).arrivals(["1", "2"])
        func pass(_ code: PresentedOrderCode, _ passing: Passing) async throws -> [String] {
            try await store.words(
                .make(
                    .order(passing.command(code)), machine: "reader",
                    fingerprint: Array(fresh("f").utf8), at: site.clock.now))
        }
        let calledTickets = "SELECT count(*) FROM reservation WHERE state = 'called'"
        let ticket = try await store.ticket()
        try await store.subscribe("a", to: .order(orders[0].id))
        try await site.ready(orders[0], on: store)
        #expect(called(store).isEmpty)
        #expect(try await store.taken(at: 0) == ["a order-fetching"], "it is not called yet")
        #expect(store.deskOrders(of: Site.shopID)?.orders.first?.waitsForPlace == true)
        #expect(try await pass(.entry(orders[0].code), .entrance) == ["refused", "not-yet-called"])
        try await store.pass(ticket, .entrance)
        try await store.pass(ticket, .exit(.turnstile))
        #expect(called(store) == ["C-001"], "with the exit that frees the place")
        #expect(try await store.taken(at: 0) == ["a order-called"])
        try await store.ticket()
        #expect(try site.count(calledTickets) == 0)
        #expect(try await pass(.entry(orders[0].code), .entrance)[0].hasPrefix("orderPassage"))
        #expect(try await pass(.typed(orders[0].typedCode), .entrance) == ["refused", "inside"])
        // Ten digits may be an order's.
        let digits = try await store.words(
            .make(
                .passage(.typed(orders[1].typedCode), .entrance), machine: "reader",
                key: fresh("k"), at: site.clock.now))
        #expect(digits == ["refused", "not-yet-called"])
        #expect(try await site.take(.handOver, orders[0], on: store)[0] == "done")
        #expect(try site.count(calledTickets) == 0)
        #expect(
            try await pass(.entry(orders[0].code), .exit(.turnstile))[0]
                .hasPrefix("orderPassage"))
        #expect(try site.count(calledTickets) == 1)
    }

    @Test(
        "A place is free again when time passes, also on a server that has just begun",
        arguments: engines)
    func time(_ engine: StoreEngine) async throws {
        let site = try site(engine, capacity: 1)
        let orders = try await site.serve { store in
            let orders = try await site.arrivals(["1", "2", "3"], on: store)
            try await site.ready(orders[0], on: store)
            try await site.ready(orders[1], at: 2, on: store)
            #expect(called(store) == ["C-001"])
            return orders
        }
        let second = try site.store()
        #expect(called(second) == ["C-001"])
        site.clock.set(site.clock.now + .minutes(15))
        #expect(await eventually { called(second) == ["C-002"] }, "the first was not collected")
        try await site.ready(orders[2], at: 3, on: second)
        #expect(try await site.take(.handOver, orders[1], at: 2, on: second)[0] == "done")
        #expect(called(second).isEmpty)
        site.clock.set(site.clock.now + site.shop.policy.collectorDelay)
        #expect(await eventually { called(second) == ["C-003"] })
        if engine == .postgresql {
            // An administrator calls it off, and the place is free.
            let ticket = try await second.ticket()
            try site.administration().cancelOrder("3", in: try site.administration().shops()[0])
            let states = "SELECT state FROM reservation WHERE number IS NOT NULL"
            #expect(
                try await eventually { try site.texts(states) == ["called"] }, "\(ticket.number)")
        }
    }

    @Test(
        "Of desks and doors at two servers at once, no more are let in than there are places [fault 68]",
        arguments: engines)
    func together(_ engine: StoreEngine) async throws {
        let (site, first, orders) = try await site(engine, capacity: 5)
            .arrivals((1...12).map { "\($0)" })
        let second = try engine == .postgresql ? site.store() : first
        _ = try await atOnce(orders.indices) { place in
            let store = place % 2 == 0 ? first : second
            async let ticket = store.ticket("door-\(place)")
            try await site.ready(orders[place], at: place + 1, on: store)
            _ = try await ticket
        }
        #expect(try taken(site) == 5)
        #expect(try site.count("SELECT count(*) FROM pickup_order WHERE state = 'called'") == 12)
        // Each order that is handed over or put back lets the next one be called, until tickets are.
        for (place, order) in orders.enumerated() {
            let store = place % 3 == 0 ? first : second
            let isCalled = try site.count(
                "SELECT count(*) FROM pickup_order WHERE id = '\(order.id)' AND called_ms IS NOT NULL"
            )
            if isCalled == 1 {
                try await site.take(.putBack, order, at: place + 1, on: store)
            }
            #expect(try taken(site) == 5)
        }
        let count = try site.count(
            "SELECT count(*) FROM pickup_order WHERE state = 'called' AND called_ms IS NOT NULL")
        for store in [first, second] {
            #expect(await eventually { called(store).count == count })
        }
        try await site.expectPossibleOrders()
    }
}
