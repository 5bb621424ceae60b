import CommandSyntax
import BackendAPI
import BackendService
import Cryptography
import FoundationEssentials
import ReservationStore
import Reservations

/// The machines of a database in the remote view of the shop (rules 25).
struct Fleet {
    /// A working machine reports every ten seconds, and its report is written within `QueueStore.maxStatusAge`:
    /// after twice that time it counts as silent.
    private static let silenceThreshold: Duration = QueueStore.maxStatusAge * 2

    private let store: AdminStore
    private let calendar = ShopCalendar()
    private let now = systemNow()

    init(_ store: AdminStore) { self.store = store }

    /// A machine of one shop, by the name it has there.
    struct Member {
        let shop: Shop
        let machine: MachineID
        /// The valid key that was accepted last.
        let key: MachineKeyRecord
    }

    /// All machines that may call, in the order in which they were accepted.
    func members() throws(CommandError) -> [Member] {
        let shops = try store.shops()
        var members: [Member] = []
        for key in try store.machineKeys() where key.role == .ticketMachine && key.revoked == nil {
            guard let shop = shops.first(where: { $0.id == key.shop }) else { continue }
            members.removeAll { $0.shop.id == shop.id && $0.machine == key.machine }
            members.append(Member(shop: shop, machine: key.machine, key: key))
        }
        return members
    }

    /// A machine's keys on the allow list, in the order in which they were accepted.
    struct Keys {
        let shop: ShopID
        let machine: MachineID
        var all: [MachineKeyRecord]

        /// The key that the machine has now, or had last.
        var present: MachineKeyRecord? { all.last { $0.revoked == nil } ?? all.last }
    }

    /// All present and former machines, in the order in which they were first accepted.
    func keys() throws(CommandError) -> [Keys] {
        var machines: [Keys] = []
        for key in try store.machineKeys() where key.role == .ticketMachine {
            if let index = machines.firstIndex(where: {
                $0.shop == key.shop && $0.machine == key.machine
            }) {
                machines[index].all.append(key)
            } else {
                machines.append(Keys(shop: key.shop, machine: key.machine, all: [key]))
            }
        }
        return machines
    }

    /// Why the machine that `--machine` names cannot get a command, and what to do.
    private func refusal(_ name: String, _ shop: ShopID?) throws(CommandError) -> CommandError {
        let machines = try keys().filter { shop == nil || $0.shop == shop }
        if let machine = machines.first(where: { $0.machine.rawValue == name }) {
            return .failure(
                "machine \"\(machine.machine)\" is revoked and hears nothing any more; "
                    + "`clup-kiosk enrol --replace` gives it another key, and `clup-backend machine add` "
                    + "lets that one in")
        }
        if let machine = machines.first(where: { $0.all.contains { $0.keyID == name } }) {
            return .failure(
                "\"\(name)\" is an old key of machine \"\(machine.machine)\": name the machine")
        }
        return .failure(
            "there is no machine \"\(name)\" \(shop == nil ? "here" : "in this shop"); "
                + "`clup-backend machine list` tells which there are")
    }

    /// The one machine that `--machine` names and, if several shops have one of that name, `--shop`.
    func member(_ arguments: Arguments) throws(CommandError) -> Member {
        let name = try arguments.required("machine")
        var found = try members().filter { $0.machine.rawValue == name || $0.key.keyID == name }
        let shop = arguments.has("shop") ? try store.shop(arguments).id : nil
        if let shop { found = found.filter { $0.shop.id == shop } }
        guard let member = found.first else { throw try refusal(name, shop) }
        guard found.count == 1 else {
            let tags = found.map(\.shop.tag.rawValue).joined(separator: ", ")
            throw .failure("several shops have a machine \"\(name)\"; add --shop, one of \(tags)")
        }
        return member
    }

    func status(of member: Member) throws(CommandError) -> MachineStatusRecord? {
        try store.perform { store throws(StoreError) in
            try store.machineStatuses(of: member.shop.id).first { $0.machine == member.machine }
        }
    }

    func condition(_ status: MachineStatusRecord?) -> MachineCondition? {
        status.flatMap {
            try? JSONDecoder().decode(MachineCondition.self, from: Data($0.condition.utf8))
        }
    }

    /// The time of the machine's last report, to the minute; nil if there was none.
    func lastUse(_ status: MachineStatusRecord?, of member: Member) -> LocalMoment? {
        status.map { calendar.local($0.seen, in: member.shop) }
    }

    func light(_ status: MachineStatusRecord?) -> Light {
        guard let status, now - status.seen < Self.silenceThreshold else { return .silent }
        return condition(status)?.troubles.isEmpty == true ? .ok : .trouble
    }

    func local(_ moment: Moment, of member: Member) -> LocalMoment {
        calendar.local(moment, in: member.shop)
    }

    enum Light: String, Encodable {
        case ok
        /// The machine needs attention; `troubles` say why.
        case trouble
        /// The machine has not reported for minutes; `lastUse` is its last report.
        case silent
    }
}

/// A machine's key with the machine's last report, as `machine list` prints it.
struct FleetLine: Encodable {
    let machine: MachineID
    let shop: ShopID
    let role: String
    let keyId: String
    let fingerprint: String
    let revoked: Bool
    /// Whether it is the key that the machine has now, or had last.
    let present: Bool
    /// Set only for the key that the machine has now.
    var light: Fleet.Light?
    var lastUse: LocalMoment?
    var version: String?
    var troubles: [String]?

    init(
        _ record: MachineKeyRecord, isPresent: Bool, _ fleet: Fleet, _ member: Fleet.Member?
    ) throws(CommandError) {
        present = isPresent
        machine = record.machine
        shop = record.shop
        role = record.role.rawValue
        keyId = record.keyID
        fingerprint = PublicKey(bytes: record.publicKey)?.fingerprint ?? ""
        revoked = record.revoked != nil
        guard let member else { return }
        let status = try fleet.status(of: member)
        light = fleet.light(status)
        lastUse = fleet.lastUse(status, of: member)
        version = fleet.condition(status)?.version
        troubles = fleet.condition(status)?.troubles
    }
}

/// All facts about one machine, as `machine show` prints it.
struct MachinePage: Encodable {
    let machine: MachineID
    let shop: ShopID
    let shopName: String
    let fingerprint: String
    let light: Fleet.Light
    let lastUse: LocalMoment?
    let troubles: [String]
    let condition: MachineCondition?
    /// Events that were discarded at the machine before they could be sent.
    let eventsDropped: Int
    /// The latest remote commands of each kind, carried out or not.
    let orders: [RemoteCommandRow]

    init(_ member: Fleet.Member, _ fleet: Fleet, _ orders: [RemoteCommandRecord])
        throws(CommandError)
    {
        let status = try fleet.status(of: member)
        machine = member.machine
        shop = member.shop.id
        shopName = member.shop.name
        fingerprint = PublicKey(bytes: member.key.publicKey)?.fingerprint ?? ""
        light = fleet.light(status)
        lastUse = fleet.lastUse(status, of: member)
        condition = fleet.condition(status)
        troubles = condition?.troubles ?? []
        eventsDropped = status?.dropped ?? 0
        self.orders = orders.filter { $0.machine == member.machine }.map {
            RemoteCommandRow($0, member, fleet)
        }
    }
}

/// A remote command as the programs print it.
struct RemoteCommandRow: Encodable {
    let machine: MachineID
    let order: Int64
    let kind: String
    let message: String?
    let given: LocalMoment
    /// When the machine acknowledged it; nil until then.
    let done: LocalMoment?

    init(_ order: RemoteCommandRecord, _ member: Fleet.Member, _ fleet: Fleet) {
        machine = order.machine
        self.order = order.id
        kind = order.kind.rawValue
        message = order.message
        given = fleet.local(order.given, of: member)
        done = order.done.map { fleet.local($0, of: member) }
    }
}

/// An event as `machine logs` prints it.
struct EventLine: Encodable {
    let at: LocalMoment
    let person: String?
    let kind: String
    let detail: String

    init(_ event: MachineEventRecord) {
        at = event.at
        person = event.person
        kind = event.kind
        detail = event.detail
    }
}
