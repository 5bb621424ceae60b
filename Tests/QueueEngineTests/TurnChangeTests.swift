internal import Reservations
internal import Testing

@testable import QueueEngine

@Suite("Letting people go ahead [rules: more-time]")
struct TurnChangeTests {
    /// A shop with one place, which is taken, so many waiting tickets, and both settings on.
    private static func full(_ waiting: Int, stay: Int = 6) throws -> (Counter, [Reservation]) {
        var counter = Counter(capacity: 1, stay: stay, at: "08:00")
        counter.shop.policy.allowsDelays = true
        counter.decide { $0.allowsReclaims = true }
        try counter.inside()
        let tickets = try (0..<waiting).map { _ in try counter.ticket() }
        return (counter, tickets)
    }

    @Test("7. A ticket is called behind those it lets ahead, and before those behind them.")
    func order() throws {
        var (counter, waiting) = try Self.full(5)
        let found = try counter.delay(waiting[0], by: 2).content(of: QueueOutcome.changed)
        #expect(found.number == waiting[0].number && found.status == .planned)
        #expect(found.wait?.peopleAhead == 2)
        // A ticket that is taken later stays behind it.
        let later = try counter.ticket()
        let order = try (0..<6).map { _ in try counter.next() }
        #expect(order == [3, 4, 2, 5, 6, later.number.rawValue])
    }

    @Test("The price that is shown is the wait that is promised then")
    func price() throws {
        var (counter, waiting) = try Self.full(12)
        let offers = try #require(counter.report(waiting[0].id)?.delayOffers)
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
        // What was promised at confirmation stays what the paper says.
        #expect(counter.stored[waiting[0].id]?.hold.wait == waiting[0].wait)
        #expect(counter.restored == counter.state)
    }

    @Test("As many people are offered as are behind the ticket, and the one that is")
    func offered() throws {
        let (counter, waiting) = try Self.full(4)
        func offered(_ index: Int) -> [Int]? {
            counter.report(waiting[index].id)?.delayOffers?.map(\.people)
        }
        #expect((0..<4).map(offered) == [[2], [2], [1], nil])
        var other = counter
        #expect(other.delay(waiting[0], by: 5) == .refused(.noDelay))
        #expect(other.delay(waiting[0], by: 3) == .refused(.noDelay))
        #expect(other.delay(waiting[3], by: 1) == .refused(.noDelay))
        #expect(
            other.ask(waiting[0].id, .delay(people: 2, proof: .typed(waiting[1].typedCode)))
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
        #expect(counter.report(waiting[0].id)?.delayOffers == nil)
        #expect(counter.delay(waiting[0], by: 2) == .refused(.noDelay))
        let order = try (0..<5).map { _ in try counter.next() }
        #expect(order == [3, 4, 5, 6, 2])
        #expect(counter.delay(waiting[0], by: 2) == .refused(.inside))

        (counter, waiting) = try Self.full(3)
        counter.decide { $0.allowsDelays = false }
        #expect(counter.report(waiting[0].id)?.delayOffers == nil)
        #expect(counter.delay(waiting[0], by: 2) == .refused(.noDelay))

        var free = Counter(capacity: 1) { $0.allowsDelays = true }
        let called = try free.ticket()
        for _ in 0..<3 { try free.ticket() }
        #expect(free.delay(called, by: 2) == .refused(.noDelay))
        free.giveBack(called)
        #expect(free.delay(called, by: 2) == .refused(.alreadyDeleted))
        free.ask(.endTickets)
        let visit = try free.visit()
        try free.visit()
        #expect(free.report(visit.id)?.delayOffers == nil)
        #expect(free.delay(visit, by: 1) == .refused(.noDelay))
    }

    @Test("So many people are not offered that the shop closes before the ticket's stay ends")
    func closing() throws {
        var (counter, waiting) = try Self.full(12, stay: 8)
        #expect(counter.report(waiting[0].id)?.delayOffers?.map(\.people) == [2, 5, 10])
        counter.ask(.closeEarly(at: counter.now + .minutes(60)))
        #expect(counter.report(waiting[0].id)?.delayOffers?.map(\.people) == [2])
        counter.ask(.closeEarly(at: counter.now + .minutes(20)))
        #expect(counter.report(waiting[0].id)?.delayOffers == nil)
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
        let found = try counter.ask(first.id, .undo(proof: proof)).content(of: QueueOutcome.changed)
        #expect(found.wait?.peopleAhead == 0 && found.undoBy == nil)
        #expect(counter.restored == counter.state)
        #expect(counter.ask(first.id, .undo(proof: proof)) == .refused(.stillValid))
        for _ in 0..<2 { _ = try counter.delay(first, by: 2).get() }
        // The second one is undone to the place of the first one.
        counter.ask(first.id, .undo(proof: proof))
        #expect(counter.report(first.id)?.wait?.peopleAhead == 2)
        counter.delay(first, by: 2)
        counter.pass(.seconds(121))
        #expect(undoBy() == nil)
        #expect(counter.ask(first.id, .undo(proof: proof)) == .refused(.stillValid))
        #expect(try (0..<5).map { _ in try counter.next() } == [3, 4, 5, 6, 2])
    }

    @Test(
        "What comes after a delay cannot be undone as one: the ticket was called, or given back and returned"
    )
    func notUndone() throws {
        var (counter, waiting) = try Self.full(3)
        let first = waiting[0]
        counter.delay(first, by: 2)
        counter.giveBack(first)
        counter.undo(first)
        #expect(counter.report(first.id)?.wait?.peopleAhead == 2)
        #expect(counter.report(first.id)?.undoBy == nil)
        #expect(counter.undo(first) == .refused(.stillValid))
        for _ in 0..<3 { try counter.next() }
        #expect(counter.undo(first) == .refused(.inside))
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
        #expect(try (0..<40).map { _ in try counter.next() } == expected)
    }

    @Test(
        "Between two numbers there is room for twenty-four tickets; then so many people are not offered"
    )
    func noRoom() throws {
        var (counter, waiting) = try Self.full(40, stay: 2)
        counter.makeForecast()
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
                let offered = counter.report(ticket.id)?.delayOffers?.map(\.people) ?? []
                #expect(direct != nil && !offered.contains(people) && !offered.isEmpty)
                break
            }
            delays[ticket.id, default: 0] += 1
            between += direct == nil ? 0 : 1
        }
        #expect(between == 24)
        #expect(counter.restored == counter.state)
    }

    @Test(
        "With the early-call grace, the ten minutes begin at the later of both promises, and an undo keeps the first"
    )
    func grace() throws {
        var (counter, waiting) = try Self.full(4, stay: 25)
        counter.decide { $0.hasEarlyCallGrace = true }
        func enterBy(_ ticket: Reservation, _ counter: Counter) throws -> Moment? {
            var counter = counter
            while counter.state(of: ticket.id) == .planned {
                let inside = try #require(counter.stored.values.first { $0.state == .active })
                counter.leave(inside.hold.id)
                let called = try #require(counter.stored.values.first { $0.state == .called })
                if called.hold.id != ticket.id { counter.enter(called.hold.id) }
            }
            return counter.report(ticket.id)?.enterBy?.moment
        }
        let first = waiting[0]
        #expect(try enterBy(first, counter) == first.wait.earliest.moment + .minutes(10))
        counter.pass(.seconds(1))
        counter.delay(first, by: 2)
        let earliest = try #require(counter.report(first.id)?.wait?.earliest.moment)
        #expect(earliest > first.wait.earliest.moment)
        #expect(try enterBy(first, counter) == earliest + .minutes(10))
        counter.undo(first)
        #expect(try enterBy(first, counter) == first.wait.earliest.moment + .minutes(10))
        // If the queue runs faster than was expected, more time is never less than before.
        let last = waiting[2]
        for _ in 0..<2 { try counter.next() }
        let offer = try #require(counter.report(last.id)?.delayOffers?.first)
        #expect(offer.wait.earliest.moment < last.wait.earliest.moment)
        counter.delay(last, by: offer.people)
        #expect(try enterBy(last, counter) == last.wait.earliest.moment + .minutes(10))
    }

    @Test("Tickets with the same position, one of which was away, keep one order in every count")
    func samePosition() throws {
        var (counter, waiting) = try Self.full(8)
        let (first, fourth) = (waiting[0], waiting[3])
        counter.delay(first, by: 5)
        counter.giveBack(first)
        counter.delay(fourth, by: 2)
        counter.undo(first)
        let positions = [first, fourth].map { counter.stored[$0.id]?.turn.place?.position }
        #expect(positions[0] != nil && positions[0] == positions[1])
        let ahead = waiting.map { counter.report($0.id)?.wait?.peopleAhead }
        #expect(ahead == [4, 0, 1, 5, 2, 3, 6, 7])
        #expect(counter.restored == counter.state)
        // Two go ahead of the fourth, and no more.
        counter.delay(fourth, by: 2)
        #expect(counter.report(fourth.id)?.wait?.peopleAhead == 7)
        #expect(counter.delay(waiting[7], by: 1).map { _ in true } == .success(true))
        let order = try (0..<8).map { _ in try counter.next() }
        #expect(order == [3, 4, 6, 7, 2, 8, 5, 9])
    }

    @Test("A delayed ticket that was sent home, or that the staff gave back, has its place again")
    func placeStays() throws {
        var (counter, waiting) = try Self.full(4)
        counter.delay(waiting[0], by: 2)
        counter.pass(.seconds(1))
        counter.ask(.sendHome)
        counter.pass(.seconds(1))
        counter.ask(.openAgain)
        // The shop is empty now, so that the first one is called.
        #expect(waiting.map { counter.report($0.id)?.wait?.peopleAhead } == [1, nil, 0, 2])
        counter.enter(waiting[1].id)
        #expect(counter.report(waiting[0].id)?.undoBy == nil)
        #expect(counter.restored == counter.state)
        try counter.next()
        let inside = try #require(counter.stored.values.first { $0.state == .active })
        counter.leave(inside.hold.id)
        #expect(counter.state(of: waiting[0].id) == .called)
        counter.tick(after: .minutes(10))
        counter.ask(waiting[0].id, .restore)
        #expect(counter.report(waiting[0].id)?.wait?.peopleAhead == 0)
        #expect(counter.restored == counter.state)
    }
}

extension Counter {
    @discardableResult
    mutating func delay(_ ticket: Reservation, by people: Int) -> Answer {
        ask(.reservation(.id(ticket.id), .delay(people: people, proof: .entry(ticket.code))))
    }
}
