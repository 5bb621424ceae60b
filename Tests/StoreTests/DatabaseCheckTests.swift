internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import SQLiteStore
internal import Testing

@Suite("The check of a database", .stopsStores)
struct DatabaseCheckTests {
    /// The findings of the check in a database after `sql` ran on it.
    static func findings(_ site: Site, after sql: String = "") throws -> [String] {
        let connection = try Connection(path: site.path, opening: .existing)
        try connection.execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
        try connection.execute(sql)
        let database = try SQLiteDatabase.open(path: site.path, for: .administer)
        return try database.integrity() + site.findings()
    }

    /// Tickets in every state, a visit, a deletion, an expired and a cancelled hold.
    static func day(_ site: Site) async throws {
        // Several stores in a row: a server's lock is released with the last user of its store, on another thread.
        let store = try site.store(on: try site.open(for: .administer))
        defer { store.stop() }
        let tickets = try await store.tickets(5)
        func ask(_ command: MachineRequest, machine: String = "door-1") async throws -> [String] {
            try await store.words(.make(command, machine: machine, at: site.clock.now))
        }
        _ = try await ask(.delete(tickets[4].id, .entry(tickets[4].code)))
        for ticket in tickets.prefix(2) {
            _ = try await ask(.passage(.entry(ticket.code), .entrance))
        }
        _ = try await ask(.passage(.entry(tickets[0].code), .exit(.checkout)))
        let visit = try await ask(.hold(.visit), machine: "door-2")
        _ = try await ask(.confirm(ReservationID(visit[1])), machine: "door-2")
        _ = try await ask(.release(try await store.hold("door-3")), machine: "door-3")
        _ = try await store.hold("door-4")
        site.clock.pass(.minutes(4))
        store.tick()
    }

    @Test("A number that a moved visit has left is no gap; a number that is lost is one")
    func moved() async throws {
        let site = try Site.givingVisits(.sqlite)
        let (first, second) = (Site.day.advanced(by: 1), Site.day.advanced(by: 2))
        do {
            let store = try site.store(on: try site.open(for: .administer))
            defer { store.stop() }
            var visits: [TakenPlace] = []
            for holder in ["a", "b", "c", "d"] {
                visits.append(try await store.bookVisit(holder, at: "10:00", on: first))
            }
            for day in [second, first, second] {
                let slot = Site.slot("11:00", on: day)
                _ = try await store.move(visits[3], to: slot, holder: "d")
            }
        }
        #expect(try Self.findings(site) == [])
        #expect(
            try Self.findings(
                site,
                after: """
                    DELETE FROM reservation_event WHERE reservation_id IN (
                        SELECT id FROM reservation WHERE holder = 'b');
                    DELETE FROM reservation WHERE holder = 'b'
                    """
            ).contains { $0.contains("the numbers of 2026-11-21 have gaps") })
    }

    @Test(
        "Every kind of damage is named",
        arguments: [
            ("DELETE FROM reservation WHERE number = 3", "have gaps"),
            ("UPDATE reservation SET number = number * 10", "numbers 10 to 50"),
            (
                "DROP INDEX reservation_number; UPDATE reservation SET number = 3 WHERE number = 2",
                "number 3 of 2026-11-20 was given 2 times"
            ),
            ("UPDATE day_counter SET last_number = 4", "the counter of 2026-11-20 stands at 4"),
            ("UPDATE day_counter SET last_number = 40", "the highest number is 5"),
            (
                "DELETE FROM day_counter WHERE day = '2026-11-20'; "
                    + "INSERT INTO day_counter (shop_id, day, last_number) VALUES ('s1', '2026-11-19', 0)",
                "2026-11-20 has numbers and no counter"
            ),
            ("UPDATE reservation SET code = NULL WHERE number = 3", "do not go with that"),
            (
                "UPDATE reservation SET state = 'pending' WHERE number = 3",
                "do not go with that"
            ),
            ("UPDATE reservation SET code = 'CLUP:1:' WHERE number = 3", "cannot be read"),
            ("UPDATE reservation SET typed_code = '12' WHERE number = 3", "cannot be read"),
            ("UPDATE reservation SET cause = 'boredom' WHERE number = 3", "cannot be read"),
            (
                "UPDATE reservation SET state = 'active' WHERE number = 3",
                "no event says since when"
            ),
            (
                "DELETE FROM reservation_event WHERE state = 'active'", "no event says since when"
            ),
            (
                "INSERT INTO reservation_event VALUES ('s1', 'ghost', 1, NULL, 'called', 'x')",
                "there are events of reservation ghost"
            ),
            (
                "INSERT INTO reservation_event VALUES ('s1', 'ghost', 1795338000000, NULL, 'x', 'x')",
                "number 2 of 2026-11-20 is still active"
            ),
            (
                "UPDATE reservation SET state = 'pending', number = NULL, code = NULL, "
                    + "typed_code = NULL, expires_ms = 7 WHERE number = 5", "was never ended"
            ),
            (
                "DELETE FROM shop; INSERT INTO machine_key (shop_id, key_id, machine, public_key, "
                    + "role, created_ms) VALUES ('s1','k','m',x'00','r',1)",
                "refers to a row of shop that is not there"
            ),
        ])
    func damage(_ sql: String, _ sentence: String) async throws {
        let site = try Site(.sqlite, capacity: 3)
        try await Self.day(site)
        #expect(try Self.findings(site) == [], "an undamaged day")
        let findings = try Self.findings(site, after: sql)
        #expect(findings.contains { $0.contains(sentence) }, "\(findings)")
        #expect(!findings.contains { $0.contains("CLUP:1:") }, "no code is shown")
    }
}
