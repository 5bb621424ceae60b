public import Cryptography

/// The machine's secret on this computer: an Ed25519 seed, sealed in the state directory under a
/// wrapping key that is kept elsewhere (rules 23).
public struct MachineKey: Sendable {
    /// The sealed secret's name in the state directory.
    static let fileName = "machine-key.sealed"

    /// Where the sealed secret lies.
    public let path: String

    /// - Parameter state: the machine's state directory.
    public init(state: String) { path = "\(state)/\(Self.fileName)" }

    /// Whether the machine is enrolled; fails where this user may not look.
    public var exists: Bool { get throws { try PrivateFile.exists(path) } }

    /// Makes a key pair and keeps the secret; refuses where there is a key, so that none is lost.
    public func enrol(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try !exists else { throw MachineKeyError.alreadyEnrolled(path) }
        let key = try SigningKey.generate()
        try PrivateFile.create(path, key.sealed(under: wrappingKey).bytes)
        return key
    }

    /// Opens the secret into guarded memory.
    public func load(under wrappingKey: GuardedBytes) throws -> SigningKey {
        guard try exists else { throw MachineKeyError.notEnrolled(path) }
        let bytes = try PrivateFile.read(path, longest: 4_096)
        do {
            return try SigningKey(opening: SealedSecret(bytes: bytes), under: wrappingKey)
        } catch {
            throw MachineKeyError.doesNotOpen(path, String(describing: error))
        }
    }
}

/// The key that seals the machine's secret: a credential of systemd's, or a file for its owner only.
public enum WrappingKey {
    /// What `LoadCredentialEncrypted=` of the unit calls it (systemd.exec(5)).
    public static let credential = "machine-key"

    /// The 32 bytes in `$CREDENTIALS_DIRECTORY`, or else in `file`.
    public static func load(credentials: String?, file: String) throws -> GuardedBytes {
        let path = credentials.map { "\($0)/\(credential)" } ?? file
        guard try PrivateFile.exists(path) else { throw MachineKeyError.noWrappingKey(path) }
        var bytes = try PrivateFile.read(path, longest: 64)
        defer { PrivateFile.wipe(&bytes) }
        guard bytes.count == SealedSecret.wrappingKeyLength else {
            throw MachineKeyError.badWrappingKey(path, bytes.count)
        }
        return try GuardedBytes(copying: bytes)
    }

    /// Makes the file where there is neither a credential nor a file yet.
    public static func ensure(credentials: String?, file: String) throws -> GuardedBytes {
        if credentials == nil, try !PrivateFile.exists(file) {
            let secret = try GuardedBytes(randomCount: SealedSecret.wrappingKeyLength)
            try secret.withBytes {
                var bytes = Array($0)
                defer { PrivateFile.wipe(&bytes) }
                try PrivateFile.create(file, bytes)
            }
        }
        return try load(credentials: credentials, file: file)
    }
}

/// What can be wrong with the machine's key, with the cure, for who installs the machine.
public enum MachineKeyError: Error, Equatable, CustomStringConvertible {
    case notEnrolled(String)
    case alreadyEnrolled(String)
    case noWrappingKey(String)
    case badWrappingKey(String, Int)
    case doesNotOpen(String, String)
    case notPrivate(String)
    case cannotUse(String, operation: String, reason: String)

    public var description: String {
        switch self {
        case .notEnrolled(let path):
            "This machine has no key (\(path) is missing): run \"clup-kiosk enrol\" first."
        case .alreadyEnrolled(let path):
            "This machine has a key already (\(path)): remove that file if it is to have another one."
        case .noWrappingKey(let path):
            "The wrapping key \(path) is missing: without it the machine's secret cannot be opened. "
                + "Restore it, or remove the sealed key and run \"clup-kiosk enrol\" again."
        case .badWrappingKey(let path, let count):
            "The wrapping key \(path) has \(count) bytes instead of 32: it was cut or replaced. "
                + "Restore it, or remove both keys and run \"clup-kiosk enrol\" again."
        case .doesNotOpen(let path, let reason):
            "The machine's key \(path) cannot be used: \(reason). "
                + "Restore it with its wrapping key, or remove both and run \"clup-kiosk enrol\" again."
        case .notPrivate(let path):
            "\(path) can be read by others: take it back with \"chmod 600 \(path)\", "
                + "and enrol anew if somebody may have read it."
        case .cannotUse(let path, let operation, let reason):
            "\(path) cannot be \(operation): \(reason). Run this as the machine's own user."
        }
    }
}
