internal import Reservations

extension QueueState {
    /// Calls in one decision; whoever's turn it is beyond it is called with the next.
    private static let mostCalls = 500

    /// Calls whoever's turn it is (`CallingRule`).
    mutating func call(_ deciding: inout Deciding) {
        let now = deciding.now
        for _ in 0..<Self.mostCalls {
            guard let live = next(deciding) else { return }
            if live.kind == .visit { _ = visits.removeFirst() } else { _ = tickets.removeFirst() }
            let moment = max(now, live.since)
            let called = live.since(moment)
            self.called.insert(called, key: enterBy(called, called: moment))
            deciding.move(live.id, from: .planned, to: .called, at: moment, because: .turn)
        }
    }

    /// Whose turn it is now; nil where nobody may be called.
    private func next(_ deciding: Deciding) -> LiveReservation? {
        let now = deciding.now
        guard freePlaces > 0 else { return nil }
        // After closing only those who were promised a place before it.
        let isOpen = deciding.opening != nil
        if isOpen, let visit = visits.first?.live, let slot = visit.slot, slot <= now {
            return visit
        }
        guard let ticket = tickets.first?.live, mayCallTicket(deciding),
            isOpen || closedSince.map({ ticket.since >= $0 }) == true
        else { return nil }
        return ticket
    }

    /// Whether a ticket may take a place now, were it first in the line (sentences 3 and 5).
    func mayCallTicket(_ deciding: Deciding) -> Bool {
        let now = deciding.now
        guard freePlaces > 0 else { return false }
        let limit = now + .milliseconds(Int64(CallingRule.lookAhead * 60_000))
        let soon = visits.entries.prefix { $0.live.slot.map { $0 <= limit } ?? false }
        guard let first = soon.first?.live.slot else { return true }
        guard first > now else { return false }
        let mean =
            deciding.opening.map { stays(at: $0.local(now)).mean }
            ?? Double(policy.usualStayMinutes)
        let kept = CallingRule.kept(
            visits: soon.count, dueIn: Double((first - now).wholeMilliseconds) / 60_000,
            taken: taken, meanStay: mean)
        return freePlaces > kept
    }

    /// The wait of a ticket with so many before it; nothing, and exactly nothing, where it would be called.
    func wait(behind ahead: Int, in opening: OpenInterval, _ deciding: Deciding) -> WaitEstimate {
        let now = deciding.now
        let wait: WaitDistribution
        if ahead == 0, mayCallTicket(deciding) {
            wait = .none
        } else {
            let forecast = deciding.forecast ?? WaitForecast(self, at: now, in: opening)
            wait = forecast.wait(behind: ahead, at: now)
        }
        return estimate(wait, ahead: ahead, at: opening.local(now), in: opening)
    }

    /// The wait of one more ticket; nil where its stay might not end before closing (rules 3).
    func offer(in opening: OpenInterval, _ deciding: Deciding) -> WaitEstimate? {
        let wait = wait(behind: tickets.count + ticketHolds, in: opening, deciding)
        guard wait.latest.moment + promisedStay(at: wait.latest) <= opening.closes.moment,
            days[opening.opens.day]?.endsTickets != true, canDraw(oneMoreOf: opening.opens.day)
        else { return nil }
        return wait
    }
}
