internal import Reservations

// Get a ticket [UC11, R3, R18] and book the first available visit [UC12, R6, R7]: asking for a place, and the offer.
extension KioskFlow {
    mutating func askForPlace(
        _ kind: ReservationKind, renewed: Bool = false, insteadOfVisit: Bool = false, now: Duration
    ) -> [KioskEffect] {
        let attempt = keys.next()
        let asking = Asking(
            attempt: attempt, kind: kind, renewed: renewed, insteadOfVisit: insteadOfVisit)
        enter(.asking(asking), now: now)
        return [.backend(.takePlace(kind, attempt))]
    }

    mutating func placeAnswered(
        _ attempt: AttemptKey, _ answer: Result<HeldPlace, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .asking(let asking) = state, asking.attempt == attempt else {
            // The customer has left this state: a place that comes late is given back.
            if case .success(let place) = answer { return [.backend(.release(place.id))] }
            return []
        }
        switch answer {
        case .success(let place):
            clock.set(place.now, now: now)
            touches.touched(now)
            let isPresent = service.queueAge(now: now) == nil
            let offer = Offer(
                place: place, expires: now + place.lifetime, renewed: asking.renewed,
                insteadOfVisit: asking.insteadOfVisit,
                nearby: isPresent ? service.queue?.nearby : nil)
            return enter(.offer(offer), now: now)
        case .failure(let failure): return placeRefused(asking, failure, now: now)
        }
    }

    private mutating func placeRefused(
        _ asking: Asking, _ failure: BackendFailure, now: Duration
    ) -> [KioskEffect] {
        if failure.refusal == .ticketAvailable, asking.kind == .visit {
            return askForPlace(.ticket, insteadOfVisit: true, now: now)
        }
        if failure.refusal == .noTicketToday, asking.kind == .ticket, !asking.renewed,
            !asking.insteadOfVisit, service.queue?.ticketAvailable == false
        {
            // Home has said that no ticket is left, and the button offered a visit.
            return askForPlace(.visit, now: now)
        }
        if failure.refusal == .noTicketToday || failure.refusal == .nothingWithinAMonth {
            touches.touched(now)
            return enter(failure.refusal == .noTicketToday ? .noTicketToday : .noVisit, now: now)
        }
        if case .refused(let refused) = failure, refused.refusal == .shopClosed {
            enter(.closed(opens: refused.opens), now: now)
        } else {
            requestFailed(for: OutOfService(failure), now: now)
        }
        return [.refresh]
    }

    mutating func extensionAnswered(
        _ hold: ReservationID, _ answer: Result<HeldPlace, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .offer(var offer) = state, offer.place.id == hold else { return [] }
        switch answer {
        case .success(let place):
            // What was shown stays on the screen; only the time until the hold expires is new.
            offer.expires = now + place.lifetime
            return update(.offer(offer))
        case .failure(let failure):
            return failure.meansHoldIsGone
                ? askForPlace(offer.place.kind, renewed: true, now: now) : []
        }
    }
}

extension BackendFailure {
    /// Whether the backend no longer holds the place.
    public var meansHoldIsGone: Bool {
        refusal.map { $0 == .holdExpired || $0.meansNothingIsLeft } ?? false
    }
}
