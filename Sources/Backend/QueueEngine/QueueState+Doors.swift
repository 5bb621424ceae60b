internal import Reservations

/// Decisions at the doors [UC14, UC15].
extension QueueState {
    mutating func enter(_ holder: ConfirmedReservation, _ deciding: inout Deciding)
        -> Deciding.Answer
    {
        switch holder.state {
        case .called:
            leaveCalled(holder.live)
            activate(
                holder, at: max(deciding.now, holder.record.since), because: .entered, &deciding)
            return .success(.entered(holder.passage()))
        case .planned:
            // Those who are at the door are coming.
            isComing(holder.live, &deciding)
            let wait = expected(holder, deciding)
            // A ticket whose turn comes after midnight, and a visit soon after it, is one of the present queue.
            let isOfLaterDay = holder.record.hold.visit.map {
                $0.start.day > $0.start.at(deciding.now).day
                    && $0.start.moment > deciding.now + .minutes(60)
            }
            return .refused(isOfLaterDay == true ? .notToday : .notYetCalled, wait: wait)
        case .pending, .active, .expired, .deleted: return .refused(Self.refusal(holder.record))
        }
    }

    mutating func exit(
        _ holder: ConfirmedReservation, at point: ExitPoint, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        // The exit may have been inferred just now, and each transition needs a moment of its own.
        let later = record.state == .expired ? record.since + .milliseconds(1) : record.since
        let now = max(deciding.now, later)
        switch record.state {
        case .active: _ = inside.remove(holder.id, key: record.since.milliseconds)
        case .called:
            // The customer entered without a scan, and no customer may be kept from leaving.
            leaveCalled(holder.live)
            deciding.move(holder.id, from: .called, to: .active, at: now, because: .letIn)
        case .expired where record.cause == .inferred: break
        case .expired where record.cause == .checkedOut:
            let key = record.since + policy.leaveDelay
            guard point == .turnstile, let live = leaving.remove(holder.id, key: key.milliseconds)
            else { return .refused(.alreadyUsed) }
            goOut(live, &deciding)
            let stay = record.entered.map { record.since - $0 }
            return .success(.left(holder.passage(stay: stay)))
        case .planned: return .refused(.notInside)
        case .pending, .expired, .deleted: return .refused(Self.refusal(record))
        }
        // A place that was counted as free is free already.
        let keepsPlace = record.state != .expired && point == .checkout && policy.leaveDelay > .zero
        deciding.move(
            holder.id, from: record.state == .expired ? .expired : .active, to: .expired, at: now,
            because: keepsPlace ? .checkedOut : .left)
        if keepsPlace { leaving.insert(holder.live.since(now), key: now + policy.leaveDelay) }
        var stay: Duration?
        if let entered = record.entered {
            stay = now - entered
            learn(now - entered, entered: entered, record, &deciding)
        }
        attendance.count(\.left)
        deciding.add(.learnedAttendance(attendance))
        return .success(.left(holder.passage(stay: stay)))
    }

    /// Frees the place of a customer who was scanned at the check-out and has now gone out of the door.
    func goOut(_ live: LiveReservation, _ deciding: inout Deciding) {
        deciding.move(
            live.id, from: .expired, to: .expired,
            at: max(deciding.now, live.since + .milliseconds(1)), because: .left)
    }

    mutating func activate(
        _ holder: ConfirmedReservation, at moment: Moment, because cause: TransitionCause,
        _ deciding: inout Deciding
    ) {
        inside.insert(holder.live.since(moment), key: moment)
        deciding.move(holder.id, from: holder.state, to: .active, at: moment, because: cause)
        attendance.count(\.came, of: holder.live.channel, isSilent: holder.live.isSilent)
        deciding.add(.learnedAttendance(attendance))
    }

    mutating func leaveLine(_ live: LiveReservation) {
        if live.kind == .visit {
            visits.remove(live)
        } else {
            _ = tickets.remove(live.id, key: live.position)
        }
    }

    mutating func leaveCalled(_ live: LiveReservation) {
        _ = called.remove(live.id, key: enterBy(live, called: live.since).milliseconds)
    }

    /// When the turn of a waiting customer should come.
    func expected(_ holder: ConfirmedReservation, _ deciding: Deciding) -> WaitEstimate? {
        guard holder.record.hold.visit == nil else { return holder.record.hold.wait }
        guard let opening = deciding.opening else { return nil }
        return wait(behind: ticketsAhead(of: holder.live), in: opening, deciding)
    }

    private mutating func learn(
        _ stay: Duration, entered: Moment, _ record: ReservationRecord, _ deciding: inout Deciding
    ) {
        let cell = LearnedStays.cell(deciding.local(entered, like: record.hold.taken))
        if let sums = stays.learn(stay, in: cell) { deciding.add(.learnedStays(cell, sums)) }
    }

    /// Why a reservation that is not planned any more cannot be used.
    static func refusal(_ record: ReservationRecord) -> Refusal {
        switch record.state {
        case .active: .inside
        case .deleted: .alreadyDeleted
        case .expired: (record.lossStatus ?? .used).refusal ?? .alreadyUsed
        case .pending, .planned, .called: .notYetCalled
        }
    }
}
