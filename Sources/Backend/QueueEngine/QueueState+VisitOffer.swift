internal import Reservations

extension QueueState {
    /// The first free slot of a visit, today or until the same date of next month (rules 4).
    ///
    /// Visits keep to their share of the capacity at every moment. Today a slot comes after the expected call of every
    /// customer who has a place already, so that no customer is pushed back.
    func firstVisit(
        in present: OpenInterval, _ deciding: Deciding
    ) -> (day: CalendarDay, slot: VisitSlot)? {
        let today = present.opens.day
        let lastDay = today.inNextMonth
        let length = ShopPolicy.slotLength.wholeMilliseconds
        let notice = deciding.now + ShopPolicy.visitNotice
        let ahead = tickets.count + ticketHolds
        let lastCall = wait(behind: max(0, ahead - 1), in: present, deciding).expected.moment
        for opening in deciding.openings {
            let day = opening.opens.day
            guard day <= lastDay else { break }
            guard hasFreeNumber(on: day), days[day]?.endsTickets != true else { continue }
            let isNow = opening.contains(deciding.now)
            let earliest = (isNow && ahead > 0 ? max(notice, lastCall) : notice).milliseconds
            let visits = days[day]?.visits ?? VisitBook()
            let opens = opening.opens.moment.milliseconds
            // The first slot that is late enough: -(-a / b) rounds up.
            var start = opens + max(0, -((opens - earliest).flooredQuotient(by: length))) * length
            let closes = opening.closes.moment.milliseconds
            while start < closes {
                let begin = opening.local(Moment(milliseconds: start))
                let visit = start..<(start + promisedStay(at: begin).wholeMilliseconds)
                if visit.upperBound <= closes, visits.peak(in: visit) < policy.visitPlaces {
                    let slot = VisitSlot(
                        start: begin, end: opening.local(Moment(milliseconds: visit.upperBound)))
                    return (day, slot)
                }
                start += length
            }
        }
        return nil
    }

    /// Whether a number is left for one more place of the day when every hold has been given its own.
    func hasFreeNumber(on day: CalendarDay) -> Bool {
        let held = holds.count { $0.day == day }
        return QueueNumber(rawValue: lastNumber(of: day) + held + 1) != nil
    }
}
