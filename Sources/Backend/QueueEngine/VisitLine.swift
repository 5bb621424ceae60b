internal import Reservations

/// Planned visits in the order of their slots and numbers. Each slot has a queue of its own, so that a booking moves, or
/// copies, the visits of one slot only, and not those of a month.
struct VisitLine: Hashable, Sendable {
    private struct SlotLine: Hashable, Sendable {
        let slot: Moment
        let day: CalendarDay
        private(set) var queue = ActiveQueue()
        /// The holders of phones, with the number of their visits: with many visits a look at each takes too long.
        private(set) var holders: [HolderID: Int] = [:]

        init(_ slot: Moment, of day: CalendarDay) {
            self.slot = slot
            self.day = day
        }

        mutating func insert(_ live: LiveReservation) {
            queue.insert(live, key: live.position)
            if let holder = live.holder { holders[holder, default: 0] += 1 }
        }

        mutating func replace(_ live: LiveReservation) {
            queue.replace(live, key: live.position)
        }

        /// Removes a visit; returns whether it was there.
        mutating func remove(_ live: LiveReservation) -> Bool {
            guard let removed = queue.remove(live.id, key: live.position) else { return false }
            forget([removed])
            return true
        }

        mutating func remove(_ ids: Set<ReservationID>) {
            let removed = queue.entries.map(\.live).filter { ids.contains($0.id) }
            guard !removed.isEmpty else { return }
            queue.remove(ids)
            forget(removed)
        }

        mutating func removeFirst(limit: Int) -> [LiveReservation] {
            let removed = queue.removeFirst(upTo: .max, limit: limit)
            forget(removed)
            return removed
        }

        private mutating func forget(_ visits: [LiveReservation]) {
            for holder in visits.compactMap(\.holder) {
                holders[holder, default: 0] -= 1
                if holders[holder] == 0 { holders[holder] = nil }
            }
        }
    }

    /// In the order of their slots; none without visits. Slots of one day come before those of the next.
    private var lines: [SlotLine] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: ActiveQueue.Entry? { lines.first?.queue.first }

    /// All visits in order; a loop that ends at some slot looks at no later one.
    var entries: some Sequence<ActiveQueue.Entry> { lines.lazy.flatMap(\.queue.entries) }

    /// The visits whose slot is at most so late, in order.
    func entries(until slot: Moment) -> some Collection<ActiveQueue.Entry> {
        lines[..<lines.partitionPoint { $0.slot > slot }].lazy.flatMap(\.queue.entries)
    }

    /// Of these, those that are not passed over (calling rule, sentence 8).
    ///
    /// - Parameters:
    ///   - full: The departments in which no further visitor may be.
    ///   - now: Visits whose slot is later are not passed over for a full department: a visitor may leave it until then.
    func callable(
        until slot: Moment, full: Set<String>, now: Moment
    ) -> some Collection<LiveReservation> {
        entries(until: slot).lazy.map(\.live).filter { live in
            full.isEmpty || live.slot.map { $0 > now } == true
                || full.isDisjoint(with: live.departments)
        }
    }

    /// At most `limit` of the first visits whose slot is at most so late, and whose customers have yet to be asked whether
    /// they are coming.
    func unasked(until slot: Moment, limit: Int) -> [LiveReservation] {
        let due = lines.prefix { $0.slot <= slot }.lazy.filter { $0.queue.unaskedCount > 0 }
        return Array(
            due.flatMap(\.queue.entries).map(\.live).filter(\.isUnasked).prefix(limit))
    }

    /// Whether a visit of a day has a number.
    func has(_ number: QueueNumber, of day: CalendarDay) -> Bool {
        lines(of: day).contains { $0.queue.entries.contains { $0.live.number == number } }
    }

    /// The visits of a day in order.
    func entries(of day: CalendarDay) -> [ActiveQueue.Entry] {
        lines(of: day).flatMap(\.queue.entries)
    }

    /// The first visit that a holder has on a day, without this one; nil if there is none.
    func visit(
        of holder: HolderID, on day: CalendarDay, without other: ReservationID?
    ) -> LiveReservation? {
        for line in lines(of: day) where line.holders[holder] != nil {
            let found = line.queue.entries.first {
                $0.live.holder == holder && $0.live.id != other
            }
            if let found { return found.live }
        }
        return nil
    }

    mutating func insert(_ live: LiveReservation) {
        guard let slot = live.slot else { return }
        let place = index(of: slot)
        if !has(slot, at: place) { lines.insert(SlotLine(slot, of: live.day), at: place) }
        lines[place].insert(live)
        count += 1
    }

    /// Replaces a visit by what it is now, in the same slot; does nothing if it is not in the line.
    mutating func replace(_ live: LiveReservation) {
        guard let slot = live.slot else { return }
        let place = index(of: slot)
        if has(slot, at: place) { lines[place].replace(live) }
    }

    /// Removes a visit; does nothing if it is not in the line.
    mutating func remove(_ live: LiveReservation) {
        guard let slot = live.slot else { return }
        let place = index(of: slot)
        guard has(slot, at: place), lines[place].remove(live) else { return }
        count -= 1
        if lines[place].queue.isEmpty { lines.remove(at: place) }
    }

    /// Removes visits, and returns the days of which they were.
    ///
    /// - Parameter within: The days to which they may belong; nil if that is not known.
    mutating func remove(
        _ ids: Set<ReservationID>, within: Set<CalendarDay>?
    ) -> Set<CalendarDay> {
        var changed: Set<CalendarDay> = []
        for place in lines.indices where within?.contains(lines[place].day) ?? true {
            let before = lines[place].queue.count
            lines[place].remove(ids)
            guard lines[place].queue.count < before else { continue }
            changed.insert(lines[place].day)
            count -= before - lines[place].queue.count
        }
        lines.removeAll(where: \.queue.isEmpty)
        return changed
    }

    /// Removes at most `limit` of the first visits whose slot is earlier than `slot`.
    mutating func removeFirst(before slot: Moment, limit: Int) -> [LiveReservation] {
        var removed: [LiveReservation] = []
        while removed.count < limit, let first = lines.first, first.slot < slot {
            removed += lines[0].removeFirst(limit: limit - removed.count)
            if lines[0].queue.isEmpty { lines.removeFirst() }
        }
        count -= removed.count
        return removed
    }

    private func lines(of day: CalendarDay) -> ArraySlice<SlotLine> {
        let start = lines.partitionPoint { $0.day >= day }
        return lines[start..<lines.partitionPoint { $0.day > day }]
    }

    private func index(of slot: Moment) -> Int { lines.partitionPoint { $0.slot >= slot } }

    private func has(_ slot: Moment, at place: Int) -> Bool {
        place < lines.count && lines[place].slot == slot
    }
}
