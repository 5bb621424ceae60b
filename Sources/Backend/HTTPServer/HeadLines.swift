private import Glibc
internal import CMicroHTTPD

/// The fields of a request in the memory of MHD: in one piece, with a zero in the place of each byte of a line's
/// end.
///
/// MHD ends a line also at a bare LF, at which another parser reads on (RFC 9112 2.2); the distance between the
/// lines shows which line end it was.
struct HeadLines {
    /// Parts of `bytes`, which has the texts of all lines one after the other.
    private(set) var lines: [(name: Range<Int>, value: Range<Int>)] = []
    private(set) var bytes: [UInt8] = []
    /// The address of the end of the last line that was read.
    private var end: UInt
    /// Whether each line so far ended with CRLF.
    private(set) var areWhole = true

    /// `method` is the beginning of the request line, and `version` its last word.
    init(
        of connection: OpaquePointer, from method: UnsafePointer<CChar>,
        to version: UnsafePointer<CChar>
    ) {
        end = UInt(bitPattern: version) + UInt(strlen(version))
        let size = clup_mhd_head_size(connection)
        bytes.reserveCapacity(size)
        withUnsafeMutablePointer(to: &self) {
            let collect: MHD_KeyValueIteratorN = { head, _, name, nameLength, value, valueLength in
                head?.assumingMemoryBound(to: HeadLines.self).pointee.add(
                    UnsafeRawBufferPointer(start: name, count: nameLength),
                    UnsafeRawBufferPointer(start: value, count: valueLength))
                return .YES
            }
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, collect, $0)
        }
        // The last field's line and the empty one end with CRLF each.
        let wanted = UInt(bitPattern: method) + UInt(size)
        areWhole = areWhole && wanted == end + 4
    }

    /// Bytes from a place before the first field to the end of the last one.
    func length(from start: UInt) -> Int { Int(end) - Int(start) }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes += name
        let middle = bytes.count
        bytes += value
        lines.append((start..<middle, middle..<bytes.count))
        areWhole = areWhole && UInt(bitPattern: name.baseAddress) == end + 2
        end = UInt(bitPattern: value.baseAddress) + UInt(value.count)
    }
}
