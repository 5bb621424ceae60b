internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// Corrections that a staff member makes to the queue, at the machine in maintenance mode (rules 10, 25).
extension BackendService {
    /// The command of the body, and its entry in the audit.
    func staffAction(_ call: Call) throws(RefusedCall) -> (MachineRequest, AuditEntry) {
        let body = try call.body(
            StaffActionRequest.self, "{\"action\": ...} with what the action needs")
        // A name that was given at the machine before, perhaps under an older rule.
        guard body.by.map({ GivenName.isReadable($0, maxCharacters: 80) }) ?? true else {
            throw RefusedCall(.malformed, "\"by\" is a name of 1 to 80 characters that can be read")
        }
        // The field is checked even if the action does not need it: a body that breaks the contract is not accepted
        // silently.
        guard body.people ?? 0 >= 0 else {
            throw RefusedCall(.implausible, "\"people\" is a number of people inside")
        }
        log.note(
            "staff-action",
            ["machine": call.caller.machine.rawValue, "action": body.action.rawValue], level: .info)
        do throws(StaffActionRequest.MissingField) {
            let action = try body.decoded()
            return (.staff(action), audit(action, body, at: call.caller.machine))
        } catch { throw RefusedCall(.malformed, "\"\(error.name)\" is missing") }
    }

    /// The queue as the staff sees it, from memory; nil if the shop is not there any more.
    func staffQueue(of shop: Shop) -> StaffQueue? {
        guard var queue = store.staffQueue(of: shop.id) else { return nil }
        queue.help = store.helpCalls(of: shop.id)?.calls.filter(\.isOpen) ?? []
        queue.doorsNotClosed = openDoors.withLock { $0[shop.id] ?? [] }.map(\.rawValue).sorted()
        return queue
    }

    private func audit(
        _ action: StaffAction, _ body: StaffActionRequest, at machine: MachineID
    ) -> AuditEntry {
        let entry: AuditEntry.Action =
            switch action {
            case .reservation(.letIn, _, _): .letIn
            case .reservation(.callAgain, _, _): .calledAgain
            case .reservation(.restore, _, _): .restored
            case .reservation(.delete, _, _): .deletedForCustomer
            case .occupancy: .occupancyCorrected
            case .endTickets: .ticketsEnded
            case .sendHome: .sentHome
            case .closeEarly: .closedEarly
            case .openAgain: .openedAgain
            }
        let machine = "machine \(machine)"
        let parts = [
            body.number.map { "number \($0.text)" }, body.people.map { "\($0) inside" },
            body.at.map { "at \($0)" },
        ]
        return AuditEntry(
            actor: body.by.map { "\(machine), \(GivenName.trimmed($0))" } ?? machine,
            action: entry, detail: parts.compactMap(\.self).joined(separator: ", "))
    }
}
