internal import BackendAPI
internal import ReservationStore
public import Reservations

/// A door of a shop, named by the reader at it.
public struct Door: Hashable, Sendable {
    public let shop: ShopID
    public let device: MachineID
    public let role: KeyRole
}

/// A door that a reader opened.
public struct DoorEvent: Hashable, Sendable {
    public let door: Door
    /// The number of the customer, or of the order that the customer collects, as it is shown.
    public let number: String
    /// How long the door stays open.
    public let seconds: Int
}

/// Calls of displays and of the readers at the doors [UC14, UC15].
extension BackendService {
    /// Opens the door if the customer may pass, and notifies the till of a customer who leaves, once for each
    /// passage. Must be called after the commit.
    func openDoorIfPassed(
        _ command: MachineRequest, _ result: RequestResult, of caller: KnownMachine
    ) {
        // A second scan by a customer who has just passed here is answered as a repetition (rules: scans).
        guard command.isPassage, case .answered(let answer, replayed: false) = result,
            answer.status == 200
        else { return }
        let passage = JSONText.value(Passage.self, answer.body)
        let order = JSONText.value(OrderPassage.self, answer.body)
        guard let number = passage?.number.text ?? order?.number.text else { return }
        let message = DoorMessage(
            device: caller.machine, role: caller.role, number: passage?.number,
            order: order?.number)
        store.send(JSONText.string(message), to: caller.shop.id)
        let door = Door(shop: caller.shop.id, device: caller.machine, role: caller.role)
        options.openDoor(
            DoorEvent(door: door, number: number, seconds: caller.shop.policy.doorSeconds))
    }

    /// The most doors of a shop that are reported.
    private static let maxReportedDoors = 8

    /// The doors of all shops: those of every reader whose key is valid.
    public func doors() -> [Door] {
        let keys = store.machineKeys().filter {
            $0.revoked == nil && [.entrance, .checkout, .turnstile].contains($0.role)
        }
        return Set(keys.map { Door(shop: $0.shop, device: $0.machine, role: $0.role) })
            .sorted {
                ($0.shop.rawValue, $0.device.rawValue) < ($1.shop.rawValue, $1.device.rawValue)
            }
    }

    /// Notifies every server of the shop whether a door could be closed.
    public func doorClosed(_ door: Door, _ closed: Bool) {
        let message = DoorClosingMessage(device: door.device, closed: closed)
        store.send(JSONText.string(message), to: door.shop)
    }

    /// Takes the report of this or another server on a shop's doors.
    func heard(_ text: String, of shop: ShopID) {
        let bytes = Array(text.utf8)
        if let message = JSONText.value(DoorClosingMessage.self, bytes),
            message.type == DoorClosingMessage.name
        {
            openDoors.withLock { doors in
                if message.closed {
                    doors[shop]?.remove(message.device)
                } else if doors[shop, default: []].count < Self.maxReportedDoors {
                    doors[shop, default: []].insert(message.device)
                }
            }
        } else if let message = JSONText.value(DoorMessage.self, bytes), message.type == "door",
            let role = KeyRole(rawValue: message.role)
        {
            let seconds = store.shops().first { $0.id == shop }?.policy.doorSeconds
            options.doorHeard(
                Door(shop: shop, device: message.device, role: role),
                seconds ?? ShopPolicy.standardDoorSeconds)
        }
    }
}
