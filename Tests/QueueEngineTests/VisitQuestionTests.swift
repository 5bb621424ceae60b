internal import Reservations
internal import Testing

@testable import QueueEngine

/// The question whether a customer comes who has booked a visit on a phone (rules 39).
@Suite("Are you coming? Visits on phones")
struct VisitQuestionTests {
    private static let ada = HolderID("ada")

    /// A shop with places for visits, in which it is nine o'clock, or another time.
    private func shop(
        capacity: Int = 4, at time: String = "09:00",
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) -> Counter {
        var counter = Counter(capacity: capacity, stay: 20)
        counter.openDays = 40
        counter.shop.policy.phones.hasPlaces = true
        counter.shop.policy.phones.hasVisits = true
        counter.shop.policy.phones.asksWhoComes = true
        decide(&counter.shop.policy)
        counter.state = QueueState(policy: counter.shop.policy)
        counter.now = Counter.at(time)
        return counter
    }

    /// A visit at 16:00 of today, at so many minutes from then.
    private func booked(
        _ minutes: Int, _ counter: inout Counter, holder: HolderID = ada
    ) throws -> Reservation {
        let visit = try counter.bookVisit(holder, at: "16:00", on: Counter.day)
        go(minutes, &counter)
        return visit
    }

    private func go(_ minutes: Int, _ counter: inout Counter) {
        counter.now = Counter.at("16:00") + .minutes(minutes)
        counter.ask(.tick)
    }

    @Test("It is asked two hours before the slot, once, and the answer is noted")
    func asked() throws {
        var counter = shop()
        let visit = try booked(-121, &counter)
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        #expect(counter.report(visit.id)?.answerBy == nil)
        go(-120, &counter)
        #expect(counter.stored[visit.id]?.question == ComingQuestion(asked: counter.now))
        #expect(counter.report(visit.id)?.answerBy?.moment == Counter.at("16:00"))
        #expect(counter.restored.visits == counter.state.visits)
        // It is not asked twice.
        let asked = counter.now
        go(-100, &counter)
        #expect(counter.stored[visit.id]?.question.asked == asked)
        counter.ask(.reservation(visit.id, .comes))
        #expect(counter.report(visit.id)?.answerBy == nil)
        #expect(counter.stored[visit.id]?.question.answered == counter.now)
        #expect(counter.restored.visits == counter.state.visits)
        go(0, &counter)
        #expect(counter.state(of: visit.id) == .called)
    }

    @Test(
        "A customer who books or moves within two hours has said so; one who moves it further is asked again"
    )
    func soon() throws {
        var counter = shop(at: "14:00")
        let visit = try booked(-115, &counter)
        #expect(counter.stored[visit.id]?.question.answered == Counter.at("14:00"))
        func move(to time: String) throws -> ComingQuestion? {
            let start = LocalMoment(Counter.at(time), offsetMinutes: 60)
            let code = PresentedCode.typed(visit.typedCode)
            _ = try counter.ask(
                .reservation(visit.id, .move(to: ChosenSlot(start: start), proof: code))
            ).get()
            #expect(counter.restored.visits == counter.state.visits)
            return counter.stored[visit.id]?.question
        }
        #expect(try move(to: "18:00") == ComingQuestion())
        counter.now = Counter.at("16:00")
        counter.ask(.tick)
        #expect(counter.stored[visit.id]?.question == ComingQuestion(asked: counter.now))
        #expect(try move(to: "17:30") == ComingQuestion(answered: counter.now))
    }

    @Test(
        "A visit without an answer has its place kept, is named on the display, and is called at its slot"
    )
    func silent() throws {
        var counter = shop()
        let visit = try booked(-5, &counter)
        let tickets = try (1...4).map { _ in try counter.ticket() }
        let called = tickets.filter { counter.state(of: $0.id) == .called }
        #expect(called.count == 3, "one of the four places is kept for the visit")
        for ticket in called { counter.ask(.reservation(ticket.id, .enter)) }
        #expect(counter.state.turns(in: counter.context).visits.map(\.number) == [visit.number])
        let forecast = try #require(
            counter.state.callForecasts(of: [visit.id], in: counter.context)[visit.id])
        #expect(forecast.expected == Counter.at("16:00"), "it is told two minutes before")
        go(0, &counter)
        #expect(counter.stored[visit.id]?.isAsked == true)
        #expect(counter.state(of: visit.id) == .called)
        #expect(counter.state(of: tickets[3].id) == .planned)
        #expect(counter.restored.visits == counter.state.visits)
        guard case .entered = try counter.ask(.reservation(visit.id, .enter)).get() else {
            throw Unexpected()
        }
        #expect(counter.state.attendance.silent == Attendance.Turnout(came: 1))
    }

    @Test("Who is at the entrance before the slot has answered, and waits for it")
    func atTheDoor() throws {
        var counter = shop()
        let visit = try booked(-10, &counter)
        let early = counter.ask(.reservation(visit.id, .enter))
        guard case .failure(let refused) = early else { throw Unexpected() }
        #expect(refused.refusal == .notYetCalled)
        #expect(counter.stored[visit.id]?.question.answered == counter.now)
    }

    @Test("A code that is shown days before answers nothing")
    func tooEarly() throws {
        var counter = shop()
        let visit = try booked(-300, &counter)
        counter.ask(.reservation(visit.id, .comes))
        _ = counter.ask(.reservation(visit.id, .enter))
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        go(-119, &counter)
        #expect(counter.stored[visit.id]?.isAsked == true)
    }

    @Test(
        "Answered or not, a call that is missed counts, and silence itself never does",
        arguments: [true, false])
    func missed(isAnswered: Bool) throws {
        var counter = shop()
        let visit = try booked(-1, &counter)
        if isAnswered { counter.ask(.reservation(visit.id, .comes)) }
        go(0, &counter)
        go(9, &counter)
        #expect(counter.state(of: visit.id) == .called && counter.noShows.isEmpty)
        go(10, &counter)
        #expect(counter.stored[visit.id]?.cause == .missed)
        #expect(counter.noShows[Self.ada]?.count == 1)
        let missed = Attendance.Turnout(missed: 1)
        #expect(counter.state.attendance.silent == (isAnswered ? Attendance.Turnout() : missed))
        #expect(counter.state.attendance.unanswered == (isAnswered ? 0 : 1))
        #expect(counter.state.attendance.answered == (isAnswered ? 1 : 0))
        #expect(counter.state.attendance.latelyRemote == missed)
        #expect(counter.restored == counter.state)
    }

    @Test("Who says that they cannot come gives the visit back, without a missed call")
    func givenBack() throws {
        var counter = shop()
        let visit = try booked(-60, &counter)
        counter.ask(.reservation(visit.id, .delete(proof: .typed(visit.typedCode))))
        go(20, &counter)
        #expect(counter.state(of: visit.id) == .deleted && counter.noShows.isEmpty)
        #expect(counter.state.attendance.latelyRemote == Attendance.Turnout())
    }

    @Test(
        "A shop that does not ask, as a new one does not, shows no question, also none that was asked before"
    )
    func notAsked() throws {
        #expect(!PhonePolicy().asksWhoComes)
        var counter = shop()
        let visit = try booked(-110, &counter)
        #expect(counter.report(visit.id)?.answerBy != nil)
        counter.shop.policy.phones.asksWhoComes = false
        counter.state = counter.restored
        #expect(counter.report(visit.id)?.answerBy == nil)
        let other = try counter.bookVisit("bob", at: "17:00", on: Counter.day)
        go(-55, &counter)
        #expect(counter.stored[other.id]?.question == ComingQuestion())
        go(0, &counter)
        #expect(counter.state(of: visit.id) == .called)
    }

    @Test("A visit of a machine is asked nothing")
    func machine() throws {
        var counter = shop(at: "19:50")
        let visit = try counter.visit(MachineID("door-1"))
        counter.now = Counter.at("07:00", day: Counter.day.advanced(by: 1))
        counter.ask(.tick)
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        #expect(counter.report(visit.id)?.answerBy == nil)
    }
}
