public import Cryptography

/// A secret key on this computer: an Ed25519 seed, sealed under a wrapping key that is kept elsewhere
/// (rules 23).
public struct SealedKey: Sendable {
    /// Where the sealed secret lies.
    public let path: String

    /// The machine's, in its state directory.
    public static func ofMachine(state: String) -> SealedKey {
        SealedKey(path: "\(state)/machine-key.sealed")
    }

    /// The backend's, beside its database.
    public static func ofBackend(database: String) -> SealedKey {
        SealedKey(path: "\(database).key")
    }

    /// The one that signs what machines are set up with, in a directory of the administrator's.
    public static func ofAdministrator(in directory: String) -> SealedKey {
        SealedKey(path: "\(directory)/setup-key.sealed")
    }

    /// The key that is to follow this one, while it is not yet let in.
    public var next: SealedKey { SealedKey(path: "\(path).next") }

    /// Puts the next key into this one's place, at once and for good (rename(2)).
    public func becomeNext() throws { try PrivateFile.move(next.path, to: path) }

    /// Gives the sealed key another name, over that of one that was put away before.
    public func putAway() throws { try PrivateFile.move(path, to: "\(path).old") }

    /// Another value once the file is another one; nil where there is none.
    public var version: FileVersion? { FileVersion(of: path) }

    /// Whether there is a key; fails where this user may not look.
    public var exists: Bool { get throws { try PrivateFile.exists(path) } }

    /// Makes a key pair and keeps the secret; refuses where there is a key, so that none is lost.
    public func make(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try !exists else { throw KeyFileError.alreadyThere(path) }
        return try makeAnew(under: wrappingKey)
    }

    /// Makes a key pair in the place of whatever is there.
    public func makeAnew(under wrappingKey: GuardedBytes) throws -> SigningKey {
        let key = try SigningKey.generate()
        try PrivateFile.create(path, key.sealed(under: wrappingKey).bytes)
        return key
    }

    /// Opens the secret into guarded memory.
    public func load(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try exists else { throw KeyFileError.absent(path) }
        let bytes = try PrivateFile.read(path, longest: 4_096)
        do {
            return try SigningKey(opening: SealedSecret(bytes: bytes), under: wrappingKey)
        } catch CryptographyError.cannotOpen {
            throw KeyFileError.foreign(path)
        } catch {
            throw KeyFileError.doesNotOpen(path, String(describing: error))
        }
    }
}

/// The key that seals a secret: a credential of systemd's, or a file for its owner only.
public enum WrappingKey {
    /// What `LoadCredentialEncrypted=` of the machine's unit calls it (systemd.exec(5)).
    public static let ofMachine = "machine-key"
    /// What `LoadCredentialEncrypted=` of the backend's unit calls it.
    public static let ofBackend = "backend-key"

    /// Another value once what `load` reads is another file; nil where there is none.
    public static func version(
        credentials: String?, file: String, named credential: String = ofMachine
    ) -> FileVersion? {
        FileVersion(of: credentials.map { "\($0)/\(credential)" } ?? file)
    }

    /// The 32 bytes of the credential in `$CREDENTIALS_DIRECTORY`, or else in `file`.
    public static func load(
        credentials: String?, file: String, named credential: String = ofMachine
    ) throws -> GuardedBytes {
        let path = credentials.map { "\($0)/\(credential)" } ?? file
        guard try PrivateFile.exists(path) else { throw KeyFileError.noWrappingKey(path) }
        var bytes = try PrivateFile.read(path, longest: 64)
        defer { PrivateFile.wipe(&bytes) }
        guard bytes.count == SealedSecret.wrappingKeyLength else {
            throw KeyFileError.badWrappingKey(path, bytes.count)
        }
        return try GuardedBytes(copying: bytes)
    }

    /// Makes the file where there is neither a credential nor a file yet.
    public static func ensure(
        credentials: String?, file: String, named credential: String = ofMachine
    ) throws -> GuardedBytes {
        if credentials == nil, try !PrivateFile.exists(file) {
            let secret = try GuardedBytes(randomCount: SealedSecret.wrappingKeyLength)
            try secret.withBytes {
                var bytes = Array($0)
                defer { PrivateFile.wipe(&bytes) }
                try PrivateFile.create(file, bytes)
            }
        }
        return try load(credentials: credentials, file: file, named: credential)
    }
}

/// What can be wrong with a key on the disk, with the cure, for who installs machine or backend.
public enum KeyFileError: Error, Equatable, CustomStringConvertible {
    case absent(String)
    case alreadyThere(String)
    case noWrappingKey(String)
    case badWrappingKey(String, Int)
    case doesNotOpen(String, String)
    /// Whole, but sealed under another wrapping key than this computer's.
    case foreign(String)
    case notPrivate(String)
    /// A link, a pipe, a folder or a device.
    case notRegular(String)
    /// Of another user than the running one and root, who could change it at any time.
    case foreignOwner(String, owner: UInt32)
    case cannotUse(String, operation: String, reason: String)

    public var description: String {
        switch self {
        case .absent(let path):
            "There is no key (\(path) is missing): a machine gets one by \"clup-kiosk enrol\"."
        case .alreadyThere(let path):
            "There is a key already (\(path)): remove that file if there is to be another one."
        case .noWrappingKey(let path):
            "The wrapping key \(path) is missing: without it the secret key cannot be opened. "
                + "Restore it, or remove the sealed key and \(Self.anew)."
        case .badWrappingKey(let path, let count):
            "The wrapping key \(path) has \(count) bytes instead of 32: it was cut or replaced. "
                + "Restore it, or remove both keys and \(Self.anew)."
        case .doesNotOpen(let path, let reason):
            "The secret key \(path) cannot be used: \(reason). "
                + "Restore it with its wrapping key, or remove both and \(Self.anew)."
        case .foreign(let path):
            "The secret key \(path) is another machine's: \(CryptographyError.cannotOpen). "
                + "Restore both from the same copy, or remove both and \(Self.anew)."
        case .notPrivate(let path):
            "\(path) can be read by others: take it back with \"chmod 600 \(path)\", "
                + "and make the key anew if somebody may have read it."
        case .notRegular(let path):
            "\(path) is no regular file but a link, a pipe or something else: put the key's file itself there, "
                + "or remove it and \(Self.anew)."
        case .foreignOwner(let path, let owner):
            "\(path) belongs to another user (\(owner)), who could change it: run this as that user, or take the "
                + "file over with \"chown\", and make the key anew if it may have been changed."
        case .cannotUse(let path, let operation, let reason):
            "\(path) cannot be \(operation): \(reason). Run this as the user it belongs to."
        }
    }

    private static let anew = "make the key anew (\"clup-kiosk enrol\", \"clup-backend key\")"
}
