/// A page as a thermal head prints it: rows of dots, eight in a byte, the left dot in the highest bit, 1 for black.
public struct DotPage: Hashable, Sendable {
    public let bytesPerRow: Int
    /// All rows, from the top.
    public let bytes: [UInt8]

    /// Bytes of a row: a head of 2,048 dots is 26 cm wide at 203 dpi, wider than any receipt printer's.
    public static let maxRowBytes = 256
    /// Rows of a page: 2 m at 203 dpi.
    public static let maxRows = 16_000

    /// Returns nil if the bytes are no whole rows, or more than any receipt has.
    public init?(bytesPerRow: Int, bytes: [UInt8]) {
        guard (1...Self.maxRowBytes).contains(bytesPerRow), bytes.count % bytesPerRow == 0,
            bytes.count / bytesPerRow <= Self.maxRows
        else { return nil }
        self.bytesPerRow = bytesPerRow
        self.bytes = bytes
    }

    public var rows: Int { bytes.count / bytesPerRow }

    /// Rows of a band, 8 mm at 203 dpi; at most two bands are on their way when a fault occurs.
    public static let bandRows = 64

    /// GS v 0 commands, one for each band of rows.
    public var bands: [[UInt8]] {
        stride(from: 0, to: rows, by: Self.bandRows).map { first in
            let count = min(Self.bandRows, rows - first)
            let start = first * bytesPerRow
            let dots = Array(bytes[start..<(start + count * bytesPerRow)])
            return [
                0x1D, 0x76, 0x30, 0, UInt8(bytesPerRow & 0xFF), UInt8(bytesPerRow >> 8),
                UInt8(count), 0,
            ] + Self.harmless(dots)
        }
    }

    /// The same picture without bytes that a printer would carry out as a command.
    ///
    /// Printers look for real-time commands in dots too: DLE EOT would be answered, DLE DC4 may open the drawer. DLE
    /// is a single black dot; it gets a neighbour.
    static func harmless(_ dots: [UInt8]) -> [UInt8] {
        var dots = dots
        for index in dots.indices.dropLast() where dots[index] == 0x10 {
            // These are EOT, ENQ and DC4.
            if [0x04, 0x05, 0x14].contains(dots[index + 1]) { dots[index] = 0x30 }
        }
        return dots
    }
}
