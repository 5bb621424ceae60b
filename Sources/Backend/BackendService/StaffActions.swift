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
        case .closeEarly: return .success(.closeEarly(at: body.at?.moment))
        case .occupancy:
            guard let people = body.people else {
                return .failure(Refusal(.malformed, "\"people\" is missing"))
            }
            return .success(.correctOccupancy(people))
        }
    }
}
