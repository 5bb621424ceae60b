internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
public import Reservations

/// A door that a reader opened.
public struct DoorEvent: Hashable, Sendable {
    public let shop: ShopID
    public let device: MachineID
    public let role: KeyRole
    public let number: QueueNumber
    /// How long the door stays open.
    public let seconds: Int
}

/// Calls of displays and of the readers at the doors [UC14, UC15].
extension BackendService {
    /// What a reader asks of the queue with the code that was shown to it.
    func passage(_ call: Call) -> Result<MachineCommand?, Refusal> {
        guard let body = JSONText.value(PassageRequest.self, call.request.body) else {
            return .failure(Self.noCode)
        }
        guard let code = PresentedCode(body.code) else { return .failure(Refusal(.unreadableCode)) }
        if case .entry(let entry) = code, entry.tag != call.caller.shop.tag {
            countOtherShop(call)
            return .failure(Refusal(.otherShop))
        }
        return mayTry(code, call).map {
            switch call.caller.role {
            case .turnstile: .exit(code, .turnstile)
            case .checkout: .exit(code, .checkout)
            default: .enter(code)
            }
        }
    }

    /// What is answered to a command, as it is stored.
    func answer(
        to command: MachineCommand
    ) -> @Sendable (Result<QueueOutcome, QueueRefusal>, Moment) -> StoredAnswer {
        if command.isOfKeys { return { result, _ in Answers.keyChanged(result) } }
        return { Answers.stored($0, at: $1) }
    }

    /// Opens the door where somebody may pass and lets the till hear who leaves, once for each passage; to be called after the commit.
    func openDoor(_ command: MachineCommand, _ result: CommandResult, of caller: KnownMachine) {
        // The code of one who has just passed here is answered as a repetition (rules 16).
        guard command.presentedAtADoor != nil,
            case .answered(let answer, replayed: false) = result, answer.status == 200,
            let reply = JSONText.value(PassageReply.self, answer.body)
        else { return }
        let message = DoorMessage(device: caller.machine, role: caller.role, number: reply.number)
        store.send(JSONText.string(message), to: caller.shop.id)
        openDoor(
            DoorEvent(
                shop: caller.shop.id, device: caller.machine, role: caller.role,
                number: reply.number, seconds: caller.shop.policy.doorSeconds))
    }
}

extension MachineCommand {
    /// The code that was shown to a reader at a door; nil for every other command.
    var presentedAtADoor: PresentedCode? {
        switch self {
        case .enter(let code), .exit(let code, _): code
        default: nil
        }
    }
}
