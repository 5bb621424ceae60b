internal import CPushCryptography

/// The body of a push: one record that only the browser can open (RFC 8291, RFC 8188).
package enum SealedPush {
    /// Seals a content with a new key pair and a new salt, padded to `Push.maxContentBytes`; nil if it is longer.
    package static func seal(_ content: [UInt8], for keys: PushKeys) -> [UInt8]? {
        body(padded: Push.maxContentBytes) {
            clup_push_seal(
                keys.point, keys.auth, content, content.count, Push.maxContentBytes, $0)
        }
    }

    /// Seals with a given secret and salt and without padding, as the example of RFC 8291 5 does.
    static func seal(_ content: [UInt8], for keys: PushKeys, secret: [UInt8], salt: [UInt8])
        -> [UInt8]?
    {
        guard secret.count == clup_push_secret_bytes,
            salt.count == clup_push_salt_bytes
        else { return nil }
        return body(padded: content.count) {
            clup_push_seal_with(
                secret, salt, keys.point, keys.auth, content, content.count, content.count, $0)
        }
    }

    private static func body(padded: Int, _ seal: (UnsafeMutablePointer<UInt8>) -> Int32)
        -> [UInt8]?
    {
        let count = clup_push_head_bytes + padded + clup_push_overhead_bytes
        var isSealed = false
        let body = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            guard let start = buffer.baseAddress else { return }
            isSealed = seal(start) == 0
            initialised = isSealed ? count : 0
        }
        return isSealed ? body : nil
    }
}
