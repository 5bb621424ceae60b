internal import BackendAPI
internal import ReservationStore

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
            ["machine": call.caller.machine.rawValue, "action": body.action.rawValue])
        switch body.action {
        case .occupancy:
            guard let people = body.people else {
                return .failure(Refusal(.malformed, "\"people\" is missing"))
            }
            return .success(.correctOccupancy(people))
        case .closeEarly: return .success(.closeEarly(at: body.at?.moment))
        case .letIn, .callAgain, .restore, .delete:
            guard let number = body.number else {
                return .failure(Refusal(.malformed, "\"number\" is missing"))
            }
            switch body.action {
            case .letIn: return .success(.letIn(number, at: body.at?.moment))
            case .callAgain: return .success(.callAgain(number))
            case .restore: return .success(.restore(number))
            default: return .success(.deleteForCustomer(number))
            }
        }
    }
}
