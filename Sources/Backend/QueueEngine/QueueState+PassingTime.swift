internal import Reservations

extension QueueState {
    /// The highest number of transitions of one kind in one decision; further overdue ones follow in the next one.
    private static let maxTransitionsPerTick = 500
    /// An exit that was not scanned is inferred after the time that this share of customers does not exceed (rules: exits).
    static let longestStay = 0.99
    /// After the last call, a customer could not even stay as shortly as this share of customers does (rules: closing).
    static let shortestStayQuantile = 0.1

    /// Applies what became true by the passing of time; each transition is dated when it was due.
    mutating func pass(_ deciding: inout Deciding) {
        let now = deciding.now
        while let hold = holds.first, hold.expires.moment <= now {
            end(hold, at: hold.expires.moment, because: .holdExpired, &deciding)
        }
        let attended = attendance
        for live in called.removeFirst(upTo: now.milliseconds, limit: Self.maxTransitionsPerTick) {
            miss(live, &deciding)
        }
        _ = leaving.removeFirst(upTo: now.milliseconds, limit: .max)
        collectors.removeAll { collector in collector.end.map { $0 <= now } == true }
        inferExits(&deciding)
        closeQueue(&deciding)
        askWhoComes(&deciding)
        if attendance != attended { deciding.add(.learnedAttendance(attendance)) }
    }

    /// Ends a called reservation, which is in no queue any more, because its holder did not come in time.
    mutating func miss(_ live: LiveReservation, _ deciding: inout Deciding) {
        unbook(live)
        deciding.move(
            live.id, from: .called, to: .expired,
            at: max(live.since, enterBy(live, called: live.since)), because: .missed)
        attendance.count(\.missed, of: live.channel, isSilent: live.isSilent)
        if let holder = live.holder { noShow(of: holder, at: live.since, &deciding) }
    }

    /// Infers the exits that were not scanned: of customers who are inside longer than 99 in 100, and at closing.
    private mutating func inferExits(_ deciding: inout Deciding) {
        let now = deciding.now
        let reference = deciding.opening?.local(now) ?? LocalMoment(now, offsetMinutes: 0)
        let longest = stays(at: reference).quantile(Self.longestStay)
        var limit = now - .minutes(longest)
        limit = max(limit, cutoff(deciding) - .milliseconds(1))
        for live in inside.removeFirst(upTo: limit.milliseconds, limit: Self.maxTransitionsPerTick)
        {
            deciding.move(
                live.id, from: .active, to: .expired, at: max(now, live.since), because: .inferred)
            // Customers who are inside at closing may still be scanned on the way out.
            if deciding.opening != nil { attendance.count(\.inferred) }
        }
        if unregistered > 0, unregisteredSince <= limit {
            unregistered = 0
            deciding.add(.unregistered(0, since: now))
        }
    }

    /// The moment of the last opening after a pause, or of the last closing; nothing from before it is still in the shop
    /// or in the queue.
    func cutoff(_ deciding: Deciding) -> Moment {
        deciding.opening?.begins.moment ?? closedSince ?? deciding.now
    }

    /// Expires waiting reservations that cannot be called any more: the shop is closed or the last call has passed.
    private mutating func closeQueue(_ deciding: inout Deciding) {
        let now = deciding.now
        guard let opening = deciding.opening else {
            let since = closedSince ?? now
            closedSince = since
            let cause = closingCause(deciding)
            // If the day was ended before its time, visits of its later hours expire too instead of waiting in vain.
            let end = cause == .sentHome ? deciding.plannedEnd : nil
            expireTickets(confirmedBefore: since, because: cause, &deciding)
            return expireVisits(before: end ?? since, because: cause, &deciding)
        }
        closedSince = nil
        // If the clock is set back, the days of the last week are still there as they were.
        let oldest = opening.opens.day.advanced(by: -7)
        if days.contains(where: { $0.key < oldest }) { days = days.filter { $0.key >= oldest } }
        let opens = opening.begins.moment
        expireVisits(before: opens, because: .closed, &deciding)
        // A day's tickets wait behind those that were left from the day before.
        if let first = tickets.first, first.live.since < opens {
            expireTickets(confirmedBefore: opens, because: .closed, &deciding)
        }
        let lastCall = lastCall(in: opening, at: now)
        if now >= lastCall {
            expireTickets(confirmedBefore: lastCall, because: closingCause(deciding), &deciding)
        }
    }

    private mutating func expireVisits(
        before slot: Moment, because cause: TransitionCause, _ deciding: inout Deciding
    ) {
        for live in visits.removeFirst(before: slot, limit: Self.maxTransitionsPerTick) {
            expire(live, because: cause, &deciding)
        }
    }

    /// A ticket that came back may be in front of those that have waited all the time.
    private mutating func expireTickets(
        confirmedBefore moment: Moment, because cause: TransitionCause, _ deciding: inout Deciding
    ) {
        let late = tickets.entries.lazy.map(\.live).filter { $0.since < moment }
            .prefix(Self.maxTransitionsPerTick)
        let expired = Array(late)
        guard !expired.isEmpty else { return }
        tickets.remove(Set(expired.map(\.id)))
        for live in expired { expire(live, because: cause, &deciding) }
    }
}
