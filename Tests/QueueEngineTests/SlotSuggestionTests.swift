internal import QueueEngine
internal import Reservations
internal import Testing

/// What a shop offers instead of a slot that is full (rules: slot-suggestions).
@Suite("Slots instead of one that is full [UC5]")
struct SlotSuggestionTests {
    private static let days = (0...4).map { Counter.day.advanced(by: $0) }

    /// A shop in which phones may book one visit at a time, of 15 minutes.
    private func shop() -> Counter {
        var counter = Counter.givingVisits(capacity: 4, stay: 15)
        counter.now = Counter.at("09:00")
        return counter
    }

    private func suggestions(
        _ counter: Counter, _ time: String, on day: CalendarDay, minutes: Int? = nil
    ) -> SlotSuggestions {
        counter.state.suggestions(
            for: Counter.slot(time, on: day, minutes: minutes), in: counter.context)
    }

    private func words(_ slots: [FreeSlot]) -> [String] {
        slots.map { "\($0.start.day.day) \($0.start.time)" }
    }

    @Test("Same shop, same day, another hour: within two hours, the nearest first")
    func sameDay() throws {
        var counter = shop()
        for (number, time) in ["17:00", "16:45", "17:30"].enumerated() {
            try counter.bookVisit(HolderID("holder-\(number)"), at: time, on: Self.days[1])
        }
        let found = suggestions(counter, "17:00", on: Self.days[1])
        #expect(found.wanted?.free == 0)
        let day = Self.days[1].day
        #expect(
            words(found.sameDay).prefix(4)
                == ["\(day) 17:15", "\(day) 16:30", "\(day) 16:15", "\(day) 17:45"])
        #expect(!words(found.sameDay).contains("\(day) 17:00"))
        // From 15:00 to 19:00 there are 17 slots, of which three are booked.
        #expect(found.sameDay.count == 14)
        #expect(words(found.sameDay).contains("\(day) 15:00"))
        #expect(words(found.sameDay).contains("\(day) 19:00"))
        #expect(!words(found.sameDay).contains("\(day) 19:15"))
    }

    @Test(
        "Same shop, same hour, another day: the two days before and the two after, as far as free")
    func otherDays() throws {
        var counter = shop()
        for day in [2, 3] {
            try counter.bookVisit(HolderID("holder-\(day)"), at: "17:00", on: Self.days[day])
        }
        let found = suggestions(counter, "17:00", on: Self.days[2])
        #expect(found.otherDays.map(\.start.day) == [Self.days[0], Self.days[1], Self.days[4]])
        #expect(found.otherDays.allSatisfy { $0.start.time.description == "17:00" && $0.free == 1 })
        // Tomorrow has two days behind it, and one before it.
        let tomorrow = suggestions(counter, "17:00", on: Self.days[1])
        #expect(tomorrow.otherDays.map(\.start.day) == [Self.days[0]])
    }

    @Test(
        "A slot that is free after all says so, what is no slot says that, and looking takes nothing [UC5.1]"
    )
    func wanted() throws {
        let counter = shop()
        let before = counter.state
        #expect(suggestions(counter, "17:00", on: Self.days[1]).wanted?.free == 1)
        // In the break, between two slots, after closing, and of yesterday.
        for time in ["13:00", "17:05", "22:00"] {
            #expect(suggestions(counter, time, on: Self.days[1]).wanted == nil, "\(time)")
        }
        let past = suggestions(counter, "17:00", on: Counter.day.advanced(by: -1))
        #expect(past.wanted == nil)
        // Two hours do not end by closing, at 20:00.
        #expect(suggestions(counter, "19:00", on: Self.days[1], minutes: 120).wanted == nil)
        #expect(
            suggestions(counter, "19:00", on: Self.days[1], minutes: 120).sameDay.last != nil)
        #expect(counter.state == before)
    }
}
