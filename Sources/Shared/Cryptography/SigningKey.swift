internal import CSodium

/// An Ed25519 secret key (RFC 8032) that leaves guarded memory only in sealed form.
public final class SigningKey: Sendable {
    private static let seedLength = Int(crypto_sign_SEEDBYTES)
    /// The eight bytes that libsodium wants of a derived key's context (crypto_kdf_CONTEXTBYTES).
    private static let authenticationContext = "clupauth"

    public let publicKey: PublicKey
    /// The secret in libsodium's form: the seed, then the public key.
    private let secret: GuardedBytes
    /// What `authenticate` uses: derived from the seed (crypto_kdf(3) of libsodium), so that no key has two uses.
    private let authenticationKey: GuardedBytes

    /// Whether the system keeps the key out of the swap.
    public var isLocked: Bool { secret.isLocked }

    /// Makes a new key.
    public static func generate() throws(CryptographyError) -> SigningKey {
        try SigningKey(seed: GuardedBytes(randomCount: seedLength))
    }

    /// Derives the key from a seed of 32 bytes.
    public init(seed: GuardedBytes) throws(CryptographyError) {
        guard seed.count == Self.seedLength else {
            throw .wrongLength(what: "the seed", expected: Self.seedLength, got: seed.count)
        }
        var publicBytes = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
        secret = try GuardedBytes(
            count: Int(crypto_sign_SECRETKEYBYTES),
            fill: { secret in
                seed.withPointer { _ = crypto_sign_seed_keypair(&publicBytes, secret, $0) }
            })
        authenticationKey = try GuardedBytes(
            count: Int(crypto_auth_KEYBYTES),
            fill: { key in
                seed.withPointer {
                    _ = crypto_kdf_derive_from_key(
                        key, Int(crypto_auth_KEYBYTES), 1, Self.authenticationContext, $0)
                }
            })
        guard let publicKey = PublicKey(bytes: publicBytes) else { throw .unavailable }
        self.publicKey = publicKey
    }

    /// Opens a key that `sealed(under:)` sealed.
    public convenience init(opening sealed: SealedSecret, under wrappingKey: GuardedBytes)
        throws(CryptographyError)
    { try self.init(seed: sealed.open(under: wrappingKey)) }

    /// The seed, sealed for the disk.
    public func sealed(under wrappingKey: GuardedBytes) throws(CryptographyError) -> SealedSecret {
        let seed = try GuardedBytes(count: Self.seedLength) { copy in
            secret.withPointer { copy.update(from: $0, count: Self.seedLength) }
        }
        return try SealedSecret(sealing: seed, under: wrappingKey)
    }

    /// The 64 bytes of the signature; the same message always has the same one.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        secret.withPointer { secret in
            _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret)
        }
        return signature
    }

    /// The 32 bytes by which only the holder of this key recognizes a message as its own (HMAC-SHA-512-256,
    /// crypto_auth(3) of libsodium): for what no other program verifies, as it costs a small part of a signature.
    public func authenticate(_ message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
        authenticationKey.withPointer { key in
            _ = crypto_auth(&code, message, UInt64(message.count), key)
        }
        return code
    }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the key by its public half.
    public var description: String { "signing key \(publicKey.keyID)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
