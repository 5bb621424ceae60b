internal import Reservations

/// Reservations that are given back [UC13], and what customers undo who thought better of it (rules: giving-back, more-time).
extension QueueState {
    /// How long a customer can undo that a reservation was given back.
    static let undoWindow = Duration.minutes(2)

    /// Until when a customer can undo that this reservation was given back or delayed; nil if there is nothing to undo.
    ///
    /// A called place passes to the next customer at once. A holder may have another place by now (rules: one-place).
    func undoBy(_ holder: ConfirmedReservation, _ deciding: Deciding) -> Moment? {
        let record = holder.record
        if record.state == .planned { return undoDelayBy(record, deciding) }
        guard record.state == .deleted, record.cause == .withdrawn,
            record.hold.owner.holder == nil
        else { return nil }
        let end = record.since + Self.undoWindow
        guard let visit = record.hold.visit else {
            return lastReturn(of: holder.live, by: end, deciding)
        }
        guard deciding.now < end, isFree(visit, deciding), isNumberFree(of: holder.live, deciding)
        else { return nil }
        return end
    }

    /// Deletes a reservation for its customer, who proved that it is theirs.
    mutating func withdraw(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        delete(holder, because: holder.state == .called ? .declined : .withdrawn, &deciding)
    }

    mutating func delete(
        _ holder: ConfirmedReservation, because cause: TransitionCause, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        switch holder.state {
        case .planned: leaveLine(holder.live)
        case .called: leaveCalled(holder.live)
        case .pending, .active, .expired, .deleted: return .refused(Self.refusal(holder.record))
        }
        unbook(holder.live)
        deciding.move(
            holder.id, from: holder.state, to: .deleted,
            at: max(deciding.now, holder.record.since), because: cause)
        return .success(.deleted(holder.id))
    }

    /// Gives a reservation that was given back or delayed a moment ago its former place again.
    mutating func undo(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        guard undoBy(holder, deciding) != nil else {
            let isWaiting = record.state == .planned || record.state == .called
            return .refused(isWaiting ? .stillValid : Self.refusal(record))
        }
        guard record.state == .deleted else { return undoDelay(holder, &deciding) }
        return putBack(holder, because: .undone, &deciding)
    }

    /// Whether the slot of a visit that was given back has not been given to another customer.
    private func isFree(_ visit: VisitSlot, _ deciding: Deciding) -> Bool {
        guard let opening = deciding.openings.first(where: { $0.contains(visit.start.moment) })
        else { return false }
        let places = VisitPlaces(of: opening, in: self)
        return places.free(in: visit.range.milliseconds, for: .machine) > 0
    }

    /// Puts a reservation that lost its place where it was before.
    mutating func putBack(
        _ holder: ConfirmedReservation, because cause: TransitionCause, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        returnToLine(holder.live, of: record, because: cause, &deciding)
        call(&deciding)
        let present = deciding.present(record)
        let until = present.state == .called ? enterBy(holder.live, called: present.since) : nil
        return .success(
            .restored(
                holder.passage(enterBy: until.map { deciding.local($0, like: record.hold.taken) })))
    }

    /// Puts a reservation that is in no queue into its own, and books the time of a visit again.
    mutating func returnToLine(
        _ live: LiveReservation, of record: ReservationRecord, because cause: TransitionCause,
        _ deciding: inout Deciding
    ) {
        let moment = max(deciding.now, record.since + .milliseconds(1))
        wait(live.since(moment))
        book(live)
        deciding.move(live.id, from: record.state, to: .planned, at: moment, because: cause)
    }
}
