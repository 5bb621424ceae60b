internal import Cryptography
internal import ReservationStore
public import Reservations
private import Synchronization

/// A machine by its shop and its own name.
public struct MachineName: Hashable, Sendable {
    let text: String

    public init(_ machine: MachineID, of shop: ShopID) { text = "\(shop)/\(machine)" }
}

struct KnownMachine: Sendable {
    let machine: MachineID
    let key: PublicKey
    let role: KeyRole
    let shop: Shop
    let name: MachineName

    init(machine: MachineID, key: PublicKey, role: KeyRole, shop: Shop) {
        self.machine = machine
        self.key = key
        self.role = role
        self.shop = shop
        name = MachineName(machine, of: shop.id)
    }

    /// The name that limits count by: the machine, whichever of its keys it uses.
    var limited: String { name.text }
}

/// The allow list of keys in memory, read again whenever the number of the store's changes has moved on (rules 27).
final class MachineDirectory: Sendable {
    private let content = Mutex<(version: Int64?, machines: [String: KnownMachine])>((nil, [:]))
    private let store: QueueStore

    init(store: QueueStore) { self.store = store }

    /// The machine of a key that is on the list and not revoked.
    func machine(keyID: String) -> KnownMachine? {
        let version = store.version()
        return content.withLock { content in
            if content.version != version {
                content.machines = read()
                content.version = version
            }
            return content.machines[keyID]
        }
    }

    private func read() -> [String: KnownMachine] {
        let shops = Dictionary(store.shops().map { ($0.id, $0) }) { first, _ in first }
        var machines: [String: KnownMachine] = [:]
        for record in store.machineKeys() where record.revoked == nil {
            guard let shop = shops[record.shop], let key = PublicKey(bytes: record.publicKey)
            else { continue }
            machines[record.keyID] = KnownMachine(
                machine: record.machine, key: key, role: record.role, shop: shop)
        }
        return machines
    }
}
