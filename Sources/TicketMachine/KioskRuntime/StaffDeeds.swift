internal import KioskFlow
internal import KioskScreens
internal import Reservations

// What the staff wants done beyond papers.
extension Kiosk {
    func carryOutForStaff(_ effect: KioskEffect) {
        guard let staff = parts.staff else { return }
        switch effect {
        case .checkBadge(let badge, let attempt):
            Task {
                let holder = await staff.holder(badge)
                happened { $0.badgeAnswered(attempt, holder, now: $1) }
            }
        case .tryCode(let code, let attempt):
            Task {
                let verdict: StaffRead.Verdict =
                    switch await parts.customers.lookUp(code, attempt) {
                    case .success: .valid
                    case .failure(.code(let refusal)): .refused(refusal)
                    case .failure: .unanswered
                    }
                happened { flow, _ in
                    flow.codeTried(attempt, verdict)
                    return []
                }
            }
        case .cancelJob(let printer, let job, let attempt):
            guard staff.printers.indices.contains(printer) else { return }
            Task {
                answer(attempt, await staff.printers[printer].cancel(job) ? .done : .failed)
            }
        case .actOnQueue(let deed, let person, let closes, let attempt):
            Task {
                switch await staff.backend.act(deed, person, closes, attempt) {
                case .success(let people):
                    answer(attempt, people.map { .doneTo(people: $0) } ?? .done)
                case .failure(let failure): answer(attempt, .backend(failure))
                }
            }
        case .changePeople(let deed, let pin, let attempt):
            Task { answer(attempt, await staff.people.change(deed, pin)) }
        case .restartMachine(let attempt):
            Task {
                answer(attempt, await staff.restartMachine?() == true ? .done : .failed)
            }
        case .saySample:
            let utterance = Utterance(
                text: wording.soundSample, language: flow.language, isLoud: false,
                volume: flow.settings.volume)
            Task {
                if case .failed(let reason) = await parts.speech?.say(utterance) {
                    parts.log("speech: \(reason)")
                }
            }
        default: break
        }
    }

    func answer(_ attempt: AttemptKey, _ answer: DeedAnswer) {
        happened { $0.deedAnswered(attempt, answer, now: $1) }
        desk?.changed()
    }
}
