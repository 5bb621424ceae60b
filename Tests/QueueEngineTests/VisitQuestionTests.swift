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

    @Test("It is asked two hours before the slot, and the place is kept ten minutes after it")
    func asked() throws {
        var counter = shop()
        let visit = try booked(-121, &counter)
        #expect(counter.stored[visit.id]?.question == ComingQuestion())
        #expect(counter.report(visit.id)?.answerBy == nil)
        go(-120, &counter)
        #expect(counter.stored[visit.id]?.question == ComingQuestion(asked: counter.now))
        #expect(counter.report(visit.id)?.answerBy?.moment == Counter.at("16:10"))
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

    @Test("A visit without an answer is not called, and no place is kept for it")
    func silent() throws {
        var counter = shop()
        let visit = try booked(-5, &counter)
        // With an answer one of the four places would be kept.
        let tickets = try (1...4).map { _ in try counter.ticket() }
        #expect(tickets.allSatisfy { counter.state(of: $0.id) == .called })
        for ticket in tickets { counter.ask(.reservation(ticket.id, .enter)) }
        go(0, &counter)
        #expect(counter.state(of: visit.id) == .planned)
        let waiting = try counter.ticket()
        counter.ask(.reservation(tickets[0].id, .exit(at: .turnstile)))
        #expect(counter.state(of: waiting.id) == .called)
        #expect(counter.state(of: visit.id) == .planned)
        // The display names it no more.
        #expect(counter.state.turns(in: counter.context).visits.isEmpty)
        // An answer that comes late makes it the first again.
        let last = try counter.ticket()
        counter.ask(.reservation(visit.id, .comes))
        #expect(counter.state.turns(in: counter.context).visits.map(\.number) == [visit.number])
        counter.ask(.reservation(tickets[1].id, .exit(at: .turnstile)))
        #expect(counter.state(of: visit.id) == .called && counter.state(of: last.id) == .planned)
        #expect(counter.restored.visits == counter.state.visits)
    }

    @Test("Who is at the entrance without an answer comes in, before the slot not yet")
    func atTheDoor() throws {
        var counter = shop()
        let visit = try booked(-10, &counter)
        let early = counter.ask(.reservation(visit.id, .enter))
        guard case .failure(let refused) = early else { throw Unexpected() }
        #expect(refused.refusal == .notYetCalled)
        #expect(counter.stored[visit.id]?.question.answered == counter.now)
        var late = shop()
        let other = try booked(9, &late)
        #expect(late.state(of: other.id) == .planned)
        guard case .entered = try late.ask(.reservation(other.id, .enter)).get() else {
            throw Unexpected()
        }
        #expect(late.state(of: other.id) == .active)
        #expect(late.restored.visits == late.state.visits)
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

    @Test("It ends ten minutes after its slot, counts as missed, and the staff may restore it")
    func ends() throws {
        var counter = shop()
        let visit = try booked(-1, &counter)
        go(9, &counter)
        #expect(counter.state(of: visit.id) == .planned)
        go(10, &counter)
        #expect(counter.stored[visit.id]?.cause == .unanswered)
        #expect(counter.report(visit.id)?.status == .unanswered)
        #expect(counter.noShows[Self.ada]?.count == 1)
        #expect(counter.restored.visits == counter.state.visits)
        _ = try counter.ask(.reservation(visit.id, .restore)).get()
        #expect(counter.state(of: visit.id) == .called)
        #expect(counter.restored.visits == counter.state.visits)
    }

    @Test("While phones could not answer, it is kept for three minutes more")
    func interruption() throws {
        var counter = shop()
        let visit = try booked(-1, &counter)
        counter.servedSince = Counter.at("16:09")
        go(11, &counter)
        #expect(counter.state(of: visit.id) == .planned)
        go(12, &counter)
        #expect(counter.state(of: visit.id) == .expired)
    }

    @Test("A shop that does not ask calls every visit, also those that were booked before")
    func notAsked() throws {
        var counter = shop()
        let visit = try booked(-130, &counter)
        counter.shop.policy.phones.asksVisitors = false
        counter.state = counter.restored
        go(-110, &counter)
        #expect(counter.stored[visit.id]?.question == ComingQuestion(answered: counter.now))
        #expect(counter.report(visit.id)?.answerBy == nil)
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
