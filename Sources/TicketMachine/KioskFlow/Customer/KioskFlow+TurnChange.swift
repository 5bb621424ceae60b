internal import Reservations

// More time, and a place whose call was missed (rules: more-time): a customer who holds the ticket to the reader lets people go
// ahead, or takes the place back.
extension KioskFlow {
    mutating func changeTurn(
        _ change: TurnChange, of found: Found, now: Duration
    ) -> [KioskEffect] {
        let attempt = keys.next()
        enter(.changingTurn(ChangingTurn(attempt: attempt, change: change)), now: now)
        return [.backend(.changeTurn(change, found.reservation.id, found.code, attempt))]
    }

    mutating func turnChangeAnswered(
        _ attempt: AttemptKey, _ answer: Result<FoundReservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .changingTurn(let changing) = state, changing.attempt == attempt else {
            return []
        }
        touches.touched(now)
        switch answer {
        case .success(let reservation):
            let changed = TurnChanged(
                change: changing.change, reservation: reservation,
                closes: now + KioskTiming.finished)
            enter(.turnChanged(changed), now: now)
            return [.refresh]
        // After a failure the customer can scan the ticket again, which shows its actual status.
        case .failure(let failure):
            return codeFailed(failure, change: .turn(changing.change), now: now)
        }
    }
}
