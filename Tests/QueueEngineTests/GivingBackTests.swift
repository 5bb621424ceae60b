import QueueEngine
import Reservations
import Testing

@Suite("Giving a place back, and undoing it [UC13] [rules 33]")
struct GivingBackTests {
    /// A shop of two places, both taken, and three waiting tickets.
    private func full() throws -> (Counter, [Reservation]) {
        var counter = Counter()
        for _ in 0..<2 { try counter.inside() }
        let waiting = try counter.tickets(3)
        return (counter, waiting)
    }

    private func give(_ ticket: Reservation, back counter: inout Counter) {
        counter.ask(ticket.id, .delete(proof: .typed(ticket.typedCode)))
    }

    private func undo(
        _ ticket: Reservation, _ counter: inout Counter
    ) -> Answer {
        counter.ask(ticket.id, .undo(proof: .typed(ticket.typedCode)))
    }

    @Test("A ticket returns to its former place with its number, for two minutes")
    func returns() throws {
        var (counter, waiting) = try full()
        give(waiting[0], back: &counter)
        #expect(counter.stored[waiting[0].id]?.cause == .withdrawn)
        counter.pass(.seconds(119))
        #expect(
            counter.ask(waiting[0].id, .undo(proof: .typed(waiting[1].typedCode)))
                == .refused(.notFound))
        let passage = try undo(waiting[0], &counter).content(of: QueueOutcome.restored)
        #expect(passage.number == waiting[0].number && passage.enterBy == nil)
        #expect(waiting.prefix(2).map { counter.report($0.id)?.wait?.peopleAhead } == [0, 1])
        #expect(counter.restored == counter.state)
        #expect(undo(waiting[0], &counter) == .refused(.stillValid))
        // It may be given back again, and returns for two minutes from then on.
        give(waiting[0], back: &counter)
        counter.pass(.seconds(120))
        #expect(undo(waiting[0], &counter) == .refused(.alreadyDeleted))
    }

    @Test("If its turn came meanwhile, it is called at once when there is a place")
    func called() throws {
        var (counter, waiting) = try full()
        give(waiting[0], back: &counter)
        let inside = counter.stored.values.filter { $0.state == .active }.map(\.hold.id)
        for id in inside { counter.leave(id) }
        #expect(counter.numbers(.called) == [4, 5])
        let passage = try undo(waiting[0], &counter).content(of: QueueOutcome.restored)
        // Both places are taken by those who were called instead.
        #expect(passage.enterBy == nil && counter.state(of: waiting[0].id) == .planned)
        give(waiting[1], back: &counter)
        #expect(counter.state(of: waiting[0].id) == .called)
    }

    @Test("A called place goes to the next customer at once; what the staff deleted stays so")
    func final() throws {
        var counter = Counter()
        let called = try counter.ticket()
        give(called, back: &counter)
        #expect(counter.stored[called.id]?.cause == .declined)
        #expect(undo(called, &counter) == .refused(.alreadyDeleted))
        var (other, waiting) = try full()
        other.ask(waiting[0].id, .deleteForCustomer)
        #expect(undo(waiting[0], &other) == .refused(.alreadyDeleted))
    }

    @Test("After closing nothing returns, nor does a visit whose slot another customer has")
    func noRoom() throws {
        var (counter, waiting) = try full()
        give(waiting[0], back: &counter)
        counter.ask(.sendHome)
        #expect(undo(waiting[0], &counter) == .refused(.alreadyDeleted))

        // Nor after the last call, when those who waited have lost their places.
        var (late, others) = try full()
        late.ask(.closeEarly(at: late.now + .minutes(30)))
        var isOver = false
        while !isOver, late.now < Counter.at("10:30") {
            var copy = late
            give(others[0], back: &copy)
            copy.tick(after: .seconds(60))
            isOver = copy.stored[others[1].id]?.cause.isClosing == true
            if isOver { #expect(undo(others[0], &copy) == .refused(.alreadyDeleted)) }
            late.tick(after: .seconds(60))
        }
        #expect(isOver)

        // One that came back does not keep those behind it when the shop closes earlier than its return.
        var (early, behind) = try full()
        early.pass(.minutes(10))
        give(behind[0], back: &early)
        early.pass(.seconds(60))
        try undo(behind[0], &early).content(of: QueueOutcome.restored)
        early.ask(.closeEarly(at: early.now + .seconds(60)))
        early.ask(.tick)
        #expect(early.state(of: behind[1].id) == .expired)

        var visits = Counter(capacity: 2, stay: 20)
        visits.ask(.endTickets)
        let visit = try visits.visit()
        give(visit, back: &visits)
        try undo(visit, &visits).content(of: QueueOutcome.restored)
        #expect(visits.state(of: visit.id) == .planned)
        give(visit, back: &visits)
        let taken = try visits.visit()
        #expect(taken.visit == visit.visit)
        #expect(undo(visit, &visits) == .refused(.alreadyDeleted))
    }

    @Test("A page is shown the state of the queue, and nothing of what has left it")
    func shown() throws {
        var (counter, waiting) = try full()
        let records = waiting.map { counter.stored[$0.id]! }
        give(waiting[0], back: &counter)
        let inside = counter.stored.values.first { $0.state == .active }!.hold.id
        counter.leave(inside)
        let found = counter.state.found(records, in: counter.context)
        #expect(found[0] == nil)
        #expect(found[1]?.status == .called && found[1]?.enterBy != nil)
        #expect(found[2]?.status == .planned && found[2]?.wait?.peopleAhead == 0)
        #expect(found[1] == counter.report(waiting[1].id))
        #expect(found[2] == counter.report(waiting[2].id))
    }
}
