public import Reservations

/// The numbers of tickets and visits: each day has its own, from 1 on (rules: numbers).
///
/// If a shop stays open over midnight, customers of two days wait together, and visits of the next day are booked already.
/// A number that one of them has is left out, so that no two customers are called by the same number (rules: slots).
extension QueueState {
    /// The last number assigned for a day; 0 before the first.
    public func lastNumber(of day: CalendarDay) -> Int { days[day]?.counter ?? 0 }

    /// The next number of a day; nil if there is none left.
    func nextNumber(of day: CalendarDay, _ deciding: Deciding) -> QueueNumber? {
        let others = otherDays(of: day, deciding)
        var next = lastNumber(of: day) + 1
        while let number = QueueNumber(rawValue: next), others.have(number, in: self) { next += 1 }
        return QueueNumber(rawValue: next)
    }

    /// Assigns the next number of a day.
    mutating func advance(
        to number: QueueNumber, of day: CalendarDay, _ deciding: inout Deciding
    ) {
        let leftOut = number.rawValue - lastNumber(of: day) - 1
        days[day, default: Day()].counter = number.rawValue
        deciding.add(.counterAdvanced(day, to: number, leavingOut: leftOut))
    }

    /// Whether a number is left for one more place of the day when every hold has been given its own.
    func hasFreeNumber(on day: CalendarDay) -> Bool {
        let held = holds.count { $0.day == day }
        return QueueNumber(rawValue: lastNumber(of: day) + held + 1) != nil
    }

    /// Whether a reservation that lost its place can return with its number: no customer of another day, who may be in the
    /// shop's queue together with it, has been given the same.
    func isNumberFree(of live: LiveReservation, _ deciding: Deciding) -> Bool {
        !otherDays(of: live.day, deciding).have(live.number, in: self)
    }

    /// The days whose customers may be in the queue together with those of this one.
    private func otherDays(of day: CalendarDay, _ deciding: Deciding) -> OtherDays {
        var neighbours: Set<CalendarDay> = []
        for opening in deciding.calendar where opening.begins.day != opening.opens.day {
            if opening.opens.day == day { neighbours.insert(opening.begins.day) }
            if opening.begins.day == day { neighbours.insert(opening.opens.day) }
        }
        // After the end of an evening that went on after midnight, a customer may still be called.
        let isPresent = day <= deciding.localTime(deciding.now).day
        return OtherDays(
            day: day, neighbours: neighbours, hasTickets: isPresent || !neighbours.isEmpty)
    }
}

/// The days beside a day whose customers may be in the queue together with those of that day.
private struct OtherDays {
    let day: CalendarDay
    /// The days before and after, if the shop is open over these midnights.
    let neighbours: Set<CalendarDay>
    /// Whether customers who wait for their call, or are called, may meet those of this day.
    let hasTickets: Bool

    /// Whether one of their customers who wait or are called has a number.
    func have(_ number: QueueNumber, in state: QueueState) -> Bool {
        let isWaiting =
            hasTickets
            && [state.tickets, state.called].contains { line in
                line.entries.contains { $0.live.number == number && $0.live.day != day }
            }
        return isWaiting || neighbours.contains { state.visits.has(number, of: $0) }
    }
}
