import CommandSyntax
import BackendAPI
import ReservationStore
import Reservations

private let machines = KeyCommands(
    noun: "machine", roles: [.ticketMachine], source: "`clup-kiosk enrol` printed")

extension Command {
    private static let machineOptions: [Option] = [
        .database,
        .required("machine", "MACHINE", "the machine's name, or the identifier of its key"),
        .optional(
            "shop", "SHOP", "the shop's identifier or tag, if several shops have one of that name"),
    ]

    static let machineAdd = Command(
        words: ["machine", "add"], summary: "let a ticket machine in, by its public key",
        options: [
            .database, .shop, machines.name,
            .required(
                "key", "KEY", "the public key that `clup-kiosk enrol` printed, 43 characters"),
        ],
        notes: """
            Compare the fingerprint it prints with the one at the machine.
            """
    ) { arguments in try machines.add(arguments, role: .ticketMachine) }

    static let machinePair = Command(
        words: ["machine", "pair"],
        summary: "let a ticket machine in, by the code that `clup-kiosk enrol --pair` shows",
        options: [
            .database, .shop, machines.name,
            .required(
                "code", "CODE",
                "the eight digits on the machine's screen: good for ten minutes, once"),
        ],
        notes: """
            Compare both fingerprints it prints with those at the machine: its own, and the one of
            this backend. Where they differ, revoke the machine at once.
            """
    ) { arguments in try machines.pair(arguments, role: .ticketMachine) }

    static let machineList = Command(
        words: ["machine", "list"],
        summary: "print every machine with its key and how it is, a line of JSON each",
        options: [.database, .flag("all", "the keys that a machine had before, too")],
        notes: """
            A line is the key that a machine has now, or had last where it is revoked. Of one that may call,
            light is ok, trouble (troubles say which) or silent, lastUse is when the machine was heard last,
            within a minute, and version that of its program.
            """
    ) { arguments in
        let fleet = Fleet(try Administration(arguments))
        for member in try fleet.members() {
            for key in member.keys where arguments.has("all") || key == member.key {
                printJSON(try fleet.line(key, of: member))
            }
        }
    }

    static let machineShow = Command(
        words: ["machine", "show"], summary: "print all that is known of one machine",
        options: machineOptions
    ) { arguments in
        let fleet = Fleet(try Administration(arguments))
        printJSON(try fleet.page(of: fleet.member(arguments)))
    }

    static let machineOutOfService = Command(
        words: ["machine", "out-of-service"],
        summary: "let a machine show that it is out of service, with a message",
        options: machineOptions + [
            .required(
                "message", "TEXT",
                "what customers read, as you write it: at most "
                    + "\(RemoteCommand.maxMessageCharacters) characters in one line")
        ],
        notes: """
            The machine obeys within some 15 seconds, or as soon as it is there; a customer who is being
            served is served to the end. What the staff at the machine does later counts more.
            """
    ) { arguments in
        let message = try arguments.required("message")
        guard message.unicodeScalars.count <= RemoteCommand.maxMessageCharacters else {
            throw CommandError.usage(
                "--message has \(message.unicodeScalars.count) characters; at most "
                    + "\(RemoteCommand.maxMessageCharacters) have room on the screen")
        }
        let clean = ForeignText.clean(message, limit: RemoteCommand.maxMessageCharacters)
        guard !clean.isEmpty else {
            throw CommandError.usage("--message has nothing that can be read")
        }
        try give(.outOfService, message: clean, arguments)
    }

    static let machineInService = order(
        .inService, "in-service", "let a machine serve customers again")
    static let machineRestart = order(
        .restart, "restart", "start a machine's program again, once no customer is being served")
    static let machineRotate = order(
        .rotate, "rotate", "let a machine make itself another key, as `clup-kiosk rotate` does")
    static let machineUnlock = order(
        .unlock, "unlock", "let PINs be tried again at a machine, after ten wrong ones in a row")
    static let machineTestPrint = order(
        .testPrint, "test-print", "let a machine print a page marked TEST between two customers")

    private static func order(
        _ kind: RemoteCommand.Kind, _ word: String, _ summary: String
    ) -> Command {
        Command(
            words: ["machine", word], summary: summary,
            options: machineOptions
        ) { arguments in try give(kind, message: nil, arguments)
        }
    }

    static let machineLogs = Command(
        words: ["machine", "logs"],
        summary: "print what happened to a machine and was done to it, a line of JSON each",
        options: machineOptions + [
            .optional("count", "N", "the last N events, the newest at the end; 100 unless given")
        ]
    ) { arguments in
        let count = try arguments.number("count", 1...10_000, standard: 100)
        let store = try Administration(arguments)
        let member = try Fleet(store).member(arguments)
        let events = try store.machineEvents(of: member.machine, in: member.shop.id, count: count)
        for event in events.reversed() {
            printJSON([
                "at": event.at, "person": event.person, "kind": event.kind, "detail": event.detail,
            ])
        }
    }

    private static func give(
        _ kind: RemoteCommand.Kind, message: String?, _ arguments: Arguments
    ) throws {
        let store = try Administration(arguments)
        let fleet = Fleet(store)
        let member = try fleet.member(arguments)
        let order = try store.order(kind, message: message, for: member.machine, of: member.shop.id)
        printJSON(fleet.line(order, of: member))
    }

    static let machineRevoke = Command(
        words: ["machine", "revoke"], summary: "shut a machine out for good, within a second",
        options: [
            .database,
            .required(
                "machine", "MACHINE", "the machine's name, or the identifier of one key of it"),
        ]
    ) { arguments in try machines.revoke(arguments) }
}
