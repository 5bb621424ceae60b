public import CommandSyntax
public import Cryptography

/// A secret key on this computer: an Ed25519 seed, sealed under a wrapping key that is kept elsewhere
/// (rules: machine-key).
public struct SealedKey: Sendable {
    /// The path of the sealed secret.
    public let path: String

    /// The machine's key, in its state directory.
    public static func ofMachine(state: String) -> SealedKey {
        SealedKey(path: "\(state)/machine-key.sealed")
    }

    /// The backend's key, beside its database.
    public static func ofBackend(database: String) -> SealedKey {
        SealedKey(path: "\(database).key")
    }

    /// The key that signs the answers for the setup of machines, in a directory of the administrator.
    public static func ofAdministrator(in directory: String) -> SealedKey {
        SealedKey(path: "\(directory)/setup-key.sealed")
    }

    /// The key that will replace this one, until the backend has accepted it.
    public var next: SealedKey { SealedKey(path: "\(path).next") }

    /// Puts the next key in this key's place, atomically and for good (rename(2)).
    public func becomeNext() throws { try PrivateFile.move(next.path, to: path) }

    /// Renames the sealed key, over one that was put away before.
    public func putAway() throws { try PrivateFile.move(path, to: "\(path).old") }

    /// Changes when the file is replaced; nil if there is no file.
    public var version: FileVersion? { FileVersion(of: path) }

    /// Whether there is a key; fails if this user may not look.
    public var exists: Bool { get throws { try PrivateFile.exists(path) } }

    /// Makes a key pair and stores the secret; refuses if there is a key already, so that none is lost.
    public func make(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try !exists else { throw KeyFileError.alreadyThere(path) }
        return try replace(under: wrappingKey)
    }

    /// Makes a key pair and replaces an existing key.
    public func replace(under wrappingKey: GuardedBytes) throws -> SigningKey {
        let key = try SigningKey.generate()
        try PrivateFile.create(path, key.sealed(under: wrappingKey).bytes)
        return key
    }

    /// Opens the secret into guarded memory.
    public func load(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try exists else { throw KeyFileError.absent(path) }
        let bytes = try PrivateFile.read(path, maxBytes: 4_096)
        do {
            return try SigningKey(opening: SealedSecret(bytes: bytes), under: wrappingKey)
        } catch CryptographyError.cannotOpen { throw KeyFileError.foreign(path) } catch {
            throw KeyFileError.doesNotOpen(path, String(describing: error))
        }
    }
}

/// The key that seals a secret: a systemd credential, or a file that only its owner may read.
public struct WrappingKey: Sendable {
    /// The name in `LoadCredentialEncrypted=` of the machine's unit (systemd.exec(5)).
    public static let ofMachine = "machine-key"
    /// The name in `LoadCredentialEncrypted=` of the backend's unit.
    public static let ofBackend = "backend-key"

    private let path: String
    private let isCredential: Bool

    /// The credential in `$CREDENTIALS_DIRECTORY`, otherwise `file`.
    public init(credentials: String?, file: String, named credential: String = ofMachine) {
        path = credentials.map { "\($0)/\(credential)" } ?? file
        isCredential = credentials != nil
    }

    /// Changes when the file is replaced; nil if there is no file.
    public var version: FileVersion? { FileVersion(of: path) }

    /// Reads the 32 bytes.
    public func load() throws -> GuardedBytes {
        guard try PrivateFile.exists(path) else { throw KeyFileError.noWrappingKey(path) }
        var bytes = try PrivateFile.read(path, maxBytes: 64)
        defer { PrivateFile.wipe(&bytes) }
        guard bytes.count == SealedSecret.wrappingKeyLength else {
            throw KeyFileError.badWrappingKey(path, bytes.count)
        }
        return try GuardedBytes(copying: bytes)
    }

    /// Makes the file if there is neither a credential nor a file yet.
    public func ensure() throws -> GuardedBytes {
        if !isCredential, try !PrivateFile.exists(path) {
            let secret = try GuardedBytes(randomCount: SealedSecret.wrappingKeyLength)
            try secret.withBytes {
                var bytes = Array($0)
                defer { PrivateFile.wipe(&bytes) }
                try PrivateFile.create(path, bytes)
            }
        }
        return try load()
    }
}

/// The faults of a key on the disk, each with its remedy, for the administrator who installs a machine or a backend.
public enum KeyFileError: CommandFailure, Equatable {
    case absent(String)
    case alreadyThere(String)
    case noWrappingKey(String)
    case badWrappingKey(String, Int)
    case doesNotOpen(String, String)
    /// The file is intact, but sealed under another wrapping key than this computer's.
    case foreign(String)
    case notPrivate(String)
    /// The path is a link, a pipe, a folder or a device.
    case notRegular(String)
    /// The file belongs to a user other than the running one and root, and that user could change it at any time.
    case foreignOwner(String, owner: UInt32)
    case cannotUse(String, operation: String, reason: String, ExitStatus = .configuration)

    public var status: ExitStatus {
        switch self {
        case .alreadyThere: .failure
        case .cannotUse(_, _, _, let status): status
        case .absent, .noWrappingKey, .badWrappingKey, .doesNotOpen, .foreign, .notPrivate,
            .notRegular, .foreignOwner:
            .configuration
        }
    }

    public var description: String {
        switch self {
        case .absent(let path):
            "There is no key (\(path) is missing): a machine gets one by \"clup-kiosk enrol\"."
        case .alreadyThere(let path):
            "There is a key already (\(path)): remove that file if there is to be another one."
        case .noWrappingKey(let path):
            "The wrapping key \(path) is missing: without it the secret key cannot be opened. "
                + "Restore it, or remove the sealed key and \(Self.remedy)."
        case .badWrappingKey(let path, let count):
            "The wrapping key \(path) has \(count) bytes instead of 32: it was cut or replaced. "
                + "Restore it, or remove both keys and \(Self.remedy)."
        case .doesNotOpen(let path, let reason):
            "The secret key \(path) cannot be used: \(reason). "
                + "Restore it with its wrapping key, or remove both and \(Self.remedy)."
        case .foreign(let path):
            "The secret key \(path) is another machine's: \(CryptographyError.cannotOpen). "
                + "Restore both from the same copy, or remove both and \(Self.remedy)."
        case .notPrivate(let path):
            "\(path) can be read by others: take it back with \"chmod 600 \(path)\", "
                + "and make the key again if somebody may have read it."
        case .notRegular(let path):
            "\(path) is no regular file but a link, a pipe or something else: put the key's file itself there, "
                + "or remove it and \(Self.remedy)."
        case .foreignOwner(let path, let owner):
            "\(path) belongs to another user (\(owner)), who could change it: run this as that user, or take the "
                + "file over with \"chown\", and make the key again if it may have been changed."
        case .cannotUse(let path, let operation, let reason, _):
            "\(path) cannot be \(operation): \(reason). Run this as the user it belongs to."
        }
    }

    private static let remedy = "make the key again (\"clup-kiosk enrol\", \"clup-backend key\")"
}
