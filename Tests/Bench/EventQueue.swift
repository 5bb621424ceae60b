import Reservations

/// Events in the order of their times; those of the same millisecond in the order in which they were added.
struct EventQueue<Event> {
    private var heap: [(moment: Moment, order: Int, event: Event)] = []
    private var added = 0

    mutating func add(_ event: Event, at moment: Moment) {
        added += 1
        heap.append((moment, added, event))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func add(_ event: Event, minutes: Double, after moment: Moment) {
        add(event, at: moment + .milliseconds(Int64(minutes * 60_000)))
    }

    mutating func next() -> (Moment, Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
                guard let least = children.min(by: { isBefore($0, $1) }), isBefore(least, parent)
                else { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.moment, first.event)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].moment, heap[left].order) < (heap[right].moment, heap[right].order)
    }
}

extension Duration {
    var minutes: Double { Double(wholeMilliseconds) / 60_000 }
}
