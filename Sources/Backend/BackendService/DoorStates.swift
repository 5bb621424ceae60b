internal import BackendAPI
internal import ReservationStore
public import Reservations
internal import Synchronization

/// A door of a shop, named by the reader at it.
public struct Door: Hashable, Sendable {
    public let shop: ShopID
    public let device: MachineID
    public let role: KeyRole
}

/// The doors that could not be closed, as every server has reported them.
final class DoorStates: Sendable {
    /// The most doors of a shop that are reported.
    static let most = 8

    private let content = Mutex<[ShopID: Set<MachineID>]>([:])

    func take(_ message: DoorClosingMessage, of shop: ShopID) {
        content.withLock { content in
            if message.closed {
                content[shop]?.remove(message.device)
            } else if content[shop, default: []].count < Self.most {
                content[shop, default: []].insert(message.device)
            }
        }
    }

    func open(in shop: ShopID) -> [String] {
        content.withLock { $0[shop] ?? [] }.map(\.rawValue).sorted()
    }
}

extension BackendService {
    /// The doors of all shops: those of every reader whose key is valid.
    public func doors() -> [Door] {
        let revoked = store.machineKeys().filter { $0.revoked == nil }
        return Set(
            revoked.filter { [.entrance, .checkout, .turnstile].contains($0.role) }
                .map { Door(shop: $0.shop, device: $0.machine, role: $0.role) }
        ).sorted { ($0.shop.rawValue, $0.device.rawValue) < ($1.shop.rawValue, $1.device.rawValue) }
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
            doorStates.take(message, of: shop)
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
