import QueueEngine
import Reservations
import Testing

@Suite("Giving a place back, and undoing it [UC13] [rules 33]")
struct GivingBackTests {
    /// A shop of two places, both taken, and three waiting tickets.
    private func full() throws -> (Counter, [Reservation]) {
        var counter = Counter()
        for _ in 0..<2 {
            let ticket = try counter.ticket()
            counter.ask(.reservation(ticket.id, .enter))
        }
        let waiting = try (0..<3).map { _ in try counter.ticket() }
        return (counter, waiting)
    }

    private func undo(
        _ ticket: Reservation, _ counter: inout Counter
    ) -> Result<QueueOutcome, Refused> {
        counter.ask(.reservation(ticket.id, .undo(proof: .typed(ticket.typedCode))))
    }

    @Test("A ticket returns to its former place with its number, for two minutes")
    func returns() throws {
        var (counter, waiting) = try full()
        counter.ask(.reservation(waiting[0].id, .delete(proof: .typed(waiting[0].typedCode))))
        #expect(counter.stored[waiting[0].id]?.cause == .withdrawn)
        counter.pass(.seconds(119))
        #expect(
            counter.ask(
                .reservation(waiting[0].id, .undo(proof: .typed(waiting[1].typedCode))))
                == .refused(.notFound))
        guard case .success(.restored(let passage)) = undo(waiting[0], &counter) else {
            throw Unexpected()
        }
        #expect(passage.number == waiting[0].number && passage.enterBy == nil)
        #expect(counter.report(waiting[0].id)?.wait?.peopleAhead == 0)
        #expect(counter.report(waiting[1].id)?.wait?.peopleAhead == 1)
        #expect(counter.restored == counter.state)
        #expect(undo(waiting[0], &counter) == .refused(.stillValid))
        // It may be given back again, and returns for two minutes from then on.
        counter.ask(.reservation(waiting[0].id, .delete(proof: .typed(waiting[0].typedCode))))
        counter.pass(.seconds(120))
        #expect(undo(waiting[0], &counter) == .refused(.alreadyDeleted))
    }

    @Test("If its turn came meanwhile, it is called at once when there is a place")
    func called() throws {
        var (counter, waiting) = try full()
        counter.ask(.reservation(waiting[0].id, .delete(proof: .typed(waiting[0].typedCode))))
        let inside = counter.stored.values.filter { $0.state == .active }.map(\.hold.id)
        for id in inside { counter.ask(.reservation(id, .exit(at: .turnstile))) }
        #expect(counter.numbers(.called) == [4, 5])
        guard case .success(.restored(let passage)) = undo(waiting[0], &counter) else {
            throw Unexpected()
        }
        // Both places are taken by those who were called instead.
        #expect(passage.enterBy == nil && counter.state(of: waiting[0].id) == .planned)
        counter.ask(.reservation(waiting[1].id, .delete(proof: .typed(waiting[1].typedCode))))
        #expect(counter.state(of: waiting[0].id) == .called)
    }

    @Test("A called place goes to the next customer at once; what the staff deleted stays so")
    func final() throws {
        var counter = Counter()
        let called = try counter.ticket()
        counter.ask(.reservation(called.id, .delete(proof: .typed(called.typedCode))))
        #expect(counter.stored[called.id]?.cause == .declined)
        #expect(undo(called, &counter) == .refused(.alreadyDeleted))
        var (other, waiting) = try full()
        other.ask(.reservation(waiting[0].id, .deleteForCustomer))
        #expect(undo(waiting[0], &other) == .refused(.alreadyDeleted))
    }

    @Test("After closing nothing returns, nor does a visit whose slot another customer has")
    func noRoom() throws {
        var (counter, waiting) = try full()
        counter.ask(.reservation(waiting[0].id, .delete(proof: .typed(waiting[0].typedCode))))
        counter.ask(.sendHome)
        #expect(undo(waiting[0], &counter) == .refused(.alreadyDeleted))

        // Nor after the last call, when those who waited have lost their places.
        var (late, others) = try full()
        late.ask(.closeEarly(at: late.now + .minutes(30)))
        var isOver = false
        while !isOver, late.now < Counter.at("10:30") {
            var copy = late
            copy.ask(.reservation(others[0].id, .delete(proof: .typed(others[0].typedCode))))
            copy.pass(.seconds(60))
            copy.ask(.tick)
            isOver = copy.stored[others[1].id]?.cause.isClosing == true
            if isOver { #expect(undo(others[0], &copy) == .refused(.alreadyDeleted)) }
            late.pass(.seconds(60))
            late.ask(.tick)
        }
        #expect(isOver)

        // One that came back does not keep those behind it when the shop closes earlier than its return.
        var (early, behind) = try full()
        early.pass(.minutes(10))
        early.ask(.reservation(behind[0].id, .delete(proof: .typed(behind[0].typedCode))))
        early.pass(.seconds(60))
        guard case .success(.restored) = undo(behind[0], &early) else { throw Unexpected() }
        early.ask(.closeEarly(at: early.now + .seconds(60)))
        early.ask(.tick)
        #expect(early.state(of: behind[1].id) == .expired)

        var visits = Counter(capacity: 2, stay: 20)
        visits.ask(.endTickets)
        let visit = try visits.visit()
        visits.ask(.reservation(visit.id, .delete(proof: .typed(visit.typedCode))))
        guard case .success(.restored) = undo(visit, &visits) else { throw Unexpected() }
        #expect(visits.state(of: visit.id) == .planned)
        visits.ask(.reservation(visit.id, .delete(proof: .typed(visit.typedCode))))
        let taken = try visits.visit()
        #expect(taken.visit == visit.visit)
        #expect(undo(visit, &visits) == .refused(.alreadyDeleted))
    }

    @Test("A page is shown the state of the queue, and nothing of what has left it")
    func shown() throws {
        var (counter, waiting) = try full()
        let records = waiting.map { counter.stored[$0.id]! }
        counter.ask(.reservation(waiting[0].id, .delete(proof: .typed(waiting[0].typedCode))))
        let inside = counter.stored.values.first { $0.state == .active }!.hold.id
        counter.ask(.reservation(inside, .exit(at: .turnstile)))
        let found = counter.state.found(records, in: counter.context)
        #expect(found[0] == nil)
        #expect(found[1]?.status == .called && found[1]?.enterBy != nil)
        #expect(found[2]?.status == .planned && found[2]?.wait?.peopleAhead == 0)
        #expect(found[1] == counter.report(waiting[1].id))
        #expect(found[2] == counter.report(waiting[2].id))
    }
}
