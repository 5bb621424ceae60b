import CommandSyntax
import Cryptography
import Glibc
import KeyFile
import ReservationStore
import Reservations

/// The key that signs this backend's answers. It is made and sealed beside the database if machines do not know one
/// yet.
func answerKey(_ arguments: Arguments) throws -> SigningKey {
    let place = try AnswerKeyPlace(arguments)
    let store = try Administration(arguments)
    let known = try store.knownBackendKey()
    let machines = try store.machineKeys().count { $0.revoked == nil }
    let remedy =
        "put the copy of it back, with its wrapping key. Where there is none, `clup-backend key --new` "
        + "makes another one, which each of the \(machines) machines must then be given"
    let exists = try place.sealed.exists
    if !exists, known != nil, machines > 0 {
        throw CommandError.configuration(
            "this backend's key \(place.sealed.path) is missing: \(remedy)")
    }
    let key = try exists ? place.load() : place.sealed.make(under: place.wrapping.ensure())
    if let known, known != key.publicKey, machines > 0 {
        throw CommandError.configuration(
            "\(place.sealed.path) is another key than the one this database's machines know, "
                + "\(known.fingerprint): \(remedy)")
    }
    if known != key.publicKey { try store.keep(key.publicKey) }
    return key
}

/// The public half of the backend's key, from the most reliable source available: the command line, the sealed key,
/// otherwise the database; nil if none of them has it.
func knownBackendKey(_ arguments: Arguments, _ store: Administration) throws -> PublicKey? {
    if let text = arguments.optional("backend-key") {
        guard let key = PublicKey(text: text) else {
            throw CommandError.usage(
                "--backend-key is no public key; give the 43 characters that `clup-backend key` "
                    + "printed")
        }
        return key
    }
    // An administrator who may not open the sealed key can still use the copy in the database.
    if let place = try? AnswerKeyPlace(arguments), let key = try? place.load() {
        return key.publicKey
    }
    return try store.knownBackendKey()
}

/// Signs the ends of audits. It keeps a copy of what it signed beside the key, where a user who can only write the
/// tables of the database cannot change it.
func auditSealer(
    _ arguments: Arguments, _ key: SigningKey, found: @escaping @Sendable (ShopID, String) -> Void
) throws -> AuditSealer {
    let place = try AnswerKeyPlace(arguments).sealed.signedAudits
    var signed: [ShopID: AuditHead] = [:]
    for line in (place.text ?? "").split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let head = AuditHead(words[1]) else { continue }
        signed[ShopID(String(words[0]))] = head
    }
    return AuditSealer(
        signer: AnswerSigner(key: key), signed: signed,
        keep: { all in
            let lines = all.map { "\($0.key) \($0.value.text)\n" }.sorted()
            // If this copy cannot be written, the check relies on the signature in the database.
            try? place.write(lines.joined())
        }, found: found)
}

extension SealedKey {
    /// The signed ends of the audits of the backend's database, beside its key.
    var signedAudits: PrivateText { PrivateText(path: "\(path).audits") }
}

/// The backend's key and the key that seals it.
private struct AnswerKeyPlace {
    let sealed: SealedKey
    let wrapping: WrappingKey

    init(_ arguments: Arguments) throws {
        let path: String
        let place = try DatabasePlace(arguments)
        try place.requireExistence()
        switch place {
        case .file(let database): path = database
        case .postgresql:
            guard let state = arguments.optional("state") else {
                throw CommandError.usage(
                    "--state is missing: the folder for this backend's own key, which has the "
                        + "same content on every server of one database")
            }
            path = "\(state)/backend"
        }
        sealed = SealedKey.ofBackend(database: path)
        wrapping = WrappingKey(
            credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
            file: arguments.optional("wrapping-key") ?? "\(path).wrapping-key",
            named: WrappingKey.ofBackend)
    }

    func load() throws -> SigningKey { try sealed.load(under: wrapping.load()) }
}

extension Command {
    static let key = Command(
        words: ["key"], summary: "print the public key that machines know this backend by",
        options: [
            .database,
            .optional(
                "wrapping-key", "FILE",
                "32 bytes that seal the secret half; FILE.wrapping-key beside the database "
                    + "unless given, made where it is missing. The systemd credential `backend-key` "
                    + "comes before it."),
            .flag(
                "new",
                "make another key, where the old one is lost or was read: no machine believes "
                    + "this backend until it has been given the new one (`backend-key = KEY`). "
                    + "Restart `serve` afterwards."),
            .optional(
                "state", "DIRECTORY",
                "where the key lies when the database is no file: as `backend.key`, with "
                    + "`backend.wrapping-key`; the same on every server"),
        ],
        notes: """
            The key is made when it is first asked for or served with, and lies sealed beside the
            database, in FILE.key. Every machine is enrolled with the public half, by
            `clup-kiosk enrol --pair` or `enrol --backend-key KEY`. Keep a copy of both files: once there
            are machines, a key that is missing is not made again by itself.
            """
    ) { arguments in
        let signing: SigningKey
        if arguments.has("new") {
            let place = try AnswerKeyPlace(arguments)
            // The former key may be readable or not.
            signing = try place.sealed.next.replace(under: place.wrapping.ensure())
            try place.sealed.becomeNext()
            try Administration(arguments).keep(signing.publicKey)
        } else {
            signing = try answerKey(arguments)
        }
        let sealer = try auditSealer(arguments, signing) {
            printError("the audit of shop \($0) is not as it was signed: \($1)")
        }
        try Administration(arguments).sealAudits(sealer)
        let key = signing.publicKey
        printJSON(["key": key.text, "fingerprint": key.fingerprint])
    }
}
