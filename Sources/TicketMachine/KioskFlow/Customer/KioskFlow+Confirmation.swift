internal import Reservations

// Confirm [UC11, R10]: nothing is done twice and nothing is lost (rules 12, 13).
extension KioskFlow {
    mutating func confirm(_ offer: Offer, now: Duration) -> [KioskEffect] {
        let key = keys.next()
        let confirming = Confirming(key: key, hold: offer.place.id, kind: offer.place.kind)
        enter(.confirming(confirming), now: now)
        return [record(.intended(key, offer.place.id)), .backend(.confirm(offer.place.id, key))]
    }

    /// The confirmation that is being requested; nil in every other state.
    private var askedConfirmation: Confirming? {
        if case .confirming(let confirming) = state { return confirming }
        if case .unresolved(let unresolved) = state { return unresolved.asked }
        return nil
    }

    mutating func confirmationAnswered(
        _ key: AttemptKey, _ answer: Result<Reservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard let asked = askedConfirmation, asked.key == key else { return [] }
        switch answer {
        case .success(let reservation): return issue(reservation, asked, now: now)
        case .failure(let failure):
            if failure.meansHoldIsGone {
                // The machine never confirms anything other than what was shown: a new place is a new offer (rules 2).
                return [record(.resolved(key))]
                    + (asked.isResumed
                        ? goHome(now: now) : askForPlace(asked.kind, renewed: true, now: now))
            }
            // A refused key is no decision on this place: the refusal need not be the backend's answer to this request.
            if failure.isUnknown || failure.isTemporary || failure.refusal == .notAuthentic {
                return waitForAnswer(asked, now: now)
            }
            requestFailed(for: OutOfService(failure), now: now)
            return abandon(asked) + [.refresh]
        }
    }

    private mutating func waitForAnswer(_ asked: Confirming, now: Duration) -> [KioskEffect] {
        let next = now + KioskTiming.retry
        if case .unresolved(var unresolved) = state {
            unresolved.nextTry = next
            return update(.unresolved(unresolved))
        }
        let unresolved = Unresolved(
            asked: asked, until: now + KioskTiming.unresolved, nextTry: next)
        return enter(.unresolved(unresolved), now: now)
    }

    mutating func unresolvedTimePassed(_ unresolved: Unresolved, now: Duration) -> [KioskEffect] {
        if now >= unresolved.until {
            // The customer has waited and gets no place: the screen says that before the machine goes Home.
            requestFailed(for: .network, now: now)
            return abandon(unresolved.asked) + [.refresh]
        }
        guard let next = unresolved.nextTry, now >= next else { return [] }
        var trying = unresolved
        trying.nextTry = nil
        update(.unresolved(trying))
        return [.backend(.confirm(unresolved.asked.hold, unresolved.asked.key))]
    }

    /// Gives a confirmation up: if it makes a reservation, that is deleted (rules 12).
    func abandon(_ asked: Confirming) -> [KioskEffect] {
        let open = OpenConfirmation(key: asked.key, hold: asked.hold, deleteWhenKnown: true)
        return [record(.deleteWhenKnown(asked.key)), .backend(.resolve(open))]
    }

    /// Repeats, after a start, a confirmation that was never answered.
    mutating func resume(_ open: OpenConfirmation, now: Duration) -> [KioskEffect] {
        touches.touched(now)
        // The kind does not matter: if the hold has expired, no new place is requested, as the customer may have gone.
        let asked = Confirming(key: open.key, hold: open.hold, kind: .ticket, isResumed: true)
        let unresolved = Unresolved(asked: asked, until: now + KioskTiming.unresolved, nextTry: nil)
        enter(.unresolved(unresolved), now: now)
        return [.backend(.confirm(open.hold, open.key))]
    }
}
