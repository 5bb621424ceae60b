internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TestSupport
internal import Testing

@Suite(
    "Holders of phones: one place a day over all shops, and five visits [rules: one-place, visits]",
    .stopsStores)
struct HolderTests {
    @Test("A place in one shop keeps the holder from another one until it ends", arguments: engines)
    func elsewhere(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let held = try await store.asks("a")
        #expect(
            try await store.asks("a", in: Site.other) == [
                "refused", "already-waiting", "s1", "0",
            ])
        _ = try await store.words(.make(.release(ReservationID(held[1])), holder: "a"))
        let ticket = try await store.ticket(in: Site.other, holder: "a")
        #expect(
            try await store.asks("a") == [
                "refused", "already-waiting", "s2", "\(ticket.number)",
            ])
        #expect(
            try await store.asks("a", in: Site.other)
                == ["refused", "already-waiting", "s2", "\(ticket.number)"])
        // Its ticket's code gives the place back wherever it is shown, as at a machine.
        try await store.giveBack(ticket, in: Site.other)
        #expect(try await store.asks("a")[0] == "held")
        // A refused place keeps none from another shop.
        _ = try await store.words(.make(.staff(.endTickets)))
        #expect(try await store.asks("b") == ["refused", "no-ticket-today"])
        #expect(try await store.asks("b", in: Site.other)[0] == "held")
    }

    @Test(
        "Of requests to two shops at once, for a ticket or a visit of one day, with keys of their own or with one, one succeeds",
        arguments: StoreServers.all, [false, true])
    func race(_ servers: StoreServers, isForVisits: Bool) async throws {
        let site = try Site.givingVisits(servers.engine)
        let stores = try servers.serving(site)
        let holders = (0..<24).map { "holder-\($0)" }
        for (index, holder) in holders.enumerated() {
            let results = try await atOnce(0..<4) { number in
                let key = index.isMultiple(of: 2) ? "key of \(holder)" : fresh("key")
                let shop = [Site.shopID, Site.other, Site.other, Site.shopID][number]
                let visit = Site.slot("1\(number):00", on: Site.day.advanced(by: 1))
                return await stores[number % stores.count].ask(
                    .make(
                        isForVisits ? .holdVisit(visit) : .hold(.ticket), key: key, shop: shop,
                        holder: holder))
            }
            let held = try results.filter { result in
                if let error = result.error {
                    #expect(error.code == .busy)
                    return false
                }
                return try stores[0].words(of: result)[0] == "held"
            }
            #expect(!held.isEmpty, "\(results)")
        }
        // Two requests to one shop replace each other; in two shops no holder has a place.
        let places = try site.texts(
            "SELECT holder || ' ' || shop_id FROM reservation WHERE state = 'pending' ORDER BY 1")
        #expect(places.count == holders.count, "\(places)")
        #expect(Set(places.map { $0.split(separator: " ")[0] }).count == holders.count)
    }

    @Test(
        "Three missed calls block, over a restart, until the staff or an administrator lift it, once",
        arguments: engines)
    func blocked(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        try await site.serve { first in
            for holder in ["a", "b"] {
                for _ in 1...3 {
                    _ = try await first.ticket(holder: holder)
                    site.clock.pass(.minutes(11))
                }
                #expect(try await first.asks(holder) == ["refused", "blocked"])
            }
            #expect(first.blockedHolders(of: Site.shopID).map(\.rawValue).sorted() == ["a", "b"])
            #expect(try await first.words(.make(.unblock(HolderID("a")))) == ["unblocked"])
            #expect(first.blockedHolders(of: Site.shopID).map(\.rawValue) == ["b"])
        }
        #expect(try site.count("SELECT count(*) FROM no_show WHERE holder = 'a'") == 0)
        let store = try site.store()
        #expect(try await store.asks("b") == ["refused", "blocked"])
        #expect(try await store.asks("a")[0] == "held")
        #expect(try await store.asks("b", in: Site.other)[0] == "held")
        let administration = try site.administration()
        let known = try administration.holders(of: site.shop)
        #expect(known.map(\.holder.rawValue) == ["b"] && known[0].noShows.count == 3)
        #expect(known[0].blockedUntil.map { $0 > site.clock.now } == true)
        try administration.unblock(HolderID("b"), in: site.shop)
        #expect(throws: StoreError.self) {
            try administration.unblock(HolderID("b"), in: site.shop)
        }
        // The hold in the other shop has expired.
        site.clock.pass(.minutes(5))
        #expect(try await store.asks("b")[0] == "held")
    }

    @Test(
        "A forgotten holder is in no table, and one with a place of any day or a request is not forgotten",
        arguments: engines)
    func forgotten(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        let later = Site.day.advanced(by: 4)
        let visit = try await store.bookVisit("a-holder", at: "10:00", on: later)
        _ = try await store.ticket(holder: "a-holder")
        site.clock.pass(.minutes(11))
        store.tick()
        let ticket = try await store.ticket(in: Site.other, holder: "a-holder")
        let administration = try site.administration()
        let holder = HolderID("a-holder")
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        #expect(throws: StoreError.self) { try administration.forget(HolderID("unknown")) }
        try await store.giveBack(ticket, in: Site.other)
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        try await store.giveBack(visit)
        try site.run("UPDATE claim SET attempt = 'a request'")
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        try site.run("UPDATE claim SET attempt = ''")
        func traces() throws -> Int {
            try site.count(
                """
                SELECT (SELECT count(*) FROM reservation WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM claim WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM no_show WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM audit WHERE detail LIKE '%a-hold%')
                """)
        }
        // What was found in the shop whose places were over is gone already.
        #expect(try traces() > 0)
        try administration.forget(holder)
        #expect(try traces() == 0)
        #expect(try await store.asks("a-holder")[0] == "held")
    }

    @Test(
        "Two places that staff restored may be missed at one moment, and the shop goes on",
        arguments: engines)
    func missedTogether(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        var numbers: [Int] = []
        for _ in 1...2 {
            numbers.append(try await store.ticket(holder: "a").number)
            site.clock.pass(.minutes(11))
            store.tick()
        }
        for number in numbers { try await store.staff(.restore, number) }
        site.clock.pass(.minutes(11))
        #expect(try await store.ticket().number == 3)
        #expect(try await store.asks("a") == ["refused", "blocked"])
    }

    @Test("A claim without a place is deleted after a day", arguments: engines)
    func oldClaims(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        for holder in ["waits", "went"] { _ = try await store.asks(holder) }
        store.stop()
        site.clock.pass(.seconds(86_400 + 60))
        // A place that may still be there: here its hold lasts longer.
        let end = site.clock.now.milliseconds + 600_000
        try site.run("UPDATE reservation SET expires_ms = \(end) WHERE holder = 'waits'")
        try site.prune()
        #expect(try site.texts("SELECT holder FROM claim") == ["waits"])
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
            try await store.asks("a", in: Site.other)
                == ["refused", "already-waiting", "s1", "0"])
    }

    @Test(
        "A visit is not moved to the day of a place that is held for its holder",
        arguments: engines)
    func moveBesideHold(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let visit = try await store.bookVisit("a", at: "10:00", on: Site.tomorrow)
        func move(_ day: CalendarDay) async throws -> [String] {
            try await store.move(visit, to: Site.slot("15:00", on: day))
        }
        let later = Site.day.advanced(by: 2)
        let held = ReservationID(
            try await store.asks("a", .holdVisit(Site.slot("12:00", on: later)))[1])
        let refused = ["refused", "already-waiting", "s1", "0"]
        #expect(try await move(later) == refused)
        // On its own day, and on others, it can be moved meanwhile.
        #expect(try await move(Site.tomorrow)[0] == "confirmed")
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
            #expect(
                try await store.asks("a", .holdVisit(slot)) == ["refused", "slot-taken"], "\(start)"
            )
        }
        #expect(try site.count("SELECT max(length(days)) FROM claim") <= 33 * 14)
        #expect(try site.texts("SELECT days FROM claim").allSatisfy { $0.isEmpty })
        #expect(
            try await store.asks("a", .holdVisit(Site.slot("10:00", on: Site.tomorrow)))[0]
                == "held")
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
        let slot = Site.slot("10:00", on: Site.tomorrow)
        func hold(in shop: ShopID, key: String = fresh("key")) -> AuthenticatedRequest {
            .make(isVisit ? .holdVisit(slot) : .hold(.ticket), key: key, shop: shop, holder: "a")
        }
        #expect(await store.ask(hold(in: Site.other)).error?.code == .busy)
        // The same request goes on where it was, and its place counts.
        #expect(try await store.words(hold(in: Site.shopID, key: "a key"))[0] == "held")
        #expect(
            try await store.words(hold(in: Site.other))
                == ["refused", "already-waiting", "s1", "0"])
        // Another attempt is killed before it has written a place.
        site.clock.pass(.minutes(10))
        let later = site.clock.now.milliseconds
        try site.run("UPDATE claim SET attempt = 'lost', claimed_ms = \(later)")
        site.clock.pass(.seconds(121))
        #expect(try await store.words(hold(in: Site.other))[0] == "held")
    }

    @Test(
        "Every server knows that a moved visit has left its former slot and has taken the new one",
        arguments: engines)
    func slots(_ engine: StoreEngine) async throws {
        // Two visits may be inside, and one of them may be of a phone.
        let (site, store) = try Site.givingVisits(engine, capacity: 4).serving(isStepped: true)
        let follower = engine == .postgresql ? try site.store(isStepped: true) : store
        let visit = try await store.bookVisit("a", at: "10:00", on: Site.tomorrow)
        let (former, new) = (
            Site.slot("10:00", on: Site.tomorrow),
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
            #expect(try await store.asks("a")[0] == "held")
        }
        #expect(!plan.statements.contains { $0.contains("holder >= $holder") })
    }
}
