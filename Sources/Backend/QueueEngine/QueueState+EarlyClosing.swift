internal import Reservations

/// The staff's commands that end a day before its time, and revoke that (rules 8).
extension QueueState {
    mutating func endTickets(_ deciding: inout Deciding) -> Deciding.Answer {
        guard let day = staffDay(deciding) else { return shopClosed(deciding) }
        days[day, default: Day()].endsTickets = true
        deciding.add(.ticketsEnded(day, true))
        return .success(.ticketsEnded)
    }

    /// Closes the shop now. If it is closed early already, no customer is left to be sent home.
    mutating func sendHome(_ deciding: inout Deciding) -> Deciding.Answer {
        guard let day = staffDay(deciding) else { return shopClosed(deciding) }
        let now = deciding.now
        if days[day]?.closes.map({ $0 > now }) ?? true { setClosing(now, of: day, &deciding) }
        let waiting = tickets.removeFirst(upTo: .max, limit: .max)
        let booked = visits.entries(of: day).map(\.live)
        for live in booked { leaveLine(live) }
        for live in waiting + booked { expire(live, because: .sentHome, &deciding) }
        return .success(.sentHome(waiting.count + booked.count))
    }

    mutating func closeEarly(at moment: Moment, _ deciding: inout Deciding) -> Deciding.Answer {
        let now = deciding.now
        guard let first = deciding.openings.first(where: { now < $0.closes.moment }) else {
            return .refused(.shopClosed)
        }
        let day = first.opens.day
        guard moment >= now, let last = deciding.openings.last(where: { $0.opens.day == day }),
            moment < last.closes.moment
        else { return .refused(.implausible) }
        setClosing(moment, of: day, &deciding)
        return .success(.closing(first.local(moment)))
    }

    /// - Parameter records: The reservations that were sent home today.
    mutating func openAgain(
        _ records: [ReservationRecord], _ deciding: inout Deciding
    ) -> Deciding.Answer {
        guard let day = deciding.planned?.opens.day else {
            return .refused(.shopClosed)
        }
        setClosing(nil, of: day, &deciding)
        if days[day]?.endsTickets == true {
            days[day]?.endsTickets = false
            deciding.add(.ticketsEnded(day, false))
        }
        let now = deciding.now
        let mayCallTickets = deciding.opening.map { now < lastCall(in: $0, at: now) } ?? false
        var restored = 0
        for record in records where record.state == .expired && record.cause == .sentHome {
            guard record.hold.day == day, let live = LiveReservation(record),
                live.visit.map({ now < $0.upperBound }) ?? mayCallTickets
            else { continue }
            returnToLine(live, of: record, because: .restored, &deciding)
            restored += 1
        }
        return .success(.openedAgain(restored: restored))
    }

    /// Why waiting customers lose their place when the shop closes: whether its staff made it close before its time.
    func closingCause(_ deciding: Deciding) -> TransitionCause {
        guard let opening = deciding.opening ?? deciding.planned,
            let closes = days[opening.opens.day]?.closes
        else { return .closed }
        let isEarly =
            deciding.opening == nil ? closes <= deciding.now : opening.closes.moment == closes
        return isEarly ? .sentHome : .closed
    }

    /// Expires a reservation that is in no queue any more.
    mutating func expire(
        _ live: LiveReservation, because cause: TransitionCause, _ deciding: inout Deciding
    ) {
        unbook(live)
        deciding.move(
            live.id, from: .planned, to: .expired, at: max(deciding.now, live.since),
            because: cause)
    }

    /// The moment from which no customer of an opening is called: they could not even stay for a short time (rules 8).
    func lastCall(in opening: OpenInterval, at now: Moment) -> Moment {
        let shortest = stays(at: opening.local(now)).quantile(Self.shortestStayQuantile)
        return opening.closes.moment - .minutes(shortest)
    }

    /// The day that the staff may end: the present day, also before its opening and between two of its openings.
    private func staffDay(_ deciding: Deciding) -> CalendarDay? {
        guard let planned = deciding.planned else { return nil }
        let day = planned.opens.day
        return planned.local(deciding.now).day == day || planned.contains(deciding.now) ? day : nil
    }

    private func shopClosed(_ deciding: Deciding) -> Deciding.Answer {
        .refused(.shopClosed, opens: deciding.planned?.opens)
    }

    private mutating func setClosing(
        _ moment: Moment?, of day: CalendarDay, _ deciding: inout Deciding
    ) {
        days[day, default: Day()].closes = moment
        deciding.add(.closingSet(day, at: moment))
        deciding.openings = effective(deciding.calendar)
        closedSince = deciding.opening == nil ? closedSince ?? deciding.now : nil
    }
}
