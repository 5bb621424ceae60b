internal import FoundationEssentials

/// JSON as both sides of the contract write it.
enum JSONText {
    /// Keys in order, so that equal values are equal bytes.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()

    /// The bytes of a value; nothing of the contract or the log can fail to be written.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("a value of the contract has no JSON: \(error)")
        }
    }

    static func string(_ value: some Encodable) -> String {
        String(decoding: bytes(value), as: UTF8.self)
    }

    /// The value; nil where the bytes are not JSON of its form.
    static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? decoder.decode(type, from: Data(bytes))
    }
}
