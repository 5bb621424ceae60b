internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// What a member of the staff puts right, at the machine in maintenance mode (rules 10, 25).
extension BackendService {
    func staffAction(_ call: Call) -> Result<MachineCommand?, Refusal> {
        guard let body = JSONText.value(StaffAction.self, call.request.body) else {
            return .failure(
                Refusal(
                    .malformed, "the body must be {\"action\": ...} with what the action needs"))
        }
        guard body.by.map(Self.isPerson) ?? true else {
            return .failure(
                Refusal(
                    .malformed,
                    "\"by\" is a name of 1 to 80 characters that can be read"))
        }
        // Also where the action does not need it: what is not of the contract is not taken in silence.
        guard body.people ?? 0 >= 0 else {
            return .failure(Refusal(.implausible, "\"people\" is a number of people inside"))
        }
        log.note(
            "staff-action",
            ["machine": call.caller.machine.rawValue, "action": body.action.rawValue],
            level: .info)
        func named(_ command: (QueueNumber) -> MachineCommand) -> Result<MachineCommand?, Refusal> {
            guard let number = body.number else {
                return .failure(Refusal(.malformed, "\"number\" is missing"))
            }
            return .success(command(number))
        }
        switch body.action {
        case .letIn: return named { .letIn($0, at: body.at?.moment) }
        case .callAgain: return named { .callAgain($0) }
        case .restore: return named { .restore($0) }
        case .delete: return named { .deleteForCustomer($0) }
        case .endTickets: return .success(.endTickets)
        case .sendHome: return .success(.sendHome)
        case .openAgain: return .success(.openAgain)
        case .closeEarly:
            return .success(body.at.map { .closeEarly(at: $0.moment) } ?? .openAgain)
        case .occupancy:
            guard let people = body.people else {
                return .failure(Refusal(.malformed, "\"people\" is missing"))
            }
            return .success(.correctOccupancy(people))
        }
    }

    /// The queue as the staff sees it, from memory.
    func staffQueue(of shop: Shop) -> WireResponse {
        guard let view = store.staffView(of: shop.id) else { return Answers.unavailable }
        let overview = view.overview
        return Answers.response(
            StaffQueueReply(
                now: calendar.local(overview.now, in: shop), open: overview.opening != nil,
                closes: overview.opening?.closes, closesEarly: view.closesEarly,
                ticketsEnded: view.ticketsEnded, ticketAvailable: overview.ticketAvailable,
                people: view.people,
                capacity: view.capacity,
                calling: Array(overview.calling.prefix(StaffQueueReply.mostNumbers)),
                waiting: overview.waiting,
                next: Array(view.next.prefix(StaffQueueReply.mostNumbers)), visits: view.visits,
                issued: view.issued, doorsNotClosed: doorStates.open(in: shop.id)))
    }

    /// What the audit says of a call; nil for what is no act of the staff.
    func audit(of call: Call) -> AuditEntry? {
        guard call.route == .staffActions,
            let body = JSONText.value(StaffAction.self, call.request.body)
        else { return nil }
        let action: AuditEntry.Action =
            switch body.action {
            case .letIn: .letIn
            case .callAgain: .calledAgain
            case .restore: .restored
            case .delete: .deletedForCustomer
            case .occupancy: .occupancyCorrected
            case .endTickets: .ticketsEnded
            case .sendHome: .sentHome
            case .closeEarly where body.at != nil: .closedEarly
            case .closeEarly, .openAgain: .openedAgain
            }
        let machine = "machine \(call.caller.machine)"
        let parts = [
            body.number.map { "number \($0.text)" }, body.people.map { "\($0) inside" },
            body.at.map { "at \($0)" },
        ]
        return AuditEntry(
            actor: body.by.map { "\(machine), \(GivenName.trimmed($0))" } ?? machine,
            action: action,
            detail: parts.compactMap(\.self).joined(separator: ", "))
    }

    private static func isPerson(_ name: String) -> Bool {
        // Given at the machine before, perhaps under an older rule.
        GivenName.isReadable(name, maxCharacters: 80)
    }
}
