internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// What staff members, and the customer at the machine, do about a call for help (rules: help, help-staff).
extension BackendService {
    /// The command of the call, and its entry in the audit; a customer's own ending has none.
    func helpCommand(_ call: Call) throws(RefusedCall) -> (MachineRequest, AuditEntry?) {
        guard let text = call.route.id else { throw RefusedCall(.unknownRoute) }
        let id = HelpCallID(text)
        let isMachine = call.caller.role == .ticketMachine
        if call.route.name == .helpCall {
            let body = try call.body(
                HelpEnding.self,
                "{\"end\": \"mistake\" or \"helped\"} with \"by\" if a name is known")
            guard body.end != .expired else {
                throw RefusedCall(.malformed, "\"end\" must be \"mistake\" or \"helped\"")
            }
            if isMachine, body.by == nil {
                let customer = HelpCommand.Caller.customer(at: call.caller.machine)
                return (.help(.end(id, body.end, by: customer)), nil)
            }
            let entry = try helpAudit(.helpEnded, id, by: body.by, call, body.end.rawValue)
            return (.help(.end(id, body.end, by: .staff)), entry)
        }
        let body = try call.body(HelpAction.self, "{\"by\": a name}, or {}")
        guard !isMachine || body.by != nil else {
            throw RefusedCall(.malformed, "\"by\" is missing: a machine names the staff member")
        }
        if call.route.name == .helpMute {
            return (.help(.mute(id)), try helpAudit(.helpMuted, id, by: body.by, call))
        }
        return (
            .help(.acknowledge(id, by: body.by.map(GivenName.trimmed))),
            try helpAudit(.helpGoing, id, by: body.by, call)
        )
    }

    private func helpAudit(
        _ action: AuditEntry.Action, _ id: HelpCallID, by name: String?, _ call: Call,
        _ addition: String? = nil
    ) throws(RefusedCall) -> AuditEntry {
        try checkName(name, maxCharacters: HelpAction.maxNameCharacters)
        let machine = store.helpCalls(of: call.shop.id)?.calls.first { $0.id == id }?.machine
        let parts = ["call \(id)", machine.map { "machine \($0)" }, addition]
        return AuditEntry(
            actor: call.actor(by: name), action: action,
            detail: parts.compactMap(\.self).joined(separator: ", "))
    }
}
