internal import Reservations

extension QueueState {
    /// How often a held place can be extended (rules: holds).
    public static let maxExtensions = 10

    mutating func hold(
        _ kind: ReservationKind, owner: HoldOwner, isRemote: Bool, id: ReservationID,
        _ deciding: inout Deciding
    ) -> Deciding.Answer {
        replacingHolds(of: owner, &deciding) { state, deciding in
            state.newHold(kind, owner: owner, isRemote: isRemote, id: id, &deciding)
        }
    }

    /// Takes a hold in place of those that its owner has.
    mutating func replacingHolds(
        of owner: HoldOwner, _ deciding: inout Deciding,
        _ take: (inout QueueState, inout Deciding) -> Deciding.Answer
    ) -> Deciding.Answer {
        // The customer asked again, so the older offer is on no screen any more (rules: holds).
        let older = holds.filter { $0.owner == owner }
        guard owner.holder != nil, !older.isEmpty else {
            for hold in older { end(hold, at: deciding.now, because: .replaced, &deciding) }
            return take(&self, &deciding)
        }
        // On a phone it may be in another window, which keeps it unless there is a new one.
        var (next, trial) = (self, deciding)
        for hold in older { next.end(hold, at: deciding.now, because: .replaced, &trial) }
        let answer = take(&next, &trial)
        if case .success = answer { (self, deciding) = (next, trial) }
        return answer
    }

    private mutating func newHold(
        _ kind: ReservationKind, owner: HoldOwner, isRemote: Bool, id: ReservationID,
        _ deciding: inout Deciding
    ) -> Deciding.Answer {
        if case .phone(let holder) = owner,
            let refused = refusal(of: holder, isRemote: isRemote, deciding)
        {
            return .failure(refused)
        }
        guard let opening = deciding.opening else {
            let next = deciding.openings.first { deciding.now < $0.opens.moment }
            return .refused(.shopClosed, opens: next?.opens)
        }
        let ticket = offer(in: opening, deciding)
        var new = NewHold(
            id: id, owner: owner, isRemote: isRemote, kind: kind, day: opening.opens.day,
            wait: .at(opening.opens))
        switch kind {
        case .ticket:
            guard let ticket else { return .refused(.noTicketToday) }
            if owner.holder != nil {
                if isRemote, !hasRemotePlace(in: opening, deciding) {
                    return .refused(.remotePlacesTaken)
                }
                if !isRemote, !hasPhonePlace(in: opening, deciding) {
                    return .refused(.phonePlacesTaken)
                }
            }
            new.wait = ticket
        case .visit:
            guard owner.holder == nil else { return .refused(.unsupportedKind) }
            guard ticket == nil else { return .refused(.ticketAvailable) }
            guard let first = firstVisit(deciding) else { return .refused(.nothingWithinAMonth) }
            new.day = first.day
            new.visit = first.slot
            new.wait = .at(first.slot.start)
        }
        return hold(new, &deciding)
    }

    /// What is known of a hold before it is taken.
    struct NewHold {
        let id: ReservationID
        let owner: HoldOwner
        let isRemote: Bool
        let kind: ReservationKind
        var day: CalendarDay
        var wait: WaitEstimate
        var visit: VisitSlot?
        var declaredMinutes: Int?
    }

    mutating func hold(_ new: NewHold, _ deciding: inout Deciding) -> Deciding.Answer {
        let local = deciding.localTime(deciding.now)
        let hold = Hold(
            id: new.id, owner: new.owner, isRemote: new.isRemote, kind: new.kind, day: new.day,
            taken: local, expires: local.at(deciding.now + policy.holdLifetime), extensions: 0,
            wait: new.wait, visit: new.visit, declaredMinutes: new.declaredMinutes)
        insert(hold)
        if let visit = hold.visit { book(visit, on: hold.day, hold.channel) }
        deciding.add(
            .inserted(
                ReservationRecord(
                    hold: hold, state: .pending, since: deciding.now, cause: .requested,
                    confirmation: nil)))
        return .success(.held(hold))
    }

    mutating func extend(_ hold: Hold, _ deciding: inout Deciding) -> Deciding.Answer {
        guard hold.extensions < Self.maxExtensions else { return .success(.extended(hold)) }
        var hold = hold
        hold.extensions += 1
        hold.expires = hold.taken.at(deciding.now + policy.holdLifetime)
        if hold.kind == .ticket, let opening = deciding.opening {
            let before = holds.count {
                $0.kind == .ticket && $0.id != hold.id && $0.taken.moment <= hold.taken.moment
            }
            hold.wait = wait(behind: tickets.count + before, in: opening, deciding)
        }
        _ = removeHold(hold.id)
        insert(hold)
        deciding.add(.extended(hold))
        return .success(.extended(hold))
    }

    mutating func confirm(
        _ held: Hold, code: EntryCode, typed: TypedCode, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        var hold = held
        // A ticket that was offered just before midnight is one of the day that its paper bears.
        if hold.kind == .ticket, let opening = deciding.opening, hold.day < opening.opens.day {
            hold.day = opening.opens.day
        }
        guard let number = nextNumber(of: hold.day, deciding) else {
            return .refused(.noTicketToday)
        }
        // If the clock was set back, effects must still not come before their causes.
        let now = max(deciding.now, hold.taken.moment)
        // The position is assigned now, so other holds are not ahead any more (rules: numbers).
        if hold.kind == .ticket, let opening = deciding.opening {
            hold.wait = wait(behind: tickets.count, in: opening, deciding)
        }
        let record = ReservationRecord(
            hold: hold, state: .planned, since: now, cause: .confirmed,
            confirmation: Confirmation(
                number: number, code: code, typedCode: typed,
                issued: deciding.local(now, like: hold.taken)))
        guard let live = LiveReservation(record) else { return .refused(.notFound) }
        _ = removeHold(hold.id)
        advance(to: number, of: hold.day, &deciding)
        wait(live)
        deciding.add(.confirmed(record))
        answerIfSoon(live, quoted: hold.wait, at: now, &deciding)
        // If no customer waits and a place is free, this customer's turn has come already (rules: calls-at-confirmation).
        call(&deciding)
        return confirmed(deciding.present(record), deciding)
    }

    /// Answers a command for a hold of this owner that is not open any more, by its outcome.
    func perform(
        _ command: HoldCommand, onFormer record: ReservationRecord?, of owner: HoldOwner,
        _ deciding: Deciding
    ) -> Deciding.Answer {
        let mine = record.flatMap { $0.hold.owner == owner ? $0 : nil }
        switch command {
        case .release:
            // A confirmed place is given back with its code only; reservations of other owners must not be revealed.
            guard let record else { return .success(.released) }
            return mine != nil && record.state == .deleted
                ? .success(.released) : .refused(.notFound)
        case .extend: return .refused(mine?.state == .deleted ? .holdExpired : .notFound)
        case .confirm:
            guard let mine else { return .refused(.notFound) }
            guard mine.confirmation != nil else { return .refused(.holdExpired) }
            return mine.state == .deleted ? .refused(.alreadyDeleted) : confirmed(mine, deciding)
        }
    }

    func confirmed(_ record: ReservationRecord, _ deciding: Deciding) -> Deciding.Answer {
        guard let live = LiveReservation(record) else { return .refused(.notFound) }
        let until = record.state == .called ? enterBy(live, called: record.since) : nil
        let local = until.map { deciding.local($0, like: record.hold.taken) }
        guard let reservation = record.reservation(of: deciding.shop, enterBy: local) else {
            return .refused(.notFound)
        }
        return .success(.confirmed(reservation, day: record.hold.day))
    }

    mutating func end(
        _ hold: Hold, at moment: Moment, because cause: TransitionCause, _ deciding: inout Deciding
    ) {
        _ = removeHold(hold.id)
        if let visit = hold.visit { unbook(visit, on: hold.day, hold.channel) }
        deciding.move(
            hold.id, from: .pending, to: .deleted, at: max(moment, hold.taken.moment),
            because: cause)
    }
}
