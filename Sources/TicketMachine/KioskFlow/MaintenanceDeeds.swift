public import Reservations

// What the staff does beyond looking: deeds that are asked about, forms that are filled in, tests.
extension KioskFlow {
    /// How a deed ended.
    public mutating func deedAnswered(
        _ attempt: AttemptKey, _ answer: DeedAnswer, now: Duration
    ) -> [KioskEffect] {
        let noted = ended(attempt, answer.isDone ? nil : answer.reason)
        guard case .staff(var visit) = state, visit.outcome?.attempt == attempt,
            let deed = visit.outcome?.deed
        else { return noted }
        visit.outcome?.answer = answer
        if case .people(.remove) = deed, answer == .done { visit.member = nil }
        update(.staff(visit))
        return noted
    }

    /// What the backend says of a code that the reader under test has read.
    public mutating func codeTried(_ attempt: AttemptKey, _ verdict: StaffRead.Verdict) {
        guard case .staff(var visit) = state,
            let index = visit.reads.firstIndex(where: { $0.attempt == attempt })
        else { return }
        visit.reads[index].verdict = verdict
        update(.staff(visit))
    }

    /// A finger was there, on the screen that tests for it; a sign of life like every other.
    public mutating func staffPointed(_ mark: TouchMark, now: Duration) {
        guard case .staff(var visit) = state, visit.screen == .touchTest else { return }
        lastTouch = now
        visit.touches = (visit.touches + [mark]).suffix(TouchMark.most)
        update(.staff(visit))
    }

    /// The reader under test has read something: told by its kind and length, never by its text.
    mutating func staffRead(
        _ text: String, _ before: StaffVisit, now: Duration
    ) -> [KioskEffect] {
        var visit = before
        lastTouch = now
        let code = PresentedCode(read: text)
        let attempt = code.map { _ in makeKey() }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let kind: StaffRead.Kind =
            switch code {
            case .entry: .entryCode
            case .typed: .typedCode
            case nil where StaffBadge(read: text) != nil: .badge
            // EAN-8, UPC-A, EAN-13 (GS1 General Specifications 5.1).
            case nil where digits && [8, 12, 13].contains(text.utf8.count): .barcode
            case nil: .other
            }
        let read = StaffRead(
            at: shopClock(now: now), kind: kind, length: text.count,
            layout: KeyboardLayout.of(text), attempt: attempt)
        visit.reads = Array(([read] + visit.reads).prefix(StaffRead.most))
        update(.staff(visit))
        guard let code, let attempt else { return [] }
        return [.tryCode(code, attempt)]
    }

    mutating func touched(
        _ touch: StaffTouch, _ before: StaffVisit, now: Duration
    ) -> [KioskEffect] {
        var visit = before
        switch touch {
        case .lookAfter(let part):
            visit = visit.turned(to: part.screen)
            if case .missing(let paper) = part { visit.chosen = paper }
        case .ask(let deed):
            guard visit.outcome?.answer != nil || visit.outcome == nil else { return [] }
            guard deed.needsYes else { return perform(deed, visit, now: now) }
            visit.question = deed
        case .yes:
            guard let deed = visit.question else { return [] }
            return perform(deed, visit, now: now)
        case .type(let purpose):
            if !isManager(visit), purpose.isOfPeople { return [] }
            visit.outcome = nil
            visit.form = StaffForm(purpose)
        case .letter, .accent:
            guard var form = visit.form, form.isName else { return [] }
            if case .letter(let letter) = touch { form.add(letter) } else { form.changeAccent() }
            visit.form = form
            update(.staff(visit))
            return []
        case .choose(let role):
            guard case .role(let name) = visit.form?.purpose else { return [] }
            visit.form = StaffForm(.pin(.add(StaffPerson(name: name, role: role))))
        case .member(let name):
            visit.member = name
            visit.outcome = nil
        case .rollChanged(let printer):
            guard visit.print?.progress != .under else { return [] }
            return staffPrints(&visit, .rollChanged, "\(printer + 1)", now: now) {
                .rollChanged(printer, $0)
            }
        case .prefer(let printer):
            return set(visit, now: now, .printerChosen, "\(printer + 1)") {
                $0.printer = min(max(printer, 0), 1)
            }
        case .volume(let volume):
            return set(visit, now: now, .settingsChanged, "volume \(volume)") {
                $0.volume = min(
                    max(volume, MachineSettings.volumes.lowerBound),
                    MachineSettings.volumes.upperBound)
            } + [.saySample]
        case .theme(let isLight):
            return set(visit, now: now, .settingsChanged, isLight ? "light" : "dark") {
                $0.hasLightTheme = isLight
            }
        case .sample: return [.saySample]
        case .message(let message):
            // Another sentence takes nothing from anybody.
            if isPutOut { return perform(.putOut(message), visit, now: now) }
            visit.question = .putOut(message)
        }
        enter(.staff(visit), now: now)
        return []
    }

    private func isManager(_ visit: StaffVisit) -> Bool { visit.person.role == .manager }

    /// Under *Machine* a language is chosen for everybody; nil where a customer chooses one for himself.
    mutating func languageChosen(_ language: String) -> [KioskEffect]? {
        guard case .staff(let visit) = state else { return nil }
        defer { orderLanguages() }
        return set(visit, now: lastTouch, .settingsChanged, "language \(language)") {
            $0.language = language
        }
    }

    private mutating func set(
        _ visit: StaffVisit, now: Duration, _ kind: MachineEvent.Kind, _ detail: String,
        _ change: (inout MachineSettings) -> Void
    ) -> [KioskEffect] {
        let before = settings
        change(&settings)
        enter(.staff(visit), now: now)
        return settings == before ? [] : [note(kind, detail), .keepSettings(settings)]
    }

    /// Does what was asked for, and confirmed where it must be.
    private mutating func perform(
        _ deed: StaffDeed, _ before: StaffVisit, pin: String = "", now: Duration
    ) -> [KioskEffect] {
        var visit = before
        visit.question = nil
        visit.form = nil
        visit.chosen = nil
        visit.print = nil
        if case .people = deed, !isManager(visit) { return [] }
        if case .putOut(let message) = deed {
            isPutOut = true
            serviceMessage = message?.rawValue
            enter(.staff(visit.turned(to: .machine)), now: now)
            return [
                note(deed.event.kind, deed.event.detail),
                .keepService(isPutOut: true, message: serviceMessage),
            ]
        }
        let attempt = makeKey()
        visit.outcome = StaffOutcome(deed: deed, attempt: attempt)
        enter(.staff(visit), now: now)
        // Nobody is there any more to hear how this one ends.
        if deed == .restartProgram { return [note(deed.event.kind), .restart] }
        begun(deed.event.kind, deed.event.detail, attempt, by: visit.person.name)
        switch deed {
        case .queue(let deed):
            // For a backend that does not know the deed yet. In a minute, as its clock may be a little ahead.
            let closes =
                deed == .sendHome
                ? shopClock(now: now).map { $0.at($0.moment + .seconds(60)) } : nil
            return [.actOnQueue(deed, by: visit.person.name, closes: closes, attempt)]
        case .people(let deed): return [.changePeople(deed, pin: pin, attempt)]
        case .cancelJob(let printer, let job):
            return [.cancelJob(printer: printer, job: job, attempt)]
        case .paper(let deed, let paper): return [.seeToPaper(deed, paper, attempt)]
        case .restartMachine: return [.restartMachine(attempt)]
        case .restartProgram, .putOut: return []
        }
    }

    // MARK: Forms

    mutating func formTouched(
        _ before: StaffVisit, _ typed: StaffForm, _ action: KioskAction?, now: Duration
    ) -> [KioskEffect] {
        var visit = before
        var form = typed
        switch action {
        case .digit(let digit) where form.isDigits:
            form.add(Character("\(digit)"))
        case .erase:
            form.fault = nil
            if !form.text.isEmpty { form.text.removeLast() }
        case .enterCode: return formCompleted(visit, form, now: now)
        default: return []
        }
        visit.form = form
        update(.staff(visit))
        return []
    }

    /// *OK*: to the next question, or to the deed.
    private mutating func formCompleted(
        _ before: StaffVisit, _ typed: StaffForm, now: Duration
    ) -> [KioskEffect] {
        var visit = before
        var form = typed
        func ask(_ deed: StaffDeed) -> [KioskEffect] {
            guard deed.needsYes else { return perform(deed, visit, now: now) }
            visit.form = nil
            visit.question = deed
            enter(.staff(visit), now: now)
            return []
        }
        switch form.purpose {
        case .number(let kind):
            guard let number = Int(digits: form.text).flatMap(QueueNumber.init(rawValue:)) else {
                form.fault = .empty
                break
            }
            return ask(.queue(.of(kind, number)))
        case .people:
            guard let people = Int(digits: form.text) else {
                form.fault = .empty
                break
            }
            if let capacity = staffFacts?.capacity, people > capacity, !isManager(visit) {
                form.fault = .beyond(capacity: capacity)
                form.text = ""
                break
            }
            return ask(.queue(.people(people)))
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
        case .pin(let deed):
            do {
                try PINRules.check(form.text)
                form = StaffForm(.again(deed, first: form.text))
            } catch { form.fault = .pin(error) }
            if form.fault != nil { form.text = "" }
        case .again(let deed, let first):
            guard form.text == first else {
                form = StaffForm(.pin(deed))
                form.fault = .differs
                break
            }
            return perform(.people(deed), visit, pin: first, now: now)
        }
        visit.form = form
        enter(.staff(visit), now: now)
        return []
    }
}

extension StaffForm {
    /// The name as it is kept: no spaces round it.
    var name: String {
        var name = text[...]
        while name.last == " " { name.removeLast() }
        return String(name.drop { $0 == " " })
    }

    /// A letter is large at the beginning of a word, and small in it.
    mutating func add(_ character: Character) {
        fault = nil
        guard text.count < mostCharacters else { return }
        let begins = text.last.map { $0 == " " || $0 == "-" } ?? true
        text += begins ? character.uppercased() : character.lowercased()
    }

    /// The last letter with the next accent that it can have in our languages.
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

extension StaffForm.Purpose {
    /// Whether only a manager may fill it in.
    var isOfPeople: Bool {
        switch self {
        case .number, .people: false
        case .name, .role, .pin, .again: true
        }
    }
}

extension StaffDeed {
    /// How it is written down.
    var event: (kind: MachineEvent.Kind, detail: String) {
        switch self {
        case .queue(.of(let kind, let number)):
            switch kind {
            case .callAgain: (.calledAgain, number.text)
            case .letIn: (.letIn, number.text)
            case .restore: (.restored, number.text)
            case .delete: (.deleted, number.text)
            }
        case .queue(.people(let people)): (.peopleInside, String(people))
        case .queue(.endTickets): (.ticketsEnded, "")
        case .queue(.sendHome): (.sentHome, "")
        case .queue(.openAgain): (.openedAgain, "")
        case .people(.add(let person)): (.personAdded, "\(person.name) (\(person.role.rawValue))")
        case .people(.resetPIN(let name)): (.pinReset, name)
        case .people(.lock(let name)): (.personLocked, name)
        case .people(.unlock(let name)): (.personUnlocked, name)
        case .people(.remove(let name)): (.personRemoved, name)
        case .people(.revokeBadge(let name)): (.badgeRevoked, name)
        case .cancelJob(let printer, let job): (.jobCancelled, "\(printer + 1): \(job)")
        case .paper(.found, let paper): (.paperFound, paper.number.text)
        case .paper(.giveBack, let paper): (.deleted, paper.number.text)
        case .restartProgram: (.restart, "")
        case .restartMachine: (.restartMachine, "")
        case .putOut(let message): (.putOut, message?.rawValue ?? "usual")
        }
    }
}
