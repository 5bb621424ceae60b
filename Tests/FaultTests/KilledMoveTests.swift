import BackendAPI
import Reservations
import TestSupport
import Testing

@Suite("A visit that is moved while the backend is killed [rules: moved-visits]", .serialized)
struct KilledMoveTests {
    @Test(
        "It has its former slot or the new one, whole, and the repetition finishes the move [fault 23]",
        arguments: FaultyShop.Engine.allCases)
    func moves(engine: FaultyShop.Engine) async throws {
        let phones = try ReservedPort()
        try await ServingBackend.withPhones(
            at: phones.address, database: try engine.database(), capacity: 20,
            shop: ["--phone-places", "yes", "--phone-visits", "yes"]
        ) { backend, _ in
            let phone = ServedPhone(of: backend)
            let starts = try await phone.slotsOfDays()
            var visit = try await phone.visit(try #require(starts.first))
            try await ServingBackend.killedEverLater(in: engine, least: (10, 3)) { number, call in
                let start = starts[number % starts.count]
                let (moved, isKilled) = try await move(
                    visit, to: start, by: phone, of: backend, killedAfter: call)
                #expect(moved.code == visit.code && moved.visit?.start.moment == start.moment)
                visit = moved
                return isKilled
            }
            let limits = QueueHistory.Limits(
                capacity: 20, visits: 1, phoneVisits: 1, stayMinutes: 10)
            let shop =
                try await Checker.rows(
                    of: "SELECT shop_id AS shop FROM shop", database: backend.database
                ) as [ShopRow]
            let history = try await QueueHistory(
                database: backend.database, limits: [try #require(shop.first).shop: limits])
            let found = Checker([], rows: [], history: history).violations()
            #expect(found.isEmpty, "\(found)")
        }
    }

    private struct ShopRow: Decodable { let shop: String }
    private struct SlotRow: Decodable {
        let day: String
        let start: Int64
        let end: Int64
        let expected: Int64
    }

    /// Moves the visit; returns it as it is then, and whether the backend was killed on the way.
    private func move(
        _ visit: Reservation, to start: LocalMoment, by phone: ServedPhone,
        of backend: ServingBackend,
        killedAfter call: Int
    ) async throws -> (Reservation, isKilled: Bool) {
        let capability = try #require(visit.link.flatMap { Capability(link: $0) }).rawValue
        let code = visit.typedCode.rawValue
        let body =
            #"{"capability":"\#(capability)","code":"\#(code)","visit":{"start":"\#(start)"}}"#
        return try await backend.killed(afterCall: call) {
            try await phone.call(.move, body)
        } check: { point in
            let rows: [SlotRow] = try await Checker.rows(
                of: """
                    SELECT day, visit_start_ms AS start, visit_end_ms AS "end", expected_ms AS expected
                    FROM reservation
                    """, database: backend.database)
            let row = try #require(rows.first, "\(point)")
            #expect(rows.count == 1 && row.start == row.expected, "\(point)")
            let slot = row.start == start.moment.milliseconds ? start : visit.visit?.start
            #expect(row.start == slot?.moment.milliseconds, "half a move, \(point)")
            #expect(row.day == slot?.day.description && row.end > row.start, "\(point)")
        }
    }
}
