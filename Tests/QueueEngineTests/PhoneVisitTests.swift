internal import Reservations
internal import Testing

@testable import QueueEngine

/// Visits that are booked on phones (rules: visits).
@Suite("Visits on phones")
struct PhoneVisitTests {
    /// A shop with ten places for visits, of which phones may book seven.
    private func shop(capacity: Int = 20, stay: Int = 20, days: Int = 40) -> Counter {
        .givingVisits(capacity: capacity, stay: stay, days: days)
    }

    @Test(
        "A chosen slot is held and booked, whether the shop is open or not",
        arguments: ["10:00", "14:00", "23:30"])
    func books(time: String) throws {
        var counter = shop()
        counter.now = Counter.at(time)
        let hold = try counter.holdVisit("ada", at: "10:15", on: .tomorrow)
        #expect(hold.day == .tomorrow && hold.channel == .remote)
        #expect(hold.visit?.start.time.description == "10:15")
        #expect(hold.visit?.end.time.description == "10:35")
        #expect(hold.expires.moment == counter.now + .seconds(210))
        let visit = try counter.confirm(hold.id, owner: .phone("ada"))
        #expect(visit.number.rawValue == 1 && visit.wait.latest == hold.visit?.start)
        #expect(counter.restored.visits == counter.state.visits)
        #expect(counter.restored.days == counter.state.days)
    }

    @Test("Each slot of the list can be held as often as it says, and no other one can")
    func listIsTrue() throws {
        var counter = shop(capacity: 8, stay: 40, days: 3)
        counter.now = Counter.at("10:07")
        for number in 1...6 { try counter.ticket(MachineID("door-\(number)")) }
        for (number, time) in ["10:00", "10:30", "12:00", "19:15"].enumerated() {
            try counter.bookVisit(HolderID("holder-\(number)"), at: time, on: .tomorrow)
        }
        let listed = counter.state.freeSlots(minutes: nil, in: counter.context)
        var free: [Moment: Int] = [:]
        for period in listed {
            for (place, count) in period.free.enumerated() {
                free[period.first.moment + ShopPolicy.slotLength * place] = count
            }
        }
        #expect(free.count > 80 && Set(free.values).isSuperset(of: [0, 1, 2]))
        for day in 0..<3 {
            for minute in stride(from: 0, to: 24 * 60, by: 5) {
                let time = "\((minute / 60).padded(2)):\((minute % 60).padded(2))"
                let on = Counter.day.advanced(by: day)
                let most = free[Counter.at(time, day: on)] ?? 0
                var trial = counter
                for holder in 0..<most {
                    _ = try trial.holdVisit(HolderID("new-\(holder)"), at: time, on: on)
                }
                #expect(trial.refusal("one-more", at: time, on: on) == .slotTaken)
            }
        }
    }

    @Test(
        "Slots are of the coming month, a quarter of an hour from now at the earliest, and end by closing"
    )
    func bounds() throws {
        var counter = shop()
        counter.now = Counter.at("09:50")
        let listed = counter.state.freeSlots(minutes: 60, in: counter.context)
        #expect(listed.first?.first.time.description == "10:15")
        // From 10:15 to 12:00, and from 15:00 to 19:00.
        #expect(listed.prefix(2).map(\.free.count) == [8, 17])
        #expect(counter.state.lastVisitDay(in: counter.context) == CalendarDay("2026-12-20"))
        #expect(listed.last?.first.day == CalendarDay("2026-12-20"))
        _ = try counter.holdVisit("ada", at: "19:00", on: CalendarDay("2026-12-20")!, minutes: 60)
        #expect(
            counter.refusal("bob", at: "19:15", on: CalendarDay("2026-12-20")!, minutes: 60)
                == .slotTaken)
        #expect(counter.refusal("bob", at: "10:00", on: CalendarDay("2026-12-21")!) == .slotTaken)
        #expect(counter.refusal("bob", at: "10:00", on: .today) == .slotTaken)
    }

    @Test(
        "Phones leave a part of the visits to machines, and machines do not take from phones what is theirs"
    )
    func share() throws {
        var counter = shop()
        #expect(counter.shop.policy.visitPlaces == 10 && counter.shop.policy.phoneVisitPlaces == 7)
        // One place for visits is the machines', and of two one is for phones.
        for (places, phones) in [(1, 0), (2, 1), (3, 2), (10, 7), (100, 70)] {
            let policy = ShopPolicy(
                capacity: places, usualStayMinutes: 20, visitSharePercent: 100)
            #expect(policy.phoneVisitPlaces == phones, "\(places)")
        }
        for number in 1...7 {
            try counter.bookVisit(HolderID("holder-\(number)"), at: "08:00", on: .tomorrow)
        }
        #expect(counter.refusal("one-more", at: "08:00", on: .tomorrow) == .slotTaken)
        counter.now = Counter.at("19:50")
        for number in 1...4 {
            let visit = try counter.visit(MachineID("door-\(number)"))
            // The fourth finds the slot full.
            #expect(visit.visit?.start.time.description == (number < 4 ? "08:00" : "08:30"))
        }
        #expect(counter.restored == counter.state)
    }

    @Test(
        "A holder has one place a day: held, waiting, called or inside; an expired one does not count [UC4.2]"
    )
    func onePerDay() throws {
        var counter = shop()
        let first = try counter.bookVisit("ada", at: "16:00", on: .today)
        let taken = Refused(
            .alreadyWaiting,
            place: PlaceOfHolder(shop: counter.shop.id, day: Counter.day, number: first.number))
        #expect(counter.answer("ada", Counter.slot("18:00", on: .today)) == .failure(taken))
        #expect(counter.ask(.hold(.ticket), by: .phone("ada")) == .failure(taken))
        // On another day there is one more, and the hold of the same holder is another one's no more.
        let other = try counter.bookVisit("ada", at: "16:00", on: .tomorrow)
        #expect(counter.refusal("ada", at: "10:00", on: .tomorrow) == .alreadyWaiting)
        #expect(other.number.rawValue == 1)
        // The day is that of the shop, whatever offset the phone writes.
        let start = LocalMoment(Counter.at("10:00", day: .tomorrow), offsetMinutes: -14 * 60)
        #expect(start.day == Counter.day)
        let refused = counter.answer("ada", ChosenSlot(start: start)).refused
        #expect(refused?.refusal == .alreadyWaiting && refused?.place?.day == .tomorrow)
        counter.tick(at: "16:00")
        #expect(counter.state(of: first.id) == .called)
        #expect(counter.refusal("ada", at: "18:00", on: .today) == .alreadyWaiting)
        counter.enter(first.id)
        #expect(counter.refusal("ada", at: "18:00", on: .today) == .alreadyWaiting)
        counter.leave(first.id)
        _ = try counter.holdVisit("ada", at: "18:00", on: .today)
    }

    @Test(
        "A refused choice keeps what the phone holds, a new one replaces it, and its slot is free in time"
    )
    func replaced() throws {
        var counter = shop(capacity: 4)
        let held = try counter.holdVisit("ada", at: "10:00", on: .tomorrow)
        #expect(counter.refusal("ada", at: "14:00", on: .tomorrow) == .slotTaken)
        #expect(counter.state.holds.map(\.id) == [held.id])
        let next = try counter.holdVisit("ada", at: "11:00", on: .tomorrow)
        #expect(counter.state.holds.map(\.id) == [next.id])
        #expect(counter.stored[held.id]?.cause == .replaced)
        #expect(counter.restored.days == counter.state.days)
        #expect(counter.refusal("bob", at: "11:00", on: .tomorrow) == .slotTaken)
        counter.pass(.seconds(211))
        _ = try counter.holdVisit("bob", at: "11:00", on: .tomorrow)
    }

    @Test("A shop that gives no visits to phones, or a phone that is blocked, books nothing")
    func refused() throws {
        var counter = shop()
        for (count, hours) in [10, 30, 50].enumerated() {
            counter.noShows["ada", default: []].append(counter.now - .minutes(60 * hours))
            counter.noShows["ada"]?.sort()
            counter.state = counter.restored
            let refusal = counter.refusal("ada", at: "10:00", on: .tomorrow)
            #expect(refusal == (count < 2 ? nil : .blocked))
        }
        counter.decide { $0.phones.hasVisits = false }
        #expect(counter.refusal("bob", at: "10:00", on: .tomorrow) == .noVisitsOnPhones)
        counter.decide { $0.phones.hasPlaces = false }
        #expect(counter.refusal("bob", at: "10:00", on: .tomorrow) == .noPlacesOnPhones)
    }

    @Test("A declared stay counts twice as much as a learned one, and alone until enough is known")
    func declared() throws {
        var counter = shop()
        func end(_ minutes: Int?) throws -> String? {
            var trial = counter
            let hold = try trial.holdVisit("ada", at: "10:00", on: .tomorrow, minutes: minutes)
            #expect(hold.declaredMinutes == minutes)
            return hold.visit?.end.time.description
        }
        #expect(try end(nil) == "10:20" && end(50) == "10:50")
        let start = LocalMoment(Counter.at("10:00", day: .tomorrow), offsetMinutes: 60)
        let cell = LearnedStays.cell(start)
        for _ in 1...30 { _ = counter.state.stays.learn(.minutes(35), in: cell) }
        let learned = counter.state.promisedStay(at: start).inMinutes
        #expect(learned > 25)
        #expect(try end(nil) == "10:\(Int(learned))")
        #expect(try end(50) == "10:\(Int(((100 + learned) / 3).rounded(.up)))")
        for minutes in [0, 14, 121, -5, .max] {
            #expect(
                counter.refusal("ada", at: "10:00", on: .tomorrow, minutes: minutes)
                    == .slotTaken)
        }
    }

    @Test("At the end of summer time the slots of a night differ by their offsets")
    func clockChange() throws {
        var counter = shop()
        let summer = Counter.at("00:30", day: Counter.day)
        // The clock goes back at 01:00 of this zone, and shows the hour before once more.
        let change = summer + .minutes(30)
        let night = OpenInterval(
            opens: LocalMoment(summer, offsetMinutes: 120),
            closes: LocalMoment(summer + .minutes(90), offsetMinutes: 60), clockChange: change)
        counter.now = summer - .minutes(60)
        counter.otherOpenings = [night]
        let listed = counter.state.freeSlots(minutes: 15, in: counter.context)
        #expect(listed.map(\.first.offsetMinutes) == [120, 60])
        #expect(listed.map(\.free.count) == [2, 4])
    }

    @Test("A day that staff have ended, or that closes early, has no slots any more")
    func earlyClosing() throws {
        var counter = shop()
        counter.ask(.closeEarly(at: Counter.at("16:00")))
        #expect(counter.refusal("ada", at: "16:00", on: .today) == .slotTaken)
        _ = try counter.holdVisit("ada", at: "15:30", on: .today)
        counter.ask(.endTickets)
        #expect(counter.refusal("bob", at: "15:30", on: .today) == .slotTaken)
        _ = try counter.holdVisit("bob", at: "15:30", on: .tomorrow)
    }

    @Test("Three missed visits block a phone, and free what it has booked")
    func missed() throws {
        var counter = shop()
        var later: Reservation?
        for day in 0..<4 {
            let on = Counter.day.advanced(by: day)
            later = try counter.bookVisit("ada", at: "16:00", on: on)
        }
        for day in 0..<3 {
            counter.firstDay = Counter.day.advanced(by: day)
            counter.tick(at: Counter.at("16:00", day: counter.firstDay))
            counter.tick(after: .minutes(11))
        }
        let last = try #require(later)
        #expect(counter.stored[last.id]?.cause == .blocked)
        #expect(counter.state.days[Counter.day.advanced(by: 3)]?.phoneVisits == VisitBook())
        #expect(counter.restored.visits == counter.state.visits)
    }
}

extension Counter {
    static func slot(
        _ time: String, on day: CalendarDay, minutes: Int? = nil, departments: [String]? = nil
    ) -> ChosenSlot {
        ChosenSlot(
            start: LocalMoment(at(time, day: day), offsetMinutes: 60), minutes: minutes,
            departments: departments)
    }

    /// What a phone gets that chose this slot.
    mutating func answer(_ holder: HolderID, _ slot: ChosenSlot) -> Answer {
        ask(.holdVisit(slot), by: .phone(holder))
    }

    mutating func holdVisit(
        _ holder: HolderID, at time: String, on day: CalendarDay, minutes: Int? = nil,
        departments: [String]? = nil
    ) throws -> Hold {
        let slot = Counter.slot(time, on: day, minutes: minutes, departments: departments)
        return try answer(holder, slot).content(of: QueueOutcome.held)
    }

    /// Why a phone would not get this slot; nil if it would.
    func refusal(
        _ holder: HolderID, at time: String, on day: CalendarDay, minutes: Int? = nil,
        departments: [String]? = nil
    ) -> Refusal? {
        var trial = self
        let slot = Counter.slot(time, on: day, minutes: minutes, departments: departments)
        return trial.answer(holder, slot).refusal
    }

    /// Books a whole visit on a phone.
    @discardableResult
    mutating func bookVisit(
        _ holder: HolderID, at time: String, on day: CalendarDay, minutes: Int? = nil,
        departments: [String]? = nil
    ) throws -> Reservation {
        let hold = try holdVisit(
            holder, at: time, on: day, minutes: minutes, departments: departments)
        return try confirm(hold.id, owner: .phone(holder))
    }

    /// What a customer gets who moves a visit.
    mutating func move(
        _ visit: Reservation, to time: String, on day: CalendarDay, minutes: Int? = nil,
        departments: [String]? = nil
    ) -> Answer {
        let slot = Counter.slot(time, on: day, minutes: minutes, departments: departments)
        return ask(visit.id, .move(to: slot, proof: .typed(visit.typedCode)))
    }
}
