internal import Reservations

/// Planned visits in the order of their slots and numbers. Each day has a queue of its own, so that a booking moves the
/// visits of one day only, and not those of a month.
struct VisitLine: Hashable, Sendable {
    private struct DayLine: Hashable, Sendable {
        let day: CalendarDay
        var queue = ActiveQueue()
    }

    /// In the order of the days; none without visits. Slots of one day come before those of the next.
    private var days: [DayLine] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: ActiveQueue.Entry? { days.first?.queue.first }

    /// All visits in order; a loop that ends at some slot looks at no later day.
    var entries: some Sequence<ActiveQueue.Entry> { days.lazy.flatMap(\.queue.entries) }

    /// The visits of a day in order.
    func entries(of day: CalendarDay) -> [ActiveQueue.Entry] {
        let place = index(of: day)
        return has(day, at: place) ? days[place].queue.entries : []
    }

    mutating func insert(_ live: LiveReservation) {
        let place = index(of: live.day)
        if !has(live.day, at: place) { days.insert(DayLine(day: live.day), at: place) }
        days[place].queue.insert(live, key: live.position)
        count += 1
    }

    /// Removes a visit; does nothing if it is not in the line.
    mutating func remove(_ live: LiveReservation) {
        let place = index(of: live.day)
        guard has(live.day, at: place),
            days[place].queue.remove(live.id, key: live.position) != nil
        else { return }
        count -= 1
        if days[place].queue.isEmpty { days.remove(at: place) }
    }

    /// Replaces a visit by what it is now, in the same slot.
    mutating func replace(_ live: LiveReservation) {
        let place = index(of: live.day)
        guard has(live.day, at: place) else { return }
        days[place].queue.replace(live, key: live.position)
    }

    /// Removes visits, and returns the days of which they were.
    ///
    /// - Parameter within: The days to which they may belong; nil if that is not known.
    mutating func remove(
        _ ids: Set<ReservationID>, within: Set<CalendarDay>?
    ) -> Set<CalendarDay> {
        var changed: Set<CalendarDay> = []
        for place in days.indices where within?.contains(days[place].day) ?? true {
            let before = days[place].queue.count
            days[place].queue.remove(ids)
            guard days[place].queue.count < before else { continue }
            changed.insert(days[place].day)
            count -= before - days[place].queue.count
        }
        days.removeAll(where: \.queue.isEmpty)
        return changed
    }

    /// Removes at most `limit` of the first visits whose slot is earlier than `slot`.
    mutating func removeFirst(before slot: Moment, limit: Int) -> [LiveReservation] {
        // The key of a visit is its slot and its number.
        let key = slot.milliseconds * 1_000_000 - 1
        var removed: [LiveReservation] = []
        while removed.count < limit, var first = days.first {
            let passed = first.queue.removeFirst(upTo: key, limit: limit - removed.count)
            guard !passed.isEmpty else { break }
            removed += passed
            if first.queue.isEmpty { days.removeFirst() } else { days[0] = first }
        }
        count -= removed.count
        return removed
    }

    private func index(of day: CalendarDay) -> Int { days.partitionPoint { $0.day >= day } }

    private func has(_ day: CalendarDay, at place: Int) -> Bool {
        place < days.count && days[place].day == day
    }
}
