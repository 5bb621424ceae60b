internal import KioskFlow
internal import Reservations

// Effects of the staff's commands, except for printouts.
extension Kiosk {
    func carryOut(_ effect: StaffEffect) {
        let staff = parts.staff
        switch effect {
        case .checkPIN(let pin, let attempt, let holder):
            Task { happened(.staff(.pin(attempt, await staff.check(pin, holder: holder)))) }
        case .askPINAvailability(let attempt, let holder):
            Task {
                happened(.staff(.availability(attempt, await staff.availabilityAnswer(of: holder))))
            }
        case .checkBadge(let badge, let attempt):
            Task {
                let person = await parts.awaited("staff") { try await staff.holder(of: badge) }
                happened(.staff(.badge(attempt, person ?? nil)))
            }
        case .openMonitor: desk?.open { [weak self] in self?.dayBegan ?? Moment(milliseconds: 0) }
        case .note(let what, let person):
            if what == .plain(.left) { desk?.close() }
            let (kind, detail) = what.text
            let words = [person, kind, detail].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: " ")
            parts.log(what.isOfStaff ? "staff: \(words)" : words)
            note(what, by: person)
        case .tryCode(let code, let attempt): tryCode(code, attempt)
        case .printTest(let printer, let attempt): printTest(on: printer, attempt: attempt)
        case .reprint(let paper, let attempt): reprint(paper, attempt: attempt)
        case .renewCode(let paper, let person, let attempt):
            renewCode(of: paper, by: person, attempt: attempt)
        case .rollChanged(let printer, let attempt): rollChanged(printer, attempt: attempt)
        case .seeToPaper(let command, let paper, let attempt):
            seeTo(paper, command, attempt: attempt)
        case .keepSettings(let settings):
            parts.printer.isSwapped = settings.printer == 1
            parts.logged("staff") { try staff.keep(settings) }
        case .cancelJob(let printer, let job, let attempt):
            guard parts.printers.indices.contains(printer) else { return }
            Task { answer(attempt, await parts.printers[printer].cancel(job) ? .done : .failed) }
        case .correctQueue(let action, let person, let closes, let attempt):
            Task {
                switch await parts.maintenance.act(action, by: person, closes: closes, attempt) {
                case .success(let people):
                    answer(attempt, people.map { .doneTo(people: $0) } ?? .done)
                case .failure(let failure): answer(attempt, .backend(failure))
                }
            }
        case .answerHelp(let help, let person, let attempt):
            answerHelp(help, by: person, attempt)
        case .changeStaffList(let command, let pin, let attempt):
            Task { answer(attempt, await staff.change(command, pin: pin)) }
        case .restartMachine(let attempt):
            Task { answer(attempt, await parts.restartMachine() ? .done : .failed) }
        case .saySample: saySample()
        }
    }

    private func tryCode(_ code: ReadCode, _ attempt: AttemptKey) {
        Task {
            let failure: BackendFailure? =
                switch code {
                case .reservation(let code):
                    await parts.customers.lookUp(code, attempt).ofValidReservation.failure
                case .order(let code):
                    await parts.customers.lookUpOrder(code, attempt).failure
                }
            let refused = failure?.refusal.flatMap { refusal -> StaffRead.Verdict? in
                refusal.sentences(for: code.sought) == nil ? nil : .refused(refusal)
            }
            let verdict = failure == nil ? .valid : refused ?? .unanswered
            happened(.staff(.code(attempt, verdict)))
        }
    }

    private func saySample() {
        let (text, language, volume) =
            (wording.soundSample, flow.access.language, flow.settings.volume)
        Task {
            let end = await parts.speech?.say(
                text, language: language, isLoud: false, volume: volume)
            if case .failed(let reason) = end { parts.log("speech: \(reason)") }
        }
    }

    func answer(_ attempt: AttemptKey, _ answer: StaffCommandAnswer) {
        happened(.staff(.done(attempt, answer)))
        desk?.changed()
    }
}

extension MachineEvent.What {
    /// Whether it is a staff member's doing; otherwise it was a remote command or a customer.
    fileprivate var isOfStaff: Bool {
        if case .commanded = self { return false }
        return self != .plain(.helpCalled) && self != .plain(.helpMistake)
    }
}
