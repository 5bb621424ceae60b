internal import Reservations
internal import Testing

@testable import QueueEngine

/// The question whether a customer comes who has booked a visit on a phone (rules: coming-question).
@Suite("Are you coming? Visits on phones")
struct VisitQuestionTests {
    /// A shop with places for visits, in which it is nine o'clock, or another time.
    private func shop(at time: String = "09:00") -> Counter {
        var counter = Counter.givingVisits(capacity: 4) { $0.phones.asksWhoComes = true }
        counter.now = Counter.at(time)
        return counter
    }

    /// A visit at 16:00 of today, at so many minutes from then.
    private func booked(_ minutes: Int, _ counter: inout Counter) throws -> Reservation {
        let visit = try counter.bookVisit("ada", at: "16:00", on: .today)
        go(minutes, &counter)
        return visit
    }

    private func go(_ minutes: Int, _ counter: inout Counter) {
        counter.tick(at: Counter.at("16:00") + .minutes(minutes))
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
        counter.ask(visit.id, .comes)
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
            _ = try counter.move(visit, to: time, on: .today).get()
            #expect(counter.restored.visits == counter.state.visits)
            return counter.stored[visit.id]?.question
        }
        #expect(try move(to: "18:00") == ComingQuestion())
        counter.tick(at: "16:00")
        #expect(counter.stored[visit.id]?.question == ComingQuestion(asked: counter.now))
        #expect(try move(to: "17:30") == ComingQuestion(answered: counter.now))
    }

    @Test(
        "A visit without an answer has its place kept, is named on the display, and is called at its slot"
    )
    func silent() throws {
        var counter = shop()
        let visit = try booked(-5, &counter)
        let tickets = try counter.tickets(4)
        let called = tickets.filter { counter.state(of: $0.id) == .called }
        #expect(called.count == 3, "one of the four places is kept for the visit")
        for ticket in called { counter.enter(ticket.id) }
        #expect(counter.state.turns(in: counter.context).visits.map(\.number) == [visit.number])
        let forecast = try #require(
            counter.state.callForecasts(of: [visit.id], in: counter.context)[visit.id])
        #expect(forecast.expected == Counter.at("16:00"), "it is told two minutes before")
        go(0, &counter)
        #expect(counter.stored[visit.id]?.isAsked == true)
        #expect(counter.state(of: visit.id) == .called)
        #expect(counter.state(of: tickets[3].id) == .planned)
        #expect(counter.restored.visits == counter.state.visits)
        #expect(counter.enter(visit.id).refusal == nil)
        #expect(counter.state.attendance.silent == Attendance.Turnout(came: 1))
    }

    @Test(
        "Who is at the entrance before the slot has answered, and waits for it; hours before it answers nothing"
    )
    func atTheDoor() throws {
        var counter = shop()
        let visit = try booked(-300, &counter)
        counter.ask(visit.id, .comes)
        _ = counter.enter(visit.id)
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        go(-119, &counter)
        #expect(counter.stored[visit.id]?.isAsked == true)
        go(-10, &counter)
        #expect(counter.enter(visit.id).refusal == .notYetCalled)
        #expect(counter.stored[visit.id]?.question.answered == counter.now)
    }

    @Test(
        "Answered or not, a call that is missed counts, and silence itself never does",
        arguments: [true, false])
    func missed(isAnswered: Bool) throws {
        var counter = shop()
        let visit = try booked(-1, &counter)
        if isAnswered { counter.ask(visit.id, .comes) }
        go(0, &counter)
        go(9, &counter)
        #expect(counter.state(of: visit.id) == .called && counter.noShows.isEmpty)
        go(10, &counter)
        #expect(counter.stored[visit.id]?.cause == .missed)
        #expect(counter.noShows["ada"]?.count == 1)
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
        counter.ask(visit.id, .delete(proof: .typed(visit.typedCode)))
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
        counter.decide { $0.phones.asksWhoComes = false }
        #expect(counter.report(visit.id)?.answerBy == nil)
        let other = try counter.bookVisit("bob", at: "17:00", on: .today)
        go(-55, &counter)
        #expect(counter.stored[other.id]?.question == ComingQuestion())
        go(0, &counter)
        #expect(counter.state(of: visit.id) == .called)
    }

    @Test("A visit of a machine is asked nothing")
    func machine() throws {
        var counter = shop(at: "19:50")
        let visit = try counter.visit(MachineID("door-1"))
        counter.tick(at: Counter.at("07:00", day: .tomorrow))
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        #expect(counter.report(visit.id)?.answerBy == nil)
    }
}
