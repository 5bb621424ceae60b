public import BackendAPI
internal import QueueEngine
internal import ReservationStore
public import Reservations

/// A door that a reader opened.
public struct DoorEvent: Hashable, Sendable {
    public let device: MachineID
    public let role: KeyRole
    public let number: QueueNumber
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

    /// What is answered to a passage: the code of one who has just passed here passes again (rules 16).
    func answer(
        to command: MachineCommand, of machine: MachineID
    ) -> @Sendable (Result<QueueOutcome, QueueRefusal>, Moment) -> StoredAnswer {
        if command.isOfKeys { return { result, _ in Answers.keyChanged(result) } }
        guard let code = command.presentedAtADoor else { return { Answers.stored($0, at: $1) } }
        let passage = PassageMemory.Passage(door: machine, code: code)
        return { [passages] result, now in
            if case .failure = result, let known = passages.answer(to: passage) { return known }
            return Answers.stored(result, at: now)
        }
    }

    /// Opens the door where somebody may pass, once for each passage; to be called after the commit.
    func openDoor(_ command: MachineCommand, _ result: CommandResult, of caller: KnownMachine) {
        guard let code = command.presentedAtADoor,
            case .answered(let answer, replayed: false) = result, answer.status == 200,
            passages.remember(
                PassageMemory.Passage(door: caller.machine, code: code), answer),
            caller.role != .checkout,
            let reply = JSONText.value(PassageReply.self, answer.body)
        else { return }
        feed.send(
            DoorMessage(device: caller.machine, role: caller.role, number: reply.number),
            to: caller.shop.id)
        openDoor(DoorEvent(device: caller.machine, role: caller.role, number: reply.number))
    }

    /// A ticket for the caller's socket.
    func session(_ call: Call) -> WireResponse {
        Answers.created(
            SessionReply(
                ticket: tickets.issue(to: call.signature.keyID),
                seconds: Int(SessionTickets.life.components.seconds)))
    }

    /// Whether a request becomes the socket of GET /v1/turns: its ticket must be good, and new.
    public func admitSocket(_ request: WireRequest) -> SocketAdmission {
        guard Route(path: request.path) == .turns else {
            return .refused(Refusal(.notFound).response)
        }
        let prefix = "ticket="
        guard request.query.hasPrefix(prefix),
            let keyID = tickets.redeem(String(request.query.dropFirst(prefix.count))),
            let caller = directory.machine(keyID: keyID), Route.turns.roles.contains(caller.role)
        else {
            log.note("not-authentic", ["reason": "wrong-ticket"])
            return .refused(Answers.notAuthentic)
        }
        return .admitted { [feed] socket in
            feed.add(socket, keyID: keyID, of: caller.shop.id)
        }
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
