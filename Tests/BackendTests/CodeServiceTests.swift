import BackendAPI
import BackendService
import Dispatch
import Foundation
import Reservations
import Synchronization
import Testing

@Suite("Codes and their links over HTTP [rules: codes, code-links]")
final class CodeServiceTests: OpenShop {
    @Test("A ticket is looked up with the remaining wait, by any machine of the shop")
    func ticket() throws {
        let backend = try TestBackend()
        let north = try backend.enrol("north")
        let south = try backend.enrol("south")
        let ticket = try north.reservations(5)[4]
        // After ten minutes those before it have missed the call, and the backend calls it by itself.
        backend.time.advance(by: .minutes(9))
        backend.store.renewForecasts()
        let answer = try south.lookUp(ticket)
        #expect(answer.status == 200)
        let found = try answer.decoded(FoundReservation.self)
        #expect(found.id == ticket.id && found.number == ticket.number)
        #expect(found.shopName == "Città" && found.issued == ticket.issued)
        #expect(found.day == CalendarDay("2026-11-20") && found.visit == nil)
        #expect(found.now.description == "2026-11-20T10:09:00.000+01:00")
        #expect(found.wait.map { $0.expected.moment >= found.now.moment } == true)
        #expect(found.wait?.peopleAhead == 0 && found.enterBy == nil)
        let digits = ticket.digits
        for code in [
            digits, "\(digits.prefix(4)) \(digits.dropFirst(4)) ",
            ticket.code.rawValue.lowercased(),
        ] {
            // All fields but the wait, which is computed again in the background.
            var again = try south.lookUp(code).decoded(FoundReservation.self)
            again.wait = found.wait
            #expect(again == found)
        }
    }

    @Test("Text that is no code, a code of another shop and an unknown one have an answer each")
    func refused() throws {
        let ticket = try machine.reservation()
        for code in ["", "x", "\\u0000\(ticket.code.rawValue)", "\(ticket.code.rawValue)\\n"] {
            #expect(try machine.lookUp(code).problem == .unreadableCode, "\(code)")
        }
        for body in ["", "{}", "[]", "{\"code\":1}", "{\"code\":null}"] {
            #expect(try machine.call(.lookup, body).problem == .malformed)
        }
        let foreign = "CLUP:1:MIL2\(ticket.code.rawValue.dropFirst(11))"
        #expect(try machine.lookUp(foreign).problem == .otherShop)
        #expect(try machine.delete(ticket.id, foreign).problem == .notFound)
        let unknown = "CLUP:1:ROM1" + String(repeating: "0", count: 26)
        let other = altered(ticket.digits)
        let answers = try [unknown, other].map { try machine.lookUp($0) }
        #expect(answers.allSatisfy { $0.problem == .notFound })
        #expect(Set(answers.map(\.body)).count == 1, "the same answer, typed or scanned")
        #expect(try machine.delete(ticket.id, unknown).problem == .notFound)
        #expect(try machine.delete(ticket.id, other).problem == .notFound)
        #expect(try machine.found(ticket).isDeletable)
    }

    @Test(
        "Used, missed, inside, called and deleted reservations have different answers",
        arguments: [
            ("expired", "left", ReservationStatus.used, Refusal.alreadyUsed),
            ("expired", "missed", .missed, .missed),
            ("expired", "closed", .closed, .closedBeforeTurn),
            ("expired", "sent-home", .closed, .closedBeforeTurn),
            ("active", "confirmed", .inside, .inside),
            ("called", "confirmed", .called, nil), ("planned", "confirmed", .planned, nil),
        ] as [(String, String, ReservationStatus, Refusal?)])
    func states(state: String, cause: String, status: ReservationStatus, problem: Refusal?) throws {
        let ticket = try machine.reservation()
        try backend.run("UPDATE reservation SET state = '\(state)', cause = '\(cause)'")
        let found = try machine.found(ticket)
        #expect(found.status == status && found.isDeletable == (problem == nil))
        #expect((found.enterBy != nil) == (status == .called))
        for code in [ticket.code.rawValue, ticket.digits] {
            let request = try machine.call(
                .reservation(ticket.id), code: code, key: "k\(code.count)")
            if code == ticket.digits, problem == nil {
                #expect(request.problem == .alreadyDeleted)
            } else {
                #expect(request.problem == problem && (problem != nil || request.status == 204))
            }
        }
        // The same key means the same deletion, and has the same answer.
        let again = try machine.call(
            .reservation(ticket.id), code: ticket.code.rawValue, key: "k37")
        #expect(again.problem == problem)
        let after = try machine.lookUp(ticket.digits).decoded(FoundReservation.self)
        #expect(after.status == (problem == nil ? .deleted : status) && !after.isDeletable)
    }

    @Test(
        "A ticket that was not called before the shop closed says so at machine and doors, also after a restart",
        arguments: [
            // Between two openings; after closing, and at the same time of the next day.
            ("Mon-Sun 08:00-12:00 15:00-20:00", [180]), ("Mon-Sun 08:00-20:00", [660, 780]),
        ])
    func closedBeforeItsTurn(hours: String, passing: [Int]) throws {
        let backend = try TestBackend(hours: hours)
        let machine = try backend.enrol()
        let entrance = try backend.enrol("door", role: .entrance)
        let gate = try backend.enrol("gate", role: .turnstile)
        let ticket = try machine.reservations(5)[4]
        for minutes in passing {
            backend.time.advance(by: .minutes(minutes))
            let before = try machine.lookUp(ticket)
            let found = try before.decoded(FoundReservation.self)
            #expect(found.status == .closed && found.wait == nil)
            try backend.restart()
            #expect(try machine.lookUp(ticket).body == before.body)
            #expect(try entrance.enter(ticket).problem == .closedBeforeTurn)
            #expect(try gate.leave(ticket).problem == .closedBeforeTurn)
            #expect(try machine.delete(ticket).problem == .closedBeforeTurn)
        }
    }

    @Test("Typed codes cannot be guessed: a machine's attempts run out, and only that machine's")
    func guessing() throws {
        let limit = RateLimit(perSecond: 1.0 / 6, burst: 6)
        let backend = try TestBackend([.codes: limit]) { $0.orders.desks = 1 }
        let north = try backend.enrol("north")
        let door = try backend.enrol("door", role: .entrance)
        let ticket = try north.reservation()
        let order = try backend.announce()
        let ticketRoutes = [
            Route.lookup, .delay(ticket.id), .reclaim(ticket.id), .reservation(ticket.id),
        ]
        let calls =
            ticketRoutes.map { ($0, ticket.digits, ticket.code.rawValue) }
            + [Route.orderLookup, .orderArrival(order.id)].map {
                ($0, order.typedCode.rawValue, order.code.rawValue)
            }
        func answer(_ route: Route, _ code: String) throws -> WireResponse {
            try north.call(route, #"{"code":"\#(code)","people":2}"#)
        }
        // Each of these calls counts, and so does each at a door.
        for (route, _, _) in calls {
            #expect(try answer(route, "0000000000").problem == .notFound, "\(route)")
            #expect(try door.enter("0000000000").problem == .notFound)
        }
        let refused = try north.lookUp(ticket.digits)
        let wait = try #require(refused.fields["retry-after"].flatMap { Int($0) })
        #expect((1...6).contains(wait))
        #expect(try door.enter(ticket.digits).problem == .tooManyRequests)
        // The code of a symbol is answered all the time.
        for (route, digits, code) in calls {
            #expect(try answer(route, digits).problem == .tooManyRequests, "\(route)")
            #expect(try answer(route, code).problem != .tooManyRequests, "\(route)")
        }
        #expect(try north.delete(ReservationID("x"), ticket.code.rawValue).problem == .notFound)
        #expect(try backend.enrol("south").lookUp(ticket.digits).status == 200)
    }

    @Test("A wrong proof counts as a guess, a right one does not")
    func wrongProof() throws {
        let machine = try TestBackend([.codes: .only(4)]).enrol()
        for _ in 1...6 {
            let ticket = try machine.reservation()
            #expect(try machine.delete(ticket.id, ticket.digits).status == 204)
        }
        let ticket = try machine.reservation()
        let unknown = "CLUP:1:ROM1" + String(repeating: "0", count: 26)
        for code in ["0000000000", unknown, "0000000000", unknown] {
            #expect(try machine.delete(ticket.id, code).problem == .notFound)
        }
        #expect(try machine.delete(ticket.id, ticket.digits).problem == .tooManyRequests)
        #expect(try machine.lookUp(ticket.digits).problem == .tooManyRequests)
        #expect(try machine.delete(ticket).status == 204)
    }

    @Test("Guesses on eight connections at once are no more than guesses one after the other")
    func parallelGuesses() throws {
        let machine = try TestBackend([.codes: .only(5)]).enrol()
        let ticket = try machine.reservation()
        let tried = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 24) { guess in
            let digits = String(repeating: "0", count: 8) + "\(guess + 10)"
            let answer =
                try? guess % 2 == 0
                ? machine.lookUp(digits) : machine.delete(ticket.id, digits)
            if answer?.problem == .notFound { tried.withLock { $0 += 1 } }
        }
        #expect(tried.withLock { $0 } == 5)
    }

    @Test("A look-up needs a signature that is used once, and changes nothing")
    func signature() throws {
        let ticket = try machine.reservation()
        let request = machine.request(
            .lookup, "{\"code\":\"\(ticket.code.rawValue)\"}", key: "same")
        #expect(try machine.send(request).problem == .notAuthentic)
        let signed = machine.sign(request)
        #expect(try machine.send(signed).status == 200)
        #expect(try machine.send(signed).problem == .notAuthentic)
        // The key stores no answer: the present state is returned.
        #expect(try machine.delete(ticket).status == 204)
        let now = try machine.send(machine.sign(request)).decoded(FoundReservation.self)
        #expect(now.status == .deleted)
        // A store that has stopped is waited for.
        backend.store.stop()
        for refused in [try machine.lookUp(ticket), try machine.hold()] {
            #expect(refused.problem == .unavailable && refused.fields["retry-after"] == "1")
            #expect(try refused.decoded(Problem.self).detail == nil)
        }
    }

    /// The links of a code, as readers send them.
    private func links(of code: EntryCode) -> [String] {
        let link = code.link(at: "https://any.example.it")
        return [
            link, link.lowercased(), link.replacing("#", with: ""), link.replacing("#", with: "?'"),
            link.replacing(":", with: ">").replacing("/", with: "&").replacing("#", with: "3"),
        ]
    }

    @Test("A link is a code for a machine, a reader at a door and one at a check-out")
    func links() throws {
        let entrance = try backend.enrol("in", role: .entrance)
        let out = try backend.enrol("out", role: .checkout)
        let (mine, other) = (try machine.reservation(), try machine.reservation())
        let links = self.links(of: mine.code)
        for link in links {
            let found = try machine.lookUp(link).decoded(FoundReservation.self)
            #expect(found.number == mine.number)
        }
        #expect(try entrance.enter(links[3]).status == 200)
        #expect(try entrance.enter(mine).problem == .inside)
        #expect(try out.leave(links[4]).status == 200)
        #expect(try entrance.enter(links[0]).problem == .alreadyUsed)
        #expect(try machine.delete(other.id, self.links(of: other.code)[1]).status == 204)
    }
}
