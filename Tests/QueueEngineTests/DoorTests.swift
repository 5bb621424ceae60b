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
        guard case .failure(let refused) = counter.ask(.reservation(second.id, .enter)),
            refused.refusal == .notYetCalled
        else {
            throw Unexpected()
        }
        let wait = refused.wait
        #expect(wait?.peopleAhead == 0 && wait.map { $0.latest.moment > counter.now } == true)
        #expect(throws: Never.self) { try counter.ask(.reservation(first.id, .enter)).get() }
        #expect(counter.ask(.reservation(first.id, .enter)) == .refused(.inside))
        counter.ask(.reservation(first.id, .exit(at: .turnstile)))
        #expect(counter.ask(.reservation(first.id, .enter)) == .refused(.alreadyUsed))
        #expect(counter.ask(.reservation("nothing", .enter)) == .refused(.notFound))
        counter.ask(.reservation(second.id, .delete(proof: .entry(second.code))))
        #expect(counter.ask(.reservation(second.id, .enter)) == .refused(.alreadyDeleted))
    }

    @Test(
        "At the check-out a place is free after the leave delay, at the turnstile at once (rules 7)"
    )
    func leaveDelay() throws {
        var counter = Counter(capacity: 1, leaveDelay: 120)
        let first = try counter.ticket()
        let second = try counter.ticket()
        let third = try counter.ticket()
        counter.ask(.reservation(first.id, .enter))
        counter.pass(.minutes(7))
        guard
            case .left(let passage) = try counter.ask(.reservation(first.id, .exit(at: .checkout)))
                .get()
        else {
            throw Unexpected()
        }
        #expect(passage.staySeconds == 7 * 60)
        #expect(counter.ask(.reservation(first.id, .exit(at: .checkout))) == .refused(.alreadyUsed))
        #expect(counter.state(of: second.id) == .planned && counter.state.occupancy == 1)
        // After a restart the place is not free earlier.
        #expect(counter.restored.freePlaces == 0)
        counter.pass(.seconds(119))
        counter.ask(.tick)
        #expect(counter.state(of: second.id) == .planned)
        counter.pass(.seconds(1))
        counter.ask(.tick)
        #expect(counter.state(of: second.id) == .called)
        counter.ask(.reservation(second.id, .enter))
        counter.pass(.minutes(3))
        counter.ask(.reservation(second.id, .exit(at: .checkout)))
        // The stay is known at every exit for a customer who was read at the entrance.
        guard
            case .left(let gone) = try counter.ask(.reservation(second.id, .exit(at: .turnstile)))
                .get()
        else { throw Unexpected() }
        #expect(gone.staySeconds == 3 * 60)
        #expect(counter.state(of: third.id) == .called)
    }

    @Test("A customer who never came in cannot leave; one who came in with the crowd can")
    func strangeExits() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        #expect(counter.ask(.reservation(second.id, .exit(at: .checkout))) == .refused(.notInside))
        guard
            case .left(let passage) = try counter.ask(.reservation(first.id, .exit(at: .turnstile)))
                .get()
        else {
            throw Unexpected()
        }
        // No entrance reader has read it, so the answer has no stay.
        #expect(passage.staySeconds == nil)
        #expect(counter.stored[first.id]?.cause == .left && counter.state(of: second.id) == .called)
        #expect(counter.attendance.turnout.machine.came == 0)
    }

    @Test("An exit without a scan is inferred, is not learned from, and is replaced by a real one")
    func inferred() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let ghost = try counter.ticket()
        let next = try counter.ticket()
        counter.ask(.reservation(ghost.id, .enter))
        counter.pass(.minutes(30))
        counter.ask(.tick)
        #expect(counter.state(of: ghost.id) == .active)
        counter.pass(.minutes(60))
        counter.ask(.tick)
        #expect(counter.stored[ghost.id]?.cause == .inferred)
        #expect(counter.state(of: next.id) == .called)
        #expect(counter.cells.isEmpty && counter.attendance.inferred == 1)
        counter.pass(.minutes(5))
        guard
            case .left(let passage) = try counter.ask(.reservation(ghost.id, .exit(at: .checkout)))
                .get()
        else {
            throw Unexpected()
        }
        #expect(passage.staySeconds == 95 * 60 && counter.stored[ghost.id]?.cause == .left)
        #expect(counter.cells.values.map(\.count) == [1])
        #expect(counter.ask(.reservation(ghost.id, .exit(at: .checkout))) == .refused(.alreadyUsed))
    }

    @Test("An exit scanned at the time at which it would be inferred counts as scanned")
    func scannedLate() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let slow = try counter.ticket()
        counter.ask(.reservation(slow.id, .enter))
        counter.pass(.minutes(90))
        #expect(throws: Never.self) {
            try counter.ask(.reservation(slow.id, .exit(at: .checkout))).get()
        }
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
        guard case .failure(let refused) = counter.ask(.reservation(visit.id, .enter)) else {
            throw Unexpected()
        }
        #expect(refused.refusal == .notToday && refused.wait?.expected == slot.start)
        counter.now = slot.start.moment - .minutes(5)
        #expect(
            counter.ask(.reservation(visit.id, .enter)) != .refused(.notToday, wait: refused.wait))
    }

    @Test("A called number is called again, with another ten minutes (rules 10)")
    func callAgain() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        counter.pass(.minutes(9))
        guard case .called(let passage) = try counter.ask(.reservation(first.id, .callAgain)).get()
        else {
            throw Unexpected()
        }
        #expect(passage.enterBy?.moment == counter.now + .minutes(10))
        counter.pass(.minutes(9))
        #expect(throws: Never.self) { try counter.ask(.reservation(first.id, .enter)).get() }
        guard case .failure(let refused) = counter.ask(.reservation(second.id, .callAgain)),
            refused.refusal == .notYetCalled
        else {
            throw Unexpected()
        }
    }

    @Test("A customer who missed the call gets their place in the queue back (rules 10)")
    func restore() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        for _ in 1...2 { try counter.ticket() }
        counter.pass(.minutes(10))
        counter.ask(.tick)
        #expect(counter.stored[first.id]?.cause == .missed && counter.numbers(.called) == [2])
        guard case .restored(let passage) = try counter.ask(.reservation(first.id, .restore)).get()
        else {
            throw Unexpected()
        }
        #expect(passage.enterBy == nil)
        #expect(counter.ask(.reservation(first.id, .restore)) == .refused(.stillValid))
        counter.pass(.minutes(10))
        counter.ask(.tick)
        #expect(counter.numbers(.called) == [1] && counter.numbers(.planned) == [3])
    }

    @Test("Staff let customers in by hand: with a place, or afterwards as a fact (rules 10)")
    func letIn() throws {
        var counter = Counter(capacity: 1)
        let first = try counter.ticket()
        let second = try counter.ticket()
        let third = try counter.ticket()
        #expect(counter.ask(.reservation(second.id, .letIn(at: nil))) == .refused(.full))
        #expect(throws: Never.self) {
            try counter.ask(.reservation(first.id, .letIn(at: nil))).get()
        }
        counter.pass(.minutes(5))
        #expect(
            counter.ask(.reservation(second.id, .letIn(at: counter.now - .minutes(6))))
                == .refused(.implausible))
        #expect(throws: Never.self) {
            try counter.ask(.reservation(second.id, .letIn(at: counter.now - .minutes(2)))).get()
        }
        #expect(counter.stored[second.id]?.entered == counter.now - .minutes(2))
        #expect(counter.state.freePlaces == -1 && counter.state(of: third.id) == .planned)
    }

    @Test("The number of people inside is corrected both ways, and calls follow (rules 10)")
    func occupancy() throws {
        var counter = Counter(capacity: 3)
        let tickets = try (1...2).map { _ in try counter.ticket() }
        for ticket in tickets { counter.ask(.reservation(ticket.id, .enter)) }
        #expect(counter.ask(.correctOccupancy(people: 3)) == .success(.occupancy(3)))
        let waiting = try counter.ticket()
        #expect(waiting.enterBy == nil && counter.restored == counter.state)
        #expect(counter.ask(.correctOccupancy(people: 1)) == .success(.occupancy(1)))
        #expect(counter.stored[tickets[0].id]?.cause == .inferred)
        #expect(counter.state(of: tickets[1].id) == .active)
        #expect(counter.state(of: waiting.id) == .called)
        #expect(counter.ask(.correctOccupancy(people: -1)) == .refused(.implausible))
    }

    @Test("Staff delete for a customer who lost the receipt, without its code (rules 10)")
    func lostPaper() throws {
        var counter = Counter(capacity: 1)
        let ticket = try counter.ticket()
        #expect(
            counter.ask(.reservation(ticket.id, .deleteForCustomer))
                == .success(.deleted(ticket.id)))
        #expect(counter.stored[ticket.id]?.cause == .deletedByStaff)
    }

    @Test(
        "Closed early: no more tickets, older holds stay valid, the last call comes earlier (rules 8)"
    )
    func closeEarly() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let first = try counter.ticket()
        let waiting = try counter.ticket()
        let hold = try counter.hold()
        #expect(counter.ask(.closeEarly(at: Counter.at("20:30"))) == .refused(.implausible))
        #expect(counter.ask(.closeEarly(at: Counter.at("09:00"))) == .refused(.implausible))
        #expect(throws: Never.self) { try counter.ask(.closeEarly(at: Counter.at("10:15"))).get() }
        #expect(counter.restored == counter.state)
        #expect(throws: Refused(.noTicketToday)) { try counter.hold(Counter.other) }
        #expect(try counter.confirm(hold.id).number.rawValue == 3)
        counter.ask(.reservation(first.id, .enter))
        counter.now = Counter.at("10:14")
        counter.ask(.tick)
        #expect(counter.stored[waiting.id]?.cause == .sentHome)
        counter.now = Counter.at("10:15")
        #expect(
            throws: Refused(
                .shopClosed,
                opens: Counter.opening("08:00", "13:00", day: Counter.day.advanced(by: 1)).opens)
        ) {
            try counter.hold(Counter.other)
        }
        #expect(throws: Never.self) { try counter.ask(.openAgain(sentHome: [])).get() }
    }
}
