import QRCode
import Reservations
import Testing

@Suite("QR symbols") struct QRCodeTests {
    // Readers like zbar also accept inverted symbols, readers at doors often do not.
    @Test("Dark modules are dark: each corner but one has a dark ring around a light one")
    func polarity() throws {
        let matrix = try QRCode.matrix(of: Sample.code(seed: 1).rawValue)
        let end = matrix.side - 7
        for (top, left) in [(0, 0), (0, end), (end, 0)] {
            for step in 0..<7 {
                #expect(matrix.isDark(row: top, column: left + step))
                #expect(matrix.isDark(row: top + step, column: left))
            }
            for step in 1..<6 {
                #expect(!matrix.isDark(row: top + 1, column: left + step))
            }
            #expect(matrix.isDark(row: top + 3, column: left + 3))
        }
        // The timing pattern and the module that is always dark (ISO/IEC 18004 6.3.5, 7.9.1).
        for column in 8..<(matrix.side - 8) {
            #expect(matrix.isDark(row: 6, column: column) == column.isMultiple(of: 2))
        }
        #expect(matrix.isDark(row: matrix.side - 8, column: 8))
        #expect(!matrix.isDark(row: -1, column: 0))
    }

    @Test("Lower case would need a larger version, so codes are upper case")
    func alphanumeric() throws {
        let code = Sample.code(seed: 1).rawValue
        #expect(try QRCode.matrix(of: code.lowercased()).side > 25)
    }

    @Test("Text too long for a symbol is refused with a sentence")
    func refusals() {
        #expect(throws: QRCodeError.textNotEncodable) { try QRCode.matrix(of: "") }
        #expect(throws: QRCodeError.textNotEncodable) { try QRCode.matrix(of: "A\0B") }
        #expect(throws: QRCodeError.textTooLong(bytes: 100_000)) {
            try QRCode.matrix(of: String(repeating: "A", count: 100_000))
        }
        #expect(throws: QRCodeError.textTooLong(bytes: 3_000)) {
            try QRCode.matrix(of: String(repeating: "€", count: 1_000))
        }
    }
}
