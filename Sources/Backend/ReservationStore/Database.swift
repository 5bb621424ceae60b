internal import Reservations
public import RowColumns

/// One SQL text with named parameters, prepared once by each connection.
///
/// A class, so that a connection finds its prepared statement by identity and not by the text.
public final class Query: Sendable {
    /// The text; a parameter is written `$name`.
    public let text: String
    /// The parameters without `$`, in the order in which the text names them first; values are given in this order.
    public let parameters: [String]
    /// Whether an engine may make one statement of several uses of it: of SELECTs by a key, or of INSERTs and UPDATEs of
    /// one row each, of other rows each time, which no other write of the transaction must precede.
    public let isCombinable: Bool

    public init(_ text: String, isCombinable: Bool = false) {
        self.text = text
        self.isCombinable = isCombinable
        var known: Set<Substring> = []
        parameters = text.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
            .map { $0.prefix { $0.isLetter || $0.isNumber } }
            .filter { known.insert($0).inserted }.map { String($0) }
    }

    /// The first words, which name the statement in an error.
    public var operation: String {
        text.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
    }

    /// A query that inserts a row; its values are those of the columns, whose names are separated by commas.
    ///
    /// - Parameter key: The columns by which a row that exists is found, whose other columns then get the values.
    static func insert(
        into table: String, _ columns: String, replacing key: String? = nil,
        isCombinable: Bool = false
    ) -> Query {
        let names = columns.split(separator: ", ")
        let values = names.map { "$\($0.filter { $0 != "_" })" }.joined(separator: ", ")
        var text = "INSERT INTO \(table) (\(columns)) VALUES (\(values))"
        if let key {
            let keys = key.split(separator: ", ")
            let others = names.filter { !keys.contains($0) }.map { "\($0) = excluded.\($0)" }
            text += " ON CONFLICT (\(key)) DO UPDATE SET " + others.joined(separator: ", ")
        }
        return Query(text, isCombinable: isCombinable)
    }

    /// This query with its values, to be run together with others.
    func with(_ values: any Storable...) -> BoundQuery { (self, values.map(\.stored)) }
}

/// A query with the values of its parameters.
public typealias BoundQuery = (query: Query, values: [DatabaseValue])

/// The differences in the SQL of the two engines; all other SQL is the same.
public struct Dialect: Sendable {
    /// The type of bytes: BLOB, BYTEA.
    var blob: String
    /// The clause after a table whose rows are stored in the order of their key, if the engine can do so.
    var clustered: String
    /// The statement that creates the collation `binary`, which compares bytes; empty if the engine has it.
    var byteCollation: String
    /// Whether several servers write at once: then a transaction locks a row to be the only one that changes it, and
    /// each change records for the other servers what it was about.
    var locksRows: Bool
    /// Whether a condition that contains a list of values makes a temporary table of it for each row that is written.
    var makesTablesOfLists: Bool
    /// The query after which the transaction waits only briefly for a lock; nil if there is none.
    var hurry: Query?

    public static let sqlite = Dialect(
        blob: "BLOB", clustered: " WITHOUT ROWID", byteCollation: "", locksRows: false,
        makesTablesOfLists: true)
    public static let postgreSQL = Dialect(
        blob: "BYTEA", clustered: "",
        byteCollation: "CREATE COLLATION IF NOT EXISTS \"binary\" FROM \"C\";", locksRows: true,
        makesTablesOfLists: false,
        hurry: Query("SELECT set_config('lock_timeout', '50ms', true)"))
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
    func beginWrite(_ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void)
        throws(StoreError)
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
    /// The engine may postpone it until the next query, the next savepoint, its release or the commit, which then
    /// throws its failure.
    func post(_ query: Query, _ values: [DatabaseValue], changing rows: Int?) throws(StoreError)
    /// Runs queries in order, in one round trip if the engine can; passes every row to `row` with the position of its
    /// query.
    func queries(_ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void)
        throws(StoreError)
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
        _ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void
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
        _ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        for (place, one) in queries.enumerated() {
            try query(one.query, one.values) { columns throws(StoreError) in try row(place, columns)
            }
        }
    }

    public func savepoint() throws(StoreError) { try execute(savepointText, []) }

    public func releaseSavepoint() throws(StoreError) { try execute(releaseText, []) }

    public func rollbackSavepoint() throws(StoreError) {
        try execute(rollbackText, [])
        try execute(releaseText, [])
    }

    /// Runs `body` in a write transaction: all of it is durable afterwards, or nothing.
    ///
    /// - Parameter queries: The first statements, which are known before the transaction begins.
    func transaction<Result>(
        asking queries: [BoundQuery] = [],
        row: (Int, any Columns) throws(StoreError) -> Void = { _, _ in },
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            try beginWrite(queries, row: row)
            return try finish(body)
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs `body` in a transaction that only reads: everything it sees is of one moment.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try beginRead()
        do {
            return try finish(body)
        } catch {
            rollback()
            throw error
        }
    }

    private func finish<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let result = try body()
        try commit()
        return result
    }

    @discardableResult func execute(_ query: Query, _ values: any Storable...) throws(StoreError)
        -> Int
    { try execute(query, values.map(\.stored)) }

    func post(_ query: Query, _ values: any Storable..., changing rows: Int?) throws(StoreError) {
        try post(query, values.map(\.stored), changing: rows)
    }

    /// Runs a query and passes every row to `row`.
    func query(
        _ query: Query, _ values: any Storable..., row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError) { try self.query(query, values.map(\.stored), row: row) }

    func rows<Row>(
        _ query: Query, _ values: any Storable..., read: (any Columns) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] { try rows(query, values.map(\.stored), read: read) }

    func rows<Row>(
        _ query: Query, _ values: [DatabaseValue], read: (any Columns) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        try self.query(query, values) { columns throws(StoreError) in rows.append(try read(columns))
        }
        return rows
    }

    /// The values that `read` makes of every row of a query that selects `Column.list`.
    func named<Column, Value>(
        _ query: Query, _ values: any Storable..., read: (Row<Column>) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try rows(query, values.map(\.stored)) { columns throws(StoreError) in try read(Row(columns))
        }
    }
}

private let savepointText = Query("SAVEPOINT command")
private let releaseText = Query("RELEASE command")
private let rollbackText = Query("ROLLBACK TO command")

extension Row {
    func moment(_ column: Column) -> Moment { Moment(milliseconds: integer(column)) }

    func optionalMoment(_ column: Column) -> Moment? {
        optionalInteger(column).map { Moment(milliseconds: $0) }
    }
}
