internal import Glibc
public import ReservationStore
public import RowColumns
internal import SQLite

/// A database in one SQLite file: WAL, every commit flushed to the disk, one writer.
public final class SQLiteDatabase: Database {
    /// What a database is opened for.
    public enum Purpose: Hashable, Sendable {
        /// The one server of this file: a second one is refused. The file must exist, so that no empty database is
        /// begun if the path is wrong.
        case serve
        /// Commands of an administrator, also beside a running server; the file is created if it is missing.
        case administer
    }

    /// "CLUP": distinguishes our files from others (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int64 = 0x434C_5550
    /// Files up to this size are checked completely when a server starts, which takes a second: 64 MiB.
    static let maxCheckedBytes: Int64 = 64 << 20

    public let dialect = Dialect.sqlite

    let connection: Connection
    private let lock: ServerLock?
    /// The statements of queries, which are kept too: the identity of one that is gone could be used again.
    private var prepared: [ObjectIdentifier: (query: Query, statement: Statement)] = [:]

    /// Opens the file and migrates its schema to this program's version.
    ///
    /// Refuses in one sentence a file that is missing, not a database, not ours, damaged, read-only, newer than this
    /// program or served by another process.
    public static func open(path: String, for purpose: Purpose) throws(StoreError)
        -> sending SQLiteDatabase
    {
        let database = try SQLiteDatabase(path: path, purpose: purpose)
        try Schema.prepare(database)
        return database
    }

    private init(path: String, purpose: Purpose) throws(StoreError) {
        let size = Self.size(of: path)
        // A file of ours is never empty: its identifier is written before anything else.
        guard size ?? 0 > 0 || purpose == .administer else {
            throw StoreError(
                .missing, operation: "open \(path)",
                size == nil
                    ? "there is no database at \(path); `clup-backend shop add` makes one"
                    : "\(path) is empty; restore it from a backup, or remove it to begin again")
        }
        lock = purpose == .serve ? try ServerLock(database: path) : nil
        connection = try Self.translated(opening: path) {
            let connection = try Connection(
                path: path, opening: size == nil ? .createIfMissing : .existing,
                applicationID: Self.applicationID)
            if purpose == .serve {
                try connection.expectLoad()
                try Self.check(connection, path: path)
            }
            return connection
        }
    }

    public func beginWrite() throws(StoreError) { try execute(beginWriteText, []) }

    public func beginRead() throws(StoreError) { try execute(beginReadText, []) }

    /// Does nothing: a SQLite transaction that writes excludes all others.
    public func excludeAdministrators() {}

    public func commit() throws(StoreError) { try execute(commitText, []) }

    public func rollback() { connection.rollback() }

    @discardableResult
    public func execute(_ query: Query, _ values: [DatabaseValue]) throws(StoreError) -> Int {
        try self.query(query, values) { _ in }
        return connection.changes
    }

    public func query(
        _ query: Query, _ values: [DatabaseValue], row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        precondition(values.count == query.parameters.count, "a value for each parameter")
        try Self.translated {
            let statement = try statement(query)
            defer { statement.reset() }
            for (place, value) in values.enumerated() { try statement.bind(value, at: place + 1) }
            while try statement.step() { try row(statement) }
        }
    }

    public func run(script: String) throws(StoreError) {
        try Self.translated { try connection.execute(script) }
    }

    /// SQLite numbers named parameters from 1 in the order in which the text names them first, as `Query` does.
    private func statement(_ query: Query) throws(SQLiteError) -> Statement {
        if let known = prepared[ObjectIdentifier(query)] { return known.statement }
        let statement = try connection.statement(query.text)
        precondition(
            query.parameters.count == statement.parameterCount, "every parameter has a place")
        prepared[ObjectIdentifier(query)] = (query, statement)
        return statement
    }
}

private let beginWriteText = Query("BEGIN IMMEDIATE")
private let beginReadText = Query("BEGIN")
private let commitText = Query("COMMIT")
