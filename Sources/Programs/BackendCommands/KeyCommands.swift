import CommandSyntax
import Cryptography
import ReservationStore
import Reservations

/// A key of the allow list as the commands print it.
struct KeyLine: Encodable {
    let machine: MachineID
    let shop: ShopID
    let role: String
    let keyId: String
    let fingerprint: String
    let revoked: Bool

    init(_ record: MachineKeyRecord) {
        machine = record.machine
        shop = record.shop
        role = record.role.rawValue
        keyId = record.keyID
        fingerprint = PublicKey(bytes: record.publicKey)?.fingerprint ?? ""
        revoked = record.revoked != nil
    }
}

/// The machine or device that was accepted by its code, and the key that it pins.
private struct PairedLine: Encodable {
    let key: KeyLine
    let backend: String

    func encode(to encoder: any Encoder) throws {
        try key.encode(to: encoder)
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(backend, forKey: .backendFingerprint)
    }

    private enum Field: CodingKey { case backendFingerprint }
}

/// The common part of the commands for machines and those for devices: an allow list of keys.
struct KeyCommands: Sendable {
    /// The noun for the holders of the keys, as "machine"; also the option that names one.
    let noun: String
    let roles: [KeyRole]
    /// The place where the administrator finds a public key.
    let source: String

    func add(_ arguments: Arguments, role: KeyRole) throws(CommandError) {
        let name = try Arguments.givenName(arguments.required("name"))
        let text = try arguments.required("key")
        guard let key = PublicKey(text: text) else {
            throw .usage(
                "--key is not an Ed25519 public key; give the 43 characters that \(source)")
        }
        let store = try AdminStore(arguments)
        let record = MachineKeyRecord(
            shop: try store.shop(arguments).id, machine: MachineID(name), keyID: key.keyID,
            publicKey: key.bytes, role: role, created: systemNow())
        try store.perform { store throws(StoreError) in try store.addMachineKey(record) }
        printJSON(KeyLine(record))
    }

    /// Accepts the machine or device that shows a code, and prints the key that it pins.
    func pair(_ arguments: Arguments, role: KeyRole) throws(CommandError) {
        let name = MachineID(try Arguments.givenName(arguments.required("name")))
        let code = try arguments.required("code").filter { $0 != " " && $0 != "-" }
        guard code.count == 8, code.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw .usage("--code is the eight digits that the \(noun) shows, as \"1234 5678\"")
        }
        let store = try AdminStore(arguments)
        let shop = try store.shop(arguments).id
        let record = try store.perform { store throws(StoreError) in
            try store.pairMachine(code: code, as: name, role: role, of: shop)
        }
        printJSON(
            PairedLine(
                key: KeyLine(record), backend: try store.backendKey()?.fingerprint ?? ""))
    }

    func list(_ arguments: Arguments) throws(CommandError) {
        for record in try records(AdminStore(arguments)) { printJSON(KeyLine(record)) }
    }

    func revoke(_ arguments: Arguments) throws(CommandError) {
        let name = try arguments.required(noun)
        let store = try AdminStore(arguments)
        func isMeant(_ key: MachineKeyRecord) -> Bool {
            roles.contains(key.role) && (key.machine.rawValue == name || key.keyID == name)
        }
        let shops = Set(try store.machineKeys().filter(isMeant).map(\.shop))
        guard let shop = shops.first else {
            throw .failure(
                "there is no \(noun) \"\(name)\" in this database; `clup-backend \(noun) list` "
                    + "tells which there are")
        }
        guard shops.count == 1 else {
            throw .failure(
                "several shops have a \(noun) \"\(name)\"; give the key's identifier instead")
        }
        let revoked = try store.perform { store throws(StoreError) in
            try store.revokeMachineKeys(of: shop, where: isMeant)
        }
        for record in revoked { printJSON(KeyLine(record)) }
    }

    private func records(_ store: AdminStore) throws(CommandError) -> [MachineKeyRecord] {
        try store.machineKeys().filter { roles.contains($0.role) }
    }
}
