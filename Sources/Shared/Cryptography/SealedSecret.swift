internal import CSodium

/// A secret in the form in which it may be stored on a disk: encrypted and authenticated under a wrapping key of 32
/// bytes (XSalsa20-Poly1305, crypto_secretbox_easy(3)), with a new nonce each time.
public struct SealedSecret: Hashable, Sendable {
    /// The length of a wrapping key in bytes.
    public static let wrappingKeyLength = Int(crypto_secretbox_KEYBYTES)

    /// Names the format and its version, so that another one is recognised at once.
    private static let mark = Array("CLUPSEAL2".utf8)
    /// The mark of the first version, which is read and no longer written: it has no digest.
    private static let firstMark = Array("CLUPSEAL1".utf8)
    /// Bytes of a digest of everything before it: it distinguishes a file that was cut or changed from the intact
    /// file of another machine.
    private static let digestLength = 8
    private static let nonceLength = Int(crypto_secretbox_NONCEBYTES)
    private static let overhead = Int(crypto_secretbox_MACBYTES)
    /// Far more than any key has; a longer secret was not written by this program.
    private static let maxSecretBytes = 4_096

    /// The mark, nonce (24 bytes), authentication and encrypted secret, and digest (8 bytes; none in the first version).
    public let bytes: [UInt8]
    private let digestLength: Int

    /// Reads the `bytes` of another sealed secret; only `open` shows whether they are genuine.
    public init(bytes: [UInt8]) throws(CryptographyError) {
        digestLength = bytes.starts(with: Self.firstMark) ? 0 : Self.digestLength
        let least = Self.mark.count + Self.nonceLength + Self.overhead + 1 + digestLength
        guard (least...Self.maxSecretBytes).contains(bytes.count),
            digestLength == 0 || bytes.starts(with: Self.mark)
        else { throw .notSealed }
        guard
            Self.digest(bytes.dropLast(digestLength)).prefix(digestLength)
                == bytes.suffix(digestLength)
        else { throw .changed }
        self.bytes = bytes
    }

    /// Seals a secret.
    public init(
        sealing secret: GuardedBytes, under wrappingKey: GuardedBytes
    ) throws(CryptographyError) {
        try Self.check(wrappingKey)
        let nonce = RandomBytes.make(Self.nonceLength)
        var box = [UInt8](repeating: 0, count: secret.count + Self.overhead)
        secret.withPointer { plain in
            wrappingKey.withPointer { key in
                _ = crypto_secretbox_easy(&box, plain, UInt64(secret.count), nonce, key)
            }
        }
        let sealed = Self.mark + nonce + box
        try self.init(bytes: sealed + Self.digest(sealed[...]))
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        SHA256.digest(Array(bytes)).prefix(digestLength)
    }

    /// Opens the secret into guarded memory.
    public func open(under wrappingKey: GuardedBytes) throws(CryptographyError) -> GuardedBytes {
        try Self.check(wrappingKey)
        let rest = bytes.dropFirst(Self.mark.count).dropLast(digestLength)
        let nonce = Array(rest.prefix(Self.nonceLength))
        let box = Array(rest.dropFirst(Self.nonceLength))
        return try GuardedBytes(
            count: box.count - Self.overhead,
            fill: { plain throws(CryptographyError) in
                let status = wrappingKey.withPointer { key in
                    crypto_secretbox_open_easy(plain, box, UInt64(box.count), nonce, key)
                }
                guard status == 0 else { throw .cannotOpen }
            })
    }

    private static func check(_ wrappingKey: GuardedBytes) throws(CryptographyError) {
        guard wrappingKey.count == wrappingKeyLength else {
            throw .wrongLength(
                what: "the wrapping key", expected: wrappingKeyLength, got: wrappingKey.count)
        }
    }
}
