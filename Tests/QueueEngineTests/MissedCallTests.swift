internal import Reservations
internal import Testing

@testable import QueueEngine

@Suite("Taking a place back whose call was missed [rules: more-time]")
struct MissedCallTests {
    @Test("A missed place is taken back once, within ten minutes: it is called next")
    func reclaimed() throws {
        var counter = Counter(capacity: 1, stay: 20) { $0.allowsReclaims = true }
        let (first, second, third) = try counter.threeTickets()
        #expect(counter.reclaim(first) == .refused(.stillValid))
        counter.pass(.minutes(10))
        // It is offered even before the end of the call is written.
        #expect(counter.report(first.id)?.status == .missed)
        let end = counter.now + .minutes(10)
        #expect(counter.report(first.id)?.reclaimBy?.moment == end)
        counter.ask(.tick)
        #expect(counter.state(of: second.id) == .called)
        #expect(counter.report(first.id)?.reclaimBy?.moment == end)
        #expect(
            counter.ask(first.id, .reclaim(proof: .typed(second.typedCode)))
                == .refused(.notFound))
        counter.pass(.minutes(10) - .milliseconds(1))
        let found = try counter.reclaim(first).content(of: QueueOutcome.changed)
        #expect(found.status == .planned && found.number == first.number)
        #expect(found.wait?.peopleAhead == 0 && found.reclaimBy == nil)
        #expect(counter.report(third.id)?.wait?.peopleAhead == 1)
        #expect(counter.restored == counter.state)
        // The second customer does not come either: the first is called again, and misses that call too.
        counter.tick(after: .milliseconds(1))
        #expect(counter.state(of: first.id) == .called)
        counter.tick(after: .minutes(10))
        #expect(counter.report(first.id)?.reclaimBy == nil)
        #expect(counter.reclaim(first) == .refused(.missed))
        // Another one has a time of its own.
        #expect(counter.report(second.id)?.reclaimBy == nil)
        #expect(counter.reclaim(second) == .refused(.missed))
    }

    @Test(
        "A place is not taken back if the shop does not want it, after the last call, or by the holder of a phone"
    )
    func notReclaimed() throws {
        func missed(_ change: (inout Counter) throws -> Void) throws -> Answer {
            var counter = Counter(capacity: 1, stay: 20) { $0.allowsReclaims = true }
            let ticket = try counter.ticket()
            counter.tick(after: .minutes(10))
            try change(&counter)
            #expect(counter.report(ticket.id)?.reclaimBy == nil)
            return counter.reclaim(ticket)
        }
        #expect(try missed { $0.decide { $0.allowsReclaims = false } } == .refused(.missed))
        #expect(try missed { $0.pass(.minutes(10)) } == .refused(.missed))
        #expect(try missed { $0.ask(.sendHome) } == .refused(.missed))
        #expect(try missed { $0.ask(.closeEarly(at: $0.now + .minutes(3))) } == .refused(.missed))

        var phones = Counter(capacity: 3) { $0.allowsReclaims = true }
        phones.decide { $0.phones.hasPlaces = true }
        let ticket = try phones.ticket(owner: .phone("holder"))
        phones.tick(after: .minutes(10))
        #expect(phones.state(of: ticket.id) == .expired)
        #expect(phones.reclaim(ticket) == .refused(.missed))
    }

    @Test("A missed visit frees its slot for others, and is taken back until its end")
    func visit() throws {
        var counter = Counter(capacity: 2, stay: 20) { $0.allowsReclaims = true }
        counter.ask(.endTickets)
        let visit = try counter.visit()
        let slot = try #require(visit.visit)
        counter.tick(at: slot.start.moment)
        #expect(counter.state(of: visit.id) == .called)
        counter.tick(after: .minutes(10))
        #expect(counter.stored[visit.id]?.cause == .missed)
        // The stay of the slot ends before the ten minutes do, or with them.
        let by = try #require(counter.report(visit.id)?.reclaimBy?.moment)
        #expect(by == min(counter.now + .minutes(10), slot.end.moment))
        let found = try counter.reclaim(visit).content(of: QueueOutcome.changed)
        #expect(found.status == .called)
        #expect(counter.restored.isLike(counter.state, on: slot.start.day))

        counter.tick(after: .minutes(11))
        #expect(counter.reclaim(visit) == .refused(.missed))
        #expect(counter.restored.isLike(counter.state, on: slot.start.day))
    }

    @Test(
        "A call that ended long ago is missed, taken back and called at once, whatever else is overdue"
    )
    func overdue() throws {
        var counter = Counter(capacity: 600) { $0.allowsReclaims = true }
        let tickets = try (0..<520).map { _ in try counter.ticket() }
        counter.pass(.minutes(12))
        let found = try counter.reclaim(tickets[519]).content(of: QueueOutcome.changed)
        #expect(found.status == .called)
        #expect(found.enterBy?.moment == counter.now + .minutes(10))
        #expect(
            counter.events.filter { $0.0 == tickets[519].id }.map(\.2)
                == [.requested, .confirmed, .turn, .missed, .reclaimed, .turn])
        for _ in 0..<2 { counter.ask(.tick) }
        #expect(counter.numbers(.called) == [520])
        #expect(counter.restored == counter.state)
    }

    @Test("The customers who wait when a call is missed are called before it returns")
    func freedPlace() throws {
        var counter = Counter(capacity: 1) { $0.allowsReclaims = true }
        let (first, second) = try counter.twoTickets()
        counter.pass(.minutes(10))
        // The command itself ends the call.
        _ = try counter.reclaim(first).get()
        #expect(counter.state(of: second.id) == .called && counter.state(of: first.id) == .planned)
    }

    @Test("A place is given back to its customer until the last call, which may come first")
    func lastCall() throws {
        var counter = Counter(capacity: 1, stay: 20) { $0.allowsReclaims = true }
        let ticket = try counter.ticket()
        counter.ask(.closeEarly(at: counter.now + .minutes(28)))
        counter.tick(after: .minutes(10))
        let end = try #require(counter.report(ticket.id)?.reclaimBy?.moment)
        #expect(end > counter.now && end < counter.now + .minutes(10))
        var late = counter
        late.now = end
        #expect(late.reclaim(ticket) == .refused(.missed))
        counter.now = end - .milliseconds(1)
        _ = try counter.reclaim(ticket).get()
    }
}

extension QueueState {
    /// Whether the visits of a day are the same.
    fileprivate func isLike(_ other: QueueState, on day: CalendarDay) -> Bool {
        visits == other.visits && called == other.called
            && days[day]?.visits == other.days[day]?.visits
    }
}

extension Counter {
    @discardableResult
    mutating func reclaim(_ ticket: Reservation) -> Answer {
        ask(.reservation(.id(ticket.id), .reclaim(proof: .typed(ticket.typedCode))))
    }
}
