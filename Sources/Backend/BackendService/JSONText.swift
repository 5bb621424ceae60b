internal import FoundationEssentials

/// JSON as both sides of the contract write it.
enum JSONText {
    private static let decoder = JSONDecoder()

    /// The bytes of a value; every type of the contract and of the log can be encoded.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        do {
            let writer = JSONWriter()
            try writer.write(value)
            return writer.bytes
        } catch {
            preconditionFailure("a value of the contract has no JSON: \(error)")
        }
    }

    static func string(_ value: some Encodable) -> String {
        String(decoding: bytes(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? decoded(type, bytes)
    }

    static func decoded<Value: Decodable>(
        _ type: Value.Type, _ bytes: [UInt8]
    ) throws(DecodingError) -> Value {
        do { return try decoder.decode(type, from: Data(bytes)) } catch let error as DecodingError {
            throw error
        } catch {
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
    }
}
