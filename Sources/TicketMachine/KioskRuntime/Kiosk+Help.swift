internal import KioskFlow
internal import Reservations

// Effects of a customer's call for help, and of what the staff does about one (rules: help, help-staff).
extension Kiosk {
    func carryOut(_ effect: HelpEffect) {
        let port = parts.help
        switch effect {
        case .call(let key):
            Task {
                let answer = await port.callHelp(key)
                if let failure = answer.failure { parts.log("calling for help failed: \(failure)") }
                happened(.help(.called(key, answer)))
            }
        case .endAsMistake(let call, let key):
            Task {
                let answer = await port.endHelp(call, .mistake, by: nil, key)
                if let failure = answer.failure { parts.log("ending a call failed: \(failure)") }
                happened(.help(.ended(key, answer)))
            }
        case .follow: Task { happened(.help(.calls(await port.helpCalls()))) }
        }
    }

    /// Does for a staff member what they chose about a call.
    func answerHelp(_ help: StaffHelp, by person: String, _ key: AttemptKey) {
        let port = parts.help
        Task {
            let done: BackendAnswer<HelpCall> =
                switch help.action {
                case .going: await port.goToHelp(help.call, by: person, key)
                case .mute: await port.muteHelp(help.call, by: person, key)
                case .helped: await port.endHelp(help.call, .helped, by: person, key)
                case .mistake: await port.endHelp(help.call, .mistake, by: person, key)
                }
            answer(key, done.failure.map { .backend($0) } ?? .done)
        }
    }
}
