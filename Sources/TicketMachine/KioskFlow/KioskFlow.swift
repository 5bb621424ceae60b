public import Reservations

/// The ticket machine as a value: what it shows and what must happen next.
///
/// Every event goes through `handle`, which returns effects in order. `now` is the monotonic clock; it never goes back.
/// Nothing in this type waits, draws or makes a call.
public struct KioskFlow: Sendable, Codable {
    public private(set) var state: KioskState = .starting
    public internal(set) var service = ServiceState()
    public internal(set) var access: AccessState
    public internal(set) var shop: MachineProfile?
    public internal(set) var printer: PrinterCondition = .ready
    /// Whether codes can be read; a reader that types like a keyboard is assumed to be present.
    public internal(set) var isReaderThere = true
    /// The customer's call for help; it goes on beside the state.
    public internal(set) var help = HelpState.none
    /// What maintenance mode shows; nil outside of it and until the facts are known.
    public internal(set) var staffFacts: StaffFacts?
    /// What the staff has set for all customers.
    public internal(set) var settings = MachineSettings()

    /// Whether there is a maintenance mode that staff members can enter with a PIN.
    let isStaffKnown: Bool
    var badgeAttempt: AttemptKey?
    /// The staff's commands whose results are not known yet.
    var pendingCommands: [PendingStaffCommand] = []
    var restart = AwaitedRestart()
    var helpMemory = HelpMemory()
    /// The calls for help that maintenance mode has shown; nil until it has shown the queue.
    var shownHelp: Set<HelpCallID>?
    /// Requests that were open at the start and have not been repeated yet.
    var toResume: [OpenRequest] = []
    /// When the machine started.
    var began: Duration = .zero
    var touches = TouchTimes()
    var clock = ShopClock()
    var keys: AttemptKeys
    private var lastTimePassed: Duration = .zero - .seconds(1)

    /// - Parameters:
    ///   - languages: the available catalogues, at least one.
    ///   - canSpeak: whether the machine has a voice.
    ///   - isStaffKnown: whether there is a maintenance mode.
    ///   - keyPrefix: random characters `a-z 0-9`, new at each start.
    public init(
        languages: [String], canSpeak: Bool = false, isStaffKnown: Bool = false, keyPrefix: String
    ) {
        access = AccessState(catalogues: languages, canSpeak: canSpeak)
        self.isStaffKnown = isStaffKnown
        keys = AttemptKeys(prefix: keyPrefix)
    }

    /// Handles an event and returns what must be done.
    public mutating func handle(_ event: KioskEvent, now: Duration) -> [KioskEffect] {
        let effects = happened(event, now: now)
        guard state.isResting, !isHelpShown else { return effects }
        let hasCustomerLeft = !access.isSet && now >= touches.last + KioskTiming.restartQuietTime
        return effects + restart.start(hasCustomerLeft: hasCustomerLeft)
    }

    private mutating func happened(_ event: KioskEvent, now: Duration) -> [KioskEffect] {
        switch event {
        case .started(let kept): return started(kept, now: now)
        case .touched(let action, let mark):
            if let mark { pointed(mark, now: now) }
            return touched(action, now: now)
        case .staffAsked: return staffAsked(now: now)
        case .codeRead(let text): return codeRead(text, now: now)
        case .timePassed: return timePassed(now: now)
        case .backend(let event): return backendReported(event, now: now)
        case .printer(.condition(let condition)): printer = condition
        case .printer(.progress(let key, let progress)):
            return printProgressed(key, progress, now: now)
        case .journal(.failed(let unsent)): return journalFailed(unsent: unsent, now: now)
        case .journal(.recovered):
            service.isJournalBroken = false
            if state.isResting { rest(now: now) }
        case .readerReported(let isThere): isReaderThere = isThere
        case .speechFailed: access.speechFailed()
        case .staff(let event): return staffReported(event, now: now)
        case .help(let event): return helpReported(event, now: now)
        case .commanded(let command, let decided):
            return commanded(command, decided: decided, now: now)
        case .newVersionFound: restart.awaitNewVersion()
        }
        return []
    }

    private mutating func backendReported(_ event: BackendEvent, now: Duration) -> [KioskEffect] {
        switch event {
        case .profile(let profile):
            shop = profile
            sortLanguages()
            return []
        case .queue(.success(let status)): return queueReported(status, now: now)
        case .queue(.failure(let failure)): return queueFailed(failure, now: now)
        case .place(let attempt, let answer): return placeAnswered(attempt, answer, now: now)
        case .extended(let hold, let answer): return extensionAnswered(hold, answer, now: now)
        case .confirmed(let key, let answer): return confirmationAnswered(key, answer, now: now)
        case .arrived(let key, let answer): return arrivalAnswered(key, answer, now: now)
        case .found(let attempt, let answer): return lookUpAnswered(attempt, answer, now: now)
        case .orderFound(let attempt, let answer):
            return orderAnswered(attempt, answer, now: now)
        case .deleted(let attempt, let failure): return deletionAnswered(attempt, failure, now: now)
        case .turnChanged(let attempt, let answer):
            return turnChangeAnswered(attempt, answer, now: now)
        }
    }

    // MARK: What the screens show

    /// The shop's clock now; nil until the backend has reported it.
    public func shopClock(now: Duration) -> LocalMoment? { clock.time(now: now) }

    /// Whole seconds until the customer's place is given back, once the warning counts down.
    ///
    /// It is nil if a touch gives no more time: the offer itself says so, and its buttons work.
    public func warning(now: Duration) -> Int? {
        if case .offer(let offer) = state, !offer.isExtendable { return nil }
        guard case .untouched(let ends) = ending, now >= warningBegins(ends) else { return nil }
        return (ends - now).wholeSecondsUp
    }

    /// Whole seconds until a finished screen goes Home.
    public func countdown(now: Duration) -> Int? {
        if case .finished(let closes) = ending { (closes - now).wholeSecondsUp } else { nil }
    }

    /// Whole seconds until a customer's screen ends without a touch.
    public func timeLeft(now: Duration) -> Int? {
        if case .untouched(let ends) = ending { (ends - now).wholeSecondsUp } else { nil }
    }

    /// Whole seconds until maintenance mode ends by itself.
    public func staffLeft(now: Duration) -> Int? {
        if case .staff(let ends) = ending { (ends - now).wholeSecondsUp } else { nil }
    }

    /// Whether no customer is being served and the last customer has gone.
    public func hasCustomerLeft(now: Duration) -> Bool {
        state.isResting && !isHelpShown
            && now >= touches.last + KioskTiming.preferencesTimeout
    }

    /// The next time at which `timePassed` must be handled; nil while nothing is due.
    public var nextDeadline: Duration? {
        var due: [Duration] =
            switch ending {
            case .never: []
            case .untouched(let ends): [warningBegins(ends), ends]
            case .finished(let closes): [closes]
            case .staff(let ends): [ends]
            case .answer(let unresolved): unresolved.deadlines
            case .silence(let issued): [issued.silent]
            }
        due += help.deadlines
        if state.isResting, access.isSet, !isHelpShown {
            due.append(touches.last + KioskTiming.preferencesTimeout)
        }
        return due.filter { $0 > lastTimePassed }.min()
    }

    /// Whether `timePassed` may change anything now.
    public func isDue(now: Duration) -> Bool {
        nextDeadline.map { now >= $0 } ?? false || restart.isAwaited
    }

    // MARK: Time and touch

    private var ending: KioskState.Ending {
        let ending = state.ending(lastTouch: touches.last)
        return isHelpShown ? ending.whileCovered : ending
    }

    private func warningBegins(_ ends: Duration) -> Duration {
        ends - (KioskTiming.inactivityTimeout - KioskTiming.warning)
    }

    private mutating func timePassed(now: Duration) -> [KioskEffect] {
        lastTimePassed = now
        let helped = helpTimePassed(now: now)
        if access.isSet, hasCustomerLeft(now: now) { access.forget() }
        return helped + stateTimePassed(now: now)
    }

    private mutating func stateTimePassed(now: Duration) -> [KioskEffect] {
        switch ending {
        case .never: return []
        // The customer has left: the same happens as on *Cancel*.
        case .untouched(let ends): return now >= ends ? customerTouched(.cancel, now: now) : []
        case .finished(let closes): return now >= closes ? goHome(now: now) : []
        case .staff(let ends): return now >= ends ? leaveStaff(now: now) : []
        case .answer(let unresolved): return unresolvedTimePassed(unresolved, now: now)
        case .silence(let issued): return silencePassed(issued, now: now)
        }
    }

    private mutating func touched(_ action: UserAction?, now: Duration) -> [KioskEffect] {
        if warning(now: now) != nil, case .untouched(let ends) = ending {
            // While the warning is shown, a touch anywhere extends the time and does nothing else. Only its *No*
            // gives the place back, unless that touch was meant for the screen before.
            let isMeant = now >= warningBegins(ends) + KioskTiming.doubleTap
            touches.touched(now)
            touches.screenChanged(now)
            if action == .help(.open) { return helpTouched(.open, now: now) }
            return action == .cancel && isMeant
                ? customerTouched(.cancel, now: now) : customerStayed(now: now)
        }
        touches.touched(now)
        guard !isTooSoon(action, now: now) else { return [] }
        switch action {
        case .openLanguages: access.isChoosingLanguage = true
        case .closeLanguages: access.isChoosingLanguage = false
        case .choose(let language):
            touches.screenChanged(now)
            guard access.choose(language) else { return customerStayed(now: now) }
            return languageChosen(language, now: now) ?? customerStayed(now: now)
        case .changeAppearance: access.appearance = access.appearance.next
        case .changeVoice: if access.isSpeechThere { access.voice = access.voice.next }
        case .help(let touch): return helpTouched(touch, now: now)
        // A touch that was meant for the covered screen must not act on it.
        case _ where isHelpShown: return helpStayed(now: now)
        case nil, .getTicket, .bookVisit, .findReservation, .collectOrder, .digit, .erase,
            .keepDigit, .enterCode, .confirm, .arrive, .giveUp, .openDelays, .delay, .reclaim,
            .cancel, .stay, .leave, .done, .leaveStaff,
            .openStaff, .turnPage, .testPrint, .chooseReceipt, .reprint, .putOutOfService, .staff:
            return state.traits.user == .staff
                ? staffTouched(action, now: now) : customerTouched(action, now: now)
        }
        touches.screenChanged(now)
        return isHelpShown ? helpStayed(now: now) : customerStayed(now: now)
    }

    /// Whether a touch comes so soon after a change of screen that it was meant for the screen before, as the second
    /// tap of a double tap. Such a touch has no effect except that its button looks pressed.
    public func isTooSoon(_ action: UserAction?, now: Duration) -> Bool {
        let isKey = action?.range == .key && state.traits.hasKeys
        return warning(now: now) == nil && touches.isTooSoon(now) && !isKey
    }

    // MARK: Shared by the states

    /// Enters a state; touches that were meant for the state before are ignored for a moment.
    ///
    /// - Returns: no effects, for events that have no other consequence.
    @discardableResult mutating func enter(_ next: KioskState, now: Duration) -> [KioskEffect] {
        // The starting screen has no buttons, so no touch can have been meant for it.
        if state != .starting || next == .starting { touches.screenChanged(now) }
        access.isChoosingLanguage = false
        return update(next)
    }

    /// Replaces the data of the present state without a change of screen; returns no effects.
    @discardableResult mutating func update(_ same: KioskState) -> [KioskEffect] {
        state = same
        return []
    }

    /// Enters the resting state that fits what is known; a customer who is choosing a language can go on.
    mutating func rest(now: Duration) {
        let next = service.restingState
        guard next != state else { return }
        let isChoosing = access.isChoosingLanguage
        enter(next, now: now)
        access.isChoosingLanguage = isChoosing
    }

    /// Returns to the first screen; the next customer finds the machine in its original state.
    mutating func goHome(now: Duration) -> [KioskEffect] {
        let left = printoutLeft
        // The customer who needs help is still there.
        if !isHelpShown { access.forget() }
        enter(.starting, now: now)
        rest(now: now)
        return left + [.refresh]
    }

    func record(_ record: JournalRecord) -> KioskEffect { .journal(.record(record)) }
}

extension Duration {
    /// Seconds rounded up, at least 0, as a countdown shows them.
    var wholeSecondsUp: Int { max(0, Int((wholeMilliseconds + 999) / 1_000)) }
}
