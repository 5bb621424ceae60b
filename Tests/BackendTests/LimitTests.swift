import BackendAPI
import Cryptography
import Reservations
import TestSupport
import Testing

@Suite("A machine that runs away does not hurt the others [fault 55]")
struct LimitTests {
    @Test("Of many tickets at once from one key a few are made, the others are refused and logged")
    func runaway() async throws {
        // Nothing is refilled, so that a slow computer gives no further tickets either.
        let backend = try TestBackend([.reservations: .only(3)])
        let runaway = try backend.enrol("runaway")
        let other = try backend.enrol("other")
        for number in 0..<40 {
            let answer = try runaway.call(.holdConfirmation(runaway.held().id))
            #expect(answer.problem == (number < 3 ? nil : .tooManyRequests))
            #expect(number < 3 || answer.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        }
        let isLogged = await eventually {
            backend.lines.value.contains {
                $0.contains("reservations-limited") && $0.contains("runaway")
            }
        }
        #expect(isLogged)
        #expect(try other.reservation().number.rawValue == 4)
    }

    @Test("A repeated request, or one without effect, does not count")
    func repeated() throws {
        let machine = try TestBackend([.reservations: .only(2)]).enrol()
        let hold = try machine.held()
        for _ in 0..<5 {
            #expect(try machine.call(.holdConfirmation(hold.id), key: "same").status == 201)
        }
        #expect(try machine.call(.holdConfirmation(ReservationID("none"))).status == 404)
        _ = try machine.reservation()
        let last = try machine.held()
        #expect(try machine.call(.holdConfirmation(last.id)).problem == .tooManyRequests)
    }

    @Test("Another key gives a machine no more guesses: limits belong to the machine")
    func otherKey() throws {
        let backend = try TestBackend([.codes: .only(3)])
        let old = try backend.enrol("guesser")
        for _ in 0..<3 { #expect(try old.lookUp("0000000000").problem == .notFound) }
        #expect(try old.lookUp("0000000000").problem == .tooManyRequests)
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try old.offer(new.key).status == 204)
        #expect(try new.lookUp("0000000000").problem == .tooManyRequests)
        #expect(try backend.enrol("other").lookUp("0000000000").problem == .notFound)
    }

    @Test("A key that offers keys without end leaves a few of them, whichever one it signs with")
    func keys() throws {
        let backend = try TestBackend([.keys: .only(12)])
        var runaway = try backend.enrol("runaway")
        let other = try backend.enrol("other")
        let rows = (keys: try backend.count("machine_key"), audit: try backend.count("audit"))
        for _ in 0..<12 {
            let key = try SigningKey.generate()
            #expect(try runaway.offer(key).status == 204)
            // The next offer is signed with the key that was just accepted.
            runaway = TestMachine(backend: backend, key: key)
        }
        for _ in 12..<40 {
            let refused = try runaway.offer(SigningKey.generate())
            #expect(refused.problem == .tooManyRequests)
            #expect(refused.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0)
            #expect(refused.text.contains("changes of keys"))
        }
        #expect(try backend.count("machine_key") == rows.keys + 12)
        #expect(try backend.count("audit") <= rows.audit + 24)
        // A refused request leaves no row.
        #expect(try backend.count("idempotency") == 12)
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try other.offer(new.key).status == 204)
        #expect(try new.offer(new.key).status == 204)
    }

    @Test("A key that asks for places without end gets sixty; thirty reservations are made")
    func holds() throws {
        let backend = try TestBackend([.writes: .only(120), .holds: .only(60)])
        let runaway = try backend.enrol("runaway")
        let other = try backend.enrol("other")
        var taken = 0
        for _ in 0..<90 where try runaway.hold().status == 201 { taken += 1 }
        #expect(taken == 60)
        #expect(try backend.count("reservation WHERE state = 'pending'") == 1, "one at a time")
        #expect(try backend.count("reservation") == 60)
        #expect(try backend.count("idempotency") == 60)
        #expect(try runaway.hold().problem == .tooManyRequests)
        for _ in 0..<30 { _ = try other.reservation() }
        // The same request gets the same answer again, and does not count.
        let hold = try other.hold(key: "same")
        for _ in 0..<100 { #expect(try other.hold(key: "same").body == hold.body) }
    }

    @Test("Each call that leaves rows has a limit: ended holds, doors and staff commands too")
    func writes() throws {
        let backend = try TestBackend([.writes: .only(20), .staff: .only(5)])
        let code = "CLUP:1:ROM1" + String(repeating: "0", count: 26)
        let calls: [(KeyRole, Route, String, most: Int)] = [
            (.ticketMachine, .hold(ReservationID("none")), "", 20),
            (.ticketMachine, .holdExtension(ReservationID("none")), "", 20),
            (.ticketMachine, .holdConfirmation(ReservationID("none")), "", 20),
            (.ticketMachine, .reservation(ReservationID("none")), "{\"code\":\"\(code)\"}", 20),
            (.entrance, .entries, "{\"code\":\"\(code)\"}", 20),
            (.turnstile, .exits, "{\"code\":\"\(code)\"}", 20),
            (.ticketMachine, .staffActions, #"{"action":"occupancy","people":1}"#, 5),
        ]
        for (place, (role, route, body, most)) in calls.enumerated() {
            let key = try backend.enrol("runaway-\(place)", role: role)
            let before = try backend.count("idempotency")
            let answers = try (0..<30).map { _ in try key.call(route, body) }
            #expect(answers.prefix(most).allSatisfy { $0.status != 429 }, "\(route)")
            #expect(
                answers.dropFirst(most).allSatisfy { $0.problem == .tooManyRequests }, "\(route)")
            #expect(try backend.count("idempotency") == before + most, "\(route)")
        }
    }

    @Test("Tickets of another shop count once for all attempts with one, and within the limits")
    func otherShops() throws {
        let backend = try TestBackend([.writes: .only(7)])
        let machine = try backend.enrol()
        let body = "{\"code\":\"CLUP:1:ZZZZ\(String(repeating: "0", count: 26))\"}"
        func count() throws -> Int {
            try backend.administration.refusedRequests(
                of: TestBackend.shop, from: CalendarDay(year: 2026, month: 1, day: 1)!,
                to: CalendarDay(year: 2027, month: 1, day: 1)!
            ).reduce(0) { $0 + $1.count }
        }
        for attempt in ["a", "a", "a", "b"] {
            #expect(try machine.call(.lookup, body, key: attempt).problem == .otherShop)
        }
        for _ in 0..<50 { #expect(try machine.call(.lookup, body).problem == .otherShop) }
        backend.stop()
        #expect(try count() == 7)
        #expect(try backend.count("refused_wish") == 1)
    }
}
