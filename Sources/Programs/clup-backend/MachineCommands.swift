import Cryptography
import ReservationStore
import Reservations

/// A machine's key as the commands print it.
private struct MachineLine: Encodable {
    let machine: MachineID
    let shop: ShopID
    let keyId: String
    let fingerprint: String
    let revoked: Bool

    init(_ record: MachineKeyRecord) {
        machine = record.machine
        shop = record.shop
        keyId = record.keyID
        fingerprint = PublicKey(bytes: record.publicKey)?.fingerprint ?? ""
        revoked = record.revoked != nil
    }
}

extension Command {
    static let machineAdd = Command(
        words: ["machine", "add"], summary: "let a ticket machine in, by its public key",
        usage: """
            Usage: clup-backend machine add --database FILE --shop SHOP --name NAME --key KEY

              --shop SHOP   the shop's identifier or tag
              --name NAME   what the machine is called here: 1 to 64 of A-Z a-z 0-9 - _
              --key KEY     the public key that `clup-kiosk enrol` printed, 43 characters

            Compare the fingerprint it prints with the one at the machine.
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(words, valued: ["database", "shop", "name", "key"])
        let name = try arguments.required("name")
        let text = try arguments.required("key")
        guard let key = PublicKey(text: text) else {
            throw .usage(
                "--key is not an Ed25519 public key; give the 43 characters that "
                    + "`clup-kiosk enrol` printed")
        }
        let store = try AdminStore(arguments)
        let record = MachineKeyRecord(
            shop: try store.shop(arguments).id, machine: MachineID(name), keyID: key.keyID,
            publicKey: key.bytes, role: .ticketMachine, created: systemNow())
        try store.perform { store throws(StoreError) in try store.addMachineKey(record) }
        printJSON(MachineLine(record))
    }

    static let machineList = Command(
        words: ["machine", "list"], summary: "print every machine's key, a line of JSON each",
        usage: """
            Usage: clup-backend machine list --database FILE
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(words, valued: ["database"])
        for record in try AdminStore(arguments).machineKeys() { printJSON(MachineLine(record)) }
    }

    static let machineRevoke = Command(
        words: ["machine", "revoke"], summary: "shut a machine out for good, within a second",
        usage: """
            Usage: clup-backend machine revoke --database FILE --machine MACHINE

              --machine MACHINE   the machine's name, or the identifier of one key of it
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(words, valued: ["database", "machine"])
        let name = try arguments.required("machine")
        let store = try AdminStore(arguments)
        let records = try store.machineKeys().filter {
            $0.machine.rawValue == name || $0.keyID == name
        }
        guard !records.isEmpty else {
            throw .failure(
                "there is no machine \"\(name)\" in this database; `clup-backend machine list` "
                    + "tells which there are")
        }
        guard Set(records.map(\.shop)).count == 1 else {
            throw .failure(
                "several shops have a machine \"\(name)\"; give the key's identifier instead")
        }
        for record in records {
            try store.perform { store throws(StoreError) in
                try store.revokeMachineKey(record.keyID, of: record.shop)
            }
        }
        for record in try store.machineKeys()
        where records.contains(where: { $0.keyID == record.keyID }) {
            printJSON(MachineLine(record))
        }
    }
}
