import QRCode
import Reservations
import TestSupport
import Testing

@Suite("QR symbols") struct QRCodeTests {
    @Test("An entry code becomes a symbol of 25 modules that zbar reads back")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        for seed in UInt8(0)..<8 {
            let code = Sample.code(seed: seed).rawValue
            let matrix = try QRCode.matrix(of: code)
            #expect(matrix.side == 25)
            let file = try folder.write(matrix.portableGraymap(module: 4), to: "\(seed).pgm")
            #expect(try await Picture.qrCodes(inFile: file) == [code])
        }
    }

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

extension QRMatrix {
    /// The symbol with its quiet zone as a graymap (pgm(5)), with this many dots for a module.
    func portableGraymap(module: Int) -> [UInt8] {
        let across = side + 2 * Self.quietZone
        var bytes = Array("P5 \(across * module) \(across * module) 255\n".utf8)
        for y in 0..<(across * module) {
            for x in 0..<(across * module) {
                let dark = isDark(
                    row: y / module - Self.quietZone, column: x / module - Self.quietZone)
                bytes.append(dark ? 0 : 255)
            }
        }
        return bytes
    }
}
