internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Doors and staff")
struct DoorTests {
    @Test("Entering needs a call, and each reservation enters once [UC14]")
    func enter() throws {
        var counter = Counter(capacity: 1)
        let (first, second) = try counter.twoTickets()
        let refused = try #require(counter.enter(second.id).refused)
        #expect(refused.refusal == .notYetCalled)
        let wait = refused.wait
        #expect(wait?.peopleAhead == 0 && wait.map { $0.latest.moment > counter.now } == true)
        #expect(counter.enter(first.id).refusal == nil)
        #expect(counter.enter(first.id) == .refused(.inside))
        counter.leave(first.id)
        #expect(counter.enter(first.id) == .refused(.alreadyUsed))
        #expect(counter.enter("nothing") == .refused(.notFound))
        counter.giveBack(second)
        #expect(counter.enter(second.id) == .refused(.alreadyDeleted))
    }

    @Test(
        "At the check-out a place is free after the leave delay, at the turnstile at once (rules: exits)"
    )
    func leaveDelay() throws {
        var counter = Counter(capacity: 1, leaveDelay: 120)
        let (first, second, third) = try counter.threeTickets()
        counter.enter(first.id)
        counter.pass(.minutes(7))
        let passage = try counter.leave(first.id, at: .checkout).content(of: QueueOutcome.left)
        #expect(passage.staySeconds == 7 * 60)
        #expect(counter.leave(first.id, at: .checkout) == .refused(.alreadyUsed))
        #expect(counter.state(of: second.id) == .planned && counter.state.occupancy == 1)
        // After a restart the place is not free earlier.
        #expect(counter.restored.freePlaces == 0)
        counter.tick(after: .seconds(119))
        #expect(counter.state(of: second.id) == .planned)
        counter.tick(after: .seconds(1))
        #expect(counter.state(of: second.id) == .called)
        counter.enter(second.id)
        counter.pass(.minutes(3))
        counter.leave(second.id, at: .checkout)
        // The stay is known at every exit for a customer who was read at the entrance.
        let gone = try counter.leave(second.id).content(of: QueueOutcome.left)
        #expect(gone.staySeconds == 3 * 60)
        #expect(counter.state(of: third.id) == .called)
    }

    @Test("A customer who never came in cannot leave; one who came in with the crowd can")
    func strangeExits() throws {
        var counter = Counter(capacity: 1)
        let (first, second) = try counter.twoTickets()
        #expect(counter.leave(second.id, at: .checkout) == .refused(.notInside))
        let passage = try counter.leave(first.id).content(of: QueueOutcome.left)
        // No entrance reader has read it, so the answer has no stay.
        #expect(passage.staySeconds == nil)
        #expect(counter.stored[first.id]?.cause == .left && counter.state(of: second.id) == .called)
        #expect(counter.attendance.turnout.machine.came == 0)
    }

    @Test("An exit without a scan is inferred, is not learned from, and is replaced by a real one")
    func inferred() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let (ghost, next) = try counter.twoTickets()
        counter.enter(ghost.id)
        counter.tick(after: .minutes(30))
        #expect(counter.state(of: ghost.id) == .active)
        counter.tick(after: .minutes(60))
        #expect(counter.stored[ghost.id]?.cause == .inferred)
        #expect(counter.state(of: next.id) == .called)
        #expect(counter.cells.isEmpty && counter.attendance.inferred == 1)
        counter.pass(.minutes(5))
        let passage = try counter.leave(ghost.id, at: .checkout).content(of: QueueOutcome.left)
        #expect(passage.staySeconds == 95 * 60 && counter.stored[ghost.id]?.cause == .left)
        #expect(counter.cells.values.map(\.count) == [1])
        #expect(counter.leave(ghost.id, at: .checkout) == .refused(.alreadyUsed))
    }

    @Test("An exit scanned at the time at which it would be inferred counts as scanned")
    func scannedLate() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let slow = try counter.inside()
        counter.pass(.minutes(90))
        #expect(counter.leave(slow.id, at: .checkout).refusal == nil)
        #expect(counter.events.suffix(2).map(\.2) == [.inferred, .left])
        #expect(counter.events.suffix(2).first?.3 != counter.events.last?.3)
    }

    @Test("A visit that is shown at the entrance on an earlier day is refused with its own day")
    func otherDay() throws {
        var counter = Counter(capacity: 1)
        counter.ask(.endTickets)
        let visit = try counter.visit()
        let slot = try #require(visit.visit)
        #expect(slot.start.day > Counter.day)
        let refused = try #require(counter.enter(visit.id).refused)
        #expect(refused.refusal == .notToday && refused.wait?.expected == slot.start)
        counter.now = slot.start.moment - .minutes(5)
        #expect(counter.enter(visit.id) != .refused(.notToday, wait: refused.wait))
    }

    @Test("A called number is called again, with another ten minutes (rules: corrections)")
    func callAgain() throws {
        var counter = Counter(capacity: 1)
        let (first, second) = try counter.twoTickets()
        counter.pass(.minutes(9))
        let passage = try counter.ask(first.id, .callAgain).content(of: QueueOutcome.called)
        #expect(passage.enterBy?.moment == counter.now + .minutes(10))
        counter.pass(.minutes(9))
        #expect(counter.enter(first.id).refusal == nil)
        #expect(counter.ask(second.id, .callAgain).refusal == .notYetCalled)
    }

    @Test("A customer who missed the call gets their place in the queue back (rules: corrections)")
    func restore() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        for _ in 1...2 { try counter.ticket() }
        counter.tick(after: .minutes(10))
        #expect(counter.stored[first.id]?.cause == .missed && counter.numbers(.called) == [2])
        let passage = try counter.ask(first.id, .restore).content(of: QueueOutcome.restored)
        #expect(passage.enterBy == nil)
        #expect(counter.ask(first.id, .restore) == .refused(.stillValid))
        counter.tick(after: .minutes(10))
        #expect(counter.numbers(.called) == [1] && counter.numbers(.planned) == [3])
    }

    @Test(
        "Staff let customers in by hand, with a place or afterwards as a fact, and delete for them (rules: corrections)"
    )
    func letIn() throws {
        var counter = Counter(capacity: 1)
        let (first, second, third) = try counter.threeTickets()
        #expect(counter.ask(second.id, .letIn(at: nil)) == .refused(.full))
        #expect(counter.ask(first.id, .letIn(at: nil)).refusal == nil)
        counter.pass(.minutes(5))
        #expect(
            counter.ask(second.id, .letIn(at: counter.now - .minutes(6)))
                == .refused(.implausible))
        #expect(counter.ask(second.id, .letIn(at: counter.now - .minutes(2))).refusal == nil)
        #expect(counter.stored[second.id]?.entered == counter.now - .minutes(2))
        #expect(counter.state.freePlaces == -1 && counter.state(of: third.id) == .planned)
        // They delete for a customer who lost the receipt, without its code.
        #expect(counter.ask(third.id, .deleteForCustomer) == .success(.deleted(third.id)))
        #expect(counter.stored[third.id]?.cause == .deletedByStaff)
    }

    @Test(
        "The number of people inside is corrected both ways, and calls follow (rules: corrections)")
    func occupancy() throws {
        var counter = Counter(capacity: 3)
        let tickets = try counter.tickets(2)
        for ticket in tickets { counter.enter(ticket.id) }
        #expect(counter.ask(.correctOccupancy(people: 3)) == .success(.occupancy(3)))
        let waiting = try counter.ticket()
        #expect(waiting.enterBy == nil && counter.restored == counter.state)
        #expect(counter.ask(.correctOccupancy(people: 1)) == .success(.occupancy(1)))
        #expect(counter.stored[tickets[0].id]?.cause == .inferred)
        #expect(counter.state(of: tickets[1].id) == .active)
        #expect(counter.state(of: waiting.id) == .called)
        #expect(counter.ask(.correctOccupancy(people: -1)) == .refused(.implausible))
    }

    @Test(
        "Closed early: no more tickets, older holds stay valid, the last call comes earlier (rules: closing)"
    )
    func closeEarly() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let (first, waiting) = try counter.twoTickets()
        let hold = try counter.hold()
        #expect(counter.ask(.closeEarly(at: Counter.at("20:30"))) == .refused(.implausible))
        #expect(counter.ask(.closeEarly(at: Counter.at("09:00"))) == .refused(.implausible))
        #expect(counter.ask(.closeEarly(at: Counter.at("10:15"))).refusal == nil)
        #expect(counter.restored == counter.state)
        #expect(throws: Refused(.noTicketToday)) { try counter.hold(Counter.other) }
        #expect(try counter.confirm(hold.id).number.rawValue == 3)
        counter.enter(first.id)
        counter.tick(at: "10:14")
        #expect(counter.stored[waiting.id]?.cause == .sentHome)
        counter.now = Counter.at("10:15")
        #expect(
            throws: Refused(
                .shopClosed,
                opens: Counter.opening("08:00", "13:00", day: .tomorrow).opens)
        ) {
            try counter.hold(Counter.other)
        }
        #expect(counter.ask(.openAgain).refusal == nil)
    }
}
