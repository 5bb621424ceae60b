internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Pruning", .stopsStores)
struct PruningTests {
    /// The first day whose rows stay.
    private static let kept = Site.day.advanced(by: 1)

    /// Every column of the rows that must not change, in order.
    private func everything(_ site: Site, from day: CalendarDay) throws -> [String] {
        try site.texts(
            """
            SELECT group_concat(quote(id) || quote(state) || quote(number) || quote(code)
                || quote(state_ms)) FROM (SELECT * FROM reservation WHERE day >= '\(day)' ORDER BY id)
            UNION ALL SELECT group_concat(reservation_id || at_ms || state) FROM (
                SELECT e.* FROM reservation_event e JOIN reservation r ON r.id = e.reservation_id
                WHERE r.day >= '\(day)' ORDER BY 2, 3, 5)
            UNION ALL SELECT group_concat(day || last_number) FROM day_counter WHERE day >= '\(day)'
            """)
    }

    @Test(
        "Days before the first one kept are deleted with all their rows; later ones are unchanged"
    )
    func days() async throws {
        let site = try Site(.sqlite, capacity: 3)
        for _ in 0..<3 {
            try await DatabaseCheckTests.day(site)
            site.clock.set(site.clock.now + .seconds(86_400))
        }
        let last = Site.day.advanced(by: 3)
        let administration = try site.administration()
        func histories() throws -> [ReservationHistory] {
            try administration.histories(of: Site.shopID, from: Self.kept, to: last)
        }
        let reported = try histories()
        // Holds of the last day are younger than a day, those of the other days are deleted.
        let numbered = "FROM reservation WHERE number IS NOT NULL"
        let before = try site.count("SELECT count(*) \(numbered) AND day >= '\(Self.kept)'")
        let states = try site.texts(
            "SELECT number || state || state_ms \(numbered) AND day >= '\(Self.kept)' ORDER BY 1")
        var pauses = 0
        for day in [Site.day, Self.kept] {
            try site.run(
                "INSERT INTO machine_paper_day VALUES ('s1', '\(day)', 'door-1', 'm', 1, 0, 0, 0)")
        }
        let pruned = try site.prune(before: Self.kept, pause: { pauses += 1 })
        #expect(try site.texts("SELECT day FROM machine_paper_day") == ["\(Self.kept)"])
        #expect(pruned.reservations == 5 && pruned.days == 1, "\(pruned)")
        #expect(pruned.holds >= 2 && pruned.requests > 0 && pauses > 0, "\(pruned)")
        #expect(before > 5 && reported.count == before)
        #expect(try histories() == reported)
        #expect(
            try site.texts(
                "SELECT number || state || state_ms \(numbered) ORDER BY 1") == states)
        #expect(try DatabaseCheckTests.findings(site) == [])
        let rest = try everything(site, from: Site.day)
        #expect(try site.prune(before: Self.kept) == Pruning.Pruned())
        #expect(try everything(site, from: Site.day) == rest)
    }

    @Test("Rows that may still be needed are never deleted, however old")
    func live() async throws {
        let (site, store) = try Site.serving(.sqlite)
        let ticket = try await store.ticket()
        let hold = try await store.hold("door-2")
        store.stop()
        let far = Site.day.advanced(by: 400)
        site.clock.set(Site.at("10:00", day: far))
        let pruned = try site.prune(before: far)
        #expect(pruned.reservations == 0 && pruned.holds == 0)
        #expect(
            try Set(site.texts("SELECT id FROM reservation"))
                == [ticket.id.rawValue, hold.rawValue])
        // The numbers of the day continue as long as the day is kept.
        #expect(try site.count("SELECT count(*) FROM reservation_event") > 1)
    }

    @Test("More than one batch is deleted to the end, and a server continues meanwhile")
    func batches() async throws {
        let (site, store) = try Site.serving(.sqlite, capacity: 5_000)
        let many = Pruning.batch + 40
        for _ in 0..<many {
            let ticket = try await store.ticket()
            try await store.giveBack(ticket)
            _ = try await store.hold()
        }
        let day = Site.day.advanced(by: 70)
        site.clock.set(Site.at("10:00", day: day))
        store.tick()
        let waiting = Task { try await store.ticket("door-9").number }
        let pruned = try site.prune(before: day.advanced(by: -62))
        #expect(pruned.reservations == many)
        #expect(try await waiting.value == 1)
        _ = try await store.ticket()
        store.stop()
        #expect(
            try site.count("SELECT count(*) FROM reservation WHERE day < '\(day)'") == 0)
        #expect(try DatabaseCheckTests.findings(site) == [])
    }

    @Test("A running server deletes holds without a reservation, a day later and not before")
    func byItself() async throws {
        let site = try Site(.sqlite)
        let taken = site.clock.now
        let holds = "SELECT count(*) FROM reservation WHERE number IS NULL"
        let ticket = try await site.serve { store in
            _ = try await store.words(.make(.release(try await store.hold())))
            return try await store.ticket("door-2")
        }
        // The server is started again each time: a shop that was just pruned rests for a minute.
        for (seconds, left) in [(86_399, 1), (86_401, 0)] {
            try await site.serve { store in
                site.clock.set(taken + .seconds(seconds))
                store.tick()
            }
            #expect(try site.count(holds) == left)
        }
        #expect(
            try site.count("SELECT count(*) FROM reservation WHERE id = '\(ticket.id)'") == 1)
        #expect(try DatabaseCheckTests.findings(site) == [])
    }
}
