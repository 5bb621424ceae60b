internal import Reservations

/// The staff's commands that end a day before its time, and revoke that (rules: closing).
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
        let end = deciding.plannedEnd ?? now
        let booked = visits.removeFirst(before: end, limit: .max)
        for live in waiting + booked { expire(live, because: .sentHome, &deciding) }
        return .success(.sentHome(waiting.count + booked.count))
    }

    mutating func closeEarly(at moment: Moment, _ deciding: inout Deciding) -> Deciding.Answer {
        let now = deciding.now
        guard let first = deciding.openings.first(where: { now < $0.closes.moment }) else {
            return .refused(.shopClosed)
        }
        // Shortly before a midnight over which the shop stays open, the moment is one of the next day.
        let closing = deciding.openings.first { $0.contains(moment) && $0.ends == first.ends }
        let day = (closing ?? first).staffDay
        // An evening that is over has no end any more that could be set; the next day has not begun.
        guard staffDay(deciding) == day || moment >= first.opens.moment else {
            return shopClosed(deciding)
        }
        guard moment >= now, moment <= now + .minutes(24 * 60) || day == first.staffDay,
            let last = deciding.openings.last(where: { $0.staffDay == day }),
            moment < last.closes.moment
        else { return .refused(.implausible) }
        setClosing(moment, of: day, &deciding)
        return .success(.closing((closing ?? first).local(moment)))
    }

    /// - Parameter records: The reservations that were sent home on the days of the present opening.
    mutating func openAgain(
        _ records: [ReservationRecord], _ deciding: inout Deciding
    ) -> Deciding.Answer {
        guard let planned = deciding.planned else { return .refused(.shopClosed) }
        let day = planned.staffDay
        let ended = deciding.calendar.filter { $0.staffDay == day }.map(\.opens.day) + [day]
        let closedBefore = days[planned.begins.day]?.closes
        let wasClosed = closedBefore.map { $0 < planned.opens.moment } == true
        for day in Set([day] + closedDays(deciding)).sorted() {
            setClosing(nil, of: day, &deciding)
        }
        if days[day]?.endsTickets == true {
            days[day]?.endsTickets = false
            deciding.add(.ticketsEnded(day, false))
        }
        let now = deciding.now
        let mayCallTickets = deciding.opening.map { now < lastCall(in: $0, at: now) } ?? false
        var restored = 0
        for record in records where record.state == .expired && record.cause == .sentHome {
            // One of the day before may have been sent home by the closing of this day, and not by its own.
            let isOfDay =
                ended.contains(record.hold.day)
                || record.since >= planned.opens.moment || !wasClosed
            guard isOfDay, let live = LiveReservation(record),
                live.visit.map({ now < $0.upperBound }) ?? mayCallTickets,
                isNumberFree(of: live, deciding)
            else { continue }
            returnToLine(live, of: record, because: .restored, &deciding)
            restored += 1
        }
        return .success(.openedAgain(restored: restored))
    }

    /// Why waiting customers lose their place when the shop closes: whether its staff made it close before its time.
    func closingCause(_ deciding: Deciding) -> TransitionCause {
        guard deciding.opening == nil else { return closesEarly(deciding) ? .sentHome : .closed }
        let closed = deciding.planned.flatMap { days[$0.staffDay]?.closes }
        return closed.map { $0 <= deciding.now } == true ? .sentHome : .closed
    }

    /// Whether the shop, which is open, closes before its time because its staff want that.
    func closesEarly(_ deciding: Deciding) -> Bool {
        guard let opening = deciding.opening else { return false }
        let last = deciding.openings.first { $0.closes.moment == opening.ends.moment }
        return days[(last ?? opening).staffDay]?.closes == opening.ends.moment
    }

    /// The days of this opening, and of the next one that follows it without a pause, that the staff close early.
    private func closedDays(_ deciding: Deciding) -> [CalendarDay] {
        deciding.calendar.prefix { $0.begins.moment <= deciding.now }.map(\.staffDay)
            .filter { days[$0]?.closes != nil }
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

    /// The moment from which no customer of an opening is called: they could not even stay for a short time (rules: closing).
    func lastCall(in opening: OpenInterval, at now: Moment) -> Moment {
        let shortest = stays(at: opening.local(now)).quantile(Self.shortestStayQuantile)
        return opening.ends.moment - .minutes(shortest)
    }

    /// The day that the staff may end: the present day, also before its opening and between two of its openings.
    private func staffDay(_ deciding: Deciding) -> CalendarDay? {
        guard let planned = deciding.planned else { return nil }
        let day = planned.staffDay
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
