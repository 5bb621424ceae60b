/// The bytes of a WebSocket as they come, and the whole frames in them (RFC 6455 5.2).
///
/// A server masks nothing, and its messages here are shorter than 64 KiB and in one piece.
struct FrameBuffer {
    var bytes: [UInt8] = []

    /// Removes the next whole frame; nil if it has not come yet.
    mutating func next() -> (opcode: UInt8, payload: [UInt8])? {
        guard bytes.count >= 2 else { return nil }
        var head = 2
        var length = Int(bytes[1] & 127)
        if length == 126 {
            guard bytes.count >= 4 else { return nil }
            length = Int(bytes[2]) << 8 | Int(bytes[3])
            head = 4
        }
        guard bytes.count >= head + length else { return nil }
        defer { bytes.removeFirst(head + length) }
        return (bytes[0] & 15, Array(bytes[head..<(head + length)]))
    }
}
