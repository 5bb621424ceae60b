/// Cuts what a reader sends into codes at CR and LF; what is longer than a code may be stays one
/// unreadable code, however long it goes on.
struct LineBuffer {
    /// A code has at most 128 characters; one more shows that there were too many.
    static let longest = 129

    private var bytes: [UInt8] = []

    mutating func take(_ more: some Sequence<UInt8>) -> [String] {
        var codes: [String] = []
        for byte in more {
            switch byte {
            case 0x0A, 0x0D:
                if !bytes.isEmpty { codes.append(String(decoding: bytes, as: UTF8.self)) }
                bytes = []
            default:
                if bytes.count < Self.longest { bytes.append(byte) }
            }
        }
        return codes
    }
}
