internal import BackendAPI
internal import ReservationStore
public import Reservations

/// A door that a reader opened.
public struct DoorEvent: Hashable, Sendable {
    public let door: Door
    public let number: QueueNumber
    /// How long the door stays open.
    public let seconds: Int
}

/// Calls of displays and of the readers at the doors [UC14, UC15].
extension BackendService {
    /// Opens the door if the customer may pass, and notifies the till of a customer who leaves, once for each
    /// passage. Must be called after the commit.
    func openDoor(_ command: MachineRequest, _ result: CommandResult, of caller: KnownMachine) {
        // A second scan by a customer who has just passed here is answered as a repetition (rules 16).
        guard case .passage = command,
            case .answered(let answer, replayed: false) = result, answer.status == 200,
            let reply = JSONText.value(Passage.self, answer.body)
        else { return }
        let message = DoorMessage(device: caller.machine, role: caller.role, number: reply.number)
        store.send(JSONText.string(message), to: caller.shop.id)
        let door = Door(shop: caller.shop.id, device: caller.machine, role: caller.role)
        options.openDoor(
            DoorEvent(
                door: door, number: reply.number, seconds: caller.shop.policy.doorSeconds))
    }
}
