/// A page as a thermal head prints it: rows of dots, eight in a byte, the left one highest, 1 black.
public struct DotPage: Hashable, Sendable {
    public let bytesPerRow: Int
    /// All rows, from the top.
    public let bytes: [UInt8]

    /// A head of 2,048 dots is 26 cm wide at 203 dpi: no receipt printer's is.
    public static let widest = 256
    /// 2 m at 203 dpi.
    public static let longest = 16_000

    /// Nil where the bytes are no whole rows, or are more than any receipt has.
    public init?(bytesPerRow: Int, bytes: [UInt8]) {
        guard (1...Self.widest).contains(bytesPerRow), bytes.count % bytesPerRow == 0,
            bytes.count / bytesPerRow <= Self.longest
        else { return nil }
        self.bytesPerRow = bytesPerRow
        self.bytes = bytes
    }

    public var rows: Int { bytes.count / bytesPerRow }

    /// 8 mm at 203 dpi: what is on its way when something goes wrong is not more than two of these.
    public static let bandRows = 64

    /// GS v 0 for each band of rows.
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

    /// The same picture without bytes that a printer would obey in the middle of it.
    ///
    /// Commands in real time are looked for in dots too: DLE EOT would answer, DLE DC4 may open the
    /// drawer. DLE is one black dot alone; it gets a neighbour.
    static func harmless(_ dots: [UInt8]) -> [UInt8] {
        var dots = dots
        for index in dots.indices.dropLast() where dots[index] == 0x10 {
            // EOT, ENQ, DC4
            if [0x04, 0x05, 0x14].contains(dots[index + 1]) { dots[index] = 0x30 }
        }
        return dots
    }
}
