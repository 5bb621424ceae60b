internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Visits in the store", .stopsStores)
struct VisitStoreTests {
    /// A shop at 19:45, too late for a ticket of today.
    private func lateSite(_ engine: StoreEngine, capacity: Int = 4) throws -> Site {
        let site = try Site(engine, capacity: capacity)
        site.clock.set(Site.at("19:45"))
        return site
    }

    @Test(
        "However many machines ask at the same time, visits keep to their share, and numbers have no gaps",
        arguments: engines)
    func parallel(_ engine: StoreEngine) async throws {
        let site = try lateSite(engine, capacity: 4)
        let store = try site.store()
        let numbers = try await atOnce(0..<12) { machine in
            var numbers: [Int] = []
            for round in 0..<3 {
                let id = try await store.holdVisit("m\(machine)")
                // Some customers change their mind and release the hold.
                if (machine + round) % 4 == 0 { continue }
                numbers.append(try await store.confirm(id, "m\(machine)").number)
            }
            return numbers
        }.flatMap(\.self)
        #expect(numbers.sorted() == Array(1...27))
        let most = try site.count(
            """
            SELECT max(inside) FROM (
                SELECT count(*) AS inside FROM reservation AS one JOIN reservation AS other
                ON other.visit_start_ms <= one.visit_start_ms
                    AND one.visit_start_ms < other.visit_end_ms
                WHERE one.state <> 'deleted' AND other.state <> 'deleted' GROUP BY one.id)
                AS together
            """)
        #expect(most == 2)
        #expect(
            try site.count("SELECT count(DISTINCT day) FROM reservation WHERE kind = 'visit'") == 1)
        #expect(
            try site.texts("SELECT DISTINCT day FROM day_counter") == [Site.tomorrow.description])
    }

    @Test("A restart keeps visits, held ones too, and their days' numbers", arguments: engines)
    func restart(_ engine: StoreEngine) async throws {
        let site = try lateSite(engine, capacity: 1)
        var store = try site.store()
        let first = try await store.visit("door-1")
        let held = try await store.holdVisit("door-2")
        let next = try await store.words(.make(.hold(.visit), machine: "door-3"))
        _ = try await store.words(.make(.release(ReservationID(next[1])), machine: "door-3"))
        store.stop()
        store = try site.restarted()
        let again = try await store.words(.make(.hold(.visit), machine: "door-3"))
        #expect(again[2] == next[2], "the slots of the first two are still taken")
        #expect(first.number == 1)
        #expect(try await store.confirm(held, "door-2").number == 2)
        // The next day has its visits: the first one is there from 08:00 to 08:20.
        site.clock.set(Site.at("08:00", day: Site.tomorrow))
        let ticket = try await store.ticket("door-1")
        #expect(ticket.number == 3)
        let report = try #require(try await store.lookUp(.entry(ticket.code)))
        let wait = try #require(report.wait)
        #expect(wait.expected.time.description > "08:05")
    }

    @Test(
        "After a clock was moved, the wait that is read first is of the changed queue",
        arguments: engines)
    func renewed(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1)
        func shown(_ ticket: TakenPlace, by store: QueueStore) async throws -> Moment? {
            try await store.lookUp(.entry(ticket.code))?.wait?.expected.moment
        }
        let (ticket, renewed) = try await site.serve(isStepped: true) { store in
            let first = try await store.ticket()
            let second = try await store.ticket()
            store.renewForecasts()
            site.clock.pass(.seconds(30))
            try await store.pass(first, .entrance)
            let before = try await shown(second, by: store)
            store.renewForecasts()
            let renewed = try await shown(second, by: store)
            #expect(renewed != before)
            return (second, renewed)
        }
        // A store without a forecast computes each wait at once.
        let computed = try await site.serve(isStepped: true) { try await shown(ticket, by: $0) }
        #expect(renewed == computed)
    }

    @Test(
        "A reservation is found by either code, in its own shop, in any state",
        arguments: engines)
    func lookUp(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1)
        let first = try await store.ticket()
        let ticket = try await store.ticket()
        let typed = try #require(try await store.record(ticket.id)?.confirmation?.typedCode)
        let found = try await store.lookUp(.entry(ticket.code))
        #expect(found?.status == .planned && found?.day == Site.day)
        // The place was taken a moment ago: an older forecast is not used.
        let expected = try #require(found?.wait).expected
        #expect(expected.time.description > "10:05")
        // A forecast that is finished between two calls changes the wait, so both calls must be within one forecast.
        var byEntry: FoundReservation?
        var byTyped: FoundReservation?
        repeat {
            byEntry = try await store.lookUp(.entry(ticket.code))
            byTyped = try await store.lookUp(.typed(typed))
        } while try await store.lookUp(.entry(ticket.code)) != byEntry
        #expect(byTyped == byEntry)
        let unknown = try #require(TypedCode(rawValue: "0000000000"))
        if typed != unknown { #expect(try await store.lookUp(.typed(unknown)) == nil) }
        #expect(
            try await store.words(.make(.delete(ticket.id, .typed(unknown)))) == [
                "refused", "not-found",
            ])
        _ = try await store.words(.make(.delete(ticket.id, .typed(typed))))
        #expect(try await store.lookUp(.typed(typed))?.status == .deleted)
        #expect(
            try site.texts(
                "SELECT cause FROM reservation_event WHERE reservation_id = '\(ticket.id)' "
                    + "AND former_state = 'planned'") == ["withdrawn"])
        for (state, cause, use) in [
            ("called", "confirmed", ReservationStatus.called), ("active", "confirmed", .inside),
            ("expired", "left", .used), ("expired", "missed", .missed),
            ("expired", "closed", .closed), ("expired", "sent-home", .closed),
        ] {
            try site.run(
                "UPDATE reservation SET state = '\(state)', cause = '\(cause)' WHERE number = 1")
            let report = try #require(try await store.lookUp(.entry(first.code)))
            #expect(report.status == use)
            let enterBy = use == .called ? Site.at("10:10") : nil
            #expect(report.enterBy?.moment == enterBy)
        }
        store.stop()
        await #expect(throws: StoreError.stopped) { try await store.lookUp(.typed(typed)) }
    }
}

extension QueueStore {
    func lookUp(_ code: PresentedCode) async throws -> FoundReservation? {
        try await done { lookUp(code, in: Site.shopID, completion: $0) }
    }
}
