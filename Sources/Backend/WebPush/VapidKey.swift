internal import CPushCryptography
internal import Cryptography
internal import FoundationEssentials

/// The key by which push services recognise this sender (RFC 8292). It stays in guarded memory.
public struct VapidKey: Sendable {
    private let secret: GuardedBytes
    /// The public half, an uncompressed point (65 bytes), in base64url. Browsers are given it when they subscribe.
    public let publicKey: String

    /// Nil if the bytes are no scalar of P-256: 32 bytes, neither 0 nor at least the order of the curve. It is also nil
    /// if there is no guarded memory.
    public init?(secret bytes: [UInt8]) {
        guard bytes.count == clup_push_secret_bytes else { return nil }
        var point = [UInt8](repeating: 0, count: clup_push_point_bytes)
        guard clup_push_public_key(bytes, &point) == 0,
            let secret = try? GuardedBytes(copying: bytes)
        else { return nil }
        self.secret = secret
        publicKey = Base64.encode(point, .urlSafe)
    }

    /// The Authorization field for all pushes to an origin, `vapid t=TOKEN, k=KEY` (RFC 8292 3).
    ///
    /// - Parameters:
    ///   - origin: scheme, host and, unless it is the scheme's own, port of the push service.
    ///   - subject: how its operators reach ours, `https://...` or `mailto:...` (RFC 8292 2.1).
    ///   - expires: seconds since 1970, at most 24 hours ahead (RFC 8292 2).
    public func authorization(for origin: String, subject: String?, expires: Int64) -> String {
        // JSON Web Token with ES256 (RFC 7519 3.1, RFC 7518 3.4).
        let unsigned =
            Self.encode(Head(alg: "ES256", typ: "JWT")) + "."
            + Self.encode(Claims(aud: origin, exp: expires, sub: subject))
        let signature = Base64.encode(sign(Array(unsigned.utf8)), .urlSafe)
        return "vapid t=\(unsigned).\(signature), k=\(publicKey)"
    }

    /// The 64 bytes of a signature, another one each time.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: clup_push_signature_bytes)
        secret.withBytes { bytes in
            _ = clup_push_sign(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, message, message.count,
                &signature)
        }
        return signature
    }

    private struct Head: Encodable {
        let alg: String
        let typ: String
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String?
    }

    private static func encode(_ part: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        // Texts and numbers can always be encoded.
        let bytes = (try? encoder.encode(part)).map { Array($0) } ?? []
        return Base64.encode(bytes, .urlSafe)
    }
}
