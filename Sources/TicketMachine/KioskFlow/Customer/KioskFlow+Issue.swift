internal import Reservations

// The reservation is confirmed: number, code and receipt [R9.3, R10].
extension KioskFlow {
    mutating func issue(
        _ reservation: Reservation, _ asked: Confirming, now: Duration
    ) -> [KioskEffect] {
        let key = asked.key
        let reserved = record(.reserved(key, reservation))
        if asked.isResumed, isAbandoned(reservation, now: now) {
            let made = Confirming(key: key, hold: reservation.id, kind: reservation.kind)
            return [reserved] + abandon(made) + goHome(now: now)
        }
        touches.touched(now)
        let shown = [reserved, record(.language(key, access.language)), record(.shown(key))]
        if let trouble = printer.trouble {
            let issued = Issued(
                key: key, reservation: reservation, paper: .shownOnly(trouble),
                closes: now + KioskTiming.shownOnly, silent: now)
            enter(.issued(issued), now: now)
            return shown + [record(.notPrinted(key, trouble))]
        }
        let issued = Issued(
            key: key, reservation: reservation, paper: .printing, closes: nil,
            silent: now + KioskTiming.paper)
        enter(.issued(issued), now: now)
        return shown + [record(.printing(key)), .printer(.print(key, reservation))]
    }

    /// Whether a reservation found after a start is older than any customer would have waited in front of a dead
    /// screen.
    private func isAbandoned(_ reservation: Reservation, now: Duration) -> Bool {
        guard let clock = shopClock(now: now) else { return false }
        return clock.moment - reservation.issued.moment > KioskTiming.maxResumeAge
    }

    /// Handles the progress of a receipt; it is identified by the reservation, since the customer may have left.
    mutating func printProgressed(
        _ key: AttemptKey, _ reservation: ReservationID, _ progress: PrintProgress, now: Duration
    ) -> [KioskEffect] {
        let recorded: [KioskEffect] =
            switch progress {
            case .printed: [record(.printed(key))]
            case .failed(let trouble, _): [record(.notPrinted(key, trouble)), .refresh]
            case .submitted, .troubled: []
            }
        guard case .issued(var issued) = state, issued.reservation.id == reservation else {
            return recorded
        }
        let wasShownLarge = issued.paper.isShownLarge
        switch progress {
        case .submitted: return recorded
        case .troubled(let trouble): issued.paper = .late(trouble)
        case .printed: issued.paper = .printed
        case .failed(let trouble, _): issued.paper = .shownOnly(trouble)
        }
        if progress.isFinal || !wasShownLarge {
            // A code that had to be copied keeps the longer time even if the receipt comes out after all.
            let time = wasShownLarge ? KioskTiming.shownOnly : issued.paper.readingTime
            issued.closes = max(issued.closes ?? .zero, now + time)
        }
        update(.issued(issued))
        return recorded
    }

    /// Ends the wait for a receipt of which no progress was reported, so that it does not block the screen.
    mutating func silencePassed(_ issued: Issued, now: Duration) -> [KioskEffect] {
        guard now >= issued.silent else { return [] }
        return printProgressed(issued.key, issued.reservation.id, .troubled(.silent), now: now)
    }

    /// Leaves a receipt that is still being printed, so that it does not come out later when its customer has gone.
    var printoutLeft: [KioskEffect] {
        guard case .issued(let issued) = state else { return [] }
        switch issued.paper {
        case .printing, .late: return [.printer(.leave(issued.key))]
        case .printed, .shownOnly: return []
        }
    }
}

extension Issued.Paper {
    /// How long the finished screen stays without a touch.
    var readingTime: Duration { isShownLarge ? KioskTiming.shownOnly : KioskTiming.finished }
}
