import BackendAPI
import BackendService
import Cryptography
import Foundation
import QueueEngine
import Reservations
import Testing

@Suite("A machine that runs away does not hurt the others [fault 55]")
struct LimitTests {
    @Test("A thousand tickets at once from one key: a few are made, the rest is refused and logged")
    func runaway() throws {
        // Without rest, so that a slow computer gives none either.
        let backend = try TestBackend(
            reservationLimit: RateLimit(perSecond: 0.000_001, burst: 3))
        let runaway = try backend.enrol("runaway")
        let other = try backend.enrol("other")
        var made: [ReservationReply] = []
        var refused = 0
        for _ in 0..<40 {
            let hold = try runaway.hold().decoded(HoldReply.self)
            let answer = try runaway.call(.holdConfirmation(hold.id))
            if answer.status == 201 {
                made.append(try answer.decoded(ReservationReply.self))
            } else {
                #expect(answer.problem == .tooManyRequests)
                #expect(answer.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0)
                refused += 1
            }
        }
        #expect(made.count == 3 && refused == 37)
        let deadline = ContinuousClock.now + .seconds(30)
        func isLogged() -> Bool {
            backend.lines.all.contains {
                $0.contains("reservations-limited") && $0.contains("runaway")
            }
        }
        while !isLogged(), ContinuousClock.now < deadline { usleep(10_000) }
        #expect(isLogged())
        #expect(try other.reservation().number.rawValue == 4)
    }

    @Test("What was asked for again, or came to nothing, does not count")
    func repeated() throws {
        let backend = try TestBackend(
            reservationLimit: RateLimit(perSecond: 0.000_001, burst: 2))
        let machine = try backend.enrol()
        for number in 1...2 {
            let hold = try machine.hold().decoded(HoldReply.self)
            for _ in 0..<5 {
                let answer = try machine.call(.holdConfirmation(hold.id), key: "same-\(number)")
                #expect(answer.status == 201)
                if number == 2 { break }
            }
            if number == 1 {
                let nothing = try machine.call(.holdConfirmation(ReservationID("none")))
                #expect(nothing.status == 404)
            }
        }
        let hold = try machine.hold().decoded(HoldReply.self)
        #expect(try machine.call(.holdConfirmation(hold.id)).problem == .tooManyRequests)
    }

    @Test("One machine holds one place, however many it asks for (rules 2)")
    func oneHold() throws {
        let backend = try TestBackend()
        let machine = try backend.enrol("greedy")
        for _ in 0..<20 { #expect(try machine.hold().status == 201) }
        #expect(try backend.count("reservation WHERE state = 'pending'") == 1)
    }

    @Test("Another key gives a machine no more guesses: limits are the machine's")
    func otherKey() throws {
        let backend = try TestBackend(codeLimit: RateLimit(perSecond: 0.000_001, burst: 3))
        let old = try backend.enrol("guesser")
        for _ in 0..<3 { #expect(try old.lookUp("0000000000").problem == .notFound) }
        #expect(try old.lookUp("0000000000").problem == .tooManyRequests)
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        let body = "{\"key\":\"\(new.key.publicKey.text)\"}"
        #expect(try old.call(.machineKey, body).status == 204)
        #expect(try new.lookUp("0000000000").problem == .tooManyRequests)
        #expect(try backend.enrol("other").lookUp("0000000000").problem == .notFound)
    }

    @Test("A machine beyond its requests is told so; one beside it is served")
    func requests() throws {
        let backend = try TestBackend(rateLimit: RateLimit(perSecond: 0.000_001, burst: 8))
        let runaway = try backend.enrol("runaway")
        let other = try backend.enrol("other")
        var last = 200
        for _ in 0..<20 { last = try runaway.call(.queue).status }
        #expect(last == 429)
        #expect(try other.call(.queue).status == 200)
    }
}
