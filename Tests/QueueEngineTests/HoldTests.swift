internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Holds")
struct HoldTests {
    @Test("Numbers are given at confirmation, in its order, from 1 and without gaps")
    func numbers() throws {
        var counter = Counter(capacity: 50)
        let first = try counter.hold()
        let second = try counter.hold(Counter.other)
        #expect(try counter.confirm(second.id, Counter.other).number.rawValue == 1)
        let lapsing = try counter.hold(Counter.other)
        counter.held(lapsing.id, .release, at: Counter.other)
        #expect(try counter.confirm(first.id).number.rawValue == 2)
        #expect(try counter.ticket().number.rawValue == 3)
    }

    @Test("A hold expires at its time and not before, at any command, and uses no number")
    func expires() throws {
        var counter = Counter()
        let hold = try counter.hold()
        #expect(hold.expires.moment == counter.now + .seconds(210))
        counter.tick(after: .seconds(209))
        #expect(counter.state.holds.count == 1)
        counter.pass(.seconds(5))
        #expect(throws: Refused(.holdExpired)) { try counter.confirm(hold.id) }
        #expect(throws: Refused(.holdExpired)) { try counter.confirm(hold.id) }
        #expect(counter.stored[hold.id]?.cause == .holdExpired)
        #expect(counter.stored[hold.id]?.since == hold.expires.moment)
        #expect(try counter.ticket().number.rawValue == 1)
        let next = try counter.hold()
        counter.pass(.minutes(4))
        #expect(
            counter.ask(.hold(.visit), by: .machine(Counter.other))
                == .refused(.ticketAvailable))
        #expect(counter.stored[next.id]?.state == .deleted)
        #expect(counter.state.holds.count == 0)
    }

    @Test("An extension counts from now, and at most ten are possible")
    func extends() throws {
        var counter = Counter()
        let hold = try counter.hold()
        for round in 1...12 {
            counter.pass(.seconds(30))
            let extended = try counter.held(hold.id, .extend).content(of: QueueOutcome.extended)
            #expect(extended.extensions == min(round, 10))
            if round <= 10 { #expect(extended.expires.moment == counter.now + .seconds(210)) }
        }
        counter.pass(.seconds(150))
        #expect(counter.held(hold.id, .extend) == .refused(.holdExpired))
        #expect(counter.held("nothing", .extend) == .refused(.notFound))
    }

    @Test("An extended hold expires later than one taken after it")
    func extensionOrder() throws {
        var counter = Counter(capacity: 9)
        let early = try counter.hold()
        counter.pass(.seconds(10))
        let late = try counter.hold(Counter.other)
        counter.pass(.seconds(150))
        counter.held(early.id, .extend)
        counter.tick(after: .seconds(60))
        #expect(counter.stored[late.id]?.cause == .holdExpired)
        #expect(counter.stored[early.id]?.state == .pending)
    }

    @Test("A release of a hold that is gone or never existed succeeds")
    func releaseIsQuiet() throws {
        var counter = Counter()
        let hold = try counter.hold()
        for _ in 1...2 {
            #expect(counter.held(hold.id, .release) == .success(.released))
        }
        #expect(counter.stored[hold.id]?.cause == .cancelled)
        #expect(counter.held("x", .release) == .success(.released))
        let lapsing = try counter.hold()
        counter.pass(.minutes(5))
        #expect(counter.held(lapsing.id, .release) == .success(.released))
        #expect(counter.stored[lapsing.id]?.cause == .holdExpired)
    }

    @Test(
        "A machine or a phone has one hold, which no other one finds, and a confirmed place is not released",
        arguments: [HoldOwner.machine(Counter.machine), .phone("a-phone")])
    func foreign(owner: HoldOwner) throws {
        var counter = Counter { $0.phones.hasPlaces = true }
        let older = try counter.hold(owner: owner)
        let hold = try counter.hold(owner: owner)
        let another = try counter.hold(Counter.other)
        #expect(hold.wait.peopleAhead == 0 && counter.stored[older.id]?.cause == .replaced)
        #expect(counter.state.holds.map(\.id) == [hold.id, another.id])
        #expect(throws: Refused(.holdExpired)) { try counter.confirm(older.id, owner: owner) }
        let others: [HoldOwner] = [
            .machine(Counter.machine), .machine(Counter.other), .phone("a-phone"),
            .phone("another"),
        ]
        for other in others where other != owner {
            for command in [HoldCommand.extend, .release] {
                #expect(
                    counter.ask(.held(hold.id, command), by: other) == .refused(.notFound))
            }
            #expect(throws: Refused(.notFound)) { try counter.confirm(hold.id, owner: other) }
        }
        #expect(try counter.confirm(hold.id, owner: owner).number.rawValue == 1)
        #expect(throws: Refused(.notFound)) { try counter.confirm(hold.id, Counter.other) }
        #expect(counter.ask(.held(hold.id, .release), by: owner) == .refused(.notFound))
        #expect(counter.state(of: hold.id) == .called)
    }

    @Test("Each transition is recorded with its time and its cause")
    func transitions() throws {
        var counter = Counter()
        let start = counter.now
        let hold = try counter.hold()
        counter.pass(.seconds(7))
        let reservation = try counter.confirm(hold.id)
        counter.pass(.seconds(7))
        counter.ask(hold.id, .delete(proof: .entry(reservation.code)))
        #expect(counter.events.map(\.1) == [.pending, .planned, .called, .deleted])
        #expect(counter.events.map(\.2) == [.requested, .confirmed, .turn, .declined])
        #expect(
            counter.events.map { $0.3 - start } == [.zero, .seconds(7), .seconds(7), .seconds(14)])
    }
}
