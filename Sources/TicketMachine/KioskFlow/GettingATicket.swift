public import Reservations

// Get a ticket [UC11, R3, R18] and book the first available visit [UC12, R6, R7]: asking for a
// place, the offer, and giving it back.
extension KioskFlow {
    mutating func askForPlace(
        _ kind: ReservationKind, renewed: Bool = false, insteadOfVisit: Bool = false, now: Duration
    ) -> [KioskEffect] {
        let attempt = makeKey()
        let asking = Asking(
            attempt: attempt, kind: kind, renewed: renewed, insteadOfVisit: insteadOfVisit)
        enter(.asking(asking), now: now)
        return [.takePlace(kind, attempt)]
    }

    public mutating func placeAnswered(
        _ attempt: AttemptKey, _ answer: Result<HeldPlace, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .asking(let asking) = state, asking.attempt == attempt else {
            // The customer has left this state: a place that comes late is given back.
            if case .success(let place) = answer { return [.release(place.id)] }
            return []
        }
        switch answer {
        case .success(let place):
            set(clock: place.told, now: now)
            lastTouch = now
            let offer = Offer(
                place: place, expires: now + place.life, renewed: asking.renewed,
                insteadOfVisit: asking.insteadOfVisit)
            enter(.offer(offer), now: now)
            return []
        case .failure(.noTicketToday):
            lastTouch = now
            enter(.noTicketToday, now: now)
            return []
        case .failure(.ticketAvailable) where asking.kind == .visit:
            return askForPlace(.ticket, insteadOfVisit: true, now: now)
        case .failure(.nothingWithinAMonth):
            lastTouch = now
            enter(.noVisit, now: now)
            return []
        case .failure(.shopClosed(let opens)):
            enter(.closed(opens: opens), now: now)
            return [.refresh]
        case .failure(let failure):
            apologize(for: OutOfService(failure), now: now)
            return [.refresh]
        }
    }

    mutating func cancelTouched(now: Duration) -> [KioskEffect] {
        switch state {
        case .offer(let offer): [.release(offer.place.id)] + goHome(now: now)
        case .asking, .noTicketToday, .noVisit, .scanning, .lookingUp, .found: goHome(now: now)
        default: []
        }
    }

    /// Three minutes have passed without a touch.
    mutating func customerLeft(now: Duration) -> [KioskEffect] {
        cancelTouched(now: now)
    }

    /// The customer is there: the place is held as long as the screen may show it (rules 2).
    mutating func customerStayed(now: Duration) -> [KioskEffect] {
        switch state {
        case .offer(var offer):
            let outlasts = now + KioskTiming.inactivity > offer.expires - KioskTiming.holdReserve
            let isDue = offer.lastExtension.map { now >= $0 + KioskTiming.extensionGap } ?? true
            guard outlasts, isDue, offer.isExtendable else { return [] }
            offer.extensions += 1
            offer.lastExtension = now
            update(.offer(offer))
            return [.extend(offer.place.id)]
        case .issued(var issued):
            guard issued.closes != nil else { return [] }
            issued.closes = now + issued.paper.readingTime
            update(.issued(issued))
            return []
        default: return []
        }
    }

    public mutating func extensionAnswered(
        _ hold: ReservationID, _ answer: Result<HeldPlace, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .offer(var offer) = state, offer.place.id == hold else { return [] }
        switch answer {
        case .success(let place):
            // What was shown stays shown; only the life is new.
            offer.expires = now + place.life
            update(.offer(offer))
            return []
        case .failure(.holdLapsed), .failure(.gone):
            return askForPlace(offer.place.kind, renewed: true, now: now)
        case .failure: return []
        }
    }
}

extension HeldPlace {
    var kind: ReservationKind { visit == nil ? .ticket : .visit }
}
