import Reservations

/// Events in the order of their times; those of the same millisecond in the order in which they were added.
struct EventQueue<Event> {
    /// The next one is the last.
    private var events: [(moment: Moment, event: Event)] = []

    mutating func add(_ event: Event, at moment: Moment) {
        let place = events.firstIndex { $0.moment <= moment } ?? events.endIndex
        events.insert((moment, event), at: place)
    }

    mutating func add(_ event: Event, minutes: Double, after moment: Moment) {
        add(event, at: moment + .milliseconds(Int64(minutes * 60_000)))
    }

    mutating func next() -> (Moment, Event)? { events.popLast() }
}

extension Duration {
    var minutes: Double { Double(wholeMilliseconds) / 60_000 }
}
