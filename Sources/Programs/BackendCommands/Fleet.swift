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

    private let store: Administration
    private let calendar = ShopCalendar()
    private let now = systemNow()

    init(_ store: Administration) { self.store = store }

    struct Member {
        let shop: Shop
        let machine: MachineID
        /// The valid key that was accepted last.
        let key: MachineKeyRecord
    }

    /// All machines that may call, in the order in which they were accepted.
    func members() throws(StoreError) -> [Member] {
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
    func keys() throws(StoreError) -> [Keys] {
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
    private func refusal(_ name: String, _ shop: ShopID?) throws -> CommandError {
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
    func member(_ arguments: Arguments) throws -> Member {
        let name = try arguments.required("machine")
        var found = try members().filter { $0.machine.rawValue == name || $0.key.keyID == name }
        let shop = arguments.has("shop") ? try store.shop(arguments).id : nil
        if let shop { found = found.filter { $0.shop.id == shop } }
        guard let member = found.first else { throw try refusal(name, shop) }
        guard found.count == 1 else {
            let tags = found.map(\.shop.tag.rawValue).joined(separator: ", ")
            throw CommandError.failure(
                "several shops have a machine \"\(name)\"; add --shop, one of \(tags)")
        }
        return member
    }

    private func status(of member: Member) throws(StoreError) -> MachineStatusRecord? {
        try store.machineStatuses(of: member.shop.id).first { $0.machine == member.machine }
    }

    /// The time of the machine's last report, to the minute; nil if there was none.
    private func lastUse(_ status: MachineStatusRecord?, of member: Member) -> LocalMoment? {
        status.map { calendar.local($0.seen, in: member.shop) }
    }

    private func light(_ status: MachineStatusRecord?) -> Light {
        guard let status, now - status.seen < Self.silenceThreshold else { return .silent }
        return status.decodedCondition?.troubles.isEmpty == true ? .ok : .trouble
    }

    enum Light: String, Encodable {
        case ok
        /// The machine needs attention; `troubles` say why.
        case trouble
        /// The machine has not reported for minutes; `lastUse` is its last report.
        case silent
    }

    /// A machine's key as `machine list` prints it, with the last report of the machine that has the key now.
    func line(
        _ key: MachineKeyRecord, isPresent: Bool, _ member: Member?
    ) throws(StoreError) -> JSONLine {
        let line = key.line + ["present": isPresent]
        guard let member else { return line }
        let status = try status(of: member)
        let condition = status?.decodedCondition
        return line + [
            "light": light(status), "lastUse": lastUse(status, of: member),
            "version": condition?.version, "troubles": condition?.troubles,
        ]
    }

    /// All facts about one machine, as `machine show` prints it.
    func page(of member: Member) throws(StoreError) -> JSONLine {
        let status = try status(of: member)
        let condition = status?.decodedCondition
        let orders = try store.commands(of: member.shop.id)
        return [
            "machine": member.machine, "shop": member.shop.id, "shopName": member.shop.name,
            "fingerprint": PublicKey(bytes: member.key.publicKey)?.fingerprint ?? "",
            "light": light(status), "lastUse": lastUse(status, of: member),
            "troubles": condition?.troubles ?? [], "condition": condition,
            // Events that were discarded at the machine before they could be sent.
            "eventsDropped": status?.dropped ?? 0,
            // The latest remote commands of each kind, carried out or not.
            "orders": orders.filter { $0.machine == member.machine }.map { line($0, of: member) },
        ]
    }

    /// A remote command as the programs print it; `done` is when the machine acknowledged it.
    func line(_ order: RemoteCommandRecord, of member: Member) -> JSONLine {
        [
            "machine": order.machine, "order": order.id, "kind": order.kind.rawValue,
            "message": order.message, "given": calendar.local(order.given, in: member.shop),
            "done": order.done.map { calendar.local($0, in: member.shop) },
        ]
    }
}

extension MachineStatusRecord {
    /// The condition that the machine reported; nil if this version cannot read it.
    var decodedCondition: MachineCondition? {
        try? JSONDecoder().decode(MachineCondition.self, from: Data(condition.utf8))
    }
}
