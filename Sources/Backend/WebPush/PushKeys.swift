internal import CPushCryptography
internal import Cryptography

/// A browser's keys for messages to it, which nothing but that browser can open (RFC 8291 2).
public struct PushKeys: Hashable, Sendable {
    /// The browser's public key: an uncompressed point on P-256.
    let point: [UInt8]
    /// The secret that browser and sender share.
    let auth: [UInt8]

    /// Reads the two keys of a subscription, each in base64url without padding. Nil unless `p256dh` is an uncompressed
    /// point on P-256 (65 bytes) and `auth` has 16 bytes.
    public init?(p256dh: String, auth: String) {
        guard let point = Base64.decode(p256dh, .urlSafe),
            point.count == clup_push_point_bytes,
            let secret = Base64.decode(auth, .urlSafe),
            secret.count == clup_push_auth_bytes,
            clup_push_is_point(point) == 1
        else { return nil }
        self.point = point
        self.auth = secret
    }
}

extension PushKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that shows nothing of the keys.
    public var description: String { "keys of a browser" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
