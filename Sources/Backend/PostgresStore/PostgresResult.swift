internal import CPostgres
internal import ReservationStore
internal import RowColumns
internal import TextForms

/// The result of a statement; as `Columns`, its present row.
final class PostgresResult: Columns {
    private let handle: OpaquePointer
    var row: Int32 = 0

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var count: Int32 { PQntuples(handle) }

    /// The number of rows that were changed.
    var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Throws an error if the server refused the statement.
    func check(_ operation: @autoclosure () -> String) throws(StoreError) {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
        default: throw StoreError(handle, operation: operation())
        }
    }

    func isNull(_ column: Int) -> Bool { PQgetisnull(handle, row, Int32(column)) == 1 }

    func integer(_ column: Int) -> Int64 {
        var value: Int64 = 0
        var isNegative = false
        for byte in bytes(column) {
            if byte == 0x2D { isNegative = true } else { value = value &* 10 &+ Int64(byte) &- 48 }
        }
        return isNegative ? -value : value
    }

    /// The last column as an integer.
    var lastInteger: Int { Int(integer(Int(PQnfields(handle)) - 1)) }

    func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a column, sent as `\x` and two hexadecimal digits a byte (bytea_output = hex).
    func blob(_ column: Int) -> [UInt8] { Hexadecimal.bytes(text(column).dropFirst(2)) ?? [] }

    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        let count = Int(PQgetlength(handle, row, Int32(column)))
        let start = PQgetvalue(handle, row, Int32(column))
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start)?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}

extension DatabaseValue {
    /// The type's identifier in pg_type.dat: int8, text, bytea; 0 lets the server infer it.
    var type: Oid {
        switch self {
        case .null: 0
        case .integer: 20
        case .text: 25
        case .blob: 17
        }
    }
}

/// Values in PostgreSQL's binary formats, one after the other.
struct StatementArguments {
    /// Never empty: even an empty text needs an address, as it would otherwise be NULL.
    private var bytes: [UInt8] = [0]
    /// The offsets of the values; nil for NULL.
    private var places: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [DatabaseValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let integer):
                withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .blob(let blob): bytes.append(contentsOf: blob)
            }
            places.append(value == .null ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // Without this byte, the address of an empty value at the end would lie behind the last byte.
        bytes.append(0)
    }

    func withPointers<Result>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            let pointers = places.map { place in place.flatMap { start?.advanced(by: $0) } }
            return body(pointers, lengths, [Int32](repeating: 1, count: places.count))
        }
    }
}
