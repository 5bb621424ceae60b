internal import Reservations
internal import Testing

@testable import QueueEngine

/// Visits that are moved to another slot on a phone (rules 39).
@Suite("Moved visits")
struct MovedVisitTests {
    private static let ada = HolderID("ada")
    private static let bob = HolderID("bob")
    private static let tomorrow = Counter.day.advanced(by: 1)

    /// A shop with two places for visits, of which phones may book one.
    private func shop(capacity: Int = 4) -> Counter {
        var counter = Counter(capacity: capacity)
        counter.openDays = 5
        counter.shop.policy.phones.hasPlaces = true
        counter.shop.policy.phones.hasVisits = true
        counter.state = QueueState(policy: counter.shop.policy)
        return counter
    }

    private func moved(_ answer: Result<QueueOutcome, Refused>) throws -> Reservation {
        guard case .confirmed(let reservation, _) = try answer.get() else { throw Unexpected() }
        return reservation
    }

    @Test("On the same day a visit keeps its number and its codes, and its former time is free")
    func sameDay() throws {
        var counter = shop()
        let visit = try counter.bookVisit(Self.ada, at: "16:00", on: Counter.day)
        let next = try moved(counter.move(visit, to: "16:15", on: Counter.day, minutes: 30))
        #expect(next.number == visit.number && next.code == visit.code && next.id == visit.id)
        #expect(next.visit?.start.time.description == "16:15")
        #expect(next.visit?.end.time.description == "16:45")
        let record = try #require(counter.stored[visit.id])
        #expect(record.state == .planned && record.cause == .rebooked && record.turn.moveCount == 1)
        #expect(counter.restored == counter.state)
        _ = try counter.holdVisit(Self.bob, at: "15:45", on: Counter.day)
        #expect(counter.refusal("carl", at: "16:30", on: Counter.day) == .slotTaken)
    }

    @Test(
        "On another day a visit gets a number of that day, and the days are right on every server")
    func otherDay() throws {
        var counter = shop()
        try counter.bookVisit(Self.bob, at: "10:00", on: Self.tomorrow)
        let visit = try counter.bookVisit(Self.ada, at: "16:00", on: Counter.day)
        var follower = counter.restored
        let next = try moved(counter.move(visit, to: "16:00", on: Self.tomorrow))
        #expect(next.number.rawValue == 2 && next.typedCode == visit.typedCode)
        #expect(counter.stored[visit.id]?.hold.day == Self.tomorrow)
        #expect(counter.restored == counter.state)
        follower.update([try #require(counter.stored[visit.id])], at: counter.now)
        #expect(follower.visits == counter.state.visits)
        for day in [Counter.day, Self.tomorrow] {
            #expect(follower.days[day]?.visits == counter.state.days[day]?.visits)
            #expect(follower.days[day]?.phoneVisits == counter.state.days[day]?.phoneVisits)
        }
        // The number of the former day is not given again.
        #expect(try counter.bookVisit("carl", at: "16:00", on: Counter.day).number.rawValue == 2)
    }

    @Test("A visit that cannot be moved stays exactly as it is")
    func refused() throws {
        var counter = shop()
        let visit = try counter.bookVisit(Self.ada, at: "16:00", on: Counter.day)
        try counter.bookVisit(Self.bob, at: "16:00", on: Self.tomorrow)
        let third = try counter.bookVisit(Self.ada, at: "18:00", on: Self.tomorrow)
        let before = counter.state
        for (time, day, refusal) in [
            ("16:00", Self.tomorrow.advanced(by: 30), Refusal.slotTaken),
            ("13:30", Counter.day, .slotTaken),
            ("10:05", Counter.day, .slotTaken), ("12:00", Self.tomorrow, .alreadyWaiting),
        ] {
            guard case .failure(let refused) = counter.move(visit, to: time, on: day) else {
                Issue.record("moved to \(time) of \(day)")
                continue
            }
            #expect(refused.refusal == refusal)
            #expect(counter.state == before)
        }
        guard case .failure(let refused) = counter.move(third, to: "16:15", on: Self.tomorrow)
        else {
            return #expect(Bool(false))
        }
        #expect(refused.refusal == .slotTaken && counter.state == before)
        let wrong = ReservationCommand.move(
            to: ChosenSlot(start: visit.wait.expected), proof: .typed(third.typedCode))
        #expect(counter.ask(.reservation(visit.id, wrong)) == .refused(.notFound))
    }

    @Test("A visit may be moved over its own time, and its length changed alone")
    func overlapping() throws {
        var counter = shop()
        var visit = try counter.bookVisit(Self.ada, at: "16:00", on: Counter.day, minutes: 60)
        visit = try moved(counter.move(visit, to: "16:30", on: Counter.day, minutes: 60))
        visit = try moved(counter.move(visit, to: "16:30", on: Counter.day, minutes: 120))
        #expect(visit.visit?.end.time.description == "18:30")
        #expect(counter.stored[visit.id]?.hold.declaredMinutes == 120)
        #expect(counter.restored == counter.state)
    }

    @Test("Tickets, visits of machines and customers whose turn has come are not moved")
    func onlyPlannedOfPhones() throws {
        var counter = shop()
        let visit = try counter.bookVisit(Self.ada, at: "16:00", on: Counter.day)
        let ticket = try counter.confirm(
            try counter.hold(owner: .phone(Self.bob)).id, owner: .phone(Self.bob))
        #expect(counter.move(ticket, to: "17:00", on: Counter.day) == .refused(.unsupportedKind))
        counter.now = Counter.at("12:50")
        let machines = try counter.visit()
        #expect(counter.move(machines, to: "17:00", on: Counter.day) == .refused(.unsupportedKind))
        counter.now = Counter.at("16:00")
        counter.ask(.tick)
        #expect(counter.move(visit, to: "17:00", on: Counter.day) == .refused(.stillValid))
        counter.ask(.reservation(visit.id, .enter))
        #expect(counter.move(visit, to: "17:00", on: Counter.day) == .refused(.inside))
    }
}
