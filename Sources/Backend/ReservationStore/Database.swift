internal import Reservations
public import RowColumns

/// A value of one of the column types that both engines have.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// One SQL text with named parameters, prepared once by each connection.
///
/// A class, so that a connection finds its prepared statement by identity and not by the text.
public final class Query: Sendable {
    /// The text; a parameter is written `$name`.
    public let text: String
    /// The parameters in the order in which values are given, without `$`.
    public let parameters: [String]

    public init(_ text: String, _ parameters: String...) {
        self.text = text
        self.parameters = parameters
    }

    init(_ text: String, names: [String]) {
        self.text = text
        parameters = names
    }
}

/// The differences in the SQL of the two engines; all other SQL is the same.
public struct Dialect: Hashable, Sendable {
    /// The type of bytes: BLOB, BYTEA.
    public var blob: String
    /// The clause after a table whose rows are stored in the order of their key, if the engine can do so.
    public var clustered: String
    /// The statement that creates the collation `binary`, which compares bytes; empty if the engine has it.
    public var byteCollation: String
    /// Whether several servers write at once: then a transaction locks a row to be the only one that changes it, and
    /// each change records for the other servers what it was about.
    public var locksRows: Bool

    public init(blob: String, clustered: String, byteCollation: String, locksRows: Bool) {
        self.blob = blob
        self.clustered = clustered
        self.byteCollation = byteCollation
        self.locksRows = locksRows
    }
}

/// One connection to an engine: transactions, savepoints, statements; used by one thread at a time.
///
/// Every error of it except `.constraint` means that the transaction may be gone. After an error by which the
/// connection was lost, it connects again with the next transaction or statement.
public protocol Database: AnyObject {
    var dialect: Dialect { get }
    /// The number of connections made so far: what an earlier connection read or wrote may be gone, for example if a
    /// standby took over that had not received the last commits.
    var connections: Int { get }

    /// Begins a transaction that may write.
    func beginWrite() throws(StoreError)
    /// Begins a transaction that may write, and runs queries in order, in one round trip with its begin if the engine
    /// can; passes every row to `row` with the position of its query.
    func beginWrite(
        _ queries: [(query: Query, values: [DatabaseValue])],
        row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError)
    /// Begins a transaction that sees the database as it is at its first statement, and writes nothing.
    func beginRead() throws(StoreError)
    /// Keeps other administrators and other migrations waiting until the transaction ends.
    func excludeAdministrators() throws(StoreError)
    /// Returns when the writes are durable; after an error none of them is.
    func commit() throws(StoreError)
    /// Ends the transaction, if there is one, and undoes its writes.
    func rollback()

    func savepoint() throws(StoreError)
    func releaseSavepoint() throws(StoreError)
    /// Undoes the writes since the savepoint and ends it.
    func rollbackSavepoint() throws(StoreError)

    /// Runs a statement; the values are those of the query's parameters. Returns the number of rows changed.
    @discardableResult
    func execute(_ query: Query, _ values: [DatabaseValue]) throws(StoreError) -> Int
    /// Runs a statement that must change so many rows, or any number if `rows` is nil; otherwise a row is not as it was
    /// known (`.constraint`).
    ///
    /// The engine may postpone it until the next query, the release of the savepoint or the commit, which then
    /// throws its failure.
    func post(_ query: Query, _ values: [DatabaseValue], changing rows: Int?) throws(StoreError)
    /// Runs queries in order, in one round trip if the engine can; passes every row to `row` with the position of its
    /// query.
    func queries(
        _ queries: [(query: Query, values: [DatabaseValue])],
        row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError)
    /// Runs a query and passes every row to `row`.
    func query(
        _ query: Query, _ values: [DatabaseValue], row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError)
    /// Runs statements without parameters, as those of a migration.
    func run(script: String) throws(StoreError)
}

extension Database {
    /// An engine that uses a file connects once.
    public var connections: Int { 1 }

    public func beginWrite(
        _ queries: [(query: Query, values: [DatabaseValue])],
        row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        try beginWrite()
        try self.queries(queries, row: row)
    }

    public func post(
        _ query: Query, _ values: [DatabaseValue], changing rows: Int?
    ) throws(StoreError) {
        let changed = try execute(query, values)
        guard rows == nil || changed == rows else { throw .notAsKnown(query) }
    }

    public func queries(
        _ queries: [(query: Query, values: [DatabaseValue])],
        row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        for (place, one) in queries.enumerated() {
            try query(one.query, one.values) { columns throws(StoreError) in
                try row(place, columns)
            }
        }
    }

    /// Runs `body` in a write transaction: all of it is durable afterwards, or nothing.
    func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try transaction(asking: [], row: { _, _ in }, body)
    }

    /// Runs `body` in a write transaction whose first statements are known before its begin.
    func transaction<Result>(
        asking queries: [(query: Query, values: [DatabaseValue])],
        row: (Int, any Columns) throws(StoreError) -> Void,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            try beginWrite(queries, row: row)
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs `body` in a transaction that only reads: everything it sees is of one moment.
    func snapshot<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try beginRead()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// The values that `read` makes of every row of a query.
    func rows<Row>(
        _ query: Query, _ values: [DatabaseValue] = [],
        read: (any Columns) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        try self.query(query, values) { columns throws(StoreError) in
            rows.append(try read(columns))
        }
        return rows
    }

    /// The values that `read` makes of every row of a query that selects `Column.list`.
    func named<Column, Value>(
        _ query: Query, _ values: [DatabaseValue] = [],
        read: (Row<Column>) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try rows(query, values) { columns throws(StoreError) in try read(Row(columns)) }
    }
}

extension Row {
    func moment(_ column: Column) -> Moment { Moment(milliseconds: integer(column)) }

    /// The moment; nil if it is NULL.
    func optionalMoment(_ column: Column) -> Moment? {
        optionalInteger(column).map { Moment(milliseconds: $0) }
    }
}

extension DatabaseValue {
    static func optional(_ text: String?) -> DatabaseValue { text.map { .text($0) } ?? .null }

    static func optional(_ integer: Int64?) -> DatabaseValue {
        integer.map { .integer($0) } ?? .null
    }

    static func count(_ integer: Int) -> DatabaseValue { .integer(Int64(integer)) }
}
