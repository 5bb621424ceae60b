internal import CSQLite
public import RowColumns

/// One connection to an SQLite file, durable at every commit.
///
/// It is not Sendable: one connection belongs to one thread or queue at a time. SQLite is opened without its own
/// mutex (SQLITE_OPEN_NOMUTEX), so that only the compiler's isolation protects the connection.
public final class Connection {
    /// Whether a missing file is created or refused.
    public enum Opening: Hashable, Sendable { case existing, createIfMissing }

    /// How long a statement waits for another process's lock; longer than any normal transaction.
    public static let busyTimeoutMs = 5_000

    /// The most statements kept prepared; above it the cache is emptied, so that generated texts cannot fill the
    /// memory.
    static let maxCachedStatements = 256

    /// SQLite's statistics of its memory, which cost a lock for each piece of it, are switched off once for the process.
    private static let libraryIsReady: Bool = clup_sqlite3_measure_no_memory() == SQLITE_OK

    let handle: OpaquePointer
    private var prepared: [String: Statement] = [:]

    /// Opens the file in WAL mode, `synchronous=FULL`, foreign keys enforced.
    ///
    /// A commit is on the disk when it returns (https://www.sqlite.org/pragma.html#pragma_synchronous). Only the
    /// owner may read the file, from the first moment.
    /// - Parameter applicationID: the mark of the product's files (PRAGMA application_id). A file that has contents but
    ///   not the mark is refused before it is changed; nil accepts any file.
    public init(
        path: String, opening: Opening = .createIfMissing, applicationID: Int64? = nil
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if opening == .createIfMissing {
            flags |= SQLITE_OPEN_CREATE
            OwnersFile.make(path)
        }
        OwnersFile.mend(path)
        precondition(Self.libraryIsReady, "SQLite is not used before its first connection")
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = Self.error(opened, code: code, operation: "open \(path)")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        precondition(clup_sqlite3_plan_once(handle) == SQLITE_OK, "SQLite 3.20 and later can")
        sqlite3_busy_timeout(handle, Int32(Self.busyTimeoutMs))
        guard sqlite3_db_readonly(handle, "main") != 1 else {
            throw SQLiteError(
                operation: "open \(path)", message: "the file can be read but not written",
                extendedCode: Int(SQLITE_READONLY))
        }
        if let applicationID { try recognise(applicationID, path: path) }
        // temp_store: savepoint journals stay in memory, as each command of a batch has one. journal_size_limit: a log that
        // grew during a long read, as a backup makes it, is cut to 32 MiB when it starts again.
        try execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 33554432;
            """)
    }

    /// Prepares the connection for hundreds of commits a second: 8 MiB of pages stay in memory, and the log is
    /// copied into the file when it has 16 MiB, so that a page that changes often is copied once for many changes.
    public func expectLoad() throws(SQLiteError) {
        try execute("PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 4096;")
    }

    private func recognise(_ applicationID: Int64, path: String) throws(SQLiteError) {
        func number(_ pragma: String) throws(SQLiteError) -> Int64 {
            let statement = try statement(pragma)
            defer { statement.reset() }
            return try statement.step() ? statement.integer(0) : 0
        }
        // schema_version counts changes of the schema: at 0 the file has no contents yet.
        if try number("PRAGMA schema_version") == 0 {
            try execute("PRAGMA application_id = \(applicationID)")
        }
        guard try number("PRAGMA application_id") == applicationID else {
            throw SQLiteError(
                operation: "open \(path)", message: "it is a database of another program",
                extendedCode: Int(SQLITE_NOTADB))
        }
    }

    deinit {
        prepared = [:]
        // With v2, a statement that is still in use keeps the connection open until it is finalised.
        sqlite3_close_v2(handle)
    }

    /// Runs one or more statements that take no parameters; rows are dropped.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.error(handle, code: code, operation: script) }
    }

    /// The prepared statement of this text, from the cache if it was prepared before.
    public func statement(_ text: String) throws(SQLiteError) -> Statement {
        if let known = prepared[text] { return known }
        let statement = try Statement(text, on: self)
        if prepared.count >= Self.maxCachedStatements { prepared = [:] }
        prepared[text] = statement
        return statement
    }

    /// Binds by name, runs to the end and answers how many rows changed.
    @discardableResult public func run(_ text: String, _ values: [String: DatabaseValue] = [:])
        throws(SQLiteError) -> Int
    {
        let statement = try statement(text)
        defer { statement.reset() }
        for (name, value) in values { try statement.bind(value, to: name) }
        while try statement.step() {}
        return changes
    }

    /// Binds by name and reads every row through `read`.
    public func rows<Row>(
        _ text: String, _ values: [String: DatabaseValue] = [:], read: (Statement) throws -> Row
    ) throws -> [Row] {
        let statement = try statement(text)
        defer { statement.reset() }
        for (name, value) in values { try statement.bind(value, to: name) }
        var rows: [Row] = []
        while try statement.step() { rows.append(try read(statement)) }
        return rows
    }

    /// Writes all committed data into another file, which must be empty or missing; other connections can write
    /// meanwhile.
    ///
    /// The new file is not flushed to the disk (https://www.sqlite.org/lang_vacuum.html#vacuuminto).
    public func copy(into path: String) throws(SQLiteError) {
        try run("VACUUM INTO $path", ["$path": .text(path)])
    }

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs `body` in a write transaction: afterwards all of it is on the disk, or nothing.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Ends the transaction, if there is one, and undoes it.
    public func rollback() {
        // A failure of the disk has rolled back already, so that ROLLBACK itself would find no transaction.
        if sqlite3_get_autocommit(handle) == 0 {
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
        }
    }

    static func error(_ handle: OpaquePointer?, code: Int32, operation: String) -> SQLiteError {
        let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        return SQLiteError(
            operation: operation, message: message.map { String(cString: $0) } ?? "unknown error",
            extendedCode: Int(code))
    }
}
