internal import CSodium

/// The hash of a short secret that a person types: Argon2id (RFC 9106), slow and large on purpose.
public struct PasswordHash: Hashable, Sendable {
    /// Passes over the memory.
    public let passes: Int
    /// Memory in KiB.
    public let memory: Int
    /// 16 random bytes.
    public let salt: [UInt8]

    public static let saltLength = Int(crypto_pwhash_SALTBYTES)
    private static let length = 32
    /// Takes a tenth of a second or more on a small machine; the minimum of OWASP is 2 passes over 19 MiB.
    public static func make() -> PasswordHash {
        PasswordHash(passes: 3, memory: 32 * 1_024, salt: RandomBytes.make(saltLength))
    }

    public init(passes: Int, memory: Int, salt: [UInt8]) {
        self.passes = passes
        self.memory = memory
        self.salt = salt
    }

    /// The 32 bytes to store; takes a tenth of a second and `memory`, and so never runs on the main actor.
    public func digest(_ secret: String) throws(CryptographyError) -> [UInt8] {
        try Cryptography.start()
        guard salt.count == Self.saltLength else {
            throw .wrongLength(what: "the salt", expected: Self.saltLength, got: salt.count)
        }
        var digest = [UInt8](repeating: 0, count: Self.length)
        let text = secret.utf8.map(CChar.init(bitPattern:))
        let status = crypto_pwhash(
            &digest, UInt64(digest.count), text, UInt64(text.count), salt, UInt64(passes),
            memory * 1_024, crypto_pwhash_ALG_ARGON2ID13)
        // It fails only if the memory is not available (crypto_pwhash(3)).
        guard status == 0 else { throw .noProtectedMemory }
        return digest
    }
}
