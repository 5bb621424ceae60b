internal import Reservations

// Home, closed, out of service: what the machine shows while no customer is being served.
extension KioskFlow {
    mutating func started(_ kept: KioskEvent.Kept, now: Duration) -> [KioskEffect] {
        touches.touched(now)
        began = now
        settings = kept.settings
        sortLanguages()
        service.decide(isPutOut: kept.service.isPutOut, message: kept.service.message)
        helpMemory.kept = kept.help
        toResume = kept.open.filter { !$0.deleteWhenKnown }
        return kept.open.filter(\.deleteWhenKnown).map { .backend(.resolve($0)) } + [.refresh]
    }

    mutating func sortLanguages() {
        access.order(machine: settings.language, shop: shop?.languages)
    }

    mutating func queueReported(_ status: QueueStatus, now: Duration) -> [KioskEffect] {
        service.queueReported(status, now: now)
        clock.set(status.now, now: now)
        let journal: [KioskEffect] =
            (service.isJournalBroken ? [.journal(.check)] : []) + searchHelp()
        guard state.isResting else { return journal }
        let abandoned = toResume.filter { !$0.mayBeAwaited(after: now - began) }
        toResume.removeAll { abandoned.contains($0) }
        // An order whose customer has gone stays as it is: its code shows the customer the number later.
        let dropped = journal + abandoned.map { record(.resolved($0.key)) }
        if let resumed = toResume.first {
            toResume.removeFirst()
            return dropped + resume(resumed, now: now)
        }
        rest(now: now)
        return dropped
    }

    mutating func queueFailed(_ failure: BackendFailure, now: Duration) -> [KioskEffect] {
        if service.queueFailed(failure), state.isResting { rest(now: now) }
        return []
    }

    mutating func journalFailed(unsent: Bool, now: Duration) -> [KioskEffect] {
        service.isJournalBroken = true
        guard unsent, case .confirming(let confirming) = state else { return [] }
        requestFailed(for: .journal, now: now)
        switch confirming.what {
        case .place(let hold): return [.backend(.release(hold))]
        // Nothing was sent, and nothing is held for an order.
        case .arrival: return []
        }
    }

    /// Shows the customer that the request failed, long enough to be read; returns no effects.
    @discardableResult mutating func requestFailed(
        for reason: OutOfService, change: PlaceChange? = nil, now: Duration
    ) -> [KioskEffect] {
        touches.touched(now)
        let requestFailed = RequestFailed(
            reason: reason, change: change, closes: now + KioskTiming.finished)
        return enter(.requestFailed(requestFailed), now: now)
    }
}
