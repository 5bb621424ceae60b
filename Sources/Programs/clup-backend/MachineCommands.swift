import Reservations

private let machines = KeyCommands(
    noun: "machine", roles: [.ticketMachine], source: "`clup-kiosk enrol` printed")

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
        try machines.add(arguments, role: .ticketMachine)
    }

    static let machinePair = Command(
        words: ["machine", "pair"],
        summary: "let a ticket machine in, by the code that `clup-kiosk enrol --pair` shows",
        usage: """
            Usage: clup-backend machine pair --database FILE --shop SHOP --name NAME --code CODE

              --shop SHOP   the shop's identifier or tag
              --name NAME   what the machine is called here: 1 to 64 of A-Z a-z 0-9 - _
              --code CODE   the eight digits on the machine's screen: good for ten minutes, once

            Compare both fingerprints it prints with those at the machine: its own, and the one of
            this backend. Where they differ, revoke the machine at once.
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(
            words, valued: ["database", "shop", "name", "code"])
        try machines.pair(
            arguments, role: .ticketMachine)
    }

    static let machineList = Command(
        words: ["machine", "list"], summary: "print every machine's key, a line of JSON each",
        usage: """
            Usage: clup-backend machine list --database FILE
            """
    ) { words throws(CommandError) in try machines.list(words) }

    static let machineRevoke = Command(
        words: ["machine", "revoke"], summary: "shut a machine out for good, within a second",
        usage: """
            Usage: clup-backend machine revoke --database FILE --machine MACHINE

              --machine MACHINE   the machine's name, or the identifier of one key of it
            """
    ) { words throws(CommandError) in try machines.revoke(words) }
}
