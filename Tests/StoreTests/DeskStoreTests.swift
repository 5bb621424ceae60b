internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Synchronization
internal import Testing

internal import func TestSupport.eventually

@Suite(
    "Desks and their orders in the store, on both engines (rules: order-desks, order-forecasts)",
    .stopsStores)
struct DeskStoreTests {
    @Test(
        "Each step is stored once with who did it, shown to every desk at once, and undone in time",
        arguments: engines)
    func steps(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await Site.withDesks(engine).arrivals(["1", "2"])
        #expect(store.deskStates == ["1 arrived", "2 arrived"])
        let changes = Mutex(0)
        store.observePickups { _ in changes.withLock { $0 += 1 } }
        func take(
            _ step: DeskStep, _ order: Int, at desk: Int, key: String = fresh("k")
        ) async throws -> String {
            try await site.take(step, orders[order], at: desk, on: store, key: key)
                .joined(separator: " ")
        }
        #expect(try await take(.fetch, 0, at: 1, key: "a") == "done fetching 1")
        #expect(store.deskStates == ["1 fetching", "2 arrived"] && changes.withLock { $0 } == 1)
        #expect(try await take(.fetch, 0, at: 1, key: "a") == "done fetching 1")
        #expect(try await take(.fetch, 0, at: 1) == "known fetching 1")
        #expect(try await take(.fetch, 0, at: 2) == "refused order-changed")
        #expect(try await take(.ready, 0, at: 1) == "done called 1")
        #expect(
            store.turns(of: Site.shopID)?.orders?.map { "\($0.number.text) \($0.desk)" }
                == ["C-001 1"])
        func handOver(_ code: PresentedOrderCode, at desk: Int) async throws -> String {
            try await store.words(.make(.order(.handOver(code, desk: desk)), at: site.clock.now))
                .joined(separator: " ")
        }
        let (first, second) = (orders[0], orders[1])
        #expect(
            try await handOver(.entry(first.code), at: 2) == "known called 1",
            "it is at another desk")
        #expect(try await handOver(.entry(second.code), at: 1) == "known arrived -")
        let unknown = try #require(TypedCode(rawValue: "0000000001"))
        #expect(try await handOver(.typed(unknown), at: 1) == "refused not-found")
        #expect(try await handOver(.typed(first.typedCode), at: 1) == "done handed-over 1")
        #expect(try await handOver(.entry(first.code), at: 1) == "known handed-over 1")
        #expect(store.deskStates == ["2 arrived"])
        #expect(store.turns(of: Site.shopID)?.orders == [])
        #expect(try await take(.undo, 0, at: 1) == "done called 1")
        #expect(store.deskStates == ["1 called", "2 arrived"], "where it was")
        site.clock.set(site.clock.now + .seconds(60))
        #expect(try await take(.undo, 0, at: 1) == "refused order-changed")
        #expect(try await take(.putBack, 1, at: 2) == "done on-shelf -")
        #expect(
            try site.states(of: orders[0].id) == [
                "on-shelf administrator", "arrived door-1", "fetching desk-1", "called desk-1",
                "handed-over door-1", "called desk-1",
            ])
        try await site.expectPossibleOrders()
    }

    @Test(
        "Of two machines with the code of one order, and of two desks that take the same step, at two servers at once, one does [faults 67, 68]",
        arguments: engines)
    func together(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let orders = try site.announce((1...8).map { "\($0)" })
        let first = try site.store()
        let second = try engine == .postgresql ? site.store() : first
        let arrivals = try await atOnce(0..<16) { turn in
            let (order, store) = (orders[turn / 2], turn % 2 == 0 ? first : second)
            return try await site.arrive(order, on: store, machine: "door-\(1 + turn % 2)")
        }
        let numbers = arrivals.filter { $0[0] == "came" }.map { $0[2] }
        #expect(numbers.sorted() == (1...8).map { "C-00\($0)" })
        for answer in arrivals where answer[0] != "came" {
            #expect(answer[..<2] == ["known", "arrived"] && answer[3] == "-")
            #expect(numbers.contains(answer[2]))
        }
        for step in [DeskStep.fetch, .ready] {
            let answers = try await atOnce(0..<16) { turn in
                let (order, desk) = (orders[turn / 2], 1 + turn % 2)
                return try await site.take(step, order, at: desk, on: desk == 1 ? first : second)
            }
            #expect(answers.count { $0[0] == "done" } == 8)
            #expect(answers.count { $0 == ["refused", "order-changed"] } == 8)
        }
        // Each server shows what the other one has decided.
        for store in [first, second] {
            #expect(await eventually { store.deskStates.allSatisfy { $0.hasSuffix(" called") } })
            #expect(store.deskStates.count == 8)
        }
        try await site.expectPossibleOrders()
    }

    @Test(
        "An order whose customer does not come to the desk is back on the shelf after fifteen minutes, by itself",
        arguments: engines)
    func forgotten(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await Site.withDesks(engine).arrivals(["1", "2"])
        try await site.ready(orders[0], on: store)
        site.clock.set(site.clock.now + .minutes(14))
        let announced = store.turns(of: Site.shopID)?.orders?.first?.since.moment
        #expect(announced == site.clock.now - .minutes(9), "called again after five")
        site.clock.set(site.clock.now + .minutes(1))
        #expect(await eventually { store.deskStates == ["2 arrived"] })
        let words = try await site.arrive(orders[0], on: store)
        #expect(words[..<3] == ["came", "arrived", "C-003"])
    }

    @Test(
        "Each state of an order is a notice for the phones that follow it, until it is over [Click-And-Collect UC9]",
        arguments: engines)
    func notices(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await Site.withDesks(engine).arrivals(["1", "2"])
        let mine = orders[0]
        for name in ["a", "b"] { try await store.subscribe(name, to: .order(mine.id)) }
        try await store.subscribe("c", to: .order(orders[1].id))
        #expect(try await store.taken(at: 0) == [])
        for (step, kind) in [
            (DeskStep.fetch, "fetching"), (.notFound, "not-found"), (.fetch, "fetching"),
            (.ready, "called"), (.handOver, "handed-over"),
        ] {
            site.clock.set(site.clock.now + .seconds(1))
            try await site.take(step, mine, at: 1, on: store)
            #expect(
                try await store.taken(at: 0) == ["a order-\(kind)", "b order-\(kind)"], "\(step)")
        }
        // A step that was let go is no news, and what was called off is.
        try await site.take(.fetch, orders[1], at: 1, on: store)
        _ = try await store.taken(at: 0)
        try await site.take(.release, orders[1], at: 1, on: store)
        #expect(try await store.taken(at: 0) == [])
        try site.administration().cancelOrder("2", in: site.shop)
        let due = try await store.lease()
        #expect(due.map(\.reason) == [.order(.cancelled)] && due[0].order?.state == .cancelled)
        // They are forgotten a quarter of an hour after the end, with what still waits.
        site.clock.set(site.clock.now + .minutes(16))
        try site.prune()
        #expect(try site.texts("SELECT id FROM subscription") == [])
        #expect(try site.texts("SELECT kind FROM notice") == [])
    }

    @Test(
        "An order that comes onto the shelf, and one that expires, are news; at midnight nothing sounds [Click-And-Collect UC9]",
        arguments: engines)
    func noticesOfTime(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        try await site.serve { store in
            let here = try await site.arrivals(["1"], on: store)[0]
            let later = try site.announce(Site.order("2", Site.at("10:00"), "small"))[0].order
            try await store.subscribe("a", to: .order(here.id))
            try await store.subscribe("b", to: .order(later.id))
            try site.announce(Site.order("2", Site.at("10:00"), "small@A3"))
            #expect(try await store.taken(at: 0) == ["b order-ready"])
        }
        // A server that begins lets time pass.
        func taken(after days: Int, when state: String) async throws -> [String] {
            site.clock.set(site.clock.now + .seconds(days * 86_400))
            return try await site.serve { store in
                #expect(
                    try await eventually {
                        try site.texts("SELECT DISTINCT state FROM pickup_order") == [state]
                    })
                return try await store.taken(at: 0)
            }
        }
        #expect(try await taken(after: 1, when: "on-shelf") == [], "its customer went home")
        #expect(
            try await taken(after: 7, when: "expired") == ["a order-expired", "b order-expired"])
    }

    @Test(
        "A server that begins shows who is here, also after an administrator has called an order off",
        arguments: engines)
    func beginning(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        try await site.serve { store in
            let orders = try await site.arrivals(["1", "2"], on: store)
            try await site.take(.fetch, orders[1], at: 2, on: store)
            try site.administration().cancelOrder("1", in: site.shop)
            #expect(await eventually { store.deskStates == ["2 fetching"] })
        }
        #expect(try site.store().deskStates == ["2 fetching"])
    }

    @Test(
        "The time of fetching is learned once with the step that shows it, and quoted to the next customer by every server",
        arguments: engines)
    func learning(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await Site.withDesks(engine).arrivals(["1", "2", "3"])
        let second = try engine == .postgresql ? site.store() : store
        let begin = site.clock.now
        func quoted() async throws -> Double {
            let order = try await second.look(.entry(orders[2].code))
            let wait = try #require(order?.wait)
            return (wait.expected.moment - site.clock.now).inMinutes
        }
        func fetches() throws -> [String] {
            try site.texts("SELECT parcels || ' ' || observations FROM pickup_fetch")
        }
        func go(_ step: DeskStep, _ order: Int, after minutes: Int) async throws {
            site.clock.set(begin + .minutes(minutes))
            let words = try await site.take(step, orders[order], at: 1, on: store)
            #expect(words[0] == "done")
        }
        try await go(.fetch, 0, after: 0)
        let before = try await quoted()
        try await go(.ready, 0, after: 100)
        #expect(try fetches().isEmpty, "it may be taken back")
        try await go(.handOver, 0, after: 101)
        #expect(try fetches() == ["1 1"])
        try await go(.undo, 0, after: 101)
        try await go(.handOver, 0, after: 102)
        #expect(try fetches() == ["1 1"])
        try await go(.fetch, 1, after: 103)
        #expect(try await quoted() > before + 1)
        // An administrator calls off an order at the desk.
        try await go(.ready, 1, after: 203)
        if engine == .postgresql {
            try site.administration().cancelOrder("2", in: site.shop)
            #expect(try fetches() == ["1 2"])
        }
        store.stop()
        second.stop()
        #expect(
            try site.texts("SELECT desk || ' ' || at_ms FROM pickup_step")
                == ["1 \((begin + .minutes(203)).milliseconds)"])
    }

    @Test(
        "The report counts each arrival, what came of it, and whether the time that was quoted was kept",
        arguments: engines)
    func report(_ engine: StoreEngine) async throws {
        let (site, store, orders) = try await Site.withDesks(engine).arrivals(["1", "2", "3"])
        let begin = site.clock.now
        for (step, order, seconds) in [
            (DeskStep.fetch, 0, 60), (.ready, 0, 120), (.undo, 0, 125), (.ready, 0, 130),
            (.handOver, 0, 200), (.undo, 0, 205), (.handOver, 0, 240), (.fetch, 1, 300),
            (.notFound, 1, 400), (.fetch, 2, 500), (.ready, 2, 5_000), (.putBack, 2, 5_100),
        ] {
            site.clock.set(begin + .seconds(seconds))
            let words = try await site.take(step, orders[order], at: 1, on: store)
            #expect(words[0] == "done")
        }
        store.stop()
        func report(from first: Moment) throws -> OrderReport {
            try site.administration().orderReport(
                of: Site.shopID, in: first..<first + .seconds(60)
            ) { LocalMoment($0, offsetMinutes: 60) }
        }
        let hour = try #require(try report(from: begin).hours.first)
        #expect(hour.arrivals == 3 && hour.seconds == [240])
        #expect(hour.medianSeconds == 240 && hour.nineOfTenSeconds == 240)
        #expect(hour.ready == 2 && hour.readyAsQuoted == 1)
        #expect(hour.notCollected == 1 && hour.notFound == 1)
        #expect(try report(from: begin + .seconds(60)).hours.isEmpty)
    }
}
