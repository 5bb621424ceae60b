// Home, closed, out of service: what the machine shows while nobody is being served.
extension KioskFlow {
    /// The first event: what the journal knew to be open when the machine stopped.
    public mutating func started(
        open: [OpenConfirmation], now: Duration
    ) -> [KioskEffect] {
        lastTouch = now
        let abandoned = open.filter(\.deleteWhenKnown)
        toResume = open.filter { !$0.deleteWhenKnown }
        return abandoned.map { .settle($0) } + [.refresh]
    }

    public mutating func shopReported(_ report: ShopReport, now: Duration) {
        shop = report
        orderLanguages()
    }

    /// The staff's choice for the machine first, then the shop's own, then what else there is.
    mutating func orderLanguages() {
        let first = [settings.language].compactMap(\.self) + (shop?.languages ?? languages)
        let wasOwn = language == languages[0]
        var ordered: [String] = []
        for code in first + catalogues where catalogues.contains(code) && !ordered.contains(code) {
            ordered.append(code)
        }
        languages = ordered
        if wasOwn { language = languages[0] }
    }

    public mutating func printerReported(_ condition: PrinterCondition, now: Duration) {
        printer = condition
    }

    public mutating func readerReported(isThere: Bool, now: Duration) { isReaderThere = isThere }

    public mutating func queueReported(_ report: QueueReport, now: Duration) -> [KioskEffect] {
        queue = report
        queueTold = now
        failures = 0
        fault = nil
        let journal: [KioskEffect] = isJournalBroken ? [.checkJournal] : []
        set(clock: report.now, now: now)
        guard state.isResting else { return journal }
        if let resumed = toResume.first {
            toResume.removeFirst()
            return journal + resume(resumed, now: now)
        }
        rest(now: now)
        return journal
    }

    public mutating func queueFailed(_ failure: BackendFailure, now: Duration) -> [KioskEffect] {
        failures += 1
        // One lost poll is no outage: the next one comes within seconds.
        guard failures >= 2 || queue == nil || !failure.isUnknown else { return [] }
        queue = nil
        fault = OutOfService(failure)
        if state.isResting { rest(now: now) }
        return []
    }

    /// The journal could not be written.
    ///
    /// - Parameter unsent: whether a `mustPrecede` record was among it, so that the confirmation it
    ///   stands for was not sent. Else one that is under way goes on: its answer may be a place.
    public mutating func journalFailed(unsent: Bool, now: Duration) -> [KioskEffect] {
        isJournalBroken = true
        guard unsent, case .confirming(let confirming) = state else { return [] }
        apologize(for: .journal, now: now)
        return [.release(confirming.hold)]
    }

    /// The journal can be written again.
    public mutating func journalRecovered(now: Duration) {
        isJournalBroken = false
        if state.isResting { rest(now: now) }
    }

    /// Tells the customer that nothing came of the request, long enough to be read.
    mutating func apologize(
        for reason: OutOfService, ofDeletion: Bool = false, now: Duration
    ) {
        lastTouch = now
        let apology = Apology(
            reason: reason, ofDeletion: ofDeletion, closes: now + KioskTiming.finished)
        enter(.apology(apology), now: now)
    }

    /// Back to the first screen: the next customer finds the machine as this one did.
    mutating func goHome(now: Duration) -> [KioskEffect] {
        let left = paperLeft
        forgetCustomer()
        isResuming = false
        enter(.starting, now: now)
        rest(now: now)
        return left + [.refresh]
    }

    /// Shows the resting state that what is known calls for.
    mutating func rest(now: Duration) {
        let next: KioskState =
            if isPutOut {
                .outOfService(.staff)
            } else if isJournalBroken {
                .outOfService(.journal)
            } else if let fault {
                .outOfService(fault)
            } else if let queue {
                queue.isOpen ? .home : .closed(opens: queue.opens)
            } else {
                .starting
            }
        if next != state {
            let choosing = isChoosingLanguage
            enter(next, now: now)
            isChoosingLanguage = choosing
        }
    }
}

extension OutOfService {
    init(_ failure: BackendFailure) {
        self =
            switch failure {
            case .unanswered: .network
            case .busy: .busy
            case .notAuthentic: .notAuthentic
            case .noKey(.missing): .noKey
            case .noKey(.damaged): .damagedKey
            case .noKey(.foreign): .foreignKey
            default: .notUnderstood
            }
    }
}
