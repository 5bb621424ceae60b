internal import Reservations
internal import TextForms

// The staff's commands: those that must be confirmed, forms that are filled in, and tests of the machine.
extension KioskFlow {
    mutating func staffCommandFinished(_ attempt: AttemptKey, _ answer: StaffCommandAnswer)
        -> [KioskEffect]
    {
        let noted = ended(attempt, answer.reason)
        guard case .staff(var session) = state, session.outcome?.attempt == attempt,
            let command = session.outcome?.command
        else { return noted }
        session.outcome?.answer = answer
        if case .people(.remove) = command, answer == .done { session.member = nil }
        update(.staff(session))
        return noted
    }

    /// Handles the backend's verdict on a code that was read in the reader test.
    mutating func codeTried(_ attempt: AttemptKey, _ verdict: StaffRead.Verdict) {
        guard case .staff(var session) = state,
            let index = session.reads.firstIndex(where: { $0.attempt == attempt })
        else { return }
        session.reads[index].verdict = verdict
        update(.staff(session))
    }

    /// Records where a finger was on the touch test screen; it counts as a touch like every other.
    mutating func pointed(_ mark: TouchMark, now: Duration) {
        guard case .staff(var session) = state, session.screen == .touchTest else { return }
        touches.touched(now)
        session.touches = (session.touches + [mark]).suffix(TouchMark.maxCount)
        update(.staff(session))
    }

    /// Handles a text that was read in the reader test; only its kind and length are kept, never the text.
    mutating func staffRead(_ text: String, _ before: StaffSession, now: Duration) -> [KioskEffect]
    {
        var session = before
        touches.touched(now)
        let code = ReadCode(read: text, sought: .reservation)
        let attempt = code.map { _ in keys.next() }
        let read = StaffRead(text, at: shopClock(now: now), attempt: attempt)
        session.reads = Array(([read] + session.reads).prefix(StaffRead.maxCount))
        update(.staff(session))
        guard let code, let attempt else { return [] }
        if code.sought == .order, !isDeskThere {
            codeTried(attempt, .refused(.unsupportedKind))
            return []
        }
        return [.staff(.tryCode(code, attempt))]
    }

    mutating func touched(
        _ touch: MaintenanceAction, _ before: StaffSession, now: Duration
    ) -> [KioskEffect] {
        var session = before
        switch touch {
        case .showPart(let part):
            session = session.turned(to: part.screen)
            if case .missing(let paper) = part { session.chosen = paper }
            if case .help(let call) = part { session.call = call }
        case .ask(let command):
            guard session.outcome?.answer != nil || session.outcome == nil else { return [] }
            guard command.needsYes else { return perform(command, session, now: now) }
            session.question = command
        case .yes:
            guard let command = session.question else { return [] }
            return perform(command, session, now: now)
        case .type(let purpose):
            if !isManager(session), purpose.concernsStaffList { return [] }
            session.outcome = nil
            session.form = StaffForm(purpose)
        case .letter, .accent:
            guard var form = session.form, form.isName else { return [] }
            if case .letter(let letter) = touch {
                letter.forEach { form.add($0) }
            } else {
                form.changeAccent()
            }
            session.form = form
            return update(.staff(session))
        case .choose(let role):
            guard case .role(let name) = session.form?.purpose else { return [] }
            session.form = StaffForm(.pin(.add(StaffPerson(name: name, role: role))))
        case .member(let name):
            session.member = name
            session.outcome = nil
        case .call(let call):
            session.call = call
            session.outcome = nil
        case .rollChanged(let printer):
            return staffPrints(session, .printer(.rollChanged, printer), now: now) {
                .rollChanged(printer, $0)
            }
        case .prefer(let printer):
            return set(session, now: now, .printer(.chosen, printer)) {
                $0.printer = min(max(printer, 0), 1)
            }
        case .volume(let volume):
            return set(session, now: now, .settingChanged(.volume(volume))) {
                $0.volume = min(
                    max(volume, MachineSettings.volumes.lowerBound),
                    MachineSettings.volumes.upperBound)
            } + [.staff(.saySample)]
        case .theme(let isLight):
            return set(session, now: now, .settingChanged(.theme(isLight: isLight))) {
                $0.hasLightTheme = isLight
            }
        case .sample: return [.staff(.saySample)]
        case .message(let message):
            // Another message takes nothing from any customer, so it need not be confirmed.
            if service.isPutOut { return perform(.putOut(message), session, now: now) }
            session.question = .putOut(message)
        }
        return enter(.staff(session), now: now)
    }

    private func isManager(_ session: StaffSession) -> Bool { session.person.role == .manager }

    /// Sets the language for all customers if it is chosen in maintenance mode; nil if a customer chose it for
    /// themselves.
    mutating func languageChosen(_ language: String, now: Duration) -> [KioskEffect]? {
        guard case .staff(let session) = state else { return nil }
        defer { sortLanguages() }
        return set(session, now: now, .settingChanged(.language(language))) {
            $0.language = language
        }
    }

    private mutating func set(
        _ session: StaffSession, now: Duration, _ what: MachineEvent.What,
        _ change: (inout MachineSettings) -> Void
    ) -> [KioskEffect] {
        let before = settings
        change(&settings)
        enter(.staff(session), now: now)
        return settings == before ? [] : [note(what), .staff(.keepSettings(settings))]
    }

    /// Performs a command, which has been confirmed if that is necessary.
    private mutating func perform(
        _ command: StaffCommand, _ before: StaffSession, pin: String = "", now: Duration
    ) -> [KioskEffect] {
        var session = before
        session.question = nil
        session.form = nil
        session.chosen = nil
        session.print = nil
        if case .people = command, !isManager(session) { return [] }
        if case .putOut(let message) = command {
            service.decide(isPutOut: true, message: message?.rawValue)
            enter(.staff(session.turned(to: .machine)), now: now)
            return [
                note(command.event),
                .program(.keepService(isPutOut: true, message: message?.rawValue)),
            ]
        }
        let attempt = keys.next()
        session.outcome = StaffCommandStatus(command: command, attempt: attempt)
        enter(.staff(session), now: now)
        // The program ends, so the result cannot be reported.
        if command == .restartProgram { return [note(command.event), .program(.restart)] }
        begun(command.event, attempt, by: session.person.name)
        switch command {
        case .queue(let command):
            // An older backend does not know the command and gets a closing time, in a minute, as its clock may be a
            // little ahead.
            let closes =
                command == .sendHome
                ? shopClock(now: now).map { $0.at($0.moment + .seconds(60)) } : nil
            return [
                .staff(.correctQueue(command, by: session.person.name, closes: closes, attempt))
            ]
        case .people(let command): return [.staff(.changeStaffList(command, pin: pin, attempt))]
        case .help(let command):
            return [.staff(.answerHelp(command, by: session.person.name, attempt))]
        case .cancelJob(let printer, let job):
            return [.staff(.cancelJob(printer: printer, job: job, attempt))]
        case .paper(let command, let paper): return [.staff(.seeToPaper(command, paper, attempt))]
        case .restartMachine: return [.staff(.restartMachine(attempt))]
        case .restartProgram, .putOut: return []
        }
    }

    // MARK: Forms

    mutating func formTouched(
        _ before: StaffSession, _ typed: StaffForm, _ action: UserAction?, now: Duration
    ) -> [KioskEffect] {
        var session = before
        var form = typed
        if action == .enterCode { return formCompleted(session, form, now: now) }
        if case .digit(let digit) = action {
            guard form.isDigits else { return [] }
            form.add(Character("\(digit)"))
        } else {
            // The only other key is the one that erases the last character.
            form.fault = nil
            if !form.text.isEmpty { form.text.removeLast() }
        }
        session.form = form
        return update(.staff(session))
    }

    /// Handles *OK*: shows the next question, or performs the command.
    private mutating func formCompleted(
        _ before: StaffSession, _ typed: StaffForm, now: Duration
    ) -> [KioskEffect] {
        var session = before
        var form = typed
        func ask(_ command: StaffCommand) -> [KioskEffect] {
            guard command.needsYes else { return perform(command, session, now: now) }
            session.form = nil
            session.question = command
            return enter(.staff(session), now: now)
        }
        switch form.purpose {
        case .number(let kind):
            guard let number = Int(digits: form.text).flatMap(QueueNumber.init(rawValue:)) else {
                form.fault = .empty
                break
            }
            return ask(.queue(.reservation(kind, number)))
        case .people:
            guard let people = Int(digits: form.text) else {
                form.fault = .empty
                break
            }
            if let capacity = staffFacts?.capacity, people > capacity, !isManager(session) {
                form.fault = .beyond(capacity: capacity)
                form.text = ""
                break
            }
            return ask(.queue(.occupancy(people: people)))
        case .reference:
            guard let reference = BlockReference(rawValue: form.text) else {
                form.fault = .reference
                break
            }
            return ask(.queue(.unblock(reference)))
        case .name:
            let name = form.name
            if name.isEmpty {
                form.fault = .empty
            } else if staffFacts?.members?.contains(where: {
                $0.person.name.lowercased() == name.lowercased()
            }) == true {
                form.fault = .taken
            } else {
                form = StaffForm(.role(name: name))
            }
        case .role: return []
        case .pin(let command):
            do {
                try PINRules.check(form.text)
                form = StaffForm(.again(command, first: form.text))
            } catch { form.fault = .pin(error) }
            if form.fault != nil { form.text = "" }
        case .again(let command, let first):
            guard form.text == first else {
                form = StaffForm(.pin(command))
                form.fault = .differs
                break
            }
            return perform(.people(command), session, pin: first, now: now)
        }
        session.form = form
        return enter(.staff(session), now: now)
    }
}

extension StaffForm {
    /// The name as it is stored: without spaces around it.
    var name: String {
        var name = text[...]
        while name.last == " " { name.removeLast() }
        return String(name.drop { $0 == " " })
    }

    /// Adds a character; a letter is large at the beginning of a word, and small within it.
    mutating func add(_ character: Character) {
        fault = nil
        guard text.count < maxCharacters else { return }
        let begins = text.last.map { $0 == " " || $0 == "-" } ?? true
        text += begins ? character.uppercased() : character.lowercased()
    }

    /// Replaces the last letter by the same one with the next accent of our languages.
    mutating func changeAccent() {
        guard let last = text.last, let small = last.lowercased().first,
            let round = Self.accents.first(where: { $0.contains(small) }),
            let index = round.firstIndex(of: small)
        else { return }
        let next = round[(index + 1) % round.count]
        text.removeLast()
        text += last.isUppercase ? next.uppercased() : String(next)
    }

    /// Letters that differ in their accent only.
    private static let accents: [[Character]] = [
        "aàáâä", "cç", "eèéêë", "iìíîï", "nñ", "oòóôö", "uùúûü",
    ].map { Array($0) }
}

extension StaffCommand {
    var event: MachineEvent.What {
        switch self {
        case .queue(.reservation(.callAgain, let number, _)): .number(.calledAgain, .queue(number))
        case .queue(.reservation(.letIn, let number, _)): .number(.letIn, .queue(number))
        case .queue(.reservation(.restore, let number, _)): .number(.restored, .queue(number))
        case .queue(.reservation(.delete, let number, _)): .number(.deleted, .queue(number))
        case .queue(.occupancy(let people)): .peopleInside(people)
        case .queue(.closeEarly): .plain(.closedEarly)
        case .queue(.endTickets): .plain(.ticketsEnded)
        case .queue(.sendHome): .plain(.sentHome)
        case .queue(.openAgain): .plain(.openedAgain)
        // The event has no reference, which would name the phone.
        case .queue(.unblock): .plain(.phoneUnblocked)
        case .queue(.newCode(let number, _)): .reprint(.queue(number), .photographed)
        case .people(.add(let person)): .personAdded(person)
        case .people(.resetPIN(let name)): .person(.pinReset, name)
        case .people(.lock(let name)): .person(.locked, name)
        case .people(.unlock(let name)): .person(.unlocked, name)
        case .people(.remove(let name)): .person(.removed, name)
        case .people(.revokeBadge(let name)): .person(.badgeRevoked, name)
        case .help(let help): .plain(help.event)
        case .cancelJob(let printer, let job): .jobCancelled(printer: printer, job: job)
        case .paper(.found, let paper): .number(.found, paper.number)
        case .paper(.giveBack, let paper): .number(.deleted, paper.number)
        case .restartProgram: .plain(.restart)
        case .restartMachine: .plain(.restartMachine)
        case .putOut(let message): .putOut(message)
        }
    }
}

extension StaffHelp {
    fileprivate var event: MachineEvent.Plain {
        switch action {
        case .going: .helpGoing
        case .helped: .helped
        case .mistake: .helpMistake
        case .mute: .helpMuted
        }
    }
}
