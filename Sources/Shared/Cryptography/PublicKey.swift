internal import CSodium
internal import TextForms

/// An Ed25519 public key (RFC 8032), by which the backend knows a machine.
public struct PublicKey: Hashable, Sendable {
    /// The 32 bytes of the point.
    public let bytes: [UInt8]

    /// Takes the bytes without a check of the point; refuses only another length.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Int(crypto_sign_PUBLICKEYBYTES) else { return nil }
        self.bytes = bytes
    }

    /// Parses 43 characters of base64url; refuses text that is no point of the curve's main subgroup.
    public init?(text: String) {
        guard let bytes = Base64.decode(text, .urlSafe), let key = PublicKey(bytes: bytes),
            crypto_core_ed25519_is_valid_point(bytes) == 1
        else { return nil }
        self = key
    }

    /// base64url without padding, 43 characters.
    public var text: String { Base64.encode(bytes, .urlSafe) }

    /// The key's name on the wire: 32 lower-case hexadecimal digits, half of the SHA-256 of the key.
    public var keyID: String { Hexadecimal.text(identity) }

    /// The key's name for people to compare: the same 16 bytes as `3F:A2:…:9C`.
    public var fingerprint: String {
        identity.map { Hexadecimal.text([$0]).uppercased() }.joined(separator: ":")
    }

    /// Whether the 64 bytes are this key's signature of the message; strict as libsodium is.
    public func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        signature.count == Int(crypto_sign_BYTES)
            && crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }

    private var identity: ArraySlice<UInt8> { SHA256.digest(bytes).prefix(16) }
}
