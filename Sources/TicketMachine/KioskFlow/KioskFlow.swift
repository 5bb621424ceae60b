public import Reservations

/// The ticket machine as a value: what it shows and what must happen next.
///
/// One method per event, named after what happened, answering with effects in order. `now` is the
/// monotonic clock; it never goes back. Nothing here waits, draws or calls.
public struct KioskFlow: Sendable {
    public private(set) var state: KioskState = .starting
    /// What the backend said of the queue last; nil until it has, or while it does not answer.
    public internal(set) var queue: QueueReport?
    public internal(set) var shop: ShopReport?
    public internal(set) var printer: PrinterCondition = .ready
    /// Whether codes can be read; a reader that types like a keyboard is taken to be there.
    public internal(set) var isReaderThere = true
    /// The language of the screens, one of `languages`.
    public internal(set) var language: String
    /// What customers can choose from, the shop's own language first.
    public internal(set) var languages: [String]
    public internal(set) var isChoosingLanguage = false
    /// How the customer of the moment wants the screens.
    public internal(set) var appearance = Appearance.normal
    /// Off until it is asked for.
    public internal(set) var voice = Voice.off
    /// What maintenance mode shows; nil outside of it and until it is known.
    public internal(set) var staffFacts: StaffFacts?
    /// Whether the staff wants customers to see *out of service*.
    public internal(set) var isPutOut = false
    /// What customers read then: the name of a `ReadyMessage`, or a text of its own; nil for the usual one.
    public internal(set) var serviceMessage: String?
    /// The shop wants the program to be started anew once nobody is being served.
    var awaitedRestart: ShopOrder?
    /// A new version of the program, or of what it is told, waits for nobody being served.
    var isRenewalAwaited = false
    /// What the staff has set for everybody.
    public internal(set) var settings = MachineSettings()
    /// The badge that is being looked up.
    var badgeAttempt: AttemptKey?
    /// What the staff has begun and not yet heard of again.
    var acts: [StaffAct] = []

    /// Whether the machine has a voice at all.
    let canSpeak: Bool
    /// Whether anybody can be known by a PIN at all.
    let isStaffKnown: Bool
    /// Whether the last try to say something failed.
    var isSpeechBroken = false
    /// Catalogues that are there, in the machine's order.
    let catalogues: [String]
    /// Makes attempt keys unique over all starts of the machine.
    private let keyPrefix: String
    private var keysMade = 0

    var lastTouch: Duration = .zero
    private var lastChange: Duration = .zero - KioskTiming.doubleTap
    /// The shop's clock and when it was told.
    private var clock: (shop: LocalMoment, at: Duration)?
    /// When `queue` was told.
    var queueTold: Duration = .zero
    /// Consecutive reports of the queue that failed.
    var failures = 0
    /// What keeps the machine from serving until the next good report.
    var fault: OutOfService?
    /// Whether this machine's own disk could not be written.
    var isJournalBroken = false
    /// Confirmations found open at the start and not yet asked for again.
    var toResume: [OpenConfirmation] = []
    /// Whether the confirmation being asked for was open when the machine stopped.
    var isResuming = false

    /// - Parameters:
    ///   - languages: catalogues that are there, at least one.
    ///   - canSpeak: whether the machine has a voice.
    ///   - isStaffKnown: whether there is a maintenance mode.
    ///   - keyPrefix: random characters `a-z 0-9`, new at each start.
    public init(
        languages: [String], canSpeak: Bool = false, isStaffKnown: Bool = false, keyPrefix: String
    ) {
        precondition(!languages.isEmpty, "a machine without a catalogue cannot speak")
        catalogues = languages
        self.languages = languages
        language = languages[0]
        self.canSpeak = canSpeak
        self.isStaffKnown = isStaffKnown
        self.keyPrefix = keyPrefix
    }

    // MARK: What the screens ask

    /// The shop's clock now; nil until the backend has told it.
    public func shopClock(now: Duration) -> LocalMoment? {
        clock.map { $0.shop.at($0.shop.moment + (now - $0.at)) }
    }

    /// How long ago `queue` was told; nil while it is as good as now, or where there is none.
    public func queueAge(now: Duration) -> Duration? {
        let age = now - queueTold
        return queue == nil || age < KioskTiming.fresh ? nil : age
    }

    /// Whole seconds until the customer's place is given back, once the warning counts down.
    ///
    /// None where a touch gives no more time: the offer itself says so, and its buttons work.
    public func warning(now: Duration) -> Int? {
        if case .offer(let offer) = state, !offer.isExtendable { return nil }
        guard let ends = inactivityEnds, now >= warningBegins(ends) else { return nil }
        return (ends - now).wholeSecondsUp
    }

    /// Whole seconds until a finished screen goes Home.
    public func countdown(now: Duration) -> Int? {
        switch state {
        case .issued(let issued): issued.closes.map { ($0 - now).wholeSecondsUp }
        case .apology(let apology): (apology.closes - now).wholeSecondsUp
        case .deleted(let deleted): (deleted.closes - now).wholeSecondsUp
        case .codeRefused(let refused): (refused.closes - now).wholeSecondsUp
        default: nil
        }
    }

    /// Whole seconds in which an untouched offer ends.
    public func timeLeft(now: Duration) -> Int? {
        inactivityEnds.map { ($0 - now).wholeSecondsUp }
    }

    /// When `timePassed` must be called at the latest; nil while nothing is due.
    public var nextDeadline: Duration? {
        var due: [Duration] = []
        if let ends = inactivityEnds { due += [warningBegins(ends), ends] }
        if let ends = staffEnds { due.append(ends) }
        switch state {
        case .issued(let issued): due.append(issued.closes ?? issued.silent)
        case .apology(let apology): due.append(apology.closes)
        case .deleted(let deleted): due.append(deleted.closes)
        case .codeRefused(let refused): due.append(refused.closes)
        case .unresolved(let unresolved):
            due += [unresolved.until] + [unresolved.nextTry].compactMap(\.self)
        default: break
        }
        if state.isResting, isCustomerRemembered {
            due.append(lastTouch + KioskTiming.customerMemory)
        }
        return due.filter { $0 > lastTimePassed }.min()
    }

    // MARK: Time and touch

    private var lastTimePassed: Duration = .zero - .seconds(1)

    public mutating func timePassed(now: Duration) -> [KioskEffect] {
        lastTimePassed = now
        if isCustomerRemembered, isLeft(now: now) { forgetCustomer() }
        if let ends = inactivityEnds, now >= ends { return customerLeft(now: now) }
        switch state {
        case .issued(let issued): return issuedTimePassed(issued, now: now)
        case .apology(let apology): return now >= apology.closes ? goHome(now: now) : []
        case .deleted(let deleted): return now >= deleted.closes ? goHome(now: now) : []
        case .codeRefused(let refused): return now >= refused.closes ? goHome(now: now) : []
        case .unresolved(let unresolved):
            return unresolvedTimePassed(unresolved, now: now)
        case .staffEntrance, .staff:
            return staffEnds.map { now >= $0 } == true ? leaveStaff(now: now) : []
        default: return []
        }
    }

    /// A touch, a key or nothing but a finger somewhere (`nil`).
    public mutating func touched(_ action: KioskAction?, now: Duration) -> [KioskEffect] {
        if warning(now: now) != nil {
            // "A touch anywhere extends, and does nothing else."
            lastTouch = now
            lastChange = now
            return customerStayed(now: now)
        }
        lastTouch = now
        guard !isTooSoon(action, now: now) else { return [] }
        if staffEnds != nil, !isForEverybody(action) { return staffTouched(action, now: now) }
        switch action {
        case .openLanguages:
            isChoosingLanguage = true
            lastChange = now
            return customerStayed(now: now)
        case .closeLanguages:
            isChoosingLanguage = false
            lastChange = now
            return customerStayed(now: now)
        case .choose(let language):
            isChoosingLanguage = false
            lastChange = now
            guard languages.contains(language) else { return customerStayed(now: now) }
            self.language = language
            return languageChosen(language) ?? customerStayed(now: now)
        case .changeAppearance:
            lastChange = now
            return appearanceTouched(now: now)
        case .changeVoice:
            lastChange = now
            return voiceTouched(now: now)
        case .getTicket where state == .home: return askForPlace(.ticket, now: now)
        case .bookVisit where state == .noTicketToday: return askForPlace(.visit, now: now)
        case .findReservation: return findTouched(now: now)
        case .digit(let digit): return typed(digit, now: now)
        case .erase: return erased(now: now)
        case .enterCode: return codeEntered(now: now)
        case .confirm: return confirmTouched(now: now)
        case .cancel: return cancelTouched(now: now)
        case .leave: return leaveTouched(now: now)
        case .done: return doneTouched(now: now)
        default: return customerStayed(now: now)
        }
    }

    /// Whether a touch comes so soon after the screen has changed that it is the second of two that
    /// were meant for the one before: it does nothing, and shows only that it was felt.
    public func isTooSoon(_ action: KioskAction?, now: Duration) -> Bool {
        warning(now: now) == nil && now < lastChange + KioskTiming.doubleTap && !isKeypad(action)
    }

    /// Whether an action means the same on every screen.
    private func isForEverybody(_ action: KioskAction?) -> Bool {
        switch action {
        case .openLanguages, .closeLanguages, .choose, .changeAppearance, .changeVoice: true
        default: false
        }
    }

    // MARK: Shared by the flows

    /// Enters a state; touches meant for the one before are ignored for a moment.
    mutating func enter(_ next: KioskState, now: Duration) {
        // The screen of a start has no button: nobody can have meant a touch for it.
        if state != .starting || next == .starting { lastChange = now }
        state = next
        isChoosingLanguage = false
    }

    /// Changes what the present state knows, without being another one.
    mutating func update(_ same: KioskState) { state = same }

    mutating func makeKey() -> AttemptKey {
        keysMade += 1
        return AttemptKey("\(keyPrefix)-\(keysMade)")
    }

    mutating func set(clock shop: LocalMoment, now: Duration) { clock = (shop, now) }

    /// When the customer's state ends without a touch; nil where nothing ends.
    private var inactivityEnds: Duration? {
        switch state {
        case .offer(let offer):
            // The place must not outlast its hold on the screen: the reserve is the call's time.
            min(lastTouch + KioskTiming.inactivity, offer.expires - KioskTiming.holdReserve / 2)
        case .asking, .noTicketToday, .noVisit, .scanning, .lookingUp, .found:
            lastTouch + KioskTiming.inactivity
        default: nil
        }
    }

    private func warningBegins(_ ends: Duration) -> Duration {
        ends - (KioskTiming.inactivity - KioskTiming.warning)
    }
}

extension Duration {
    /// Seconds rounded up, at least 0: what a countdown shows.
    var wholeSecondsUp: Int {
        max(0, Int((wholeMilliseconds + 999) / 1_000))
    }
}
