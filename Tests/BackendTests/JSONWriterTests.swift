@testable import BackendService
import Foundation
import Testing

/// `JSONWriter` writes the same bytes as the encoder of FoundationEssentials.
@Suite("JSON of answers")
struct JSONWriterTests {
    /// Every form of value that a contract could have.
    private struct Everything: Codable, Hashable {
        struct Part: Codable, Hashable {
            var zulu: Int?
            var alpha: String
            var list: [Int]
        }

        var text: String
        var zebra = [Part]()
        var apple: Part?
        var flags: [Bool]
        var numbers: [Double]
        var wide: Int64
        var unsigned: UInt64
        var small: Int8
        var words: [String: String]
        var nested: [[String?]]
        var absent: String?
    }

    private static let reference: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private func expectSame(_ value: some Encodable, _ location: SourceLocation = #_sourceLocation)
        throws
    {
        let bytes = JSONText.bytes(value)
        let expected = try Self.reference.encode(value)
        #expect(
            String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
            sourceLocation: location)
    }

    @Test("Every character of a text is escaped, or not, as by the other encoder")
    func characters() throws {
        for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
            try expectSame(["a\(Character(scalar))b"])
        }
        try expectSame(["", "/", "\u{2028}", "è", "\u{1F642}", "\u{7F}", "a\"b\\c"])
    }

    @Test("Numbers of every size are written as by the other encoder")
    func numbers() throws {
        try expectSame([0, 1, 9, 10, 99, 100, 1_234_567, -1, -10, Int.max, Int.min])
        try expectSame([UInt64.max, 0])
        try expectSame([0, 1, -1, 0.5, 1e100, -2.25, 1e-7, 3])
        // A number that JSON does not have is no value.
        #expect(throws: EncodingError.self) { try JSONWriter().write([Double.nan]) }
    }

    @Test("Objects, arrays and values that are absent are written as by the other encoder")
    func forms() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let part = Everything.Part(
                zulu: Bool.random(using: &random) ? Int.random(in: -5...50_000) : nil,
                alpha: "x", list: Array(0..<Int.random(in: 0...3)))
            try expectSame(
                Everything(
                    text: "t\n", zebra: Array(repeating: part, count: Int.random(in: 0...2)),
                    apple: Bool.random() ? part : nil, flags: [true, false], numbers: [],
                    wide: .min, unsigned: .max, small: -8, words: ["b": "2", "a": "1", "A": "0"],
                    nested: [[], [nil, "x"]], absent: Bool.random() ? "here" : nil))
        }
        try expectSame([String: Int]())
        try expectSame([[Int]]())
    }
}
