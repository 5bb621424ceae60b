internal import Cryptography
internal import RowColumns
internal import TextForms

/// One table of the schema, as the catalogue of an engine describes it.
public struct TableShape: Sendable {
    /// The type of a column's values; the types of `DatabaseValue`.
    public enum Kind: Hashable, Sendable { case integer, text, blob }

    public typealias Column = (name: String, kind: Kind)

    public let name: String
    public let columns: [Column]
    /// The columns of the primary key in its order; empty if there is no such key, in tables of few rows.
    public let key: [String]

    public init(name: String, columns: [Column], key: [String]) {
        self.name = name
        self.columns = columns
        self.key = key
    }

    /// The present row's values in the order of the columns.
    func values(_ row: any Columns) -> [DatabaseValue] {
        columns.enumerated().map { place, column in
            if row.isNull(place) { return .null }
            switch column.kind {
            case .integer: return .integer(row.integer(place))
            case .text: return .text(row.text(place))
            case .blob: return .blob(row.blob(place))
            }
        }
    }
}

/// The number of rows of a table, and the sum of their digests, which does not depend on their order.
public struct TableContent: Hashable, Sendable {
    public private(set) var rows = 0
    private var sums: [UInt64] = [0, 0, 0, 0]

    init() {}

    /// 64 hexadecimal digits.
    public var hash: String {
        sums.map { sum in withUnsafeBytes(of: sum.bigEndian) { Hexadecimal.text($0) } }.joined()
    }

    /// Adds the SHA-256 of a row, each value preceded by its type and its length, to the sum modulo 2^64 in four parts.
    mutating func add(_ values: [DatabaseValue]) {
        var bytes: [UInt8] = []
        for value in values {
            let (type, content): (UInt8, [UInt8])
            switch value {
            case .null: (type, content) = (0, [])
            case .integer(let integer): (type, content) = (1, Array("\(integer)".utf8))
            case .text(let text): (type, content) = (2, Array(text.utf8))
            case .blob(let blob): (type, content) = (3, blob)
            }
            bytes.append(type)
            withUnsafeBytes(of: UInt32(content.count)) { bytes.append(contentsOf: $0) }
            bytes += content
        }
        let digest = SHA256.digest(bytes)
        for part in 0..<4 {
            sums[part] &+= digest[part * 8..<part * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        rows += 1
    }
}
