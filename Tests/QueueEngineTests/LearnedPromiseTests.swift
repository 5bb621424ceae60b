internal import Reservations
internal import Testing

@testable import QueueEngine

@Suite("Quoted times follow the stays that are learned by the hour")
struct LearnedPromiseTests {
    /// The sums of `count` stays of `minutes` each.
    private func sums(_ count: Int, minutes: Double) -> DurationSums {
        var stays = LearnedStays()
        var last = DurationSums()
        for _ in 0..<count {
            last = stays.learn(.milliseconds(Int64(minutes * 60_000)), in: 0) ?? last
        }
        return last
    }

    /// A shop with a setting of 20 minutes in which every hour has learned `exits` exits of `minutes` each.
    private func counter(exits: Int, minutes: Double) -> Counter {
        var counter = Counter(capacity: 4, stay: 20)
        let sums = sums(exits, minutes: minutes)
        for cell in 0..<168 { counter.cells[cell] = sums }
        counter.state = counter.restored
        return counter
    }

    private func minutes(_ slot: VisitSlot?) throws -> Int64 {
        let slot = try #require(slot)
        return (slot.end.moment - slot.start.moment).wholeMilliseconds / 60_000
    }

    @Test("A visit has the shop's stay until its hour has 30 exits, then the learned one")
    func visits() throws {
        var few = counter(exits: 29, minutes: 40)
        few.now = Counter.at("12:50")
        #expect(try minutes(few.visit().visit) == 20)
        var many = counter(exits: 30, minutes: 40)
        many.now = Counter.at("12:45")
        let booked = try many.visit()
        #expect(try minutes(booked.visit) > 35)
        // A stay that is learned later cancels and changes no booked visit.
        let sums = sums(1_000, minutes: 290)
        for cell in 0..<168 { many.cells[cell] = sums }
        many.state = many.restored
        many.ask(.tick)
        #expect(many.stored[booked.id]?.hold.visit == booked.visit)
        #expect(many.state(of: booked.id) == .planned)
    }

    @Test("The day's last ticket leaves the learned stay before closing")
    func lastTicket() throws {
        for (exits, minutes, time, isLeft) in [
            (0, 0, "12:35", true), (30, 40, "12:35", false), (30, 10, "12:35", true),
            (30, 5, "12:50", true),
        ] as [(Int, Double, String, Bool)] {
            var counter = counter(exits: exits, minutes: minutes)
            counter.now = Counter.at(time)
            let refusal = counter.ask(.hold(.ticket), by: .machine(Counter.machine))
                .refusal
            #expect((refusal == nil) == isLeft, "\(exits) of \(minutes)")
        }
    }

    @Test("One more exit moves an offer by a minute at most")
    func steady() throws {
        var counter = counter(exits: 30, minutes: 25)
        counter.now = Counter.at("12:50")
        let first = try counter.holdVisit().visit
        let cell = LearnedStays.cell(try #require(first).start)
        var last = try minutes(first)
        for stay in [3.0, 90, 25, 120, 1, 60] {
            var stays = LearnedStays(cells: counter.cells)
            counter.cells[cell] = stays.learn(.milliseconds(Int64(stay * 60_000)), in: cell)
            counter.state = counter.restored
            let next = try minutes(counter.holdVisit().visit)
            #expect(abs(next - last) <= 1)
            last = next
        }
    }
}
