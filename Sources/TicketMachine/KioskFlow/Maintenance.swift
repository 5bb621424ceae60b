// Maintenance mode: in by a PIN and only from a resting screen, out by itself.
extension KioskFlow {
    /// The pattern was touched, or the key for the staff pressed.
    public mutating func staffAsked(now: Duration) -> [KioskEffect] {
        guard isStaffKnown, state.isResting else { return [] }
        return openEntrance(nil, now: now)
    }

    /// The keypad; whether it would be of any use is asked at once.
    private mutating func openEntrance(_ holder: StaffPerson?, now: Duration) -> [KioskEffect] {
        lastTouch = now
        var entrance = StaffEntrance(holder: holder)
        let attempt = makeKey()
        entrance.gate = attempt
        enter(.staffEntrance(entrance), now: now)
        return [.askGate(attempt, holder: holder?.name)]
    }

    /// What a PIN would meet now; nil where it would be looked at.
    public mutating func gateAnswered(
        _ attempt: AttemptKey, _ answer: PINAnswer?, now: Duration
    ) {
        guard case .staffEntrance(var entrance) = state, entrance.gate == attempt else { return }
        entrance.gate = nil
        // What was typed meanwhile has an answer of its own.
        if entrance.attempt == nil, entrance.answer == nil {
            entrance.answer = answer
            if case .early(let wait) = answer { entrance.opens = now + wait }
            if answer != nil { entrance.digits = "" }
        }
        update(.staffEntrance(entrance))
    }

    /// What became of a PIN.
    public mutating func pinAnswered(
        _ attempt: AttemptKey, _ answer: PINAnswer, now: Duration
    ) -> [KioskEffect] {
        guard case .staffEntrance(var entrance) = state, entrance.attempt == attempt else {
            return []
        }
        lastTouch = now
        entrance.attempt = nil
        entrance.digits = ""
        entrance.answer = answer
        switch answer {
        case .person(let person):
            enter(.staff(StaffVisit(person: person)), now: now)
            return [note(.entered), .lookAfter]
        case .wrong(let wait), .early(let wait): entrance.opens = now + wait
        case .locked, .nobody, .personLocked, .failed: break
        }
        update(.staffEntrance(entrance))
        switch answer {
        case .wrong(let wait):
            return [.note(.wrongPIN, "\(wait.wholeSecondsUp) s", by: entrance.holder?.name)]
        case .locked, .personLocked:
            return [.note(.wrongPIN, "locked", by: entrance.holder?.name)]
        default: return []
        }
    }

    /// A badge was read in front of a screen on which nobody is served.
    mutating func badgeScanned(_ badge: StaffBadge, now: Duration) -> [KioskEffect] {
        guard isStaffKnown, mayShowBadge else { return [.beep] }
        let attempt = makeKey()
        badgeAttempt = attempt
        return [.checkBadge(badge, attempt)]
    }

    /// Whose badge it is; nil for nobody's.
    public mutating func badgeAnswered(
        _ attempt: AttemptKey, _ holder: StaffPerson?, now: Duration
    ) -> [KioskEffect] {
        guard badgeAttempt == attempt else { return [] }
        badgeAttempt = nil
        guard let holder else { return [.beep, .note(.wrongBadge)] }
        guard mayShowBadge else { return [.beep] }
        return openEntrance(holder, now: now)
    }

    /// Nobody is served and no PIN is being looked at.
    private var mayShowBadge: Bool {
        guard case .staffEntrance(let entrance) = state else { return state.isResting }
        return entrance.attempt == nil
    }

    /// What the machine knows of itself.
    ///
    /// Who was removed, locked or given another role meanwhile, from elsewhere, is out at once.
    public mutating func staffReported(_ facts: StaffFacts, now: Duration) -> [KioskEffect] {
        guard case .staff(let visit) = state else { return [] }
        staffFacts = facts
        // None at all: the disk cannot be read, and nothing is known.
        guard let members = facts.members, !members.isEmpty,
            !members.contains(where: { $0.person == visit.person && !$0.isLocked })
        else { return [] }
        return leaveStaff(now: now)
    }

    /// What becomes of a paper the staff has asked for; `isOver` where nothing more will.
    public mutating func staffPrintProgressed(
        _ attempt: AttemptKey, _ progress: StaffPrint.Progress, isOver: Bool = true, now: Duration
    ) -> [KioskEffect] {
        let noted = isOver ? ended(attempt, progress.reason) : []
        guard case .staff(var visit) = state, visit.print?.attempt == attempt else { return noted }
        visit.print?.progress = progress
        update(.staff(visit))
        return noted
    }

    /// The staff has put the machine out of service before it stopped.
    public mutating func staffPutOut(message: String? = nil) {
        isPutOut = true
        serviceMessage = message
    }

    /// What the staff had set before the machine stopped.
    public mutating func settingsKept(_ kept: MachineSettings) {
        settings = kept
        orderLanguages()
    }

    /// Whole seconds until the next PIN may be typed; nil where it may be now.
    public func pinWait(now: Duration) -> Int? {
        guard case .staffEntrance(let entrance) = state, now < entrance.opens else { return nil }
        return (entrance.opens - now).wholeSecondsUp
    }

    /// Whole seconds until maintenance mode ends by itself.
    public func staffLeft(now: Duration) -> Int? {
        staffEnds.map { ($0 - now).wholeSecondsUp }
    }

    /// Whether somebody of the staff has come in.
    var isStaffInside: Bool { if case .staff = state { true } else { false } }

    var staffEnds: Duration? {
        switch state {
        case .staffEntrance: lastTouch + KioskTiming.staffEntrance
        case .staff: lastTouch + KioskTiming.staff
        default: nil
        }
    }

    /// Back to what customers see, nothing of the staff's left behind.
    mutating func leaveStaff(now: Duration) -> [KioskEffect] {
        staffFacts = nil
        guard case .staff = state else { return goHome(now: now) }
        // Named before the person is gone.
        let left = note(.left)
        return [left] + goHome(now: now)
    }

    func note(_ kind: MachineEvent.Kind, _ detail: String = "") -> KioskEffect {
        guard case .staff(let visit) = state else { return .note(kind, detail) }
        return .note(kind, detail, by: visit.person.name)
    }

    /// A touch in one of the staff's states.
    mutating func staffTouched(_ action: KioskAction?, now: Duration) -> [KioskEffect] {
        switch state {
        case .staffEntrance(let entrance): entranceTouched(entrance, action, now: now)
        case .staff(let visit): visitTouched(visit, action, now: now)
        default: []
        }
    }

    private mutating func entranceTouched(
        _ before: StaffEntrance, _ action: KioskAction?, now: Duration
    ) -> [KioskEffect] {
        var entrance = before
        if action == .cancel { return leaveStaff(now: now) }
        guard entrance.attempt == nil, !entrance.isShut, now >= entrance.opens else { return [] }
        switch action {
        case .digit(let digit) where entrance.digits.count < PINRules.lengths.upperBound:
            entrance.digits.append("\(digit)")
            entrance.answer = nil
        case .erase where !entrance.digits.isEmpty: entrance.digits.removeLast()
        case .enterCode where entrance.digits.count >= PINRules.lengths.lowerBound:
            let attempt = makeKey()
            let pin = entrance.digits
            entrance.attempt = attempt
            entrance.digits = String(repeating: "0", count: pin.count)
            update(.staffEntrance(entrance))
            return [.checkPIN(pin, attempt, holder: entrance.holder?.name)]
        default: return []
        }
        update(.staffEntrance(entrance))
        return []
    }

    private mutating func visitTouched(
        _ before: StaffVisit, _ action: KioskAction?, now: Duration
    ) -> [KioskEffect] {
        var visit = before
        switch action {
        case .leaveStaff: return leaveStaff(now: now)
        case .cancel: visit = steppedBack(visit)
        case .openStaff(let screen):
            guard screen != .people || visit.person.role == .manager else { return [] }
            visit = visit.turned(to: screen)
        case .turnPage(let page): visit.page = max(0, page)
        case .testPrint(let printer) where visit.print?.progress != .under:
            return staffPrints(&visit, .testPrint, "\(printer + 1)", now: now) {
                .printTest(printer, $0)
            }
        case .choosePaper(let paper):
            visit.chosen = paper
            visit.print = nil
            visit.outcome = nil
        case .reprint(let reason) where visit.print?.progress != .under:
            guard let paper = visit.chosen else { return [] }
            visit.chosen = nil
            return staffPrints(
                &visit, .reprint, "\(paper.number.text) \(reason.rawValue)", now: now
            ) { .reprint(paper, $0) }
        case .putOutOfService:
            guard isPutOut else { return touched(.ask(.putOut(nil)), visit, now: now) }
            isPutOut = false
            serviceMessage = nil
            enter(.staff(visit), now: now)
            return [note(.putIn), .keepService(isPutOut: false)]
        case .digit, .erase, .enterCode:
            guard let form = visit.form else { return [] }
            return formTouched(visit, form, action, now: now)
        case .staff(let touch): return touched(touch, visit, now: now)
        default: return []
        }
        enter(.staff(visit), now: now)
        return []
    }

    /// What *Back* leads to: out of what was begun, then to the screen before.
    private func steppedBack(_ visit: StaffVisit) -> StaffVisit {
        var visit = visit
        if visit.question != nil || visit.chosen != nil {
            visit.question = nil
            visit.chosen = nil
        } else if visit.form != nil {
            visit.form = nil
        } else if visit.member != nil {
            visit.member = nil
            visit.outcome = nil
        } else {
            visit = visit.turned(to: visit.screen.parent)
        }
        return visit
    }

    mutating func staffPrints(
        _ visit: inout StaffVisit, _ kind: MachineEvent.Kind, _ detail: String, now: Duration,
        _ effect: (AttemptKey) -> KioskEffect
    ) -> [KioskEffect] {
        let attempt = makeKey()
        visit.print = StaffPrint(attempt: attempt, progress: .under)
        begun(kind, detail, attempt, by: visit.person.name)
        enter(.staff(visit), now: now)
        return [effect(attempt)]
    }
}

extension StaffPrint.Progress {
    /// Why there is no paper, in a word for events; nil where there is one.
    fileprivate var reason: String? {
        switch self {
        case .under, .printed: nil
        case .failed(let trouble): trouble.rawValue
        case .notStanding(let failure): failure.word
        }
    }
}
