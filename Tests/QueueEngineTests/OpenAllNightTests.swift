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

    @Test("The staff closes a minute before midnight, and sends home and takes back after it")
    func staff() throws {
        var counter = counter(capacity: 1, at: "23:59")
        let tickets = try counter.tickets(3)
        let closing = counter.ask(.closeEarly(at: Counter.at("00:00", day: tomorrow) + .minutes(1)))
        #expect(closing.refusal == nil)
        counter.tick(at: Counter.at("00:02", day: tomorrow))
        #expect(!counter.state.status(in: counter.context).isOpen)
        #expect(tickets.dropFirst().allSatisfy { counter.stored[$0.id]?.cause == .sentHome })
        let opened = counter.ask(.openAgain(sentHome: tickets.map(\.id)))
        #expect(opened == .success(.openedAgain(restored: 2)))
        let missed = tickets[0].id
        counter.tick(at: Counter.at("00:30", day: tomorrow))
        #expect(counter.state(of: missed) == .expired)
        #expect(counter.ask(missed, .restore).refusal == nil, "one of yesterday too")
    }
}
