import Foundation
import Reservations
import Testing

/// The fuzzers' examples, and bytes near them; `Tests/fuzz` searches far from them, guided by the code that it reaches.
@Suite("Parsers of foreign bytes")
struct ChangedBytesTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

    private func examples(of parser: ForeignParser) throws -> [[UInt8]] {
        let folder = Self.corpus.appending(path: parser.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// One to four changes: a bit, a byte, a piece that is cut out, repeated, or taken from the other bytes.
    private func changed(
        _ bytes: [UInt8], with other: [UInt8], _ random: inout SplitMix
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &random)] }
            let start = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...16, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.replaceSubrange(start..<end, with: other.suffix(end - start))
            }
        }
        return bytes
    }

    @Test(
        "They read the fuzzers' examples, and five hundred variants of each, without a crash and as they promise",
        arguments: ForeignParser.all)
    func variants(parser: ForeignParser) throws {
        try ForeignParser.start()
        let examples = try examples(of: parser)
        try #require(!examples.isEmpty)
        var random = SplitMix(seed: 42)
        for example in examples {
            parser.read(example)
            for _ in 0..<500 {
                let other = examples.randomElement(using: &random) ?? []
                parser.read(changed(example, with: other, &random))
            }
        }
    }
}
