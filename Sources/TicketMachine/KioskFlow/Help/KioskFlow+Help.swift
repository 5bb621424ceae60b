internal import Reservations

// Help at the machine (rules: help, help-screen): the question, the call, and its screen over whatever the machine does
// meanwhile.
extension KioskFlow {
    /// Whether a screen of help covers the customer's screen, whose own times stand still meanwhile.
    public var isHelpShown: Bool { help.isShown && state.isForCustomers }

    /// The telephone number of the shop for customers who need help, as it was last known; nil if there is none.
    public var helpPhone: String? { (shop?.help ?? helpMemory.kept)?.phone }

    /// Whether the customer can still say that the open call was a mistake.
    public func mayHelpBeMistake(now: Duration) -> Bool {
        if case .open(let open) = help { open.mayBeMistake(now: now) } else { false }
    }

    mutating func helpTouched(_ touch: HelpTouch, now: Duration) -> [KioskEffect] {
        guard state.isForCustomers else { return [] }
        switch touch {
        case .open: return openHelp(now: now)
        case .call:
            guard case .asking = help else { return [] }
            let attempt = keys.next()
            show(.calling(attempt), now: now)
            return [.help(.call(attempt))]
        case .decline:
            guard case .asking = help else { return [] }
            return helpLeft(.none, now: now)
        case .mistake:
            guard case .open(var open) = help, open.mayBeMistake(now: now) else { return [] }
            let attempt = keys.next()
            open.mistake = attempt
            show(.open(open), now: now)
            return [.help(.endAsMistake(open.call.id, attempt))]
        case .leave: return leaveHelp(now: now)
        }
    }

    /// Shows the question, or how far the call is that was made already.
    private mutating func openHelp(now: Duration) -> [KioskEffect] {
        access.isChoosingLanguage = false
        // The place is kept while the customer needs help.
        let stayed = customerStayed(now: now)
        switch help {
        case .none where service.queue?.isOpen == false:
            show(.closed(until: now + KioskTiming.helpNotice), now: now)
        case .none:
            let question = HelpQuestion(
                isLong: helpMemory.isLong(now: now), until: now + KioskTiming.helpQuestion)
            show(.asking(question), now: now)
        case .unreachable(var unanswered):
            unanswered.isShown = true
            show(.unreachable(unanswered), now: now)
        case .open(var open):
            open.shownUntil = now + KioskTiming.helpNotice
            let isAsked = open.nextPoll == nil
            open.nextPoll = nil
            show(.open(open), now: now)
            return stayed + (isAsked ? [] : [.help(.follow)])
        case .asking, .calling, .closed: break
        }
        return stayed
    }

    private mutating func leaveHelp(now: Duration) -> [KioskEffect] {
        switch help {
        case .open(var open):
            open.shownUntil = nil
            return helpLeft(.open(open), now: now)
        case .unreachable(var unanswered):
            unanswered.isShown = false
            return helpLeft(.unreachable(unanswered), now: now)
        case .closed: return helpLeft(.none, now: now)
        case .none, .asking, .calling: return []
        }
    }

    /// A touch on a screen of help that chooses nothing shows that the customer is still reading it.
    mutating func helpStayed(now: Duration) -> [KioskEffect] {
        switch help {
        case .asking(var question):
            question.until = now + KioskTiming.helpQuestion
            help = .asking(question)
        case .closed: help = .closed(until: now + KioskTiming.helpNotice)
        case .none, .calling, .unreachable, .open: break
        }
        return customerStayed(now: now)
    }

    /// Takes a question or notice away that a staff member finds who comes in.
    mutating func dropHelpQuestion() {
        switch help {
        case .asking, .closed: help = .none
        case .none, .calling, .unreachable, .open: break
        }
    }

    // MARK: The backend's answers

    mutating func helpReported(_ event: HelpEvent, now: Duration) -> [KioskEffect] {
        switch event {
        case .called(let attempt, let answer): helpCalled(attempt, answer, now: now)
        case .ended(let attempt, let answer): helpEndAnswered(attempt, answer, now: now)
        case .calls(let answer): helpFollowed(answer, now: now)
        }
    }

    private mutating func helpCalled(
        _ attempt: AttemptKey, _ answer: Result<HelpCall, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        let isShown: Bool
        var until = now + KioskTiming.helpRetries
        switch help {
        case .calling(let asked) where asked == attempt: isShown = true
        case .unreachable(let unanswered) where unanswered.attempt == attempt:
            isShown = unanswered.isShown
            until = unanswered.until
        // The machine has stopped trying, and the call has got through all the same.
        case .none: isShown = false
        case .asking, .calling, .unreachable, .open, .closed: return []
        }
        switch answer {
        case .success(let call):
            opened(call, isShown: isShown, now: now)
            return [.staff(.note(.plain(.helpCalled)))]
        case .failure where help == .none: return []
        case .failure(let failure) where failure.refusal == .shopClosed && isShown:
            show(.closed(until: now + KioskTiming.helpNotice), now: now)
        case .failure(let failure) where failure.refusal == .shopClosed: help = .none
        case .failure:
            let wasShown = help
            let unanswered = UnansweredHelp(
                attempt: attempt, until: until, nextTry: now + KioskTiming.retry, isShown: isShown)
            help = .unreachable(unanswered)
            if case .calling = wasShown { touches.screenChanged(now) }
        }
        return []
    }

    /// Shows an open call, or puts it into the band.
    private mutating func opened(
        _ call: HelpCall, at backendNow: Moment? = nil, isShown: Bool, now: Duration
    ) {
        let clock = backendNow ?? shopClock(now: now)?.moment
        let age = clock.map { max(.zero, $0 - call.since.moment) } ?? .zero
        let open = OpenHelp(
            call: call, known: now, mistakeUntil: now + HelpCall.mistakeTime - age,
            shownUntil: isShown ? now + HelpCall.mistakeTime : nil,
            nextPoll: now + (isShown ? KioskTiming.helpPoll : KioskTiming.helpBandPoll))
        helpMemory.search = .done
        if isShown { show(.open(open), now: now) } else { help = .open(open) }
    }

    private mutating func helpEndAnswered(
        _ attempt: AttemptKey, _ answer: Result<HelpCall, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .open(var open) = help, open.mistake == attempt else { return [] }
        switch answer {
        case .success(let call) where !call.isOpen:
            let noted: [KioskEffect] =
                call.end == .mistake ? [.staff(.note(.plain(.helpMistake)))] : []
            return noted + helpOver(call.end, now: now)
        // The call goes on, and the customer can try again within the minute.
        case .success, .failure:
            open.mistake = nil
            if help.isShown { show(.open(open), now: now) } else { help = .open(open) }
            return []
        }
    }

    private mutating func helpFollowed(
        _ answer: Result<HelpCalls, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .open(var open) = help else { return helpSearched(answer, now: now) }
        if case .success(let report) = answer {
            if let call = report.calls.first(where: { $0.id == open.call.id }) {
                guard call.isOpen else { return helpOver(call.end, now: now) }
                if call.going != nil, open.call.going == nil { touches.screenChanged(now) }
                open.call = call
            } else if now > open.known + KioskTiming.helpUnlisted {
                // It ended so long ago that it is not reported any more.
                return helpOver(nil, now: now)
            }
        }
        let pause =
            open.shownUntil == nil ? KioskTiming.helpBandPoll : KioskTiming.helpPoll
        open.nextPoll = now + pause
        help = .open(open)
        return []
    }

    private mutating func helpSearched(
        _ answer: Result<HelpCalls, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        switch answer {
        case .success(let report):
            let own = report.calls.last { $0.isOpen && $0.machine == shop?.machine }
            helpMemory.search = own != nil && help != .none ? .due : .done
            guard let own, help == .none else { return [] }
            opened(own, at: report.now.moment, isShown: false, now: now)
        // An older backend has no calls.
        case .failure(.notUnderstood): helpMemory.search = .done
        case .failure: helpMemory.search = .due
        }
        return []
    }

    /// Asks the backend once whether it has an open call of this machine, as after a start.
    mutating func searchHelp() -> [KioskEffect] {
        guard helpMemory.search == .due, shop != nil, help == .none else { return [] }
        helpMemory.search = .underWay
        return [.help(.follow)]
    }

    private mutating func helpOver(_ end: HelpCall.End?, now: Duration) -> [KioskEffect] {
        helpMemory.ended(end, now: now)
        return helpLeft(.none, now: now)
    }

    // MARK: Time

    mutating func helpTimePassed(now: Duration) -> [KioskEffect] {
        switch help {
        case .none, .calling: return []
        case .asking(let question):
            return now >= question.until ? helpLeft(.none, now: now) : []
        case .closed(let until): return now >= until ? helpLeft(.none, now: now) : []
        case .unreachable(var unanswered):
            if now >= unanswered.until {
                // The last attempt may have taken effect.
                helpMemory.search = .due
                return helpLeft(.none, now: now)
            }
            guard let next = unanswered.nextTry, now >= next else { return [] }
            unanswered.nextTry = nil
            help = .unreachable(unanswered)
            return [.help(.call(unanswered.attempt))]
        case .open(var open):
            var effects: [KioskEffect] = []
            if let next = open.nextPoll, now >= next {
                open.nextPoll = nil
                effects = [.help(.follow)]
            }
            guard let until = open.shownUntil, now >= until else {
                help = .open(open)
                return effects
            }
            open.shownUntil = nil
            return effects + helpLeft(.open(open), now: now)
        }
    }

    // MARK: The screen

    private mutating func show(_ next: HelpState, now: Duration) {
        help = next
        touches.screenChanged(now)
    }

    /// Goes on without a screen of help: the times of the screen below begin again, as after a touch.
    private mutating func helpLeft(_ next: HelpState, now: Duration) -> [KioskEffect] {
        let wasShown = isHelpShown
        help = next
        guard wasShown, !isHelpShown else { return [] }
        touches.touched(now)
        touches.screenChanged(now)
        access.isChoosingLanguage = false
        if case .offer(let offer) = state, now >= offer.ends(lastTouch: now) {
            // The place could not be kept so long: the customer gets a new offer, as on *Confirm*.
            return askForPlace(offer.place.kind, renewed: true, now: now)
        }
        update(state.closing(after: KioskTiming.finished, now: now))
        return customerStayed(now: now)
    }
}

extension KioskState {
    /// The state with the time of a finished screen begun again; an issued ticket has a time of its own.
    fileprivate func closing(after time: Duration, now: Duration) -> KioskState {
        switch self {
        case .deleted(var deleted):
            deleted.closes = now + time
            return .deleted(deleted)
        case .turnChanged(var changed):
            changed.closes = now + time
            return .turnChanged(changed)
        case .codeRefused(var refused):
            refused.closes = now + time
            return .codeRefused(refused)
        case .order(var found) where !found.isChoice:
            found.closes = now + found.readingTime
            return .order(found)
        case .requestFailed(var failed):
            failed.closes = now + time
            return .requestFailed(failed)
        case .starting, .home, .closed, .outOfService, .asking, .offer, .noTicketToday, .noVisit,
            .confirming, .unresolved, .issued, .scanning, .lookingUp, .found, .order, .delayOffers,
            .missedCall, .changingTurn, .deleting, .pinEntry, .staff:
            return self
        }
    }
}
