internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Holders who want more than one place a day, or more than five visits [rules 32, 39]",
    .stopsStores)
struct ClaimAttackTests {
    private static let other = ShopID("s2")
    private static let tomorrow = Site.day.advanced(by: 1)

    private func hold(
        _ store: QueueStore, _ slot: ChosenSlot
    ) async throws -> [String] {
        try await store.words(.make(.holdVisit(slot), holder: "a"))
    }

    @Test(
        "A ticket that is asked for just before midnight is no second place of the next day",
        arguments: engines)
    func midnight(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        site.clock.set(Site.at("23:59"))
        site.clock.pass(.seconds(30))
        let plan = FaultPlan()
        let store = try site.store(isStepped: true, isAlwaysOpen: true) {
            FaultyDatabase($0, plan: plan)
        }
        // Midnight comes between the claim and the decision.
        plan.afterNextCommit { site.clock.pass(.seconds(31)) }
        let result = await store.ask(.make(.hold(.ticket), key: "k", holder: "a"))
        #expect(result.error?.code == .busy)
        let again = AuthenticatedRequest.make(.hold(.ticket), key: "k", holder: "a")
        #expect(try await store.words(again)[0] == "held")
        #expect(
            try await store.words(.make(.hold(.ticket), shop: Self.other, holder: "a"))
                == ["refused", "already-waiting", "s1", "0"])
    }

    @Test(
        "A visit is not moved to the day of a place that is held for its holder",
        arguments: engines)
    func moveBesideHold(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let visit = try await store.bookVisit("a", at: "10:00", on: Self.tomorrow)
        func move(_ day: CalendarDay) async throws -> [String] {
            try await store.move(visit, to: Site.slot("15:00", on: day))
        }
        let later = Site.day.advanced(by: 2)
        let held = ReservationID(try await hold(store, Site.slot("12:00", on: later))[1])
        let refused = ["refused", "already-waiting", "s1", "0"]
        #expect(try await move(later) == refused)
        // On its own day, and on others, it can be moved meanwhile.
        #expect(try await move(Self.tomorrow)[0] == "confirmed")
        let ticket = try await store.hold(holder: "a")
        #expect(try await move(Site.day) == refused)
        #expect(try await store.words(.make(.confirm(held), holder: "a"))[0] == "refused")
        _ = try await store.words(.make(.release(ticket), holder: "a"))
        // It is moved for its own holder only, whichever caller sends the code.
        let slot = Site.slot("15:00", on: Site.day)
        for other in ["b", nil] {
            let words = try await store.move(visit, to: slot, holder: other)
            #expect(words == ["refused", "not-found"])
        }
        #expect(try await move(Site.day)[0] == "confirmed")
    }

    @Test(
        "Days of which no visit can be booked are no part of a claim, whatever a phone writes",
        arguments: engines)
    func manyDays(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        var starts = [
            "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999-23:59",
            "2026-11-19T10:00:00+01:00", "2026-12-21T10:00:00+01:00",
        ]
        for year in 2027...2060 { starts.append("\(year)-03-01T10:00:00+01:00") }
        for start in starts {
            let slot = ChosenSlot(start: try #require(LocalMoment(start)))
            #expect(try await hold(store, slot) == ["refused", "slot-taken"], "\(start)")
        }
        #expect(try site.count("SELECT max(length(days)) FROM claim") <= 33 * 14)
        #expect(try site.texts("SELECT days FROM claim").allSatisfy { $0.isEmpty })
        #expect(try await hold(store, Site.slot("10:00", on: Self.tomorrow))[0] == "held")
        #expect(try site.texts("SELECT days FROM claim") == ["2026-11-21 s1"])
    }

    @Test(
        "Of six visits in six shops that are asked for at once, none is a sixth",
        arguments: StoreServers.all)
    func sixAtOnce(_ servers: StoreServers) async throws {
        let site = try Site.givingVisits(servers.engine, shops: 6)
        let stores = try servers.serving(site)
        @Sendable func book(_ number: Int) async {
            let slot = Site.slot("10:00", on: Site.day.advanced(by: number))
            let (store, shop) = (stores[number % stores.count], ShopID("s\(number)"))
            let held = await store.ask(.make(.holdVisit(slot), shop: shop, holder: "a"))
            guard let words = try? store.words(of: held), words[0] == "held" else { return }
            let confirm = MachineRequest.confirm(ReservationID(words[1]))
            _ = await store.ask(.make(confirm, shop: shop, holder: "a"))
        }
        // One request of a holder is carried out at a time, and the others are busy.
        for number in 1...3 { await book(number) }
        for _ in 0..<12 {
            _ = try await atOnce((1...6).reversed()) { await book($0) }
        }
        for number in 1...6 { await book(number) }
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'planned'") == 5)
    }

    @Test(
        "A server that was killed between claim and place delays the holder for two minutes, and no longer",
        arguments: engines, [false, true])
    func killed(_ engine: StoreEngine, isVisit: Bool) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        let now = site.clock.now.milliseconds
        try site.run(
            """
            INSERT INTO claim (holder, shop_id, attempt, claimed_ms, days)
            VALUES ('a', 's1', 'a key', \(now), '\(isVisit ? "2026-11-21 s1" : "")')
            """)
        let slot = Site.slot("10:00", on: Self.tomorrow)
        func hold(in shop: ShopID, key: String = fresh("key")) -> AuthenticatedRequest {
            .make(isVisit ? .holdVisit(slot) : .hold(.ticket), key: key, shop: shop, holder: "a")
        }
        #expect(await store.ask(hold(in: Self.other)).error?.code == .busy)
        // The same request goes on where it was, and its place counts.
        #expect(try await store.words(hold(in: Site.shopID, key: "a key"))[0] == "held")
        #expect(
            try await store.words(hold(in: Self.other))
                == ["refused", "already-waiting", "s1", "0"])
        // Another attempt is killed before it has written a place.
        site.clock.pass(.minutes(10))
        let later = site.clock.now.milliseconds
        try site.run("UPDATE claim SET attempt = 'lost', claimed_ms = \(later)")
        site.clock.pass(.seconds(121))
        #expect(try await store.words(hold(in: Self.other))[0] == "held")
    }

    @Test(
        "Every server knows that a moved visit has left its former slot and has taken the new one",
        arguments: engines)
    func slots(_ engine: StoreEngine) async throws {
        // Two visits may be inside, and one of them may be of a phone.
        let (site, store) = try Site.givingVisits(engine, capacity: 4).serving(isStepped: true)
        let follower = engine == .postgresql ? try site.store(isStepped: true) : store
        let visit = try await store.bookVisit("a", at: "10:00", on: Self.tomorrow)
        let (former, new) = (
            Site.slot("10:00", on: Self.tomorrow),
            Site.slot("16:30", on: Site.day.advanced(by: 3))
        )
        func book(_ slot: ChosenSlot, _ holder: String) async throws -> String {
            try await follower.words(.make(.holdVisit(slot), holder: holder))[1]
        }
        #expect(try await book(former, "b") == "slot-taken")
        #expect(try await store.move(visit, to: new)[0] == "confirmed")
        #expect(try await book(new, "b") == "slot-taken")
        #expect(try await book(former, "b") != "slot-taken")
        #expect(try await book(former, "c") == "slot-taken")
    }

    @Test(
        "A holder who asks again for a ticket of the same shop costs no further statement",
        arguments: engines)
    func cost(_ engine: StoreEngine) async throws {
        let (store, plan) = try Site.givingVisits(engine).faulty()
        for _ in 0..<3 {
            #expect(try await store.words(.make(.hold(.ticket), holder: "a"))[0] == "held")
        }
        #expect(!plan.statements.contains { $0.contains("holder >= $holder") })
    }
}
