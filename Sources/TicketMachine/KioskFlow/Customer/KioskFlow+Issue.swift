internal import Reservations

// The place is confirmed, or the customer of an order is here: number, code and receipt [R9.3, R10].
extension KioskFlow {
    mutating func issue(
        _ slip: Slip, _ asked: Confirming, now: Duration
    ) -> [KioskEffect] {
        let key = asked.key
        let made = record(.issued(key, slip))
        if asked.isResumed, isAbandoned(slip, now: now) {
            return [made] + abandon(asked) + goHome(now: now)
        }
        touches.touched(now)
        let shown = [made, record(.language(key, access.language)), record(.shown(key))]
        if let trouble = printer.trouble {
            let issued = Issued(
                key: key, slip: slip, paper: .shownOnly(trouble),
                closes: now + KioskTiming.shownOnly, silent: now)
            enter(.issued(issued), now: now)
            return shown + [record(.notPrinted(key, trouble))]
        }
        let issued = Issued(
            key: key, slip: slip, paper: .printing, closes: nil,
            silent: now + KioskTiming.paper)
        enter(.issued(issued), now: now)
        return shown + [record(.printing(key)), .printer(.print(key, slip))]
    }

    /// Whether a slip found after a start is older than any customer would have waited in front of a dead screen.
    private func isAbandoned(_ slip: Slip, now: Duration) -> Bool {
        guard let clock = shopClock(now: now) else { return false }
        return clock.moment - slip.issued.moment > KioskTiming.maxResumeAge
    }

    /// Handles the progress of a receipt; it is identified by its key, since the customer may have left.
    mutating func printProgressed(
        _ key: AttemptKey, _ progress: PrintProgress, now: Duration
    ) -> [KioskEffect] {
        let recorded: [KioskEffect] =
            switch progress {
            case .printed: [record(.printed(key))]
            case .failed(let trouble, _): [record(.notPrinted(key, trouble)), .refresh]
            case .submitted, .troubled: []
            }
        guard case .issued(var issued) = state, issued.key == key else {
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
        return printProgressed(issued.key, .troubled(.silent), now: now)
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
