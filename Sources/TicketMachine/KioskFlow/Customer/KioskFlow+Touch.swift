internal import Reservations

// What a customer's touch means on the present screen.
extension KioskFlow {
    mutating func customerTouched(_ action: UserAction?, now: Duration) -> [KioskEffect] {
        if case .digit(let digit) = action { return typed { $0.type(digit) } }
        if action == .erase { return typed { $0.erase() } }
        if action == .keepDigit { return typed { $0.keepDigit() } }
        guard let action, state.traits.actions.contains(action) else {
            // An answer to a question that is not asked does nothing; any other touch shows that the customer is still
            // there.
            return action.map(Self.isAnswer) == true ? [] : customerStayed(now: now)
        }
        switch state {
        case .home:
            if action == .getTicket { return askForPlace(.ticket, now: now) }
            // Without a desk Home has no such button.
            guard action != .collectOrder || isDeskThere else { return customerStayed(now: now) }
            return scan(for: action == .collectOrder ? .order : .reservation, now: now)
        case .noTicketToday:
            return action == .bookVisit ? askForPlace(.visit, now: now) : goHome(now: now)
        case .offer(let offer):
            if action == .confirm { return confirm(offer, now: now) }
            return [.backend(.release(offer.place.id))] + goHome(now: now)
        case .found(let found):
            if action == .openDelays { return enter(.delayOffers(found), now: now) }
            return action == .giveUp ? delete(found, now: now) : goHome(now: now)
        case .delayOffers(let found):
            guard case .delay(let people) = action else { return goHome(now: now) }
            return changeTurn(.delay(people: people), of: found, now: now)
        case .missedCall(let found):
            return action == .reclaim
                ? changeTurn(.reclaim, of: found, now: now) : goHome(now: now)
        case .scanning(let scanning):
            guard action == .enterCode else { return goHome(now: now) }
            let isComplete = scanning.digits.count == TypedCode.length
            return isComplete
                ? lookUp(
                    scanning.digits, sought: scanning.sought, typed: scanning.digits, now: now)
                : []
        case .codeRefused(let refused):
            return action == .done
                ? goHome(now: now)
                : scan(for: refused.sought, correcting: refused.typed, now: now)
        case .order(let found):
            return action == .arrive ? arrive(found, now: now) : goHome(now: now)
        case .unresolved(let unresolved): return abandon(unresolved.asked) + goHome(now: now)
        case .asking, .noVisit, .lookingUp, .issued, .deleted, .turnChanged, .requestFailed:
            return goHome(now: now)
        // These states have no actions for customers.
        case .starting, .closed, .outOfService, .confirming, .deleting, .changingTurn, .pinEntry,
            .staff:
            return []
        }
    }

    private static let answers: Set<UserAction> = [
        .enterCode, .confirm, .arrive, .giveUp, .openDelays, .reclaim, .cancel, .leave, .done,
    ]

    private static func isAnswer(_ action: UserAction) -> Bool {
        if case .delay = action { true } else { answers.contains(action) }
    }

    /// The customer is still there: the hold is extended as long as the screen may show the place (rules: holds).
    mutating func customerStayed(now: Duration) -> [KioskEffect] {
        if case .offer(var offer) = state, offer.needsExtension(now: now) {
            offer.extensions += 1
            offer.lastExtension = now
            update(.offer(offer))
            return [.backend(.extend(offer.place.id))]
        }
        if case .issued(var issued) = state, issued.closes != nil {
            issued.closes = now + issued.paper.readingTime
            update(.issued(issued))
        }
        if case .order(var found) = state, !found.isChoice {
            found.closes = now + found.readingTime
            update(.order(found))
        }
        return []
    }
}
