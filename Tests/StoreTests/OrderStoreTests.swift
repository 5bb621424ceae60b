internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

internal import func TestSupport.eventually

@Suite(
    "Orders that customers collect in the store, on both engines (rules: orders, announced-orders)",
    .stopsStores)
struct OrderStoreTests {
    private func states(_ site: Site) throws -> [String] {
        try site.texts(
            "SELECT reference || ' ' || state FROM pickup_order ORDER BY reference")
    }

    @Test(
        "An order is announced once, changed until its customer is here, and keeps its codes",
        arguments: engines)
    func announcing(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let first = try site.announce(
            Site.order("4711", Site.at("17:00"), "small"), Site.order("A-1.b_c"))
        #expect(first.map(\.result) == [.added, .added])
        #expect(first.map(\.order.state) == [.promised, .onShelf])
        #expect(
            first.allSatisfy { $0.order.code.tag == site.shop.tag }
                && first[0].order.code != first[1].order.code)
        let again = try site.announce(Site.order("4711", Site.at("17:00"), "small"))
        #expect(again[0].result == .unchanged && again[0].order == first[0].order)
        let shelved = try site.announce(
            Site.order("4711", Site.at("16:00"), "small@B-12 large@B-12"))
        #expect(shelved[0].result == .changed && shelved[0].order.state == .onShelf)
        #expect(
            shelved[0].order.code == first[0].order.code
                && shelved[0].order.typedCode == first[0].order.typedCode
                && shelved[0].order.id == first[0].order.id)

        let store = try site.store()
        let order = shelved[0].order
        let words = try await site.arrive(order, on: store)
        #expect(words == ["came", "arrived", "C-001", order.code.rawValue])
        let late = try site.announce(Site.order("4711", Site.at("15:00"), "small"))
        #expect(late[0].result == .tooLate && late[0].order.promised == Site.at("16:00"))
        let same = try site.announce(Site.order("4711", Site.at("16:00"), "small@B-12 large@B-12"))
        #expect(same[0].result == .unchanged)
        store.stop()
        #expect(try states(site) == ["4711 arrived", "A-1.b_c on-shelf"])
        #expect(
            try site.states(of: order.id)
                == ["promised administrator", "on-shelf administrator", "arrived door-1"])
        #expect(
            try site.texts(
                "SELECT detail FROM audit WHERE action = 'orders-announced' ORDER BY sequence")
                == ["2 added", "4711, 1 changed", "4711, 1 too-late"])
    }

    @Test(
        "Nothing is announced for a shop without a desk, for a time that is over or far away, or beyond the limit",
        arguments: engines)
    func refused(_ engine: StoreEngine) throws {
        let without = try Site(engine)
        let order = try Site.order("4711")
        #expect {
            try without.administration().announce(
                [order], in: without.shop, randomBytes: { RandomBytes.make($0) }
            ) { _, _ in }
        } throws: {
            "\($0)".contains("has no desk")
        }
        let site = try Site.withDesks(engine)
        for promised in [
            site.clock.now - .seconds(8 * 86_400), site.clock.now + .seconds(401 * 86_400),
        ] {
            #expect {
                try site.announce(Site.order("1"), Site.order("2", promised))
            } throws: {
                "\($0)".contains("order 2 is promised for a time")
            }
        }
        #expect(try states(site).isEmpty, "not the order before it either")
        for reference in ["", "a b", "Mario Rossi", "..", "/", String(repeating: "x", count: 41)] {
            #expect(
                AnnouncedOrder(
                    reference: reference, promised: .init(milliseconds: 0), parcels: order.parcels)
                    == nil)
        }
        #expect(
            AnnouncedOrder(
                reference: "1", promised: order.promised,
                parcels: Array(repeating: order.parcels[0], count: 21)) == nil)
    }

    @Test(
        "Of 100,000 waiting orders each may be changed, and no further one is announced by an administrator or a call",
        arguments: engines)
    func limit(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let known = try Site.order("known")
        try site.announce(known)
        let database = try site.open(for: .administer)
        if engine == .postgresql { try database.run(script: "SET statement_timeout = 0") }
        try database.run(
            script: """
                INSERT INTO pickup_order (shop_id, id, reference, code, typed_code, announced_ms,
                        promised_ms, parcels, state, state_ms)
                    WITH RECURSIVE s(n) AS (
                        SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < \(PickupOrder.maxOpen - 2))
                    SELECT 's1', 'o' || n, 'r' || n, 'q' || n, 't' || n, 1,
                        \(site.clock.now.milliseconds), 'small', 'on-shelf', 1
                    FROM s
                """)
        #expect(try site.announce(Site.order("last"))[0].result == .added)
        #expect {
            try site.announce(Site.order("more"))
        } throws: {
            "\($0)".contains("order more and those after it were not announced")
        }
        #expect(try site.announce(Site.order("known", Site.at("11:00")))[0].result == .changed)
        let store = try site.store()
        let words = try await store.words(.make(.order(.announce(Site.order("more")))))
        #expect(words == ["refused", "too-many-orders"])
    }

    @Test(
        "A customer is here once, whatever is sent again; another code proves nothing [Click-And-Collect UC10]",
        arguments: engines)
    func arriving(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let announced = try site.announce(
            Site.order("1"), Site.order("2"), Site.order("3", Site.at("17:00"), "small")
        ).map(\.order)
        let store = try site.store()
        let second = try site.engine == .postgresql ? site.store() : nil
        func arrive(
            _ order: PickupOrderRecord, _ proof: PresentedOrderCode? = nil,
            key: String = fresh("k"), on server: QueueStore? = nil
        ) async throws -> [String] {
            try await site.arrive(order, proof, on: server ?? store, key: key)
        }
        let came = try await arrive(announced[1], key: "k")
        #expect(came == ["came", "arrived", "C-001", announced[1].code.rawValue])
        #expect(try await arrive(announced[1], key: "k") == came, "the same key")
        #expect(try await arrive(announced[1]) == ["known", "arrived", "C-001", "-"])
        let other = try await arrive(
            announced[1], .typed(announced[1].typedCode), on: second ?? store)
        #expect(other == ["known", "arrived", "C-001", "-"])
        #expect(
            try await arrive(announced[0], .entry(announced[1].code)) == ["refused", "not-found"])
        #expect(
            try await arrive(announced[0], .typed(announced[0].typedCode), on: second ?? store)
                == ["came", "arrived", "C-002", announced[0].code.rawValue])
        #expect(try await arrive(announced[2]) == ["known", "promised", "-", "-"], "not ready")
        #expect(try await store.look(.entry(announced[2].code))?.isReady == false)
        site.clock.set(Site.at("17:00"))
        #expect(try await store.look(.typed(announced[2].typedCode))?.isReady == true)
        #expect(try await arrive(announced[2])[..<3] == ["came", "arrived", "C-003"])
        let found = try #require(try await store.look(.entry(announced[2].code)))
        #expect(found.state.course == .opted && found.ticket == nil)
        #expect(found.wait?.peopleAhead == 2)
        #expect(try await store.look(.typed(TypedCode(rawValue: "0000000001")!)) == nil)
    }

    @Test(
        "A closed shop takes no customer of an order, and numbers begin again with each day",
        arguments: engines)
    func days(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let orders = try site.announce(Site.order("1"), Site.order("2")).map(\.order)
        try await site.serve { today async throws in
            #expect(try await site.arrive(orders[0], on: today)[2] == "C-001")
            site.clock.set(Site.at("20:30"))
            #expect(try await site.arrive(orders[1], on: today) == ["refused", "shop-closed"])
            #expect(
                try await site.arrive(orders[0], on: today)[..<2] == ["known", "arrived"], "stays")
            site.clock.set(Site.at("09:00", day: Site.day.advanced(by: 1)))
            #expect(try await site.arrive(orders[1], on: today)[2] == "C-001")
        }
        // A server looks after a shop's old rows as soon as it begins, and then once a minute.
        let store = try site.store()
        #expect(
            try await eventually { try states(site) == ["1 on-shelf", "2 arrived"] },
            "the customer of yesterday is not here any more")
        #expect(try await site.arrive(orders[0], on: store)[2] == "C-002", "and comes again")
    }

    @Test(
        "An order that is not collected expires, and one that is over is forgotten after the shop's days",
        arguments: engines)
    func ageing(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let orders = try site.announce(
            Site.order("1"), Site.order("2", Site.at("09:00", day: Site.day.advanced(by: 9))))
        try site.administration().cancelOrder("2", in: site.shop)
        try site.administration().cancelOrder("2", in: site.shop)
        #expect(throws: StoreError.self) {
            try site.administration().cancelOrder("3", in: site.shop)
        }
        site.clock.set(Site.at("09:00", day: Site.day.advanced(by: 7)))
        try await site.serve { store in
            #expect(try await eventually { try states(site) == ["1 expired", "2 cancelled"] })
            let shown = try #require(try await store.look(.entry(orders[0].order.code)))
            #expect(shown.state == .expired && !shown.isReady && shown.state.course == nil)
        }
        #expect(throws: StoreError.self) {
            try site.administration().cancelOrder("1", in: site.shop)
        }
        site.clock.set(Site.at("09:30", day: Site.day.advanced(by: 31)))
        let store = try site.store()
        #expect(
            try await eventually { try states(site) == ["1 expired"] })
        #expect(
            try site.count("SELECT count(DISTINCT order_id) FROM pickup_event") == 1,
            "with its events")
        store.stop()
        #expect(try site.findings().isEmpty)
    }

    @Test("The check of a database finds what cannot be of orders", arguments: engines)
    func check(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let order = try site.announce(Site.order("1"))[0].order
        let store = try site.store()
        _ = try await site.arrive(order, on: store)
        store.stop()
        #expect(try site.findings().isEmpty)
        let database = try site.open(for: .administer)
        for (script, undo, words) in [
            (
                "UPDATE pickup_day SET last_number = 0", "UPDATE pickup_day SET last_number = 1",
                "above their counter"
            ),
            (
                "UPDATE pickup_order SET state_ms = state_ms + 1",
                "UPDATE pickup_order SET state_ms = state_ms - 1", "no event says since when"
            ),
            (
                "INSERT INTO pickup_event VALUES ('s1', 'x', 1, 1, 'promised', '', NULL)",
                "DELETE FROM pickup_event WHERE order_id = 'x'", "which is not there"
            ),
        ] {
            try database.run(script: script)
            #expect(try site.findings().contains { $0.contains(words) }, "\(words)")
            try database.run(script: undo)
        }
        #expect(try site.findings().isEmpty)
    }
}
