internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("A day that the staff ends early")
struct EarlyClosingTests {
    private func count(_ answer: Answer) throws -> Int {
        switch try answer.get() {
        case .sentHome(let people), .openedAgain(let people): people
        default: throw Unexpected()
        }
    }

    @Test("Sent home: waiting customers lose their places, called ones keep their ten minutes")
    func sendHome() throws {
        var counter = Counter(capacity: 2, stay: 20)
        let called = try counter.ticket()
        try counter.inside()
        let waiting = try counter.tickets(3)
        #expect(try count(counter.ask(.sendHome)) == 3)
        #expect(waiting.allSatisfy { counter.stored[$0.id]?.cause == .sentHome })
        #expect(counter.enter(waiting[0].id) == .refused(.closedBeforeTurn))
        #expect(counter.giveBack(waiting[0]) == .refused(.closedBeforeTurn))
        #expect(counter.enter(called.id).refusal == nil)
    }

    @Test("Opened again: the customers sent home have their places, in the same order, in time")
    func openAgain() throws {
        var counter = Counter(capacity: 1, stay: 20)
        _ = try counter.tickets(4)
        counter.ask(.sendHome)
        counter.tick(after: .minutes(5))
        #expect(throws: Refused.self) { try counter.hold(Counter.other) }
        #expect(try count(counter.ask(.openAgain)) == 3)
        #expect(counter.numbers(.planned) == [2, 3, 4])
        #expect(counter.restored == counter.state)
        counter.tick(after: .minutes(10))
        #expect(counter.numbers(.called) == [2], "as if a called customer had not come")
        #expect(try counter.ticket().number.rawValue == 5)
        // After the last call no ticket is restored that could not be called any more.
        counter.ask(.sendHome)
        let closes = try #require(counter.context.openings.first?.closes.moment)
        counter.now = closes - .minutes(1)
        #expect(try count(counter.ask(.openAgain)) == 0)
    }

    @Test(
        "A visit of later today is cancelled too when customers are sent home, and can be restored",
        arguments: [("15:10", 1), ("15:20", 0)])
    func visits(opened: String, restored: Int) throws {
        var counter = Counter(capacity: 4, at: "12:50")
        let visit = try counter.visit()
        #expect(visit.visit?.start.moment == Counter.at("15:00"))
        #expect(try count(counter.ask(.sendHome)) == 1)
        #expect(counter.report(visit.id)?.status == .closed)
        counter.tick(at: Counter.at(opened))
        #expect(try count(counter.ask(.openAgain)) == restored)
        #expect(counter.state(of: visit.id) == (restored == 1 ? .called : .expired))
        #expect(counter.restored == counter.state)
    }

    @Test(
        "No more tickets, nor a visit of today: waiting customers are called, and holds may be confirmed"
    )
    func endTickets() throws {
        var counter = Counter(capacity: 1, stay: 20)
        let first = try counter.ticket()
        let hold = try counter.hold()
        #expect(counter.ask(.endTickets) == .success(.ticketsEnded))
        #expect(throws: Refused(.noTicketToday)) { try counter.hold(Counter.other) }
        let second = try counter.confirm(hold.id)
        counter.enter(first.id)
        counter.leave(first.id)
        #expect(counter.stored[second.id]?.state == .called)
        #expect(counter.restored == counter.state)
        counter.now = Counter.at("12:50")
        #expect(try counter.visit().visit?.start.day == .tomorrow)
    }

    @Test("An evening's end is not set once the shop has closed: it would close the next day")
    func tooLate() throws {
        var counter = Counter(at: "20:30")
        let refused = counter.ask(.closeEarly(at: Counter.at("21:30"))).refused
        #expect(refused?.refusal == .shopClosed)
        #expect(refused?.opens?.moment == Counter.at("08:00", day: .tomorrow))
        counter.tick(at: Counter.at("09:00", day: .tomorrow))
        #expect(counter.state.status(in: counter.context).isOpen)
    }
}
