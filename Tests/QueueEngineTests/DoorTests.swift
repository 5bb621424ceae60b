internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Doors and staff")
struct DoorTests {
    @Test("Entering needs a call, and each reservation enters once [UC14]")
    func enter() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        guard case .failure(.notYetCalled(let wait)) = counter.ask(.enter(second.id)) else {
            throw Unexpected()
        }
        #expect(wait?.peopleAhead == 0 && wait.map { $0.latest.moment > counter.now } == true)
        #expect(throws: Never.self) { try counter.ask(.enter(first.id)).get() }
        #expect(counter.ask(.enter(first.id)) == .failure(.inside))
        counter.ask(.exit(first.id, at: .turnstile))
        #expect(counter.ask(.enter(first.id)) == .failure(.alreadyUsed))
        #expect(counter.ask(.enter("nothing")) == .failure(.notFound))
        counter.ask(.delete(second.id, proof: .entry(second.code)))
        #expect(counter.ask(.enter(second.id)) == .failure(.alreadyDeleted))
    }

    @Test(
        "At the check-out a place is free after the leave delay, at the turnstile at once (rules 7)"
    )
    func leaveDelay() throws {
        var counter = Counter(capacity: 1, leaveDelay: 120)
        let first = try counter.ticket()
        let second = try counter.ticket()
        let third = try counter.ticket()
        counter.ask(.enter(first.id))
        counter.pass(.minutes(7))
        guard case .left(let passage) = try counter.ask(.exit(first.id, at: .checkout)).get() else {
            throw Unexpected()
        }
        #expect(passage.stay == .minutes(7))
        #expect(counter.ask(.exit(first.id, at: .checkout)) == .failure(.alreadyUsed))
        #expect(counter.state(of: second.id) == .planned && counter.state.occupancy == 1)
        // A restart does not give the place away early.
        #expect(counter.restored.freePlaces == 0)
        counter.pass(.seconds(119))
        counter.ask(.tick)
        #expect(counter.state(of: second.id) == .planned)
        counter.pass(.seconds(1))
        counter.ask(.tick)
        #expect(counter.state(of: second.id) == .called)
        counter.ask(.enter(second.id))
        counter.pass(.minutes(3))
        counter.ask(.exit(second.id, at: .checkout))
        // Who was read at the entrance is known by the stay at every exit.
        guard
            case .left(let gone) = try counter.ask(.exit(second.id, at: .turnstile)).get()
        else { throw Unexpected() }
        #expect(gone.stay == .minutes(3))
        #expect(counter.state(of: third.id) == .called)
    }

    @Test("Nobody who never came in goes out; one who came in with the crowd does")
    func strangeExits() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        #expect(counter.ask(.exit(second.id, at: .checkout)) == .failure(.notInside))
        guard case .left(let passage) = try counter.ask(.exit(first.id, at: .turnstile)).get()
        else {
            throw Unexpected()
        }
        // Nobody has read it at the entrance, which the page says instead of guessing.
        #expect(passage.stay == nil)
        #expect(counter.stored[first.id]?.cause == .left && counter.state(of: second.id) == .called)
        #expect(counter.attendance.came == 0)
    }

    @Test("An exit that nobody scanned is inferred, never learned from, and replaced by a real one")
    func inferred() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let ghost = try counter.ticket()
        let next = try counter.ticket()
        counter.ask(.enter(ghost.id))
        counter.pass(.minutes(30))
        counter.ask(.tick)
        #expect(counter.state(of: ghost.id) == .active)
        counter.pass(.minutes(60))
        counter.ask(.tick)
        #expect(counter.stored[ghost.id]?.cause == .inferred)
        #expect(counter.state(of: next.id) == .called)
        #expect(counter.cells.isEmpty && counter.attendance.inferred == 1)
        counter.pass(.minutes(5))
        guard case .left(let passage) = try counter.ask(.exit(ghost.id, at: .checkout)).get() else {
            throw Unexpected()
        }
        #expect(passage.stay == .minutes(95) && counter.stored[ghost.id]?.cause == .left)
        #expect(counter.cells.values.map(\.count) == [1])
        #expect(counter.ask(.exit(ghost.id, at: .checkout)) == .failure(.alreadyUsed))
    }

    @Test("An exit that is scanned as it would be inferred counts as scanned")
    func scannedLate() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let slow = try counter.ticket()
        counter.ask(.enter(slow.id))
        counter.pass(.minutes(90))
        #expect(throws: Never.self) { try counter.ask(.exit(slow.id, at: .checkout)).get() }
        #expect(counter.events.suffix(2).map(\.2) == [.inferred, .left])
        #expect(counter.events.suffix(2).first?.3 != counter.events.last?.3)
    }

    @Test("A called number is called again, with another ten minutes (rules 10)")
    func callAgain() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        counter.pass(.minutes(9))
        guard case .called(let passage) = try counter.ask(.callAgain(first.id)).get() else {
            throw Unexpected()
        }
        #expect(passage.enterBy?.moment == counter.now + .minutes(10))
        counter.pass(.minutes(9))
        #expect(throws: Never.self) { try counter.ask(.enter(first.id)).get() }
        guard case .failure(.notYetCalled) = counter.ask(.callAgain(second.id)) else {
            throw Unexpected()
        }
    }

    @Test("One who missed his call is restored to his place in the queue (rules 10)")
    func restore() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        for _ in 1...2 { try counter.ticket() }
        counter.pass(.minutes(10))
        counter.ask(.tick)
        #expect(counter.stored[first.id]?.cause == .missed && counter.numbers(.called) == [2])
        guard case .restored(let passage) = try counter.ask(.restore(first.id)).get() else {
            throw Unexpected()
        }
        #expect(passage.enterBy == nil)
        #expect(counter.ask(.restore(first.id)) == .failure(.stillValid))
        counter.pass(.minutes(10))
        counter.ask(.tick)
        #expect(counter.numbers(.called) == [1] && counter.numbers(.planned) == [3])
    }

    @Test("Staff let in by hand: with a place, or afterwards as a fact (rules 10)")
    func letIn() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        let third = try counter.ticket()
        #expect(counter.ask(.letIn(second.id, at: nil)) == .failure(.full))
        #expect(throws: Never.self) { try counter.ask(.letIn(first.id, at: nil)).get() }
        counter.pass(.minutes(5))
        #expect(
            counter.ask(.letIn(second.id, at: counter.now - .minutes(6))) == .failure(.implausible))
        #expect(throws: Never.self) {
            try counter.ask(.letIn(second.id, at: counter.now - .minutes(2))).get()
        }
        #expect(counter.stored[second.id]?.entered == counter.now - .minutes(2))
        #expect(counter.state.freePlaces == -1 && counter.state(of: third.id) == .planned)
    }

    @Test("The number of people inside is corrected both ways, and calls follow (rules 10)")
    func occupancy() throws {
        var counter = Counter(capacity: 3)
        let tickets = try (1...2).map { _ in try counter.ticket() }
        for ticket in tickets { counter.ask(.enter(ticket.id)) }
        #expect(counter.ask(.correctOccupancy(people: 3)) == .success(.occupancy(3)))
        let waiting = try counter.ticket()
        #expect(waiting.enterBy == nil && counter.restored == counter.state)
        #expect(counter.ask(.correctOccupancy(people: 1)) == .success(.occupancy(1)))
        #expect(counter.stored[tickets[0].id]?.cause == .inferred)
        #expect(counter.state(of: tickets[1].id) == .active)
        #expect(counter.state(of: waiting.id) == .called)
        #expect(counter.ask(.correctOccupancy(people: -1)) == .failure(.implausible))
    }

    @Test("Staff delete for a customer who lost the paper, without its code (rules 10)")
    func lostPaper() throws {
        var counter = Counter(capacity: 1)
        let ticket = try counter.ticket()
        #expect(counter.ask(.deleteForCustomer(ticket.id)) == .success(.deleted(ticket.id)))
        #expect(counter.stored[ticket.id]?.cause == .deletedByStaff)
    }

    @Test(
        "Closed early: no more tickets, older holds are honoured, the last call comes sooner (rules 8)"
    )
    func closeEarly() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let first = try counter.ticket()
        let waiting = try counter.ticket()
        let hold = try counter.hold()
        #expect(counter.ask(.closeEarly(at: Counter.at("20:30"))) == .failure(.implausible))
        #expect(counter.ask(.closeEarly(at: Counter.at("09:00"))) == .failure(.implausible))
        #expect(throws: Never.self) { try counter.ask(.closeEarly(at: Counter.at("10:15"))).get() }
        #expect(counter.restored == counter.state)
        #expect(throws: QueueRefusal.noTicketToday) { try counter.hold(Counter.other) }
        #expect(try counter.confirm(hold.id).number.rawValue == 3)
        counter.ask(.enter(first.id))
        counter.now = Counter.at("10:14")
        counter.ask(.tick)
        #expect(counter.stored[waiting.id]?.cause == .sentHome)
        counter.now = Counter.at("10:15")
        #expect(
            throws: QueueRefusal.shopClosed(
                opens: Counter.opening("08:00", "13:00", day: Counter.day.advanced(by: 1)).opens)
        ) {
            try counter.hold(Counter.other)
        }
        #expect(throws: Never.self) { try counter.ask(.openAgain(sentHome: [])).get() }
    }
}
