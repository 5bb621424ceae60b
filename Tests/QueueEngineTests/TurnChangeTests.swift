internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Letting people go ahead, and taking a missed place back [rules 34]")
struct TurnChangeTests {
    /// A shop with one place, which is taken, so many waiting tickets, and both settings on.
    private static func full(_ waiting: Int, stay: Int = 6) throws -> (Counter, [Reservation]) {
        var counter = Counter(capacity: 1, stay: stay)
        counter.now = Counter.at("08:00")
        counter.shop.policy.allowsDelays = true
        counter.shop.policy.allowsReclaims = true
        counter.raiseCapacity()
        let inside = try counter.ticket()
        counter.ask(.reservation(inside.id, .enter))
        let tickets = try (0..<waiting).map { _ in try counter.ticket() }
        return (counter, tickets)
    }

    /// Lets the customer inside out, and the next one, who is called, in.
    private static func next(_ counter: inout Counter) throws -> Int {
        let inside = try #require(counter.stored.values.first { $0.state == .active })
        counter.ask(.reservation(inside.hold.id, .exit(at: .turnstile)))
        let called = try #require(counter.stored.values.first { $0.state == .called })
        counter.ask(.reservation(called.hold.id, .enter))
        return try #require(called.confirmation).number.rawValue
    }

    @Test("7. A ticket is called behind those it lets ahead, and before those behind them.")
    func order() throws {
        var (counter, waiting) = try Self.full(5)
        guard case .turnChanged(let found) = try counter.delay(waiting[0], by: 2).get() else {
            throw Unexpected()
        }
        #expect(found.number == waiting[0].number && found.status == .planned)
        #expect(found.wait?.peopleAhead == 2)
        // A ticket that is taken later stays behind it.
        let later = try counter.ticket()
        let order = try (0..<6).map { _ in try Self.next(&counter) }
        #expect(order == [3, 4, 2, 5, 6, later.number.rawValue])
    }

    @Test("The price that is shown is the wait that is promised then")
    func price() throws {
        var (counter, waiting) = try Self.full(12)
        let offers = try #require(counter.report(waiting[0].id)?.delays)
        #expect(offers.map(\.people) == [2, 5, 10])
        let now = try #require(counter.report(waiting[0].id)?.wait)
        for (offer, next) in zip([now] + offers.map(\.wait), offers.map(\.wait)) {
            #expect(
                offer.latest.moment < next.latest.moment && offer.peopleAhead < next.peopleAhead)
        }
        // The fifth ticket behind is shown nearly the same, for its position will be this one's.
        let fifth = try #require(counter.report(waiting[5].id)?.wait)
        #expect(offers[1].wait == fifth)
        counter.delay(waiting[0], by: 5)
        #expect(counter.report(waiting[0].id)?.wait == offers[1].wait)
        #expect(counter.stored[waiting[0].id]?.hold.wait == offers[1].wait)
        #expect(counter.restored == counter.state)
    }

    @Test("As many people are offered as are behind the ticket, and the one that is")
    func offered() throws {
        let (counter, waiting) = try Self.full(4)
        func offered(_ index: Int) -> [Int]? {
            counter.report(waiting[index].id)?.delays?.map(\.people)
        }
        #expect((0..<4).map(offered) == [[2], [2], [1], nil])
        var other = counter
        #expect(other.delay(waiting[0], by: 5) == .refused(.noDelay))
        #expect(other.delay(waiting[0], by: 1) == .refused(.noDelay))
        #expect(other.delay(waiting[3], by: 1) == .refused(.noDelay))
        #expect(
            other.ask(
                .reservation(
                    waiting[0].id, .delay(people: 2, proof: .typed(waiting[1].typedCode))))
                == .refused(.notFound))
        #expect(other.stored == counter.stored && other.state == counter.state)
    }

    @Test(
        "A ticket can do this twice; a called, used or deleted one, a visit, and one of a shop that does not want it, never"
    )
    func limits() throws {
        var (counter, waiting) = try Self.full(8)
        counter.delay(waiting[0], by: 2)
        counter.delay(waiting[0], by: 2)
        #expect(counter.report(waiting[0].id)?.delays == nil)
        #expect(counter.delay(waiting[0], by: 2) == .refused(.noDelay))
        let order = try (0..<5).map { _ in try Self.next(&counter) }
        #expect(order == [3, 4, 5, 6, 2])
        #expect(counter.delay(waiting[0], by: 2) == .refused(.inside))

        (counter, waiting) = try Self.full(3)
        counter.shop.policy.allowsDelays = false
        counter.raiseCapacity()
        #expect(counter.report(waiting[0].id)?.delays == nil)
        #expect(counter.delay(waiting[0], by: 2) == .refused(.noDelay))

        var free = Counter(capacity: 1)
        free.shop.policy.allowsDelays = true
        free.raiseCapacity()
        let called = try free.ticket()
        for _ in 0..<3 { try free.ticket() }
        #expect(free.delay(called, by: 2) == .refused(.noDelay))
        free.ask(.reservation(called.id, .delete(proof: .entry(called.code))))
        #expect(free.delay(called, by: 2) == .refused(.alreadyDeleted))
        free.ask(.endTickets)
        let visit = try free.visit()
        try free.visit()
        #expect(free.report(visit.id)?.delays == nil)
        #expect(free.delay(visit, by: 1) == .refused(.noDelay))
    }

    @Test("So many people are not offered that the shop closes before the ticket's stay ends")
    func closing() throws {
        var (counter, waiting) = try Self.full(12, stay: 8)
        #expect(counter.report(waiting[0].id)?.delays?.map(\.people) == [2, 5, 10])
        counter.ask(.closeEarly(at: counter.now + .minutes(60)))
        #expect(counter.report(waiting[0].id)?.delays?.map(\.people) == [2])
        counter.ask(.closeEarly(at: counter.now + .minutes(20)))
        #expect(counter.report(waiting[0].id)?.delays == nil)
        counter.ask(.sendHome)
        #expect(counter.delay(waiting[0], by: 2) == .refused(.closedBeforeTurn))
    }

    @Test(
        "For two minutes a delay is undone: the ticket is where it was, and may delay twice again")
    func undone() throws {
        var (counter, waiting) = try Self.full(8)
        let first = waiting[0]
        func undoBy() -> Moment? { counter.report(first.id)?.undoBy?.moment }
        #expect(undoBy() == nil)
        counter.pass(.seconds(1))
        let delayed = counter.now
        counter.delay(first, by: 5)
        #expect(undoBy() == delayed + .seconds(120))
        counter.pass(.seconds(119))
        let proof = PresentedCode.entry(first.code)
        guard
            case .turnChanged(let found) = try counter.ask(
                .reservation(first.id, .undo(proof: proof))
            ).get()
        else { throw Unexpected() }
        #expect(found.wait?.peopleAhead == 0 && found.undoBy == nil)
        #expect(counter.stored[first.id]?.hold.wait == found.wait)
        #expect(counter.restored == counter.state)
        #expect(counter.ask(.reservation(first.id, .undo(proof: proof))) == .refused(.stillValid))
        for _ in 0..<2 { _ = try counter.delay(first, by: 2).get() }
        // The second one is undone to the place of the first one.
        counter.ask(.reservation(first.id, .undo(proof: proof)))
        #expect(counter.report(first.id)?.wait?.peopleAhead == 2)
        counter.delay(first, by: 2)
        counter.pass(.seconds(121))
        #expect(undoBy() == nil)
        #expect(counter.ask(.reservation(first.id, .undo(proof: proof))) == .refused(.stillValid))
        #expect(try (0..<5).map { _ in try Self.next(&counter) } == [3, 4, 5, 6, 2])
    }

    @Test(
        "What comes after a delay cannot be undone as one: the ticket was called, or given back and returned"
    )
    func notUndone() throws {
        var (counter, waiting) = try Self.full(3)
        let (first, proof) = (waiting[0], PresentedCode.entry(waiting[0].code))
        counter.delay(first, by: 2)
        counter.ask(.reservation(first.id, .delete(proof: proof)))
        counter.ask(.reservation(first.id, .undo(proof: proof)))
        #expect(counter.report(first.id)?.wait?.peopleAhead == 2)
        #expect(counter.report(first.id)?.undoBy == nil)
        #expect(counter.ask(.reservation(first.id, .undo(proof: proof))) == .refused(.stillValid))
        for _ in 0..<3 { _ = try Self.next(&counter) }
        #expect(counter.ask(.reservation(first.id, .undo(proof: proof))) == .refused(.inside))
    }

    @Test(
        "Many tickets in front of one another keep their order, and none gets the position of another"
    )
    func crowded() throws {
        var (counter, waiting) = try Self.full(40, stay: 2)
        var expected = waiting.map(\.number.rawValue)
        for ticket in waiting + waiting {
            let number = ticket.number.rawValue
            let place = try #require(expected.firstIndex(of: number))
            let people = number % 3 == 0 ? 5 : 2
            guard place + people < expected.count else { continue }
            _ = try counter.delay(ticket, by: people).get()
            expected.remove(at: place)
            expected.insert(number, at: place + people)
        }
        #expect(expected != expected.sorted())
        #expect(try (0..<40).map { _ in try Self.next(&counter) } == expected)
    }

    @Test(
        "Between two numbers there is room for twenty-four tickets; then so many people are not offered"
    )
    func noRoom() throws {
        var (counter, waiting) = try Self.full(40, stay: 2)
        counter.forecast = WaitForecast(counter.state, at: counter.now, in: counter.openings[0])
        let fixed = waiting[36]
        var delays: [ReservationID: Int] = [:]
        /// A ticket that would be at one of these indices after it lets some people ahead.
        func mover(to indices: [Int], delayed: Int) throws -> (Reservation, Int)? {
            for ticket in waiting where delays[ticket.id, default: 0] <= delayed {
                let index = try #require(counter.report(ticket.id)?.wait?.peopleAhead)
                let people = [2, 5, 10].first { indices.contains(index + $0) }
                if let people { return (ticket, people) }
            }
            return nil
        }
        var between = 0
        while true {
            let before = try #require(counter.report(fixed.id)?.wait?.peopleAhead) - 1
            let direct = try mover(to: [before], delayed: 1)
            let (ticket, people) = try #require(
                try direct ?? mover(to: [before - 2, before - 5, before - 10], delayed: 0))
            guard case .success = counter.delay(ticket, by: people) else {
                let offered = counter.report(ticket.id)?.delays?.map(\.people) ?? []
                #expect(direct != nil && !offered.contains(people) && !offered.isEmpty)
                break
            }
            delays[ticket.id, default: 0] += 1
            between += direct == nil ? 0 : 1
        }
        #expect(between == 24)
        #expect(counter.restored == counter.state)
    }

    @Test("A missed place is taken back once, within ten minutes: it is called next")
    func reclaimed() throws {
        var counter = Counter(capacity: 1, stay: 20)
        counter.shop.policy.allowsReclaims = true
        counter.raiseCapacity()
        let first = try counter.ticket()
        let (second, third) = (try counter.ticket(), try counter.ticket())
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
            counter.ask(.reservation(first.id, .reclaim(proof: .typed(second.typedCode))))
                == .refused(.notFound))
        counter.pass(.minutes(10) - .milliseconds(1))
        guard case .turnChanged(let found) = try counter.reclaim(first).get() else {
            throw Unexpected()
        }
        #expect(found.status == .planned && found.number == first.number)
        #expect(found.wait?.peopleAhead == 0 && found.reclaimBy == nil)
        #expect(counter.report(third.id)?.wait?.peopleAhead == 1)
        #expect(counter.restored == counter.state)
        // The second customer does not come either: the first is called again, and misses that call too.
        counter.pass(.milliseconds(1))
        counter.ask(.tick)
        #expect(counter.state(of: first.id) == .called)
        counter.pass(.minutes(10))
        counter.ask(.tick)
        #expect(counter.report(first.id)?.reclaimBy == nil)
        #expect(counter.reclaim(first) == .refused(.missed))
        // Another one has a time of its own.
        #expect(counter.report(second.id)?.reclaimBy == nil)
        #expect(counter.reclaim(second) == .refused(.missed))
    }

    @Test("If a place is free, a missed place that is taken back is called at once")
    func calledAtOnce() throws {
        var counter = Counter(capacity: 2)
        counter.shop.policy.allowsReclaims = true
        counter.raiseCapacity()
        let ticket = try counter.ticket()
        counter.pass(.minutes(12))
        guard case .turnChanged(let found) = try counter.reclaim(ticket).get() else {
            throw Unexpected()
        }
        #expect(found.status == .called)
        #expect(found.enterBy?.moment == counter.now + .minutes(10))
    }

    @Test(
        "A place is not taken back if the shop does not want it, after the last call, or by the holder of a phone"
    )
    func notReclaimed() throws {
        func missed(_ change: (inout Counter) throws -> Void) throws -> Result<
            QueueOutcome, Refused
        > {
            var counter = Counter(capacity: 1, stay: 20)
            counter.shop.policy.allowsReclaims = true
            counter.raiseCapacity()
            let ticket = try counter.ticket()
            counter.pass(.minutes(10))
            counter.ask(.tick)
            try change(&counter)
            #expect(counter.report(ticket.id)?.reclaimBy == nil)
            return counter.reclaim(ticket)
        }
        #expect(
            try missed {
                $0.shop.policy.allowsReclaims = false
                $0.raiseCapacity()
            } == .refused(.missed))
        #expect(try missed { $0.pass(.minutes(10)) } == .refused(.missed))
        #expect(try missed { $0.ask(.sendHome) } == .refused(.missed))
        #expect(try missed { $0.ask(.closeEarly(at: $0.now + .minutes(3))) } == .refused(.missed))

        var phones = Counter(capacity: 3)
        phones.shop.policy.allowsReclaims = true
        phones.shop.policy.phones.hasPlaces = true
        phones.raiseCapacity()
        let owner = HoldOwner.phone("holder")
        let ticket = try phones.confirm(try phones.hold(owner: owner).id, owner: owner)
        phones.pass(.minutes(10))
        phones.ask(.tick)
        #expect(phones.state(of: ticket.id) == .expired)
        #expect(phones.reclaim(ticket) == .refused(.missed))
    }

    @Test("With the early-call grace the ten minutes begin at the time that was shown as the price")
    func grace() throws {
        var (counter, waiting) = try Self.full(3, stay: 25)
        counter.shop.policy.hasEarlyCallGrace = true
        counter.raiseCapacity()
        counter.delay(waiting[0], by: 2)
        let earliest = try #require(counter.report(waiting[0].id)?.wait?.earliest.moment)
        for _ in 0..<2 { _ = try Self.next(&counter) }
        let inside = try #require(counter.stored.values.first { $0.state == .active })
        counter.ask(.reservation(inside.hold.id, .exit(at: .turnstile)))
        #expect(counter.state(of: waiting[0].id) == .called)
        #expect(counter.report(waiting[0].id)?.enterBy?.moment == earliest + .minutes(10))
    }
}

extension Counter {
    @discardableResult
    mutating func delay(_ ticket: Reservation, by people: Int) -> Result<QueueOutcome, Refused> {
        ask(.reservation(ticket.id, .delay(people: people, proof: .entry(ticket.code))))
    }

    @discardableResult
    mutating func reclaim(_ ticket: Reservation) -> Result<QueueOutcome, Refused> {
        ask(.reservation(ticket.id, .reclaim(proof: .typed(ticket.typedCode))))
    }
}
