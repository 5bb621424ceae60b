import CommandSyntax
import Cryptography
import ReservationStore
import Reservations

extension MachineKeyRecord {
    var line: JSONLine {
        [
            "machine": machine, "shop": shop, "role": role.rawValue, "keyId": keyID,
            "fingerprint": PublicKey(bytes: publicKey)?.fingerprint ?? "",
            "revoked": revoked != nil,
        ]
    }
}

/// The common part of the commands for machines and those for devices: an allow list of keys.
struct KeyCommands: Sendable {
    /// The noun for the holders of the keys, as "machine"; also the option that names one.
    let noun: String
    let roles: [KeyRole]
    /// The place where the administrator finds a public key.
    let source: String

    /// The option for the name of a machine or a device.
    var name: Option {
        .required("name", "NAME", "what the \(noun) is called here: 1 to 64 of A-Z a-z 0-9 - _")
    }

    func add(_ arguments: Arguments, role: KeyRole) throws {
        let name = try Arguments.givenName(arguments.required("name"))
        let text = try arguments.required("key")
        guard let key = PublicKey(text: text) else {
            throw CommandError.usage(
                "--key is not an Ed25519 public key; give the 43 characters that \(source)")
        }
        let store = try Administration(arguments)
        let record = MachineKeyRecord(
            shop: try store.shop(arguments).id, machine: MachineID(name), keyID: key.keyID,
            publicKey: key.bytes, role: role, created: systemNow())
        try store.addMachineKey(record)
        printJSON(record.line)
    }

    /// Accepts the machine or device that shows a code, and prints the key that it pins.
    func pair(_ arguments: Arguments, role: KeyRole) throws {
        let name = MachineID(try Arguments.givenName(arguments.required("name")))
        let code = try arguments.required("code").filter { $0 != " " && $0 != "-" }
        guard code.count == 8, code.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw CommandError.usage(
                "--code is the eight digits that the \(noun) shows, as \"1234 5678\"")
        }
        let store = try Administration(arguments)
        let shop = try store.shop(arguments).id
        let record = try store.pairMachine(code: code, as: name, role: role, of: shop)
        printJSON(
            record.line + ["backendFingerprint": try store.knownBackendKey()?.fingerprint ?? ""])
    }

    func list(_ arguments: Arguments) throws {
        for record in try Administration(arguments).machineKeys() where roles.contains(record.role)
        { printJSON(record.line) }
    }

    func revoke(_ arguments: Arguments) throws {
        let name = try arguments.required(noun)
        let store = try Administration(arguments)
        func isMeant(_ key: MachineKeyRecord) -> Bool {
            roles.contains(key.role) && (key.machine.rawValue == name || key.keyID == name)
        }
        let shops = Set(try store.machineKeys().filter(isMeant).map(\.shop))
        guard let shop = shops.first else {
            throw CommandError.failure(
                "there is no \(noun) \"\(name)\" in this database; `clup-backend \(noun) list` "
                    + "shows which there are")
        }
        guard shops.count == 1 else {
            throw CommandError.failure(
                "several shops have a \(noun) \"\(name)\"; give the key's identifier instead")
        }
        let revoked = try store.revokeMachineKeys(of: shop, where: isMeant)
        for record in revoked { printJSON(record.line) }
    }
}
