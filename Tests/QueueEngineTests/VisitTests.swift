internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Visits")
struct VisitTests {
    /// A shop at 12:50, too late for a ticket of the morning.
    private func soldOut(capacity: Int = 4, share: Int = 50) -> Counter {
        Counter(capacity: capacity, visitShare: share, at: "12:50")
    }

    private func time(_ visit: VisitSlot?) -> String? {
        visit.map { "\($0.start.day) \($0.start.time)-\($0.end.time)" }
    }

    @Test("A visit is held only if no ticket of today would be offered, by an open shop [UC12]")
    func onlyWithoutTickets() throws {
        var counter = Counter(capacity: 4)
        #expect(throws: Refused(.ticketAvailable)) { try counter.holdVisit() }
        counter.now = Counter.at("12:50")
        #expect(throws: Refused(.noTicketToday)) { try counter.hold() }
        let hold = try counter.holdVisit()
        #expect(hold.kind == .visit && hold.day == Counter.day)
        #expect(time(hold.visit) == "2026-11-20 15:00-15:20")
        #expect(hold.wait.expected == hold.visit?.start && hold.wait.latest == hold.visit?.start)
        #expect(hold.expires.moment == counter.now + .seconds(210))
        let visit = try counter.confirm(hold.id)
        #expect(visit.kind == .visit && visit.visit == hold.visit && visit.number.rawValue == 1)
        #expect(visit.wait == hold.wait)
        // A closed shop holds no visit either, and answers the next opening.
        counter.now = Counter.at("14:00")
        #expect(throws: Refused(.shopClosed, opens: Counter.opening("15:00", "20:00").opens)) {
            try counter.holdVisit()
        }
    }

    @Test("The first slot is at least 15 minutes away, counted from its own opening")
    func notice() throws {
        var counter = soldOut()
        counter.periods = [("08:00", "13:00"), ("13:05", "20:00")]
        #expect(time(try counter.holdVisit().visit) == "2026-11-20 13:05-13:25")
        counter.pass(.milliseconds(1))
        #expect(time(try counter.holdVisit().visit) == "2026-11-20 13:20-13:40")
    }

    @Test("Overlapping visits keep to their share of the capacity, held ones too")
    func share() throws {
        var counter = soldOut(capacity: 4, share: 50)
        var slots: [String?] = []
        for machine in ["a", "b", "c"] {
            slots.append(time(try counter.visit(MachineID(machine)).visit))
        }
        for machine in ["d", "e"] {
            slots.append(time(try counter.holdVisit(MachineID(machine)).visit))
        }
        // Two visits overlap: 15:15 is within the stay of those at 15:00.
        #expect(
            slots == [
                "2026-11-20 15:00-15:20", "2026-11-20 15:00-15:20", "2026-11-20 15:30-15:50",
                "2026-11-20 15:30-15:50", "2026-11-20 16:00-16:20",
            ])
        // A share of less than one place is one place.
        var small = soldOut(capacity: 9, share: 1)
        #expect(time(try small.visit().visit) == "2026-11-20 15:00-15:20")
        #expect(time(try small.visit().visit) == "2026-11-20 15:30-15:50")
    }

    @Test("A visit's stay ends by closing; later slots are in the next opening")
    func closing() throws {
        var counter = soldOut(capacity: 1)
        counter.periods = [("08:00", "13:00"), ("19:00", "20:00")]
        let slots = try (1...3).map { _ in time(try counter.visit().visit) }
        #expect(
            slots == [
                "2026-11-20 19:00-19:20", "2026-11-20 19:30-19:50", "2026-11-21 08:00-08:20",
            ])
    }

    @Test(
        "A month ends at the same date of the next one, or at that month's last day",
        arguments: [
            ("2027-01-31", "2027-02-28"), ("2028-01-31", "2028-02-29"),
            ("2027-12-05", "2028-01-05"), ("2027-02-28", "2027-03-28"),
        ])
    func month(today: String, last: String) throws {
        let today = try #require(CalendarDay(today))
        let last = try #require(CalendarDay(last))
        var counter = Counter(capacity: 1, stay: 30)
        counter.firstDay = today
        counter.openDays = 40
        // Each day has one slot.
        counter.periods = [("12:30", "13:00")]
        counter.now = Counter.at("12:45", day: today)
        for day in 1...(last.daysSince1970 - today.daysSince1970) {
            #expect(try counter.visit().visit?.start.day == today.advanced(by: day))
        }
        #expect(throws: Refused(.nothingWithinAMonth)) { try counter.holdVisit() }
    }

    @Test("A visit's number belongs to the visit's day, and that day's tickets continue after it")
    func numbers() throws {
        var counter = Counter(capacity: 1, stay: 20, at: "19:30")
        try counter.ticket()
        counter.now = Counter.at("19:45")
        let tomorrow = CalendarDay.tomorrow
        let held = try counter.holdVisit(Counter.other)
        let first = try counter.visit()
        #expect(first.visit?.start.day == tomorrow && first.number.rawValue == 1)
        // The number is given at confirmation: a hold uses none.
        counter.held(held.id, .release, at: Counter.other)
        #expect(try counter.visit().number.rawValue == 2)
        #expect(counter.state.lastNumber(of: Counter.day) == 1)
        counter.now = Counter.at("09:00", day: tomorrow)
        #expect(try counter.ticket().number.rawValue == 3)
    }

    @Test("A held visit expires, is extended, released and replaced like a ticket's hold")
    func holds() throws {
        var counter = soldOut(capacity: 1)
        let first = try counter.holdVisit()
        let second = try counter.holdVisit()
        #expect(counter.stored[first.id]?.cause == .replaced && first.visit == second.visit)
        counter.pass(.seconds(200))
        let extended = try counter.held(second.id, .extend).content(of: QueueOutcome.extended)
        #expect(extended.visit == second.visit && extended.wait == second.wait)
        #expect(extended.expires.moment == counter.now + .seconds(210))
        #expect(time(try counter.holdVisit(Counter.other).visit) == "2026-11-20 15:30-15:50")
        counter.pass(.seconds(211))
        #expect(throws: Refused(.holdExpired)) { try counter.confirm(second.id) }
        let third = try counter.holdVisit()
        #expect(third.visit == second.visit)
        counter.held(third.id, .release)
        #expect(try counter.holdVisit("door-3").visit == second.visit)
        #expect(counter.state.holds.count == 1)
    }

    @Test(
        "A ticket that becomes free is offered instead; a confirmation never offers it (rules: offered-tickets)"
    )
    func freed() throws {
        var counter = Counter(capacity: 1, stay: 20, at: "19:10")
        let first = try counter.ticket()
        var last: Reservation?
        while let ticket = try? counter.ticket() { last = ticket }
        let held = try counter.holdVisit(Counter.other)
        if let last { counter.giveBack(last) }
        counter.giveBack(first)
        #expect(throws: Refused(.ticketAvailable)) { try counter.holdVisit() }
        #expect(try counter.confirm(held.id, Counter.other).visit == held.visit)
    }

    @Test("Today's visit comes after the expected call of all customers who have a place already")
    func behind() throws {
        var counter = Counter(capacity: 2, stay: 10, at: "18:30")
        var last = try counter.ticket()
        while let ticket = try? counter.ticket() { last = ticket }
        let expected = try #require(counter.report(last.id)?.wait).expected.moment
        let visit = try #require(try counter.holdVisit(Counter.other).visit)
        #expect(visit.start.moment >= expected)
        #expect(visit.start.moment - expected < .minutes(15) || visit.start.day > Counter.day)
    }

    @Test("When the clock goes forward, slots follow real time, shown as clock times")
    func summer() throws {
        func local(_ text: String) throws -> LocalMoment { try #require(LocalMoment(text)) }
        // A shop with one place whose Saturday is sold out; on its Sunday summer time begins.
        var counter = Counter(capacity: 1, visitShare: 100)
        counter.otherOpenings = [
            OpenInterval(
                opens: try local("2027-03-27T12:00:00+01:00"),
                closes: try local("2027-03-27T13:00:00+01:00")),
            OpenInterval(
                opens: try local("2027-03-28T01:00:00+01:00"),
                closes: try local("2027-03-28T06:00:00+02:00"),
                clockChange: try local("2027-03-28T01:00:00+00:00").moment),
        ]
        counter.now = try local("2027-03-27T12:55:00+01:00").moment
        let slots = try (0..<4).map { _ in
            let visit = try #require(try counter.visit().visit)
            return "\(visit.start)-\(visit.end.time)"
        }
        #expect(
            slots == [
                "2027-03-28T01:00:00.000+01:00-01:20", "2027-03-28T01:30:00.000+01:00-01:50",
                "2027-03-28T03:00:00.000+02:00-03:20", "2027-03-28T03:30:00.000+02:00-03:50",
            ])
    }
}
