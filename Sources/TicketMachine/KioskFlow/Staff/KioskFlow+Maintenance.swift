internal import Reservations

// Maintenance mode: it is entered with a PIN and only from a resting screen, and it ends by itself.
extension KioskFlow {
    mutating func staffReported(_ event: StaffEvent, now: Duration) -> [KioskEffect] {
        switch event {
        case .availability(let attempt, let answer): availabilityAnswered(attempt, answer, now: now)
        case .pin(let attempt, let answer): return pinAnswered(attempt, answer, now: now)
        case .badge(let attempt, let holder): return badgeAnswered(attempt, holder, now: now)
        case .facts(let facts): return factsReported(facts, now: now)
        case .print(let attempt, let progress, let isOver):
            return staffPrintProgressed(attempt, progress, isOver: isOver)
        case .done(let attempt, let answer): return staffCommandFinished(attempt, answer)
        case .code(let attempt, let verdict): codeTried(attempt, verdict)
        }
        return []
    }

    mutating func staffAsked(now: Duration) -> [KioskEffect] {
        guard isStaffKnown, state.isResting else { return [] }
        return openEntrance(nil, now: now)
    }

    /// Shows the keypad, and asks at once whether a PIN may be tried now.
    private mutating func openEntrance(_ holder: StaffPerson?, now: Duration) -> [KioskEffect] {
        touches.touched(now)
        dropHelpQuestion()
        var entrance = PINEntry(holder: holder)
        let attempt = keys.next()
        entrance.availability = attempt
        enter(.pinEntry(entrance), now: now)
        return [.staff(.askPINAvailability(attempt, holder: holder?.name))]
    }

    private mutating func availabilityAnswered(
        _ attempt: AttemptKey, _ answer: PINAnswer?, now: Duration
    ) {
        guard case .pinEntry(var entrance) = state, entrance.availability == attempt else { return }
        entrance.availability = nil
        // A PIN that was typed meanwhile gets an answer of its own.
        if entrance.attempt == nil, entrance.answer == nil {
            entrance.answer = answer
            if case .early(let wait) = answer { entrance.opens = now + wait }
            if answer != nil { entrance.digits = "" }
        }
        update(.pinEntry(entrance))
    }

    private mutating func pinAnswered(
        _ attempt: AttemptKey, _ answer: PINAnswer, now: Duration
    ) -> [KioskEffect] {
        guard case .pinEntry(var entrance) = state, entrance.attempt == attempt else {
            return []
        }
        touches.touched(now)
        entrance.attempt = nil
        entrance.digits = ""
        entrance.answer = answer
        let noted: [KioskEffect]
        switch answer {
        case .person(let person):
            enter(.staff(StaffSession(person: person)), now: now)
            return [note(.plain(.entered)), .staff(.openMonitor)]
        case .wrong(let wait):
            entrance.opens = now + wait
            noted = [wrongPIN(seconds: wait.wholeSecondsUp, entrance)]
        case .early(let wait):
            entrance.opens = now + wait
            noted = []
        case .locked, .personLocked: noted = [wrongPIN(seconds: nil, entrance)]
        case .noStaff, .failed: noted = []
        }
        update(.pinEntry(entrance))
        return noted
    }

    private func wrongPIN(seconds: Int?, _ entrance: PINEntry) -> KioskEffect {
        .staff(.note(.wrongPIN(seconds: seconds), by: entrance.holder?.name))
    }

    /// Handles a badge; it is used only if no customer is being served.
    mutating func badgeScanned(_ badge: StaffBadge, now: Duration) -> [KioskEffect] {
        guard isStaffKnown, mayShowBadge else { return [.beep] }
        let attempt = keys.next()
        badgeAttempt = attempt
        return [.staff(.checkBadge(badge, attempt))]
    }

    private mutating func badgeAnswered(
        _ attempt: AttemptKey, _ holder: StaffPerson?, now: Duration
    ) -> [KioskEffect] {
        guard badgeAttempt == attempt else { return [] }
        badgeAttempt = nil
        guard let holder else { return [.beep, .staff(.note(.plain(.wrongBadge)))] }
        guard mayShowBadge else { return [.beep] }
        return openEntrance(holder, now: now)
    }

    /// Whether no customer is being served and no PIN is being checked.
    private var mayShowBadge: Bool {
        guard case .pinEntry(let entrance) = state else { return state.isResting }
        return entrance.attempt == nil
    }

    /// Leaves maintenance mode at once if the staff member was removed, locked or given another role meanwhile.
    private mutating func factsReported(_ facts: StaffFacts, now: Duration) -> [KioskEffect] {
        guard case .staff(let session) = state else { return [] }
        staffFacts = facts
        let calls = helpReported(in: facts)
        // An empty list means that the disk cannot be read: nothing is known about the staff.
        guard let members = facts.members, !members.isEmpty,
            !members.contains(where: { $0.person == session.person && !$0.isLocked })
        else { return calls }
        return leaveStaff(now: now)
    }

    /// A call for help that is new while maintenance mode is shown makes a sound, unless its machine is muted.
    private mutating func helpReported(in facts: StaffFacts) -> [KioskEffect] {
        guard case .success(let queue) = facts.queue else { return [] }
        let known = shownHelp ?? Set(queue.help.map(\.id))
        shownHelp = Set(queue.help.map(\.id))
        let isNew = queue.help.contains {
            !known.contains($0.id) && $0.mutedUntil.map { $0.moment <= queue.now.moment } ?? true
        }
        return isNew ? [.beep] : []
    }

    private mutating func staffPrintProgressed(
        _ attempt: AttemptKey, _ progress: StaffPrint.Progress, isOver: Bool
    ) -> [KioskEffect] {
        let noted = isOver ? ended(attempt, progress.reason) : []
        guard case .staff(var session) = state, session.print?.attempt == attempt else {
            return noted
        }
        session.print?.progress = progress
        update(.staff(session))
        return noted
    }

    /// Whole seconds until the next PIN may be typed; nil if it may be typed now.
    public func pinWait(now: Duration) -> Int? {
        guard case .pinEntry(let entrance) = state, now < entrance.opens else { return nil }
        return (entrance.opens - now).wholeSecondsUp
    }

    /// Returns to the customers' screens and removes everything that the staff has opened.
    mutating func leaveStaff(now: Duration) -> [KioskEffect] {
        staffFacts = nil
        shownHelp = nil
        guard case .staff = state else { return goHome(now: now) }
        // The event is made before the session ends, because it names the staff member.
        let left = note(.plain(.left))
        return [left] + goHome(now: now)
    }

    func note(_ what: MachineEvent.What) -> KioskEffect {
        guard case .staff(let session) = state else { return .staff(.note(what)) }
        return .staff(.note(what, by: session.person.name))
    }

    mutating func staffTouched(_ action: UserAction?, now: Duration) -> [KioskEffect] {
        if case .pinEntry(let entrance) = state {
            return entranceTouched(entrance, action, now: now)
        }
        guard case .staff(let session) = state else { return [] }
        return sessionTouched(session, action, now: now)
    }

    private mutating func entranceTouched(
        _ before: PINEntry, _ action: UserAction?, now: Duration
    ) -> [KioskEffect] {
        var entrance = before
        if action == .cancel { return leaveStaff(now: now) }
        guard entrance.attempt == nil, !entrance.isShut, now >= entrance.opens else { return [] }
        if case .digit(let digit) = action, entrance.digits.count < PINRules.lengths.upperBound {
            entrance.digits.append("\(digit)")
            entrance.answer = nil
        } else if action == .erase, !entrance.digits.isEmpty {
            entrance.digits.removeLast()
        } else if action == .enterCode, entrance.digits.count >= PINRules.lengths.lowerBound {
            let attempt = keys.next()
            let pin = entrance.digits
            entrance.attempt = attempt
            entrance.digits = String(repeating: "0", count: pin.count)
            update(.pinEntry(entrance))
            return [.staff(.checkPIN(pin, attempt, holder: entrance.holder?.name))]
        } else {
            return []
        }
        return update(.pinEntry(entrance))
    }

    private mutating func sessionTouched(
        _ before: StaffSession, _ action: UserAction?, now: Duration
    ) -> [KioskEffect] {
        var session = before
        switch action {
        case .leaveStaff: return leaveStaff(now: now)
        case .cancel: session = steppedBack(session)
        case .openStaff(let screen):
            guard screen != .people || session.person.role == .manager else { return [] }
            session = session.turned(to: screen)
        case .turnPage(let page): session.page = max(0, page)
        case .testPrint(let printer):
            return staffPrints(session, .printer(.testPrint, printer), now: now) {
                .printTest(printer, $0)
            }
        case .chooseReceipt(let paper):
            session.chosen = paper
            session.print = nil
            session.outcome = nil
        case .reprint(let reason):
            guard let paper = session.chosen, session.print?.progress != .under,
                ReprintReason.all(for: paper.number).contains(reason)
            else { return [] }
            session.chosen = nil
            return staffPrints(session, .reprint(paper.number, reason), now: now) {
                reason == .photographed
                    ? .renewCode(paper, by: session.person.name, $0) : .reprint(paper, $0)
            }
        case .putOutOfService:
            guard service.isPutOut else { return touched(.ask(.putOut(nil)), session, now: now) }
            service.decide(isPutOut: false, message: nil)
            enter(.staff(session), now: now)
            return [note(.plain(.putIn)), .program(.keepService(isPutOut: false))]
        case .digit, .erase, .enterCode:
            guard let form = session.form else { return [] }
            return formTouched(session, form, action, now: now)
        case .staff(let touch): return touched(touch, session, now: now)
        case nil, .getTicket, .bookVisit, .findReservation, .collectOrder, .confirm, .arrive,
            .giveUp, .keepDigit,
            .openDelays, .delay, .reclaim, .leave, .done,
            .stay, .openLanguages,
            .closeLanguages, .choose, .changeAppearance, .changeVoice, .help:
            return []
        }
        return enter(.staff(session), now: now)
    }

    /// Where *Back* leads: first out of an open question or form, then to the screen before.
    private func steppedBack(_ session: StaffSession) -> StaffSession {
        var session = session
        if session.question != nil || session.chosen != nil {
            session.question = nil
            session.chosen = nil
        } else if session.form != nil {
            session.form = nil
        } else if session.member != nil {
            session.member = nil
            session.outcome = nil
        } else {
            session = session.turned(to: session.screen.parent)
        }
        return session
    }

    /// Prints for the staff, one printout at a time.
    mutating func staffPrints(
        _ before: StaffSession, _ what: MachineEvent.What, now: Duration,
        _ effect: (AttemptKey) -> StaffEffect
    ) -> [KioskEffect] {
        var session = before
        guard session.print?.progress != .under else { return [] }
        let attempt = keys.next()
        session.print = StaffPrint(attempt: attempt, progress: .under)
        begun(what, attempt, by: session.person.name)
        enter(.staff(session), now: now)
        return [.staff(effect(attempt))]
    }
}

extension StaffPrint.Progress {
    /// Why there is no printout; nil if there is one, or if it is still being printed.
    fileprivate var reason: MachineEvent.Reason? {
        switch self {
        case .under, .printed: nil
        case .failed(let trouble): .printer(trouble)
        case .reservationNotValid(let failure): .backend(failure)
        }
    }
}
