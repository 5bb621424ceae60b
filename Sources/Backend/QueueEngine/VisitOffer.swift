internal import Reservations

extension QueueState {
    /// The first free slot of a visit, today or until the same date of next month (rules 4).
    ///
    /// Visits keep to their share of the capacity at every moment. Today a slot must also have room beside
    /// the tickets, held ones too, so that nobody who has a place already is pushed back.
    /// - Parameters:
    ///   - now: within `opening`.
    ///   - openings: the present one and those to come, in order.
    func firstVisit(
        at now: Moment, in opening: OpenInterval, openings: [OpenInterval]
    ) -> (day: CalendarDay, slot: VisitSlot)? {
        let today = opening.opens.day
        let lastDay = today.inNextMonth
        let stay = policy.usualStay.wholeMilliseconds
        let length = ShopPolicy.slotLength.wholeMilliseconds
        let earliest = (now + ShopPolicy.visitNotice).milliseconds
        for opening in openings {
            let day = opening.opens.day
            guard day <= lastDay else { break }
            guard canDraw(oneMoreOf: day) else { continue }
            var queue = calls(of: day)
            if day == today {
                for _ in 0..<ticketHolds { queue.append(.max, confirmed: now) }
            }
            let opens = opening.opens.moment.milliseconds
            // The first slot that is late enough: -(-a / b) rounds up.
            var start = opens + max(0, -((opens - earliest).flooredQuotient(by: length))) * length
            while start + stay <= opening.closes.moment.milliseconds {
                let visit = start..<(start + stay)
                if queue.visits.peak(in: visit) < policy.visitPlaces, queue.hasRoom(for: visit) {
                    let slot = VisitSlot(
                        start: opening.local(Moment(milliseconds: visit.lowerBound)),
                        end: opening.local(Moment(milliseconds: visit.upperBound)))
                    return (day, slot)
                }
                start += length
            }
        }
        return nil
    }

    /// Whether a number is left for one more place of the day when every hold has drawn its own.
    func canDraw(oneMoreOf day: CalendarDay) -> Bool {
        let held = holds.count { $0.day == day }
        return QueueNumber(rawValue: lastNumber(of: day) + held + 1) != nil
    }
}
