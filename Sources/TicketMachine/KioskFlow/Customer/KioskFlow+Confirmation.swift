internal import Reservations

// Confirm [UC11, R10]: nothing is done twice and nothing is lost (rules: unanswered-confirmation, start-up).
extension KioskFlow {
    mutating func confirm(_ offer: Offer, now: Duration) -> [KioskEffect] {
        request(.place(offer.place.id), kind: offer.place.kind, now: now)
    }

    mutating func request(
        _ what: Requested, kind: ReservationKind?, now: Duration
    ) -> [KioskEffect] {
        let key = keys.next()
        enter(.confirming(Confirming(key: key, what: what, kind: kind)), now: now)
        return [record(.intended(key, what)), .backend(.confirm(what, key))]
    }

    /// The request that waits for its answer; nil in every other state.
    var asked: Confirming? {
        if case .confirming(let confirming) = state { return confirming }
        if case .unresolved(let unresolved) = state { return unresolved.asked }
        return nil
    }

    mutating func confirmationAnswered(
        _ key: AttemptKey, _ answer: Result<Reservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard let asked, asked.key == key, case .place = asked.what else { return [] }
        switch answer {
        case .success(let reservation): return issue(.reservation(reservation), asked, now: now)
        case .failure(let failure):
            if failure.meansHoldIsGone {
                // The machine never confirms anything other than what was shown: a new place is a new offer (rules: holds).
                // After a start no new place is requested, as the customer may have gone.
                let renewed = asked.kind.map { askForPlace($0, renewed: true, now: now) }
                return [record(.resolved(key))] + (renewed ?? goHome(now: now))
            }
            return requestFailed(asked, failure, now: now)
        }
    }

    /// Handles a failure that is no decision on what was asked for.
    mutating func requestFailed(
        _ asked: Confirming, _ failure: BackendFailure, now: Duration
    ) -> [KioskEffect] {
        // A refused key is no decision either: the refusal need not be the backend's answer to this request.
        if failure.isUnknown || failure.isTemporary || failure.refusal == .notAuthentic {
            return waitForAnswer(asked, now: now)
        }
        requestFailed(for: OutOfService(failure), change: changeOfUnresolved, now: now)
        return abandon(asked) + [.refresh]
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
            // The customer has waited and gets nothing: the screen says that before the machine goes Home.
            requestFailed(for: .network, change: changeOfUnresolved, now: now)
            return abandon(unresolved.asked) + [.refresh]
        }
        guard let next = unresolved.nextTry, now >= next else { return [] }
        var trying = unresolved
        trying.nextTry = nil
        update(.unresolved(trying))
        return [.backend(.confirm(unresolved.asked.what, unresolved.asked.key))]
    }

    /// What may have happened although the request is given up: a place is deleted then, an order is not.
    private var changeOfUnresolved: PlaceChange? {
        guard case .unresolved(let unresolved) = state, case .arrival = unresolved.asked.what else {
            return nil
        }
        return .arrival
    }

    /// Gives a request up: if it makes a reservation, that is deleted (rules: unanswered-confirmation). An order stays
    /// as it is, since its code shows its customer the number later.
    func abandon(_ asked: Confirming) -> [KioskEffect] {
        switch asked.what {
        case .place:
            let open = OpenRequest(key: asked.key, what: asked.what, deleteWhenKnown: true)
            return [record(.deleteWhenKnown(asked.key)), .backend(.resolve(open))]
        case .arrival: return [record(.resolved(asked.key))]
        }
    }

    /// Repeats, after a start, a request that was never answered.
    mutating func resume(_ open: OpenRequest, now: Duration) -> [KioskEffect] {
        touches.touched(now)
        let asked = Confirming(key: open.key, what: open.what, kind: nil, isResumed: true)
        let unresolved = Unresolved(asked: asked, until: now + KioskTiming.unresolved, nextTry: nil)
        enter(.unresolved(unresolved), now: now)
        return [.backend(.confirm(open.what, open.key))]
    }
}
