/// The percent-encoding of URIs (RFC 3986 2.1).
public enum PercentEncoding {
    /// The bytes that an encoded text stands for; nil if an escape in it is not complete.
    public static func bytes(_ encoded: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(encoded)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let escaped = Hexadecimal.bytes(digits)?.first else { return nil }
            bytes.append(escaped)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
