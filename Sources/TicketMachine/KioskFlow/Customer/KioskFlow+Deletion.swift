internal import Reservations
internal import VisitCalendar

// Delete a reservation [UC13, R8], and *is my place still mine?*: scanning the ticket shows its status.
extension KioskFlow {
    mutating func codeRead(_ text: String, now: Duration) -> [KioskEffect] {
        if case .staff(let visit) = state {
            return visit.screen == .reader ? staffRead(text, visit, now: now) : [.beep]
        }
        if let badge = StaffBadge(read: text) { return badgeScanned(badge, now: now) }
        guard state.traits.takesCodes, warning(now: now) == nil, !isHelpShown else {
            return [.beep]
        }
        touches.touched(now)
        return printoutLeft + lookUp(text, sought: sought, now: now)
    }

    /// What the customer looks for, on the screens that are about a code.
    private var sought: Sought {
        switch state {
        case .scanning(let scanning): scanning.sought
        case .codeRefused(let refused): refused.sought
        case .order: .order
        case .starting, .home, .closed, .outOfService, .asking, .offer, .noTicketToday, .noVisit,
            .confirming, .unresolved, .issued, .lookingUp, .found, .delayOffers,
            .missedCall, .changingTurn, .turnChanged, .deleting, .deleted, .requestFailed,
            .pinEntry, .staff:
            .reservation
        }
    }

    /// - Parameter digits: those of a refused code, which the customer can correct.
    mutating func scan(
        for sought: Sought, correcting digits: String? = nil, now: Duration
    ) -> [KioskEffect] {
        let scanning = Scanning(
            sought: sought, digits: digits ?? "", corrected: digits.map { _ in 0 })
        return enter(.scanning(scanning), now: now)
    }

    /// Changes the typed digits as a key of the keypad asks for.
    mutating func typed(_ change: (inout Scanning) -> Void) -> [KioskEffect] {
        guard case .scanning(let before) = state else { return [] }
        var scanning = before
        change(&scanning)
        return scanning == before ? [] : update(.scanning(scanning))
    }

    mutating func lookUp(
        _ text: String, sought: Sought, typed: String? = nil, now: Duration
    ) -> [KioskEffect] {
        guard let code = ReadCode(read: text, sought: sought) else {
            if EventSymbol.isLine(read: text) {
                return refuse(.symbolForCalendars, of: sought, now: now)
            }
            let isForPhones = Capability(read: text) != nil
            return refuse(isForPhones ? .symbolForPhones : .unreadableCode, of: sought, now: now)
        }
        // An older backend does not know orders, and a shop without a desk hands none out.
        if code.sought == .order, !isDeskThere {
            return refuse(.unsupportedKind, of: .order, typed: typed, now: now)
        }
        let attempt = keys.next()
        let looking = LookingUp(attempt: attempt, code: code, typed: typed)
        enter(.lookingUp(looking), now: now)
        return [.backend(.lookUp(code, attempt))]
    }

    mutating func lookUpAnswered(
        _ attempt: AttemptKey, _ answer: Result<FoundReservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .lookingUp(let looking) = state, looking.attempt == attempt,
            case .reservation(let code) = looking.code
        else { return [] }
        touches.touched(now)
        switch answer {
        case .success(let reservation):
            let found = Found(reservation: reservation, code: code)
            let isMissed = reservation.status == .missed
            return enter(isMissed ? .missedCall(found) : .found(found), now: now)
        case .failure(let failure): return codeFailed(failure, typed: looking.typed, now: now)
        }
    }

    mutating func delete(_ found: Found, now: Duration) -> [KioskEffect] {
        let attempt = keys.next()
        enter(.deleting(Deleting(attempt: attempt, reservation: found.reservation)), now: now)
        return [.backend(.delete(found.reservation.id, found.code, attempt))]
    }

    mutating func deletionAnswered(
        _ attempt: AttemptKey, _ failure: BackendFailure?, now: Duration
    ) -> [KioskEffect] {
        guard case .deleting(let deleting) = state, deleting.attempt == attempt else { return [] }
        touches.touched(now)
        // After a failure the customer can scan the ticket again, which shows its actual status.
        if let failure { return codeFailed(failure, change: .deletion, now: now) }
        let deleted = Deleted(
            number: deleting.reservation.number, closes: now + KioskTiming.finished)
        enter(.deleted(deleted), now: now)
        return [.refresh]
    }

    /// Shows why the code cannot be used, or that the call failed.
    mutating func codeFailed(
        _ failure: BackendFailure, of sought: Sought = .reservation, typed: String? = nil,
        change: PlaceChange? = nil, now: Duration
    ) -> [KioskEffect] {
        if let refusal = failure.refusal, refusal.sentences(for: sought) != nil {
            return refuse(refusal, of: sought, typed: typed, now: now)
        }
        requestFailed(for: OutOfService(failure), change: change, now: now)
        return [.refresh]
    }

    private mutating func refuse(
        _ reason: Refusal, of sought: Sought, typed: String? = nil, now: Duration
    ) -> [KioskEffect] {
        touches.touched(now)
        let refused = CodeRefused(
            reason: reason, sought: sought, closes: now + KioskTiming.finished, typed: typed)
        return enter(.codeRefused(refused), now: now)
    }
}
