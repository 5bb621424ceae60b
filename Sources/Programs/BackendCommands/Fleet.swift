import CommandSyntax
import BackendAPI
import BackendService
import Cryptography
import FoundationEssentials
import ReservationStore
import Reservations

/// The machines of a database in the remote view of the shop (rules: remote-commands).
struct Fleet {
    /// A working machine reports every ten seconds, and its report is written within `QueueStore.maxStatusAge`:
    /// after twice that time it counts as silent.
    private static let silenceThreshold: Duration = QueueStore.maxStatusAge * 2

    private let store: Administration
    private let calendar = ShopCalendar()
    private let now = systemNow()

    init(_ store: Administration) { self.store = store }

    /// A machine with its keys on the allow list, at least one, in the order in which they were accepted.
    struct Member {
        let shop: Shop
        let machine: MachineID
        fileprivate(set) var keys: [MachineKeyRecord]

        /// The valid key that was accepted last; the last key of a machine that is revoked.
        var key: MachineKeyRecord { keys.last { $0.revoked == nil } ?? keys[keys.count - 1] }
        var isRevoked: Bool { key.revoked != nil }
    }

    /// All present and former machines, in the order in which they were first accepted.
    func members() throws(StoreError) -> [Member] {
        let shops = try store.shops()
        var members: [Member] = []
        for key in try store.machineKeys() where key.role == .ticketMachine {
            if let index = members.firstIndex(where: {
                $0.shop.id == key.shop && $0.machine == key.machine
            }) {
                members[index].keys.append(key)
            } else if let shop = shops.first(where: { $0.id == key.shop }) {
                members.append(Member(shop: shop, machine: key.machine, keys: [key]))
            }
        }
        return members
    }

    /// Why none of these machines can get a command under the name that `--machine` gives, and what to do.
    private func refusal(_ name: String, _ members: [Member], _ place: String) -> CommandError {
        if let member = members.first(where: { $0.machine.rawValue == name }) {
            return .failure(
                "machine \"\(member.machine)\" is revoked and hears nothing any more; "
                    + "`clup-kiosk enrol --replace` gives it another key, and `clup-backend machine add` "
                    + "lets that one in")
        }
        if let member = members.first(where: { $0.keys.contains { $0.keyID == name } }) {
            return .failure(
                "\"\(name)\" is an old key of machine \"\(member.machine)\": name the machine")
        }
        return .failure(
            "there is no machine \"\(name)\" \(place); "
                + "`clup-backend machine list` shows which there are")
    }

    /// The one machine that `--machine` names and, if several shops have one of that name, `--shop`.
    func member(_ arguments: Arguments) throws -> Member {
        let name = try arguments.required("machine")
        let shop = arguments.has("shop") ? try store.shop(arguments).id : nil
        let members = try members().filter { shop == nil || $0.shop.id == shop }
        let found = members.filter {
            !$0.isRevoked && ($0.machine.rawValue == name || $0.key.keyID == name)
        }
        guard let member = found.first else {
            throw refusal(name, members, shop == nil ? "here" : "in this shop")
        }
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

    /// "ok"; "trouble" if the machine needs attention; "silent" if it has not reported for minutes.
    private func light(_ status: MachineStatusRecord?) -> String {
        guard let status, now - status.seen < Self.silenceThreshold else { return "silent" }
        return status.decodedCondition?.troubles.isEmpty == true ? "ok" : "trouble"
    }

    /// A machine's key as `machine list` prints it, with the last report of the machine if it has the key now.
    func line(_ key: MachineKeyRecord, of member: Member) throws(StoreError) -> JSONLine {
        let line = key.line + ["present": key == member.key]
        guard key == member.key, !member.isRevoked else { return line }
        let status = try status(of: member)
        let condition = status?.decodedCondition
        return line + [
            "light": light(status),
            "lastUse": status.map { calendar.local($0.seen, in: member.shop) },
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
            "light": light(status),
            "lastUse": status.map { calendar.local($0.seen, in: member.shop) },
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
