import KioskFlow
import Reservations
import TestSupport
import Testing

extension FlowMachine {
    /// A machine at Home that asks whether a staff member shall come.
    static func askingForHelp() -> FlowMachine { atHome().touched(.help(.open)) }

    /// A machine at which the staff has been called.
    static func helpCalled() -> FlowMachine { askingForHelp().after { $0.calls() } }

    /// The customer answers *Yes*, and the call gets through.
    mutating func calls() {
        touches(.help(.call))
        answersHelp(.success(Facts.help(at: now)))
    }

    /// Answers the call that is under way.
    mutating func answersHelp(_ answer: Result<HelpCall, BackendFailure>) {
        guard let key = lastHelpKey else { return }
        does(.help(.called(key, answer)))
    }

    /// The key of the call in the effects of the last event.
    var lastHelpKey: AttemptKey? {
        effects.lazy.compactMap { if case .help(.call(let key)) = $0 { key } else { nil } }.last
    }

    /// The backend lists these calls.
    mutating func lists(_ calls: HelpCall...) {
        does(.help(.calls(.success(HelpCalls(now: Facts.clock(at: now), calls: calls)))))
    }

    /// The call that is open; a test without one ends here.
    func openHelp() throws -> OpenHelp { try requireCase(HelpState.open, of: flow.help) }
}

extension Facts {
    static let helpID = HelpCallID("help-1")

    /// A call of this machine, which a customer made at this time.
    static func help(
        at since: Duration, id: HelpCallID = helpID, going: Bool = false, by: String? = nil,
        ended: HelpCall.End? = nil, machine: MachineID = shop.machine
    ) -> HelpCall {
        let after = clock(at: since + .seconds(5))
        return HelpCall(
            id: id, machine: machine, since: clock(at: since), going: going ? after : nil, by: by,
            ended: ended == nil ? nil : after, end: ended)
    }
}
