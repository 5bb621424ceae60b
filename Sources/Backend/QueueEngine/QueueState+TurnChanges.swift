internal import Reservations

/// Customers who let others go ahead of them, and those who take a place back whose call they missed (rules 34).
extension QueueState {
    /// How often a customer can let others go ahead.
    static let maxDelays = 2
    /// How long a place can be taken back after its call was missed.
    static let reclaimWindow = Duration.minutes(10)

    /// How the holder of a waiting ticket may let others go ahead; nil if that is not possible.
    ///
    /// So many people are offered as are behind the ticket, and only if the ticket would still be called before the shop
    /// closes.
    func delays(_ live: LiveReservation, _ deciding: Deciding) -> [DelayOffer]? {
        guard policy.allowsDelays, live.kind == .ticket, live.turn.delays < Self.maxDelays,
            let opening = deciding.opening, mayCall(live, in: opening, deciding)
        else { return nil }
        let ahead = ticketsAhead(of: live)
        let behind = tickets.count - ahead - 1
        guard behind > 0 else { return nil }
        let few = DelayOffer.peopleToChoose.filter { $0 <= behind }
        let offers = (few.isEmpty ? [behind] : few).compactMap { people -> DelayOffer? in
            let wait = wait(behind: ahead + people, in: opening, deciding)
            guard position(behind: ahead + people) != nil,
                wait.latest.moment + promisedStay(at: wait.latest) <= opening.closes.moment
            else { return nil }
            return DelayOffer(people: people, wait: wait)
        }
        return offers.isEmpty ? nil : offers
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
        guard record.state == .planned,
            let offer = delays(holder.live, deciding)?.first(where: { $0.people == people }),
            let position = position(behind: ticketsAhead(of: holder.live) + people)
        else { return .refused(.noDelay) }
        var changed = record
        changed.turn.formerPosition = record.turn.position
        changed.turn.position = position
        changed.turn.delays += 1
        changed.turn.delayed = max(deciding.now, record.since + .milliseconds(1))
        changed.hold.wait = offer.wait
        return move(holder, to: changed, because: .delayed, &deciding)
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
        changed.turn.position = changed.turn.formerPosition
        changed.turn.formerPosition = nil
        changed.turn.delayed = nil
        changed.turn.delays -= 1
        if let opening = deciding.opening, let live = LiveReservation(changed) {
            changed.hold.wait = wait(behind: ticketsAhead(of: live), in: opening, deciding)
        }
        return move(holder, to: changed, because: .undone, &deciding)
    }

    /// Until when the holder may take back a place whose call was missed; nil if that is not possible.
    func reclaimBy(_ record: ReservationRecord, _ deciding: Deciding) -> Moment? {
        guard policy.allowsReclaims, record.turn.reclaims == 0, let live = LiveReservation(record),
            // A holder may have another place by now (rules 32).
            record.hold.owner.holder == nil, let opening = deciding.opening,
            mayCall(live, in: opening, deciding), let missed = missed(record, live, deciding.now),
            deciding.now < missed + Self.reclaimWindow
        else { return nil }
        return missed + Self.reclaimWindow
    }

    /// When the call was missed, also if that is not written yet.
    private func missed(
        _ record: ReservationRecord, _ live: LiveReservation, _ now: Moment
    ) -> Moment? {
        if record.state == .called {
            let end = enterBy(live, called: record.since)
            return end <= now ? end : nil
        }
        return record.state == .expired && record.cause == .missed ? record.since : nil
    }

    /// Gives a place back to its holder, who missed the call: it is behind those who were called meanwhile.
    mutating func reclaim(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        guard reclaimBy(record, deciding) != nil else {
            let isWaiting = record.state == .planned || record.state == .called
            return .refused(isWaiting ? .stillValid : Self.refusal(record))
        }
        var changed = record
        changed.turn.reclaims += 1
        return move(holder, to: changed, because: .reclaimed, &deciding)
    }

    /// Puts a reservation, which waits or has lost its place, where the changed record has its turn.
    private mutating func move(
        _ holder: ConfirmedReservation, to changed: ReservationRecord,
        because cause: TransitionCause,
        _ deciding: inout Deciding
    ) -> Deciding.Answer {
        guard let live = LiveReservation(changed) else { return .refused(.notFound) }
        if holder.state == .planned { leaveLine(holder.live) }
        deciding.add(.turnChanged(changed))
        putBack(live, of: changed, because: cause, &deciding)
        let present = deciding.present(holder.record)
        guard let found = found(present, live.since(present.since), deciding) else {
            return .refused(.notFound)
        }
        return .success(.turnChanged(found))
    }

    /// Whether a reservation can still be called in this opening.
    func mayCall(
        _ live: LiveReservation, in opening: OpenInterval, _ deciding: Deciding
    ) -> Bool {
        opening.opens.day == live.day
            && (live.kind == .visit || deciding.now < lastCall(in: opening, at: deciding.now))
    }

    /// The number of tickets before this one.
    func ticketsAhead(of live: LiveReservation) -> Int {
        tickets.entries.partitionPoint { $0.key >= live.place }
    }

    /// A position between the ticket at this index and the next one; nil if there is no other between theirs.
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
