internal import Reservations
internal import Testing

@testable import QueueEngine

/// Visits that are moved to another slot on a phone (rules: moved-visits).
@Suite("Moved visits")
struct MovedVisitTests {
    /// A shop with two places for visits, of which phones may book one.
    private func shop(capacity: Int = 4) -> Counter {
        .givingVisits(capacity: capacity, days: 5)
    }

    @Test("On the same day a visit keeps its number and its codes, and its former time is free")
    func sameDay() throws {
        var counter = shop()
        let visit = try counter.bookVisit("ada", at: "16:00", on: .today)
        let next = try counter.move(visit, to: "16:15", on: .today, minutes: 30).reservation
        #expect(next.number == visit.number && next.code == visit.code && next.id == visit.id)
        #expect(next.visit?.start.time.description == "16:15")
        #expect(next.visit?.end.time.description == "16:45")
        let record = try #require(counter.stored[visit.id])
        #expect(record.state == .planned && record.cause == .rebooked && record.turn.moveCount == 1)
        // Its days are claimed for its holder, so that no other one moves it, not even with its code.
        let moved = ReservationCommand.move(
            to: ChosenSlot(start: next.visit!.start), proof: .typed(visit.typedCode))
        let other = counter.ask(.reservation(.id(visit.id), moved), by: .phone("eve"))
        #expect(other == .refused(.notFound))
        #expect(counter.restored == counter.state)
        _ = try counter.holdVisit("bob", at: "15:45", on: .today)
        #expect(counter.refusal("carl", at: "16:30", on: .today) == .slotTaken)
        // It may be moved over its own time, and its length changed alone.
        for (time, minutes, end) in [("16:30", 60, "17:30"), ("16:30", 120, "18:30")] {
            let longer = try counter.move(visit, to: time, on: .today, minutes: minutes).reservation
            #expect(longer.visit?.end.time.description == end)
            #expect(counter.stored[visit.id]?.hold.declaredMinutes == minutes)
            #expect(counter.restored == counter.state)
        }
    }

    @Test(
        "On another day a visit gets a number of that day, and the days are right on every server")
    func otherDay() throws {
        var counter = shop()
        try counter.bookVisit("bob", at: "10:00", on: .tomorrow)
        let visit = try counter.bookVisit("ada", at: "16:00", on: .today)
        var follower = counter.restored
        let next = try counter.move(visit, to: "16:00", on: .tomorrow).reservation
        #expect(next.number.rawValue == 2 && next.typedCode == visit.typedCode)
        #expect(counter.stored[visit.id]?.hold.day == .tomorrow)
        #expect(counter.restored == counter.state)
        follower.update([try #require(counter.stored[visit.id])], at: counter.now)
        #expect(follower.visits == counter.state.visits)
        for day in [Counter.day, .tomorrow] {
            #expect(follower.days[day]?.visits == counter.state.days[day]?.visits)
            #expect(follower.days[day]?.phoneVisits == counter.state.days[day]?.phoneVisits)
        }
        // The number of the former day is not given again.
        #expect(try counter.bookVisit("carl", at: "16:00", on: .today).number.rawValue == 2)
    }

    @Test("A visit that cannot be moved stays exactly as it is")
    func refused() throws {
        var counter = shop()
        let visit = try counter.bookVisit("ada", at: "16:00", on: .today)
        try counter.bookVisit("bob", at: "16:00", on: .tomorrow)
        let third = try counter.bookVisit("ada", at: "18:00", on: .tomorrow)
        let before = counter.state
        for (time, day, refusal) in [
            ("16:00", CalendarDay.tomorrow.advanced(by: 30), Refusal.slotTaken),
            ("13:30", .today, .slotTaken), ("10:05", .today, .slotTaken),
            ("12:00", .tomorrow, .alreadyWaiting),
        ] {
            let answer = counter.move(visit, to: time, on: day)
            #expect(answer.refusal == refusal, "\(time) of \(day)")
            #expect(counter.state == before)
        }
        #expect(counter.move(third, to: "16:15", on: .tomorrow).refusal == .slotTaken)
        #expect(counter.state == before)
        let wrong = ReservationCommand.move(
            to: ChosenSlot(start: visit.wait.expected), proof: .typed(third.typedCode))
        #expect(counter.ask(visit.id, wrong) == .refused(.notFound))
    }

    @Test("Tickets, visits of machines and customers whose turn has come are not moved")
    func onlyPlannedOfPhones() throws {
        var counter = shop()
        let visit = try counter.bookVisit("ada", at: "16:00", on: .today)
        let ticket = try counter.ticket(owner: .phone("bob"))
        #expect(counter.move(ticket, to: "17:00", on: .today) == .refused(.unsupportedKind))
        counter.now = Counter.at("12:50")
        let machines = try counter.visit()
        #expect(counter.move(machines, to: "17:00", on: .today) == .refused(.unsupportedKind))
        counter.tick(at: "16:00")
        #expect(counter.move(visit, to: "17:00", on: .today) == .refused(.stillValid))
        counter.enter(visit.id)
        #expect(counter.move(visit, to: "17:00", on: .today) == .refused(.inside))
    }
}
