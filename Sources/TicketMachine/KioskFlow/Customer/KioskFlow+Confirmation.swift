internal import Reservations

// Confirm [UC11, R10]: nothing twice, nothing lost (rules 12, 13).
extension KioskFlow {
    mutating func confirm(_ offer: Offer, now: Duration) -> [KioskEffect] {
        let key = keys.next()
        let confirming = Confirming(key: key, hold: offer.place.id, kind: offer.place.kind)
        enter(.confirming(confirming), now: now)
        return [
            record(.intended(key, offer.place.id)), .backend(.confirm(offer.place.id, key)),
        ]
    }

    /// The confirmation that is being asked for; nil in every other state.
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
                // Never confirm something else than was shown: a new place is a new offer (rules 2).
                return [record(.settled(key))]
                    + (asked.isResumed
                        ? goHome(now: now) : askForPlace(asked.kind, renewed: true, now: now))
            }
            // A key that is refused is no decision on this place: what refused it may have been sent by another.
            if failure.isUnknown || failure.isTemporary || failure.refusal == .notAuthentic {
                waitForAnswer(asked, now: now)
                return []
            }
            apologize(for: OutOfService(failure), now: now)
            return abandon(asked) + [.refresh]
        }
    }

    private mutating func waitForAnswer(_ asked: Confirming, now: Duration) {
        if case .unresolved(var unresolved) = state {
            unresolved.nextTry = now + KioskTiming.retry
            update(.unresolved(unresolved))
        } else {
            let unresolved = Unresolved(
                asked: asked, until: now + KioskTiming.unresolved,
                nextTry: now + KioskTiming.retry)
            enter(.unresolved(unresolved), now: now)
        }
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
        return [.backend(.confirm(unresolved.asked.hold, unresolved.asked.key))]
    }

    /// The customer does not wait for the answer: what it brings is deleted (rules 12).
    func giveUp(_ unresolved: Unresolved) -> [KioskEffect] { abandon(unresolved.asked) }

    /// Whatever becomes of a confirmation, its reservation is deleted.
    func abandon(_ asked: Confirming) -> [KioskEffect] {
        let open = OpenConfirmation(key: asked.key, hold: asked.hold, deleteWhenKnown: true)
        return [record(.deleteWhenKnown(asked.key)), .backend(.settle(open))]
    }

    /// Asks again, after a start, for a confirmation whose answer never came.
    mutating func resume(_ open: OpenConfirmation, now: Duration) -> [KioskEffect] {
        touches.touched(now)
        // The kind does not matter: a hold that expired is not taken again for nobody.
        let asked = Confirming(key: open.key, hold: open.hold, kind: .ticket, isResumed: true)
        let unresolved = Unresolved(
            asked: asked, until: now + KioskTiming.unresolved, nextTry: nil)
        enter(.unresolved(unresolved), now: now)
        return [.backend(.confirm(open.hold, open.key))]
    }
}

extension Unresolved {
    /// When time must be looked at.
    var deadlines: [Duration] { [until] + [nextTry].compactMap(\.self) }
}
