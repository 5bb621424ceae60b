internal import Reservations

/// Visits that customers book on their phones, at a time of their choice (rules: visits).
extension QueueState {
    /// Holds a chosen slot, whether the shop is open or not.
    mutating func holdVisit(
        _ chosen: ChosenSlot, holder: HolderID, id: ReservationID, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        replacingHolds(of: .phone(holder), &deciding) { state, deciding in
            let day = deciding.localTime(chosen.start.moment).day
            if let refused = state.visitRefusal(of: holder, on: day, deciding) {
                return .failure(refused)
            }
            guard let slot = state.freeSlot(chosen, deciding) else {
                return .refused(.slotTaken)
            }
            return state.hold(
                NewHold(
                    id: id, owner: .phone(holder), isRemote: true, kind: .visit, day: day,
                    wait: .at(slot.start), visit: slot, declaredMinutes: chosen.minutes), &deciding)
        }
    }

    /// Moves a visit to another slot, or changes its length; if that is refused, it stays as it is.
    ///
    /// A visit of a machine cannot be moved: its paper would say what is not true any more. A visit of another day gets a
    /// number of that day, and keeps its codes.
    mutating func move(
        _ visitor: ConfirmedReservation, to chosen: ChosenSlot, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        var record = visitor.record
        guard record.hold.kind == .visit, let holder = record.hold.owner.holder else {
            return .refused(.unsupportedKind)
        }
        switch record.state {
        case .planned: break
        case .called: return .refused(.stillValid)
        case .pending, .active, .expired, .deleted: return .refused(Self.refusal(record))
        }
        let day = deciding.localTime(chosen.start.moment).day
        if let refused = visitRefusal(of: holder, on: day, moving: record.hold.id, deciding) {
            return .failure(refused)
        }
        leaveLine(visitor.live)
        unbook(visitor.live)
        guard let slot = freeSlot(chosen, deciding),
            let moved = moved(&record, to: slot, on: day, chosen, deciding)
        else {
            wait(visitor.live)
            book(visitor.live)
            return .refused(.slotTaken)
        }
        if let confirmation = record.confirmation, day != visitor.record.hold.day {
            advance(to: confirmation.number, of: day, &deciding)
        }
        deciding.add(.rebooked(record, from: visitor.record.hold.day))
        returnToLine(moved, of: record, because: .rebooked, &deciding)
        return confirmed(deciding.present(record), deciding)
    }

    /// Gives a record its new slot, and on another day its number; nil if there is none.
    private func moved(
        _ record: inout ReservationRecord, to slot: VisitSlot, on day: CalendarDay,
        _ chosen: ChosenSlot, _ deciding: Deciding
    ) -> LiveReservation? {
        guard let former = record.confirmation else { return nil }
        var number = former.number
        if day != record.hold.day {
            guard let next = nextNumber(of: day, deciding) else { return nil }
            number = next
        }
        let hold = record.hold
        record.hold = Hold(
            id: hold.id, owner: hold.owner, isRemote: hold.isRemote, kind: hold.kind, day: day,
            taken: hold.taken, expires: hold.expires, extensions: hold.extensions,
            wait: .at(slot.start), visit: slot, declaredMinutes: chosen.minutes)
        record.confirmation = Confirmation(
            number: number, code: former.code, typedCode: former.typedCode, issued: former.issued)
        record.turn.moveCount += 1
        record.question = question(ofSlot: slot, movedAt: deciding.now)
        return LiveReservation(record)
    }

    /// Why a holder can have no visit on a day, whatever is free.
    private func visitRefusal(
        of holder: HolderID, on day: CalendarDay, moving moved: ReservationID? = nil,
        _ deciding: Deciding
    ) -> Refused? {
        if let refused = refusal(of: holder, on: day, moving: moved, deciding) { return refused }
        guard policy.phones.hasVisits else { return Refused(.noVisitsOnPhones) }
        return blockRefusal(of: holder, deciding)
    }
}

extension WaitEstimate {
    /// What is promised to a visit: the start of its slot, without a spread.
    static func at(_ start: LocalMoment) -> WaitEstimate {
        WaitEstimate(expected: start, earliest: start, latest: start, peopleAhead: 0)
    }
}
