internal import BackendAPI

/// The `Content-Digest` field (RFC 9530 2): the SHA-256 of the body and no other digest.
public enum ContentDigest {
    private static let algorithm = "sha-256"

    /// The field's value, as `sha-256=:…:`.
    public static func field(for body: [UInt8]) -> String {
        MachineSignature.byteField(label: algorithm, base64: Base64.encode(SHA256.digest(body)))
    }

    /// Whether the field names exactly one digest, by SHA-256, and it is the body's.
    ///
    /// There is one way to write that, so that the field's text decides.
    public static func matches(_ field: String, body: [UInt8]) -> Bool {
        field == Self.field(for: body)
    }
}
