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
    let readsLinks: Bool

    init(machine: MachineID, key: PublicKey, role: KeyRole, shop: Shop, readsLinks: Bool) {
        self.machine = machine
        self.key = key
        self.role = role
        self.shop = shop
        self.readsLinks = readsLinks
        name = MachineName(machine, of: shop.id)
    }

    /// The name that limits count by: the machine, whichever of its keys it uses.
    var limited: String { name.text }
}

/// The allow list of keys in memory, read again whenever the number of the store's changes has moved on (rules: one-server).
final class MachineDirectory: Sendable {
    private struct Content {
        var version: Int64?
        var machines: [String: KnownMachine] = [:]
        /// The shops with a machine, a reader or a desk that has not said that it reads links.
        var shopsWithoutLinks: Set<ShopID> = []
    }

    private let content = Mutex(Content())
    private let store: QueueStore

    init(store: QueueStore) { self.store = store }

    /// The machine of a key that is on the list and not revoked.
    func machine(keyID: String) -> KnownMachine? {
        current { $0.machines[keyID] }
    }

    /// Whether all that reads codes in a shop has said that it reads them in links too (rules: code-links).
    func readsLinks(_ shop: ShopID) -> Bool {
        current { !$0.shopsWithoutLinks.contains(shop) }
    }

    private func current<Value>(_ body: (Content) -> Value) -> Value {
        let version = store.version()
        return content.withLock { content in
            if content.version != version {
                content.machines = read()
                content.shopsWithoutLinks = Set(
                    content.machines.values.filter { $0.role.readsCodes && !$0.readsLinks }
                        .map(\.shop.id))
                content.version = version
            }
            return body(content)
        }
    }

    private func read() -> [String: KnownMachine] {
        let shops = Dictionary(store.shops().map { ($0.id, $0) }) { first, _ in first }
        var machines: [String: KnownMachine] = [:]
        for record in store.machineKeys() where record.revoked == nil {
            guard let shop = shops[record.shop], let key = PublicKey(bytes: record.publicKey)
            else { continue }
            machines[record.keyID] = KnownMachine(
                machine: record.machine, key: key, role: record.role, shop: shop,
                readsLinks: record.readsLinks)
        }
        return machines
    }
}
