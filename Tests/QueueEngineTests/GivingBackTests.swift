import QueueEngine
import Reservations
import Testing

@Suite("Giving a place back, and undoing it [UC13] [rules: giving-back]")
struct GivingBackTests {
    /// A shop of two places, both taken, and three waiting tickets.
    private func full() throws -> (Counter, [Reservation]) {
        var counter = Counter()
        for _ in 0..<2 { try counter.inside() }
        let waiting = try counter.tickets(3)
        return (counter, waiting)
    }

    @Test("A ticket returns to its former place with its number, for two minutes")
    func returns() throws {
        var (counter, waiting) = try full()
        counter.giveBack(waiting[0])
        #expect(counter.stored[waiting[0].id]?.cause == .withdrawn)
        counter.pass(.seconds(119))
        #expect(
            counter.ask(waiting[0].id, .undo(proof: .typed(waiting[1].typedCode)))
                == .refused(.notFound))
        let passage = try counter.undo(waiting[0]).content(of: QueueOutcome.restored)
        #expect(passage.number == waiting[0].number && passage.enterBy == nil)
        #expect(waiting.prefix(2).map { counter.report($0.id)?.wait?.peopleAhead } == [0, 1])
        #expect(counter.restored == counter.state)
        #expect(counter.undo(waiting[0]) == .refused(.stillValid))
        // It may be given back again, and returns for two minutes from then on.
        counter.giveBack(waiting[0])
        counter.pass(.seconds(120))
        #expect(counter.undo(waiting[0]) == .refused(.alreadyDeleted))
    }

    @Test("If its turn came meanwhile, it is called at once when there is a place")
    func called() throws {
        var (counter, waiting) = try full()
        counter.giveBack(waiting[0])
        let inside = counter.stored.values.filter { $0.state == .active }.map(\.hold.id)
        for id in inside { counter.leave(id) }
        #expect(counter.numbers(.called) == [4, 5])
        let passage = try counter.undo(waiting[0]).content(of: QueueOutcome.restored)
        // Both places are taken by those who were called instead.
        #expect(passage.enterBy == nil && counter.state(of: waiting[0].id) == .planned)
        counter.giveBack(waiting[1])
        #expect(counter.state(of: waiting[0].id) == .called)
    }

    @Test("A called place goes to the next customer at once; what the staff deleted stays so")
    func final() throws {
        var counter = Counter()
        let called = try counter.ticket()
        counter.giveBack(called)
        #expect(counter.stored[called.id]?.cause == .declined)
        #expect(counter.undo(called) == .refused(.alreadyDeleted))
        var (other, waiting) = try full()
        other.ask(waiting[0].id, .deleteForCustomer)
        #expect(other.undo(waiting[0]) == .refused(.alreadyDeleted))
    }

    @Test("After closing nothing returns, nor does a visit whose slot another customer has")
    func noRoom() throws {
        var (counter, waiting) = try full()
        counter.giveBack(waiting[0])
        counter.ask(.sendHome)
        #expect(counter.undo(waiting[0]) == .refused(.alreadyDeleted))

        // Nor after the last call, when those who waited have lost their places.
        var (late, others) = try full()
        late.ask(.closeEarly(at: late.now + .minutes(30)))
        var isOver = false
        while !isOver, late.now < Counter.at("10:30") {
            var copy = late
            copy.giveBack(others[0])
            copy.tick(after: .seconds(60))
            isOver = copy.stored[others[1].id]?.cause.isClosing == true
            if isOver { #expect(copy.undo(others[0]) == .refused(.alreadyDeleted)) }
            late.tick(after: .seconds(60))
        }
        #expect(isOver)

        // One that came back does not keep those behind it when the shop closes earlier than its return.
        var (early, behind) = try full()
        early.pass(.minutes(10))
        early.giveBack(behind[0])
        early.pass(.seconds(60))
        try early.undo(behind[0]).content(of: QueueOutcome.restored)
        early.ask(.closeEarly(at: early.now + .seconds(60)))
        early.ask(.tick)
        #expect(early.state(of: behind[1].id) == .expired)

        var visits = Counter(capacity: 2, stay: 20)
        visits.ask(.endTickets)
        let visit = try visits.visit()
        visits.giveBack(visit)
        try visits.undo(visit).content(of: QueueOutcome.restored)
        #expect(visits.state(of: visit.id) == .planned)
        visits.giveBack(visit)
        let taken = try visits.visit()
        #expect(taken.visit == visit.visit)
        #expect(visits.undo(visit) == .refused(.alreadyDeleted))
    }

    @Test("A page is shown the state of the queue, and nothing of what has left it")
    func shown() throws {
        var (counter, waiting) = try full()
        let records = waiting.map { counter.stored[$0.id]! }
        counter.giveBack(waiting[0])
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
