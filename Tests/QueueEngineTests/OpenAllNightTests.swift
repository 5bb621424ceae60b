internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("A shop that stays open over midnight")
struct OpenAllNightTests {
    private let tomorrow = Counter.day.advanced(by: 1)

    private func counter(capacity: Int, at time: String) -> Counter {
        var counter = Counter(capacity: capacity, stay: 20, at: time)
        counter.periods = [("00:00", "24:00")]
        counter.openDays = 3
        return counter
    }

    @Test(
        "Waiting, called and inside customers stay what they are, the same in the rebuilt queue; no number is given twice at a time"
    )
    func livesOn() throws {
        var counter = counter(capacity: 2, at: "23:55")
        let inside = try counter.inside()
        let called = try counter.ticket()
        let waiting = try counter.tickets(3)
        counter.tick(at: Counter.at("00:00", day: tomorrow))
        #expect(counter.numbers(.active) == [inside.number.rawValue])
        #expect(counter.numbers(.called) == [called.number.rawValue])
        #expect(counter.numbers(.planned) == waiting.map(\.number.rawValue))
        #expect(counter.state.occupancy == 1)
        #expect(counter.restored == counter.state)

        // Number 1 is inside and free; 2 is called, and 3 to 5 wait.
        let first = try counter.ticket()
        #expect(first.number.rawValue == 1)
        let second = try counter.ticket()
        #expect(second.number.rawValue == 6)
        #expect(counter.restored == counter.state)
        #expect(counter.enter(called.id).refusal == nil)
        counter.leave(inside.id)
        #expect(counter.numbers(.called) == [waiting[0].number.rawValue], "yesterday's go first")
        counter.giveBack(waiting[1])
        #expect(counter.state(of: waiting[1].id) == .deleted)
        counter.undo(waiting[1])
        #expect(counter.state(of: waiting[1].id) == .planned)
    }

    @Test("A number that a customer of the day before or after has is left out, and counted so")
    func leftOut() throws {
        var counter = Counter.givingVisits(capacity: 4, days: 3)
        counter.periods = [("00:00", "24:00")]
        counter.now = Counter.at("22:00")
        let early = try counter.bookVisit("ada", at: "00:30", on: tomorrow)
        #expect(early.number.rawValue == 1, "the first of its day")
        let tonight = try counter.ticket()
        #expect(tonight.number.rawValue == 2, "1 is a visitor's, who may come while it waits")
        #expect(counter.leftOut == [Counter.day: 1])
        let second = try counter.bookVisit("bea", at: "01:00", on: tomorrow)
        #expect(second.number.rawValue == 3, "2 is called this evening")
        #expect(counter.leftOut == [Counter.day: 1, tomorrow: 1])
        #expect(counter.restored == counter.state)

        // A visit that moves to the other day gets a number that is free there.
        let moved = try counter.bookVisit("cleo", at: "23:00", on: Counter.day)
        #expect(moved.number.rawValue == 4)
        #expect(counter.leftOut == [Counter.day: 2, tomorrow: 1])
        let answer = try counter.move(moved, to: "03:00", on: tomorrow).reservation
        #expect(answer.number.rawValue == 4)

        // Of shops that close, no number is left out.
        var other = Counter.givingVisits(capacity: 4, days: 3)
        try other.bookVisit("ada", at: "10:15", on: tomorrow)
        #expect(try other.ticket().number.rawValue == 1)
    }

    @Test(
        "A place that was lost before midnight is taken back after it, unless its number is another customer's now",
        arguments: [true, false])
    func returns(isGivenAgain: Bool) throws {
        var counter = counter(capacity: 1, at: "23:45")
        counter.decide { $0.allowsReclaims = true }
        let lost = try counter.ticket()
        let other = try counter.ticket()
        counter.tick(at: "23:56")
        #expect(counter.stored[lost.id]?.cause == .missed)
        counter.tick(at: Counter.at("00:01", day: tomorrow))
        if isGivenAgain { #expect(try counter.ticket().number == lost.number) }
        #expect((counter.report(lost.id)?.reclaimBy == nil) == isGivenAgain)
        let answer = counter.ask(lost.id, .reclaim(proof: .entry(lost.code)))
        #expect((answer.refusal == nil) != isGivenAgain)
        if isGivenAgain { #expect(counter.ask(lost.id, .restore).refusal == .missed) }
        let live = counter.numbers(.planned) + counter.numbers(.called)
        #expect(Set(live).count == live.count && live.contains(other.number.rawValue))
    }

    @Test("Visits of two days together never exceed their share")
    func share() throws {
        // Phones have two of the four places of visits.
        var counter = Counter.givingVisits(capacity: 8, stay: 60, days: 3)
        counter.periods = [("00:00", "24:00")]
        counter.now = Counter.at("20:00")
        try counter.bookVisit("ada", at: "23:30", on: Counter.day)
        let late = try counter.bookVisit("bea", at: "23:45", on: Counter.day)
        for time in ["00:00", "00:15"] {
            #expect(counter.refusal("cleo", at: time, on: tomorrow) == .slotTaken, "\(time)")
        }
        try counter.bookVisit("cleo", at: "00:30", on: tomorrow)
        #expect(counter.refusal("dora", at: "00:30", on: tomorrow) == .slotTaken)
        #expect(counter.refusal("dora", at: "23:45", on: Counter.day) == .slotTaken)
        counter.giveBack(late)
        try counter.bookVisit("dora", at: "00:15", on: tomorrow)
        #expect(counter.refusal("bea", at: "23:45", on: Counter.day) == .slotTaken)
    }

    @Test("A phone whose ticket waits over midnight gets no second one")
    func oneEach() throws {
        var counter = Counter.givingVisits(capacity: 1, days: 3) { $0.phones.sharePercent = 100 }
        counter.periods = [("00:00", "24:00")]
        counter.now = Counter.at("23:55")
        try counter.ticket()
        let mine = try counter.ticket(owner: .phone("ada"))
        counter.tick(at: Counter.at("00:02", day: tomorrow))
        let answer = counter.ask(.hold(.ticket), by: .phone("ada"))
        #expect(answer.refusal == .alreadyWaiting)
        #expect(answer.refused?.place?.day == Counter.day)
        #expect(answer.refused?.place?.number == mine.number)
        #expect(counter.state(of: mine.id) == .planned)
    }

    @Test("A ticket that is offered before midnight and confirmed after it is of the new day")
    func confirmedLater() throws {
        var counter = counter(capacity: 1, at: "23:59")
        let other = try counter.ticket()
        let hold = try counter.hold()
        #expect(hold.day == Counter.day)
        counter.now = Counter.at("00:01", day: tomorrow)
        let ticket = try counter.confirm(hold.id)
        #expect(counter.stored[ticket.id]?.hold.day == tomorrow)
        #expect(ticket.number.rawValue == 2 && other.number.rawValue == 1, "1 is still called")
        #expect(counter.restored == counter.state)
        // In a shop that has closed meanwhile it stays what it was.
        counter = Counter(at: "19:40")
        let honoured = try counter.hold()
        counter.ask(.sendHome)
        let late = try counter.confirm(honoured.id)
        #expect(counter.stored[late.id]?.hold.day == Counter.day)
    }

    @Test("At the door, a ticket whose turn comes after midnight is one of the present queue")
    func atTheDoor() throws {
        var counter = counter(capacity: 1, at: "23:50")
        let tickets = try counter.tickets(3)
        #expect(counter.enter(tickets[2].id).refusal == .notYetCalled)
    }

    @Test("A ticket that might wait for more than half a day is not offered")
    func longest() throws {
        var counter = Counter(capacity: 1, stay: 60, at: "10:00")
        counter.periods = [("00:00", "24:00")]
        counter.openDays = 3
        while counter.state.status(in: counter.context).ticketAvailable { try counter.ticket() }
        #expect((7...13).contains(counter.numbers(.planned).count))
        let more = counter.ask(.hold(.ticket), by: .machine(Counter.machine))
        #expect(more.refusal == .noTicketToday)
    }

    @Test("A ticket is offered whose turn comes after midnight, and a visit may last over it")
    func offers() throws {
        var counter = counter(capacity: 1, at: "23:40")
        for _ in 0..<4 { try counter.ticket() }
        let status = counter.state.status(in: counter.context)
        #expect(status.ticketAvailable && status.wait?.expected.day == tomorrow)
        #expect(status.closes == nil, "it does not close")
        let visits = Counter.givingVisits(capacity: 4)
        var night = visits
        night.periods = [("00:00", "24:00")]
        night.now = Counter.at("22:00")
        let slots = night.state.freeSlots(minutes: 45, in: night.context)
        let starts = slots.flatMap { part in
            part.free.indices.map { part.first.moment + ShopPolicy.slotLength * $0 }
        }
        #expect(starts.contains(Counter.at("23:45")))
    }

    @Test("Closed at midnight on one evening only, it ends its queue on that one")
    func endsAtLast() throws {
        var counter = counter(capacity: 1, at: "22:50")
        counter.openDays = 1
        let status = counter.state.status(in: counter.context)
        #expect(status.closes?.moment == Counter.at("00:00", day: tomorrow))
        let tickets = try counter.tickets(2)
        counter.enter(tickets[0].id)
        counter.tick(at: Counter.at("00:00", day: tomorrow))
        #expect(counter.stored[tickets[1].id]?.cause == .closed)
    }

    @Test(
        "What the staff ends early in a shop that never closes is the day: at midnight it opens again, and those who were sent home on the day before stay so"
    )
    func staffEndsADay() throws {
        var counter = counter(capacity: 1, at: "23:00")
        _ = try counter.tickets(3)
        #expect(counter.ask(.sendHome) == .success(.sentHome(2)))
        #expect(!counter.state.status(in: counter.context).isOpen)
        counter.tick(at: Counter.at("00:05", day: tomorrow))
        #expect(counter.state.status(in: counter.context).isOpen)
        #expect(counter.restored.status(in: counter.context).isOpen)
        let opened = counter.ask(.openAgain)
        #expect(opened == .success(.openedAgain(restored: 0)))

        // One that is sent home after midnight comes back, also with a ticket of the day before.
        counter = self.counter(capacity: 1, at: "23:55")
        _ = try counter.tickets(2)
        counter.tick(at: Counter.at("00:03", day: tomorrow))
        #expect(counter.ask(.sendHome) == .success(.sentHome(1)))
        #expect(
            counter.ask(.openAgain)
                == .success(.openedAgain(restored: 1)))
    }

    @Test("Closed by the staff a minute after midnight: customers of before were sent home")
    func closesAfterMidnight() throws {
        var counter = counter(capacity: 1, at: "23:40")
        let tickets = try counter.tickets(3)
        let end = Counter.at("00:01", day: tomorrow)
        #expect(
            counter.ask(.closeEarly(at: end))
                == .success(.closing(LocalMoment(end, offsetMinutes: 60))))
        let status = counter.state.status(in: counter.context)
        #expect(status.isOpen && status.closes?.moment == end)
        #expect(counter.state.staffQueue(in: counter.context).closesEarly)
        counter.tick(at: "23:59")
        let waiting = tickets.dropFirst().map(\.id)
        #expect(waiting.allSatisfy { counter.stored[$0]?.cause == .sentHome })

        // It is revoked before midnight as after it.
        var early = counter
        #expect(early.ask(.openAgain) == .success(.openedAgain(restored: 2)))
        #expect(early.state.status(in: early.context).closes == nil)
        #expect(!early.state.staffQueue(in: early.context).closesEarly)

        counter.tick(at: end)
        #expect(!counter.state.status(in: counter.context).isOpen)
        #expect(counter.state.staffQueue(in: counter.context).closesEarly)
        #expect(counter.ask(.openAgain) == .success(.openedAgain(restored: 2)))
        #expect(counter.state.status(in: counter.context).isOpen)

        // A day that is far is closed by its hours.
        let far = Counter.at("12:00", day: tomorrow.advanced(by: 1))
        #expect(counter.ask(.closeEarly(at: far)).refusal == .implausible)
    }

    @Test("An evening that is ended before it begins has its visits back when the shop opens again")
    func eveningAhead() throws {
        var counter = Counter.givingVisits(capacity: 8, days: 3)
        counter.periods = [("00:00", "04:00"), ("18:00", "24:00")]
        let visit = try counter.bookVisit("ada", at: "00:30", on: tomorrow)
        #expect(counter.ask(.sendHome) == .success(.sentHome(1)))
        #expect(counter.state(of: visit.id) == .expired)
        let opened = counter.ask(.openAgain)
        #expect(opened == .success(.openedAgain(restored: 1)))
        #expect(counter.state(of: visit.id) == .planned)
    }

    @Test("The day after an early closing is whole, also if its hours are written as two periods")
    func twoPeriods() throws {
        var counter = Counter(capacity: 2, stay: 60, at: "11:00")
        counter.periods = [("00:00", "12:00"), ("12:00", "24:00")]
        counter.openDays = 3
        #expect(counter.ask(.sendHome).refusal == nil)
        counter.tick(at: Counter.at("11:40", day: tomorrow))
        let inside = try counter.inside()
        let waiting = try counter.tickets(3)[2]
        counter.tick(at: Counter.at("12:05", day: tomorrow))
        #expect(counter.state(of: inside.id) == .active)
        #expect(counter.state(of: waiting.id) == .planned)
    }

    @Test("After a day that was ended early, the next one begins anew")
    func newDay() throws {
        var counter = counter(capacity: 2, at: "23:50")
        let hold = try counter.hold()
        #expect(counter.ask(.sendHome).refusal == nil)
        let late = try counter.confirm(hold.id)
        #expect(counter.state(of: late.id) == .called, "the hold was honoured")
        counter.enter(late.id)
        counter.tick(at: Counter.at("00:01", day: tomorrow))
        #expect(counter.state(of: late.id) == .expired, "no customer of before is inside")
        #expect(counter.restored.status(in: counter.context).isOpen)
    }

    @Test("No two are called by one number, even if both had it before the days were joined")
    func calledOnce() throws {
        var counter = Counter.givingVisits(capacity: 8, days: 3)
        counter.now = Counter.at("20:00")
        counter.otherOpenings = [Counter.day, tomorrow].map {
            Counter.opening("00:00", "23:59", day: $0)
        }
        let late = try counter.bookVisit("ada", at: "23:30", on: Counter.day)
        let early = try counter.bookVisit("bea", at: "00:00", on: tomorrow)
        #expect(late.number == early.number, "of days that were not joined")
        counter.otherOpenings = nil
        counter.periods = [("00:00", "24:00")]
        counter.tick(at: "23:59")
        #expect(counter.state(of: late.id) == .called)
        counter.tick(at: Counter.at("00:00", day: tomorrow))
        #expect(counter.numbers(.called) == [1] && counter.numbers(.planned) == [1])
        counter.enter(late.id)
        #expect(counter.state(of: early.id) == .called, "once the other has come")
    }

    @Test(
        "An evening that goes on after midnight is one for the staff: ended before midnight, the shop stays closed, and opens again with those who were sent home"
    )
    func evening() throws {
        var counter = Counter(capacity: 1, stay: 20, at: "23:30")
        counter.periods = [("00:00", "04:00"), ("18:00", "24:00")]
        counter.openDays = 3
        try counter.ticket()
        #expect(counter.state.status(in: counter.context).closes?.time.description == "04:00")
        #expect(counter.ask(.endTickets).refusal == nil)
        #expect(!counter.state.status(in: counter.context).ticketAvailable)
        counter.tick(at: Counter.at("00:10", day: tomorrow))
        #expect(!counter.state.status(in: counter.context).ticketAvailable, "still not")
        #expect(counter.state.staffQueue(in: counter.context).ticketsEnded)

        counter = Counter(capacity: 1, stay: 20, at: "23:30")
        counter.periods = [("00:00", "04:00"), ("18:00", "24:00")]
        counter.openDays = 3
        let sent = try counter.tickets(3)
        #expect(counter.ask(.sendHome).refusal == nil)
        counter.tick(at: Counter.at("00:10", day: tomorrow))
        let status = counter.state.status(in: counter.context)
        #expect(!status.isOpen && status.opens?.moment == Counter.at("18:00", day: tomorrow))
        #expect(counter.restored.status(in: counter.context) == status)
        let opened = counter.ask(.openAgain)
        #expect(opened == .success(.openedAgain(restored: 2)))
        #expect(counter.state.status(in: counter.context).ticketAvailable)
        // The next evening is another one.
        counter.tick(at: Counter.at("18:00", day: tomorrow))
        #expect(counter.stored[sent[2].id]?.cause == .closed)
        #expect(try counter.ticket().number.rawValue == 1)
    }

    @Test("The staff closes a minute before midnight, and sends home and takes back after it")
    func staff() throws {
        var counter = counter(capacity: 1, at: "23:59")
        let tickets = try counter.tickets(3)
        let closing = counter.ask(.closeEarly(at: Counter.at("00:00", day: tomorrow) + .minutes(1)))
        #expect(closing.refusal == nil)
        counter.tick(at: Counter.at("00:02", day: tomorrow))
        #expect(!counter.state.status(in: counter.context).isOpen)
        #expect(tickets.dropFirst().allSatisfy { counter.stored[$0.id]?.cause == .sentHome })
        let opened = counter.ask(.openAgain)
        #expect(opened == .success(.openedAgain(restored: 2)))
        let missed = tickets[0].id
        counter.tick(at: Counter.at("00:30", day: tomorrow))
        #expect(counter.state(of: missed) == .expired)
        #expect(counter.ask(missed, .restore).refusal == nil, "one of yesterday too")
    }
}
