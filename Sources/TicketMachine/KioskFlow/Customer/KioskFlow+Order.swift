internal import Reservations

// Collect an order [Click-And-Collect UC10]: the order that a code finds, and its customer who says to be here
// (rules: order-codes, order-arrivals).
extension KioskFlow {
    /// Whether customers collect orders at a desk of the shop.
    public var isDeskThere: Bool { shop?.hasDesk == true }

    mutating func orderAnswered(
        _ attempt: AttemptKey, _ answer: Result<PickupOrder, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .lookingUp(let looking) = state, looking.attempt == attempt,
            case .order(let code) = looking.code
        else { return [] }
        touches.touched(now)
        switch answer {
        case .success(let order):
            return enter(.order(FoundOrder(order: order, code: code, now: now)), now: now)
        case .failure(let failure):
            return codeFailed(failure, of: .order, typed: looking.typed, now: now)
        }
    }

    mutating func arrive(_ found: FoundOrder, now: Duration) -> [KioskEffect] {
        request(.arrival(found.order.id, found.code), kind: nil, now: now)
    }

    mutating func arrivalAnswered(
        _ key: AttemptKey, _ answer: Result<PickupOrder, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard let asked, asked.key == key, case .arrival(_, let code) = asked.what else {
            return []
        }
        switch answer {
        case .success(let order):
            if let arrived = ArrivedOrder(order) { return issue(.order(arrived), asked, now: now) }
            // Another call has drawn the number, or the order is not ready any more: nothing is printed.
            touches.touched(now)
            enter(.order(FoundOrder(order: order, code: code, now: now)), now: now)
            return [record(.resolved(key))]
        case .failure(.refused(let refused)) where refused.refusal == .shopClosed:
            enter(.closed(opens: refused.opens), now: now)
            return [record(.resolved(key)), .refresh]
        case .failure(let failure):
            let isDecided =
                !failure.isTemporary && failure.refusal?.sentences(for: .order) != nil
            guard isDecided else { return requestFailed(asked, failure, now: now) }
            return [record(.resolved(key))] + codeFailed(failure, of: .order, now: now)
        }
    }
}
