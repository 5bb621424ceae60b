internal import QueueEngine
internal import Reservations
internal import Testing

/// One test for each sentence of `CallingRule`, and for everything that decides about calls beside it.
@Suite("Calling")
struct CallingTests {
    @Test("1. No customer is called while called customers and customers inside fill the capacity.")
    func capacity() throws {
        var counter = Counter(capacity: 2)
        let tickets = try counter.tickets(4)
        #expect(counter.numbers(.called) == [1, 2] && counter.numbers(.planned) == [3, 4])
        counter.enter(tickets[0].id)
        #expect(counter.numbers(.active) == [1] && counter.numbers(.called) == [2])
        counter.leave(tickets[0].id)
        #expect(counter.numbers(.called) == [2, 3])
    }

    @Test("2. A visit is never called before its slot.")
    func notBefore() throws {
        var counter = Counter(capacity: 4, at: "12:50")
        let visit = try counter.visit()
        #expect(visit.visit?.start.moment == Counter.at("15:00"))
        counter.tick(at: Counter.at("15:00") - .milliseconds(1))
        #expect(counter.state(of: visit.id) == .planned)
        counter.tick(at: "15:00")
        #expect(counter.state(of: visit.id) == .called)
    }

    @Test(
        "3. Visits whose slot has come are called first: the earliest slot, then the lower number.")
    func visitsFirst() throws {
        var counter = Counter(capacity: 2, stay: 20, visitShare: 100, at: "12:50")
        let visits = try (1...4).map { _ in try counter.visit() }
        #expect(
            visits.map { $0.visit?.start.time.description } == ["15:00", "15:00", "15:30", "15:30"])
        counter.tick(at: "15:00")
        for visit in visits.prefix(2) { counter.enter(visit.id) }
        let ticket = try counter.ticket()
        counter.now = Counter.at("15:31")
        for expected in [[3], [3, 4], [3, 4, 5]] {
            #expect(counter.state(of: ticket.id) == .planned)
            counter.decide { $0.capacity += 1 }
            counter.ask(.tick)
            #expect(counter.numbers(.called) == expected)
        }
    }

    @Test("4. Tickets are called in the order of their numbers.")
    func order() throws {
        var counter = Counter(capacity: 1)
        let holds = try ["a", "b", "c"].map { try counter.hold(MachineID($0)) }
        let third = try counter.confirm(holds[2].id, "c")
        let first = try counter.confirm(holds[0].id, "a")
        let second = try counter.confirm(holds[1].id, "b")
        #expect([third, first, second].map(\.number.rawValue) == [1, 2, 3])
        for called in [third, first, second] {
            #expect(counter.numbers(.called) == [called.number.rawValue])
            counter.enter(called.id)
            counter.leave(called.id)
        }
    }

    @Test(
        "4. The moments of calls keep that order if a server whose clock is ahead made the last one."
    )
    func orderOfMoments() throws {
        var counter = Counter(capacity: 2)
        let tickets = try counter.tickets(4)
        let ahead = counter.now + .milliseconds(2)
        let behind = counter.now
        // The server that is ahead takes a customer out and calls the third; the other one calls the fourth.
        counter.now = ahead
        counter.ask(tickets[0].id, .deleteForCustomer)
        counter.now = behind
        counter.ask(tickets[1].id, .deleteForCustomer)
        let calls = tickets.suffix(2).compactMap { counter.stored[$0.id] }
        #expect(calls.map(\.state) == [.called, .called])
        #expect(calls.map(\.since) == [ahead, ahead])
        // A clock that is wrong by an hour is not followed.
        counter.now = ahead + .minutes(60)
        let fifth = try counter.ticket()
        counter.now = behind
        let sixth = try counter.ticket()
        let moments = [fifth, sixth].map { counter.stored[$0.id]?.since }
        #expect(moments == [ahead + .minutes(60), behind])
    }

    @Test(
        "5. A ticket waits if a visit due within the next ten minutes would otherwise have no place."
    )
    func lookAhead() throws {
        var counter = Counter(capacity: 1, stay: 20, at: "12:50")
        try counter.visit()
        counter.periods = [("08:00", "13:00"), ("14:30", "20:00")]
        counter.now = Counter.at("14:49")
        let early = try counter.ticket()
        #expect(counter.state(of: early.id) == .called)
        counter.giveBack(early)
        counter.now = Counter.at("14:50")
        let late = try counter.ticket()
        #expect(counter.state(of: late.id) == .planned && late.enterBy == nil)
        counter.tick(at: "15:00")
        #expect(counter.numbers(.called) == [1])
    }

    @Test("6. A called customer has ten minutes to enter.")
    func tenMinutes() throws {
        var counter = Counter(capacity: 1)
        let (first, second) = try counter.twoTickets()
        #expect(first.enterBy?.moment == counter.now + .minutes(10) && second.enterBy == nil)
        counter.tick(after: .minutes(10) - .milliseconds(1))
        #expect(counter.state(of: first.id) == .called)
        counter.pass(.milliseconds(1))
        #expect(counter.enter(first.id) == .refused(.missed))
        #expect(counter.stored[first.id]?.cause == .missed)
        #expect(counter.state(of: second.id) == .called)
    }

    @Test(
        "Early-call grace: the ten minutes run from the earliest time that was quoted (rules: calls)"
    )
    func grace() throws {
        var counter = Counter(capacity: 1, stay: 60) { $0.hasEarlyCallGrace = true }
        let (first, second) = try counter.twoTickets()
        let earliest = second.wait.earliest.moment
        #expect(earliest > counter.now + .minutes(1))
        counter.giveBack(first)
        #expect(counter.state(of: second.id) == .called)
        counter.tick(at: earliest + .minutes(10) - .milliseconds(1))
        #expect(counter.state(of: second.id) == .called)
        counter.tick(after: .milliseconds(1))
        #expect(counter.state(of: second.id) == .expired)
    }

    @Test(
        "If no customer waits and a place is free, the confirmation calls, and a repeated one says the same"
    )
    func atOnce() throws {
        var counter = Counter(capacity: 2)
        let hold = try counter.hold()
        #expect(hold.wait.expected.moment == counter.now && hold.wait.latest.moment == counter.now)
        let ticket = try counter.confirm(hold.id)
        #expect(ticket.enterBy?.description == "2026-11-20T10:10:00.000+01:00")
        counter.pass(.minutes(1))
        #expect(try counter.confirm(hold.id) == ticket)
        #expect(counter.state.lastNumber(of: Counter.day) == 1)
    }

    @Test(
        "A lowered capacity sends no customer out, and stops the calls until it is kept (rules: capacity)"
    )
    func lowered() throws {
        var counter = Counter(capacity: 3)
        let tickets = try counter.tickets(4)
        for ticket in tickets.prefix(3) { counter.enter(ticket.id) }
        counter.decide { $0.capacity = 1 }
        for ticket in tickets.prefix(2) {
            counter.leave(ticket.id)
            #expect(counter.state(of: tickets[3].id) == .planned)
        }
        counter.leave(tickets[2].id)
        #expect(counter.state(of: tickets[3].id) == .called)
    }

    @Test(
        "Tickets that wait at the last call expire as closed; at closing the shop is empty (rules: closing)"
    )
    func lastCall() throws {
        var counter = Counter(capacity: 1, stay: 20, at: "11:00")
        let (first, second, third) = try counter.threeTickets()
        counter.enter(first.id)
        counter.tick(at: "11:50")
        #expect(counter.numbers(.planned) == [2, 3])
        counter.leave(first.id)
        counter.enter(second.id)
        counter.now = Counter.at("12:50")
        counter.ask(.correctOccupancy(people: 1))
        counter.tick(at: "12:58")
        #expect(counter.stored[third.id]?.cause == .closed)
        counter.tick(at: "13:00")
        #expect(counter.stored[second.id]?.cause == .inferred)
        #expect(counter.state.taken == 0)
    }

    @Test(
        "A day that the staff did not end is ended when the next one opens, whose numbers begin at 1",
        arguments: [false, true])
    func overnight(isRestarted: Bool) throws {
        var counter = Counter(capacity: 1)
        let (inside, waiting) = try counter.twoTickets()
        counter.enter(inside.id)
        counter.now = Counter.at("08:00", day: .tomorrow)
        if isRestarted { counter.state = counter.restored }
        let ticket = try counter.ticket()
        #expect(ticket.number.rawValue == 1 && ticket.enterBy != nil)
        #expect(counter.stored[ticket.id]?.hold.day == .tomorrow)
        #expect(counter.stored[inside.id]?.cause == .inferred)
        #expect(counter.stored[waiting.id]?.cause == .closed)
    }
}
