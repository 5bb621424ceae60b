/// A fault of a compiled catalogue, as a sentence.
struct MessageFileFault: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Reads a compiled message file as untrusted data (gettext manual, 10.3 "MO Files").
enum MessageFile {
    /// A string of the source language and its translation; NUL separates forms, EOT ends a context.
    struct Entry: Hashable {
        let original: String
        let translation: String
    }

    /// Ten times the number of the kiosk's messages.
    private static let maxEntries = 5_000

    static func read(_ bytes: [UInt8]) throws(MessageFileFault) -> [Entry] {
        let isLittle: Bool
        switch bytes.prefix(4) {
        case [0xDE, 0x12, 0x04, 0x95]: isLittle = true
        case [0x95, 0x04, 0x12, 0xDE]: isLittle = false
        default: throw MessageFileFault("It is no compiled message file (wrong first bytes).")
        }
        let file = Words(bytes: bytes, isLittle: isLittle)
        // The major revisions 0 and 1 have the same tables; a minor revision may only add others.
        guard try file.word(at: 4) >> 16 <= 1 else {
            throw MessageFileFault("Its format is of a later version than this program knows.")
        }
        let count = try file.word(at: 8)
        guard count <= maxEntries else {
            throw MessageFileFault("It has more than \(maxEntries) messages.")
        }
        let originals = try file.word(at: 12)
        let translations = try file.word(at: 16)
        var entries: [Entry] = []
        for index in 0..<count {
            entries.append(
                Entry(
                    original: try file.string(described: originals + 8 * index),
                    translation: try file.string(described: translations + 8 * index)))
        }
        return entries
    }

    private struct Words {
        let bytes: [UInt8]
        let isLittle: Bool

        /// An unsigned number of 32 bits; throws if the offset is beyond the end.
        func word(at offset: Int) throws(MessageFileFault) -> Int {
            guard offset >= 0, offset <= bytes.count - 4 else { throw damaged }
            let four = bytes[offset..<offset + 4]
            let ordered = isLittle ? Array(four.reversed()) : Array(four)
            return ordered.reduce(0) { $0 << 8 | Int($1) }
        }

        /// The string whose length and place are at an offset.
        func string(described offset: Int) throws(MessageFileFault) -> String {
            let length = try word(at: offset)
            let start = try word(at: offset + 4)
            guard start <= bytes.count, length <= bytes.count - start,
                let text = String(validating: bytes[start..<start + length], as: UTF8.self)
            else { throw damaged }
            return text
        }

        private var damaged: MessageFileFault {
            MessageFileFault("It is damaged; run Kiosk/compile-catalogues to make it again.")
        }
    }
}
