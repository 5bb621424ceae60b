internal import FoundationEssentials

/// JSON as both sides of the contract write it.
enum JSONText {
    /// Keys are sorted, so that equal values are equal bytes.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()

    /// The bytes of a value; every type of the contract and of the log can be encoded.
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

    static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? decoder.decode(type, from: Data(bytes))
    }
}
