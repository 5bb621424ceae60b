internal import KioskFlow
internal import KioskScreens
internal import Reservations

// Effects of the staff's commands, except for printouts.
extension Kiosk {
    func carryOut(_ effect: StaffEffect) {
        guard let staff = parts.staff else { return }
        switch effect {
        case .checkPIN(let pin, let attempt, let holder):
            Task { happened(.staff(.pin(attempt, await staff.check(pin, holder)))) }
        case .askPINAvailability(let attempt, let holder):
            Task { happened(.staff(.gate(attempt, await staff.gate(holder)))) }
        case .checkBadge(let badge, let attempt):
            Task { happened(.staff(.badge(attempt, await staff.holder(badge)))) }
        case .lookAfter: desk?.open { [weak self] in self?.dayBegan ?? Moment(milliseconds: 0) }
        case .note(let what, let person):
            if what == .plain(.left) { desk?.close() }
            let (kind, detail) = what.text
            let words = [person, kind, detail].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: " ")
            let isRemote = if case .commanded = what { true } else { false }
            parts.log(isRemote ? words : "staff: \(words)")
            note(what, by: person)
        case .tryCode(let code, let attempt): tryCode(code, attempt)
        case .printTest(let printer, let attempt): printTest(on: printer, attempt: attempt)
        case .reprint(let paper, let attempt): reprint(paper, attempt: attempt)
        case .rollChanged(let printer, let attempt): rollChanged(printer, attempt: attempt)
        case .seeToPaper(let deed, let paper, let attempt): seeTo(paper, deed, attempt: attempt)
        case .keepSettings(let settings): staff.keepSettings(settings)
        case .cancelJob(let printer, let job, let attempt):
            guard staff.printers.indices.contains(printer) else { return }
            Task {
                answer(attempt, await staff.printers[printer].cancel(job) ? .done : .failed)
            }
        case .correctQueue(let action, let person, let closes, let attempt):
            Task {
                switch await staff.backend.act(action, person, closes, attempt) {
                case .success(let people):
                    answer(attempt, people.map { .doneTo(people: $0) } ?? .done)
                case .failure(let failure): answer(attempt, .backend(failure))
                }
            }
        case .changeStaffList(let deed, let pin, let attempt):
            Task { answer(attempt, await staff.people.change(deed, pin)) }
        case .restartMachine(let attempt):
            Task {
                answer(attempt, await staff.restartMachine?() == true ? .done : .failed)
            }
        case .saySample: saySample()
        }
    }

    private func tryCode(_ code: PresentedCode, _ attempt: AttemptKey) {
        Task {
            let verdict: StaffRead.Verdict =
                switch await parts.customers.lookUp(code, attempt) {
                case .success: .valid
                case .failure(let failure):
                    failure.refusal.flatMap {
                        $0.customerSentences == nil ? nil : .refused($0)
                    } ?? .unanswered
                }
            happened(.staff(.code(attempt, verdict)))
        }
    }

    private func saySample() {
        let utterance = Utterance(
            text: wording.soundSample, language: flow.access.language, isLoud: false,
            volume: flow.settings.volume)
        Task {
            if case .failed(let reason) = await parts.speech?.say(utterance) {
                parts.log("speech: \(reason)")
            }
        }
    }

    func answer(_ attempt: AttemptKey, _ answer: DeedAnswer) {
        happened(.staff(.done(attempt, answer)))
        desk?.changed()
    }
}
