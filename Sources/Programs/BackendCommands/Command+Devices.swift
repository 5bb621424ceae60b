import CommandSyntax
import Reservations

private let devices = KeyCommands(
    noun: "device", roles: KeyRole.devices, source: "the device's page shows")

private let comparison =
    "Compare the fingerprint it prints with the one on the page, which then goes on by itself."

extension Command {
    static let deviceAdd = Command(
        words: ["device", "add"], summary: "let a display or a reader in, by its public key",
        options: [
            .database, .shop,
            .required(
                "role", "ROLE",
                "display shows the called numbers; entrance is the reader at the way in, checkout "
                    + "the exit reader at the check-outs, turnstile the exit reader at the door, "
                    + "staff the page of the staff, desk that of a desk for orders"),
            devices.name,
            .required("key", "KEY", "the public key that its page shows when it is opened first"),
        ],
        notes: comparison
    ) { arguments in try devices.add(arguments, role: role(arguments)) }

    static let devicePair = Command(
        words: ["device", "pair"],
        summary: "let a display or a reader in, by the code that its page shows",
        options: [
            .database, .shop, .required("role", "ROLE", "as of `device add`"),
            devices.name,
            .required("code", "CODE", "the eight digits on the page: good for ten minutes, once"),
        ],
        notes: comparison
    ) { arguments in try devices.pair(arguments, role: role(arguments)) }

    private static func role(_ arguments: Arguments) throws -> KeyRole {
        let names = KeyRole.devices.map(\.rawValue).joined(separator: ", ")
        return try arguments.required("role", or: "it must be one of \(names)") { text in
            KeyRole.devices.first { $0.rawValue == text }
        }
    }

    static let deviceList = Command(
        words: ["device", "list"], summary: "print every device's key, a line of JSON each",
        options: [.database]
    ) { arguments in try devices.list(arguments) }

    static let deviceRevoke = Command(
        words: ["device", "revoke"], summary: "shut a device out for good, within five seconds",
        options: [
            .database,
            .required("device", "DEVICE", "the device's name, or the identifier of one key of it"),
        ]
    ) { arguments in try devices.revoke(arguments) }
}
