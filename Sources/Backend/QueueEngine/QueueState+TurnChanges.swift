internal import Reservations

/// Customers who let others go ahead of them, and those who take a place back whose call they missed (rules: more-time).
extension QueueState {
    /// How often a customer can let others go ahead.
    static let maxDelays = 2
    /// How long a place can be taken back after its call was missed.
    static let reclaimWindow = Duration.minutes(10)

    // MARK: More time

    /// How the holder of a waiting ticket may let others go ahead; nil if that is not possible.
    func delayOffers(_ live: LiveReservation, _ deciding: Deciding) -> [DelayOffer]? {
        let several = delayOffers(live, of: DelayOffer.peopleToChoose, deciding)
        let offers = several.isEmpty ? delayOffers(live, of: [1], deciding) : several
        return offers.isEmpty ? nil : offers
    }

    /// What it costs to let each of these numbers of people go ahead. A number is left out if not so many are behind the
    /// ticket, or if the ticket might then not be called before the shop closes.
    private func delayOffers(
        _ live: LiveReservation, of numbers: [Int], _ deciding: Deciding
    ) -> [DelayOffer] {
        guard policy.allowsDelays, live.kind == .ticket, live.turn.delayCount < Self.maxDelays,
            let opening = deciding.opening, mayCall(live, in: opening, deciding)
        else { return [] }
        let deciding = informed(deciding)
        let ahead = ticketsAhead(of: live)
        return numbers.compactMap { people in
            guard position(behind: ahead + people) != nil else { return nil }
            let wait = wait(behind: ahead + people, in: opening, deciding)
            let isPossible = isInTime(wait, in: opening, deciding)
            return isPossible ? DelayOffer(people: people, wait: wait) : nil
        }
    }

    /// The same decision with a forecast, which is computed once if there is none.
    func informed(_ deciding: Deciding) -> Deciding {
        guard deciding.forecast == nil, let opening = deciding.opening else { return deciding }
        var informed = deciding
        informed.forecast = WaitForecast(self, at: deciding.now, in: opening)
        return informed
    }

    /// Lets so many people go ahead, whose tickets are behind this one. The ticket keeps its number; tickets that are
    /// taken later stay behind it.
    mutating func delay(
        _ holder: ConfirmedReservation, by people: Int, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        guard record.state == .planned || record.state == .called else {
            return .refused(Self.refusal(record))
        }
        // One is offered to the last but one; it stays possible if another ticket was taken meanwhile.
        guard record.state == .planned, DelayOffer.peopleToChoose.contains(people) || people == 1,
            let offer = delayOffers(holder.live, of: [people], deciding).first,
            let position = position(behind: ticketsAhead(of: holder.live) + people)
        else { return .refused(.noDelay) }
        // A customer who plans the way is coming.
        let holder = answeredFor(holder, &deciding)
        var changed = holder.record
        changed.turn.formerPlace = record.turn.place
        changed.turn.place = TurnChanges.Place(
            position: position, earliest: max(holder.live.earliest, offer.wait.earliest.moment))
        changed.turn.delayCount += 1
        changed.turn.delayed = max(deciding.now, record.since + .milliseconds(1))
        return change(holder, to: changed, because: .delayed, &deciding)
    }

    /// Until when the last delay of a waiting ticket can be undone; nil if there is none, or if anything has happened to
    /// the ticket since.
    func undoDelayBy(_ record: ReservationRecord, _ deciding: Deciding) -> Moment? {
        guard record.state == .planned, let delayed = record.turn.delayed,
            delayed == record.since, deciding.now < delayed + Self.undoWindow
        else { return nil }
        return delayed + Self.undoWindow
    }

    /// Returns a ticket whose delay can be undone to its former position.
    mutating func undoDelay(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        var changed = holder.record
        changed.turn.place = changed.turn.formerPlace
        changed.turn.formerPlace = nil
        changed.turn.delayed = nil
        changed.turn.delayCount -= 1
        return change(holder, to: changed, because: .undone, &deciding)
    }

    // MARK: A missed call

    /// Until when the holder may take back a place whose call was missed; nil if that is not possible.
    ///
    /// A holder of a phone may have another place by then (rules: one-place).
    func reclaimBy(_ holder: ConfirmedReservation, _ deciding: Deciding) -> Moment? {
        let record = holder.record
        guard policy.allowsReclaims, record.turn.reclaimCount == 0, record.hold.owner.holder == nil,
            let missed = missed(holder, deciding.now)
        else { return nil }
        return lastReturn(of: holder.live, by: missed + Self.reclaimWindow, deciding)
    }

    /// When the call was missed, also if that is not written yet.
    private func missed(_ holder: ConfirmedReservation, _ now: Moment) -> Moment? {
        let record = holder.record
        if record.state == .called {
            let end = enterBy(holder.live, called: record.since)
            return end <= now ? end : nil
        }
        return record.state == .expired && record.cause == .missed ? record.since : nil
    }

    /// Gives a place back to its holder, who missed the call: it is behind those who were called meanwhile.
    mutating func reclaim(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        var record = holder.record
        guard reclaimBy(holder, deciding) != nil else {
            let isWaiting = record.state == .planned || record.state == .called
            return .refused(isWaiting ? .stillValid : Self.refusal(record))
        }
        if record.state == .called {
            leaveCalled(holder.live)
            miss(holder.live, &deciding)
            record = deciding.present(record)
        }
        // The place that it has lost is another customer's.
        call(&deciding)
        var changed = record
        changed.turn.reclaimCount += 1
        return change(holder, to: changed, because: .reclaimed, &deciding)
    }

    // MARK: Both

    /// Puts a reservation, which waits or has lost its place, where the changed record has its turn.
    private mutating func change(
        _ holder: ConfirmedReservation, to changed: ReservationRecord,
        because cause: TransitionCause, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        guard let live = LiveReservation(changed) else { return .refused(.notFound) }
        if changed.state == .planned { leaveLine(holder.live) }
        deciding.add(.turnChanged(changed))
        returnToLine(live, of: changed, because: cause, &deciding)
        call(&deciding)
        let present = deciding.present(holder.record)
        guard let found = found(present, live.since(present.since), deciding) else {
            return .refused(.notFound)
        }
        return .success(.changed(found))
    }

    /// Whether a reservation can still be called in this opening.
    private func mayCall(
        _ live: LiveReservation, in opening: OpenInterval, _ deciding: Deciding
    ) -> Bool {
        opening.includes(live.day) && deciding.now < lastCall(of: live, in: opening, deciding)
    }

    /// The moment from which a reservation is not called any more: that of the last call; for a visit, its end.
    private func lastCall(
        of live: LiveReservation, in opening: OpenInterval, _ deciding: Deciding
    ) -> Moment { live.visit?.upperBound ?? lastCall(in: opening, at: deciding.now) }

    /// Until when a reservation can return that may do so until `end`; nil if it cannot.
    func lastReturn(
        of live: LiveReservation, by end: Moment, _ deciding: Deciding
    ) -> Moment? {
        guard deciding.now < end, let opening = deciding.opening,
            mayCall(live, in: opening, deciding), isNumberFree(of: live, deciding)
        else { return nil }
        return min(end, lastCall(of: live, in: opening, deciding))
    }

    /// The number of tickets before this one.
    func ticketsAhead(of live: LiveReservation) -> Int {
        tickets.count(before: live, key: live.position)
    }

    /// A position between the ticket at this index and the next one; nil if there is none, or no such ticket.
    private func position(behind index: Int) -> Int64? {
        let entries = tickets.entries
        guard entries.indices.contains(index) else { return nil }
        let key = entries[index].key
        let perNumber = LiveReservation.positionsPerNumber
        let next = (key / perNumber + 1) * perNumber
        let end = entries.indices.contains(index + 1) ? min(next, entries[index + 1].key) : next
        return end - key > 1 ? key + (end - key) / 2 : nil
    }
}
