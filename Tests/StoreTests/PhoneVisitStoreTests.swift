internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Visits that are booked on phones, on every engine [rules: visits, moved-visits]", .stopsStores)
struct PhoneVisitStoreTests {
    private func hold(
        _ store: QueueStore, _ holder: String, _ time: String, on day: CalendarDay = Site.tomorrow,
        in shop: ShopID = Site.shopID
    ) async throws -> [String] {
        try await store.asks(holder, .holdVisit(Site.slot(time, on: day)), in: shop)
    }

    @Test(
        "A visit is stored with what its customer declared, and moved to another day with its codes",
        arguments: engines)
    func moved(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        let later = Site.slot(
            "16:30", on: Site.day.advanced(by: 3), minutes: 15, departments: ["Bakery"])
        let store = try site.store()
        let follower = engine == .postgresql ? try site.store() : nil
        let visit = try await store.bookVisit(
            "a", at: "10:00", on: Site.tomorrow, minutes: 45, departments: ["Bakery", "Fish"])
        #expect(
            try site.texts(
                """
                SELECT day || ' ' || declared_minutes || ' ' || move_count || ' ' || departments
                FROM reservation
                """) == ["2026-11-21 45 0 Fish,Bakery"])
        // Another server knows that the fish counter is full.
        if let follower {
            follower.tick()
            #expect(
                try await follower.asks(
                    "b", .holdVisit(Site.slot("10:15", on: Site.tomorrow, departments: ["Fish"])))
                    == ["refused", "slot-taken"])
        }
        let words = try await store.move(visit, to: later)
        #expect(words[..<3] == ["confirmed", "1", visit.code.rawValue])
        for other in [store, follower].compactMap(\.self) {
            other.tick()
            let record = try await other.record(visit.id)
            #expect(record?.hold.visit?.start.moment == later.start.moment)
            #expect(other.found([try #require(record)], of: Site.shopID)[0] != nil)
            other.stop()
        }
        #expect(
            try site.texts(
                """
                SELECT day || ' ' || number || ' ' || declared_minutes || ' ' || move_count || ' '
                    || (visit_end_ms - visit_start_ms) || ' ' || cause || ' ' || departments
                FROM reservation
                """) == ["2026-11-23 1 15 1 900000 rebooked Bakery"])
        #expect(
            try site.count("SELECT count(*) FROM reservation_event WHERE cause = 'rebooked'") == 1)
        #expect(try site.findings() == [])
        let restarted = try site.restarted()
        let record = try #require(try await restarted.record(visit.id))
        #expect(restarted.found([record], of: Site.shopID)[0]?.visit == record.hold.visit)
    }

    @Test(
        "A holder has one place a day in all shops; on other days there are others [UC4.2]",
        arguments: engines)
    func oneADay(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let visit = try await store.bookVisit("a", at: "10:00", on: Site.tomorrow)
        let refused = ["refused", "already-waiting", "s1", "1"]
        #expect(try await hold(store, "a", "17:00", in: Site.other) == refused)
        #expect(try await hold(store, "a", "17:00") == refused)
        let today = try await store.bookVisit("a", at: "17:00", on: Site.day, in: Site.other)
        #expect(try await store.asks("a") == ["refused", "already-waiting", "s2", "1"])
        // The offset that a phone writes makes no other day.
        let start = Site.slot("08:30", on: Site.tomorrow).start.moment
        let foreign = ChosenSlot(start: LocalMoment(start, offsetMinutes: -12 * 60))
        #expect(foreign.start.day == Site.day)
        #expect(try await store.asks("a", .holdVisit(foreign), in: Site.other) == refused)
        // A move to a day of another shop's place is refused as well, and changes nothing.
        let noon = Site.slot("12:00", on: Site.tomorrow)
        #expect(try await store.move(today, to: noon, in: Site.other) == refused)
        try await store.giveBack(visit)
        #expect(try await store.move(today, to: noon, in: Site.other)[0] == "confirmed")
    }

    @Test("A holder has five visits in all shops together", arguments: engines)
    func five(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine, shops: 6).store()
        var visits: [TakenPlace] = []
        for number in 1...5 {
            visits.append(
                try await store.bookVisit(
                    "a", at: "10:00", on: Site.day.advanced(by: number),
                    in: ShopID("s\(number)")))
        }
        let sixth = Site.day.advanced(by: 6)
        for number in [1, 6] {
            #expect(
                try await hold(store, "a", "10:00", on: sixth, in: ShopID("s\(number)"))
                    == ["refused", "too-many-visits"])
        }
        // A visit may be moved all the same, and one that was given back makes room.
        let slot = Site.slot("10:00", on: sixth)
        #expect(try await store.move(visits[0], to: slot)[0] == "confirmed")
        try await store.giveBack(visits[1], in: ShopID("s2"))
        #expect(
            try await hold(
                store, "a", "10:00", on: Site.day.advanced(by: 7), in: ShopID("s6"))[0] == "held")
    }

    @Test(
        "A move whose transaction fails leaves the visit where it was, and is done when it is sent again",
        arguments: engines)
    func interrupted(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        let (store, plan) = try site.faulty()
        let visit = try await store.bookVisit("a", at: "10:00", on: Site.tomorrow)
        let move = MachineRequest.move(
            visit.id, .entry(visit.code), to: Site.slot("16:00", on: Site.day))
        for count in 0..<40 {
            let before = try site.texts("SELECT day || ' ' || state FROM reservation")
            #expect(before == ["2026-11-21 planned"])
            plan.arm(after: count)
            let result = await store.ask(.make(move, key: "once", holder: "a"))
            _ = plan.disarm()
            if case .answered = result { break }
            #expect(count < 39)
        }
        #expect(try await store.words(.make(move, key: "once", holder: "a"))[0] == "confirmed")
        #expect(
            try site.texts("SELECT day || ' ' || state || ' ' || move_count FROM reservation")
                == ["2026-11-20 planned 1"])
    }

    @Test("A claim is kept as long as a place of any of its days stands", arguments: engines)
    func oldClaims(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        _ = try await store.bookVisit("a", at: "10:00", on: Site.day.advanced(by: 4))
        // The last request is one of another shop, in which nothing stands.
        let held = try await hold(store, "a", "12:00", in: Site.other)
        _ = try await store.words(
            .make(.release(ReservationID(held[1])), shop: Site.other, holder: "a"))
        #expect(
            try site.texts("SELECT days FROM claim") == ["2026-11-21 s2 2026-11-24 s1"])
        _ = try await hold(store, "went", "13:00", on: Site.day.advanced(by: 4), in: Site.other)
        site.clock.pass(.seconds(2 * 86_400))
        store.tick()
        try site.prune(Site.other)
        #expect(try site.texts("SELECT holder FROM claim") == ["a"])
        #expect(
            try await hold(store, "a", "12:00", on: Site.day.advanced(by: 4), in: Site.other)
                == ["refused", "already-waiting", "s1", "1"])
    }

    private func day(_ days: Int) -> CalendarDay { Site.day.advanced(by: days) }

    @Test(
        "A moved visit is in the report of its day, once, and not in that of the day it has left",
        arguments: engines)
    func reports(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        let slot = Site.slot("15:00", on: day(2))
        #expect(try await store.move(visit, to: slot)[0] == "confirmed")
        #expect(try await store.move(visit, to: Site.slot("11:00", on: day(1)))[0] == "confirmed")
        #expect(try await store.move(visit, to: slot)[0] == "confirmed")
        let administration = try site.administration()
        #expect(try administration.histories(of: Site.shopID, from: day(0), to: day(1)) == [])
        let found = try administration.histories(of: Site.shopID, from: day(2), to: day(3))
        #expect(found.map(\.number.rawValue) == [2] && found.map(\.kind) == [.visit])
        #expect(found.map(\.quoted.expected.moment) == [slot.start.moment])
        let report = DayReport(day(2), found, midnight: Site.at("00:00", day: day(2)))
        #expect(report.visits == 1 && report.tickets == 0 && report.deleted == 0)
    }

    @Test(
        "Changed hours name the visits of phones, or delete them, and their holders may book again",
        arguments: engines)
    func hours(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving(isStepped: true)
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        #expect(try await store.move(visit, to: Site.slot("15:00", on: day(2)))[0] == "confirmed")
        let administration = try site.administration()
        let mornings = (0...8).map { Site.opening("08:00", "12:00", day: day($0)) }
        let refused = try #require(throws: StoreError.self) {
            try administration.updateShop(site.shop, openings: mornings)
        }
        #expect(refused.description.contains("001 on 2026-11-22 at 15:00"), "\(refused)")
        try administration.updateShop(site.shop, openings: mornings, cancelVisits: true)
        store.tick()
        #expect(
            try site.texts("SELECT state || ' ' || cause FROM reservation")
                == ["deleted cancelled-by-shop"])
        try await store.bookVisit("a", at: "10:00", on: day(2), in: Site.other)
    }

    @Test(
        "The place of a holder is found by its day, and the nearest one without a day",
        arguments: engines)
    func byDay(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        try await store.bookVisit("a", at: "10:00", on: day(3))
        func found(_ day: CalendarDay?) async throws -> CalendarDay? {
            try await store.done {
                store.place(of: HolderID("a"), in: Site.shopID, on: day, completion: $0)
            }?.hold.day
        }
        #expect(try await found(nil) == day(1))
        #expect(try await found(day(3)) == day(3))
        #expect(try await found(day(2)) == nil)
        #expect(try await store.move(visit, to: Site.slot("10:00", on: day(5)))[0] == "confirmed")
        #expect(try await found(nil) == day(3))
        #expect(try await found(day(1)) == nil)
        #expect(try await found(day(5)) == day(5))
    }
}

extension Site {
    /// A database of some shops that give visits to phones, `s1`, `s2` and so on.
    static func givingVisits(
        _ engine: StoreEngine, shops: Int = 2, capacity: Int = 1_000
    ) throws -> Site {
        let site = try Site(engine, capacity: capacity) {
            $0.phones.hasPlaces = true
            $0.phones.hasVisits = true
            $0.phones.sharePercent = 100
            $0.departments = [Department(name: "Fish", capacity: 1), Department(name: "Bakery")]
        }
        for number in 2...shops {
            try site.add(ShopID("s\(number)"), tag: "SEC\(number)", name: "Shop \(number)")
        }
        return site
    }

    /// The slot that begins at this time of a day.
    static func slot(
        _ time: String, on day: CalendarDay, minutes: Int? = nil, departments: [String]? = nil
    ) -> ChosenSlot {
        ChosenSlot(
            start: LocalMoment(Site.at(time, day: day), offsetMinutes: 60), minutes: minutes,
            departments: departments)
    }
}
