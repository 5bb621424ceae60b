public import Reservations

// Confirm [UC11, R10]: nothing twice, nothing lost (rules 12, 13).
extension KioskFlow {
    mutating func confirmTouched(now: Duration) -> [KioskEffect] {
        guard case .offer(let offer) = state else { return [] }
        let key = makeKey()
        enter(.confirming(Confirming(key: key, hold: offer.place.id)), now: now)
        return [.record(.intended(key, offer.place.id)), .confirm(offer.place.id, key)]
    }

    public mutating func confirmationAnswered(
        _ key: AttemptKey, _ answer: Result<Reservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        let hold: ReservationID
        switch state {
        case .confirming(let confirming) where confirming.key == key: hold = confirming.hold
        case .unresolved(let unresolved) where unresolved.key == key: hold = unresolved.hold
        default: return []
        }
        switch answer {
        case .success(let reservation): return issue(reservation, key: key, now: now)
        case .failure(.holdLapsed), .failure(.gone):
            if isResuming { return [.record(.settled(key))] + goHome(now: now) }
            // Never confirm something else than was shown: a new place is a new offer (rules 2).
            return [.record(.settled(key))] + askForPlace(renewed: true, now: now)
        case .failure(let failure) where failure.isUnknown || failure == .busy:
            return waitForAnswer(key: key, hold: hold, now: now)
        case .failure(let failure):
            apologize(for: OutOfService(failure), now: now)
            let open = OpenConfirmation(key: key, hold: hold, deleteWhenKnown: true)
            return [.record(.deleteWhenKnown(key)), .settle(open), .refresh]
        }
    }

    private mutating func waitForAnswer(
        key: AttemptKey, hold: ReservationID, now: Duration
    ) -> [KioskEffect] {
        if case .unresolved(var unresolved) = state {
            unresolved.nextTry = now + KioskTiming.retry
            update(.unresolved(unresolved))
        } else {
            let unresolved = Unresolved(
                key: key, hold: hold, until: now + KioskTiming.unresolved,
                nextTry: now + KioskTiming.retry)
            enter(.unresolved(unresolved), now: now)
        }
        return []
    }

    mutating func unresolvedTimePassed(
        _ unresolved: Unresolved, now: Duration
    ) -> [KioskEffect] {
        if now >= unresolved.until {
            // The customer has waited and gets no place: that is said before the machine goes Home.
            let effects = giveUp(unresolved)
            apologize(for: .network, now: now)
            return effects + [.refresh]
        }
        guard let next = unresolved.nextTry, now >= next else { return [] }
        var trying = unresolved
        trying.nextTry = nil
        update(.unresolved(trying))
        return [.confirm(unresolved.hold, unresolved.key)]
    }

    /// The customer does not wait for the answer: what it brings is deleted (rules 12).
    mutating func leaveTouched(now: Duration) -> [KioskEffect] {
        guard case .unresolved(let unresolved) = state else { return [] }
        return giveUp(unresolved) + goHome(now: now)
    }

    private func giveUp(_ unresolved: Unresolved) -> [KioskEffect] {
        let open = OpenConfirmation(
            key: unresolved.key, hold: unresolved.hold, deleteWhenKnown: true)
        return [.record(.deleteWhenKnown(unresolved.key)), .settle(open)]
    }

    /// Asks again, after a start, for a confirmation whose answer never came.
    mutating func resume(_ open: OpenConfirmation, now: Duration) -> [KioskEffect] {
        lastTouch = now
        let unresolved = Unresolved(
            key: open.key, hold: open.hold, until: now + KioskTiming.unresolved, nextTry: nil)
        enter(.unresolved(unresolved), now: now)
        isResuming = true
        return [.confirm(open.hold, open.key)]
    }
}
