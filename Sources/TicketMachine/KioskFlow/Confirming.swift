public import Reservations

// Confirm [UC11, R10]: nothing twice, nothing lost (rules 12, 13).
extension KioskFlow {
    mutating func confirmTouched(now: Duration) -> [KioskEffect] {
        if case .found(let found) = state { return delete(found, now: now) }
        guard case .offer(let offer) = state else { return [] }
        let key = makeKey()
        let confirming = Confirming(key: key, hold: offer.place.id, kind: offer.place.kind)
        enter(.confirming(confirming), now: now)
        return [.record(.intended(key, offer.place.id)), .confirm(offer.place.id, key)]
    }

    public mutating func confirmationAnswered(
        _ key: AttemptKey, _ answer: Result<Reservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        let asked: Confirming
        switch state {
        case .confirming(let confirming) where confirming.key == key: asked = confirming
        case .unresolved(let unresolved) where unresolved.asked.key == key:
            asked = unresolved.asked
        default: return []
        }
        switch answer {
        case .success(let reservation): return issue(reservation, key: key, now: now)
        case .failure(.holdLapsed), .failure(.gone):
            if isResuming { return [.record(.settled(key))] + goHome(now: now) }
            // Never confirm something else than was shown: a new place is a new offer (rules 2).
            return [.record(.settled(key))] + askForPlace(asked.kind, renewed: true, now: now)
        // A key that is refused is no decision on this place: what refused it may have been sent by another.
        case .failure(let failure)
        where failure.isUnknown || failure == .busy || failure == .notAuthentic:
            return waitForAnswer(asked, now: now)
        case .failure(let failure):
            apologize(for: OutOfService(failure), now: now)
            let open = OpenConfirmation(key: key, hold: asked.hold, deleteWhenKnown: true)
            return [.record(.deleteWhenKnown(key)), .settle(open), .refresh]
        }
    }

    private mutating func waitForAnswer(_ asked: Confirming, now: Duration) -> [KioskEffect] {
        if case .unresolved(var unresolved) = state {
            unresolved.nextTry = now + KioskTiming.retry
            update(.unresolved(unresolved))
        } else {
            let unresolved = Unresolved(
                asked: asked, until: now + KioskTiming.unresolved,
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
        return [.confirm(unresolved.asked.hold, unresolved.asked.key)]
    }

    /// The customer does not wait for the answer: what it brings is deleted (rules 12).
    mutating func leaveTouched(now: Duration) -> [KioskEffect] {
        guard case .unresolved(let unresolved) = state else { return [] }
        return giveUp(unresolved) + goHome(now: now)
    }

    private func giveUp(_ unresolved: Unresolved) -> [KioskEffect] {
        let open = OpenConfirmation(
            key: unresolved.asked.key, hold: unresolved.asked.hold, deleteWhenKnown: true)
        return [.record(.deleteWhenKnown(unresolved.asked.key)), .settle(open)]
    }

    /// Asks again, after a start, for a confirmation whose answer never came.
    mutating func resume(_ open: OpenConfirmation, now: Duration) -> [KioskEffect] {
        lastTouch = now
        // The kind does not matter: a hold that lapsed is not taken anew for nobody.
        let asked = Confirming(key: open.key, hold: open.hold, kind: .ticket)
        let unresolved = Unresolved(
            asked: asked, until: now + KioskTiming.unresolved, nextTry: nil)
        enter(.unresolved(unresolved), now: now)
        isResuming = true
        return [.confirm(open.hold, open.key)]
    }
}
