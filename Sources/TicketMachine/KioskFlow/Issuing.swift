public import Reservations

// The reservation stands: number, code and paper [R9.3, R10].
extension KioskFlow {
    mutating func issue(
        _ reservation: Reservation, key: AttemptKey, now: Duration
    ) -> [KioskEffect] {
        let reserved = KioskEffect.record(.reserved(key, reservation))
        if isAbandoned(reservation, now: now) {
            let open = OpenConfirmation(
                key: key, hold: reservation.id, deleteWhenKnown: true)
            return [reserved, .record(.deleteWhenKnown(key)), .settle(open)] + goHome(now: now)
        }
        lastTouch = now
        let shown: [KioskEffect] = [
            reserved, .record(.language(key, language)), .record(.shown(key)),
        ]
        if let trouble = printer.trouble {
            let issued = Issued(
                key: key, reservation: reservation, paper: .shownOnly(trouble),
                closes: now + KioskTiming.shownOnly, silent: now)
            enter(.issued(issued), now: now)
            return shown + [.record(.notPrinted(key, trouble))]
        }
        let issued = Issued(
            key: key, reservation: reservation, paper: .printing, closes: nil,
            silent: now + KioskTiming.paper)
        enter(.issued(issued), now: now)
        return shown + [.record(.printing(key)), .print(key, reservation)]
    }

    /// What becomes of a paper; known by the reservation, since the customer may have left.
    public mutating func printProgressed(
        _ key: AttemptKey, _ reservation: ReservationID, _ progress: PrintProgress, now: Duration
    ) -> [KioskEffect] {
        let record: [KioskEffect] =
            switch progress {
            case .printed: [.record(.printed(key))]
            case .failed(let trouble, _): [.record(.notPrinted(key, trouble)), .refresh]
            case .submitted, .troubled: []
            }
        guard case .issued(var issued) = state, issued.reservation.id == reservation else {
            return record
        }
        let wasShownLarge = issued.paper.isShownLarge
        switch progress {
        case .submitted: return record
        case .troubled(let trouble): issued.paper = .late(trouble)
        case .printed: issued.paper = .printed
        case .failed(let trouble, _): issued.paper = .shownOnly(trouble)
        }
        if progress.isFinal || !wasShownLarge {
            // A code that must be copied keeps the longer time even if the paper comes after all.
            let time = wasShownLarge ? KioskTiming.shownOnly : issued.paper.readingTime
            issued.closes = max(issued.closes ?? .zero, now + time)
        }
        update(.issued(issued))
        return record
    }

    /// Goes Home in its time; a paper of which nothing is heard at all does not keep the screen.
    mutating func issuedTimePassed(_ issued: Issued, now: Duration) -> [KioskEffect] {
        if let closes = issued.closes { return now >= closes ? goHome(now: now) : [] }
        guard now >= issued.silent else { return [] }
        return printProgressed(
            issued.key, issued.reservation.id, .troubled(.silent), now: now)
    }

    mutating func doneTouched(now: Duration) -> [KioskEffect] {
        switch state {
        case .issued, .apology, .deleted, .codeRefused, .noVisit: goHome(now: now)
        default: []
        }
    }

    /// A customer who goes leaves a paper whose fate is open: it must not come out for nobody later.
    var paperLeft: [KioskEffect] {
        guard case .issued(let issued) = state else { return [] }
        switch issued.paper {
        case .printing, .late: return [.leavePaper(issued.key)]
        case .printed, .shownOnly: return []
        }
    }

    /// Found after a start, and older than anybody would have waited in front of a dead screen.
    private mutating func isAbandoned(_ reservation: Reservation, now: Duration) -> Bool {
        guard isResuming else { return false }
        isResuming = false
        guard let clock = shopClock(now: now) else { return false }
        return clock.moment - reservation.issued.moment > KioskTiming.resumable
    }
}

extension Issued.Paper {
    /// How long the finished screen stays without a touch.
    var readingTime: Duration { isShownLarge ? KioskTiming.shownOnly : KioskTiming.finished }
}
