public import ReservationStore
public import RowColumns

/// A PostgreSQL database: read committed under a row lock, every commit flushed to the server's disk.
///
/// It connects when it is first used, and again after the connection was lost.
public final class PostgresDatabase: Database {
    public let dialect = Dialect.postgreSQL

    /// Any number that other programs do not lock: "CLUP".
    private static let administration = Query("SELECT pg_advisory_xact_lock(1129075024)")
    private static let beginText = Query("BEGIN")
    private static let beginReadText = Query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let commitText = Query("COMMIT")
    private static let abortText = Query("ROLLBACK")

    private let address: PostgresAddress
    private var connection: PostgresConnection?
    public private(set) var connections = 0
    /// Whether a transaction was begun; no part of it may be carried out on another connection than this one.
    private var isInTransaction = false
    private var postponed = PostponedWrites()

    public init(_ address: PostgresAddress) { self.address = address }

    /// Connects and migrates the schema to this program's version; of several servers that start at once one does this,
    /// and the others wait.
    public static func open(_ address: PostgresAddress) throws(StoreError)
        -> sending PostgresDatabase
    {
        let database = PostgresDatabase(address)
        try Schema.prepare(database)
        return database
    }

    public func beginWrite() throws(StoreError) { _ = try begin(Self.beginText) }

    public func beginWrite(
        _ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        for answer in try begin(Self.beginText, queries) {
            try answer.hand { place, columns throws(StoreError) in
                // The first place is that of BEGIN.
                try row(place - 1, columns)
            }
        }
    }

    public func beginRead() throws(StoreError) { _ = try begin(Self.beginReadText) }

    public func excludeAdministrators() throws(StoreError) {
        try query(Self.administration, []) { _ in }
    }

    public func commit() throws(StoreError) {
        // Postponed statements come first: if a row is not as expected, nothing may be committed.
        try use { connection throws(StoreError) in
            try postponed.send(on: connection)
            try connection.finish()
        }
        try execute(Self.commitText, [])
        isInTransaction = false
    }

    public func rollback() {
        isInTransaction = false
        postponed = PostponedWrites()
        guard let connection else { return }
        do throws(StoreError) {
            // Statements whose results were not read yet have failed with the transaction.
            do throws(StoreError) { try connection.finish() } catch {}
            guard connection.isAlive, connection.isInTransaction else { return forgetLost() }
            try connection.send(Self.abortText, [])
            try connection.finish()
        } catch { self.connection = nil }
    }

    @discardableResult public func execute(_ query: Query, _ values: [DatabaseValue])
        throws(StoreError) -> Int
    { try answers(to: [(query, values)]).last?.result.changes ?? 0 }

    public func post(
        _ query: Query, _ values: [DatabaseValue], changing rows: Int?
    ) throws(StoreError) {
        if isInTransaction { return postponed.append(query, values, changing: rows) }
        // Outside of a transaction no later call would read the result.
        try use { connection throws(StoreError) in
            try connection.send(query, values, rows: rows)
            try connection.finish()
        }
    }

    public func query(
        _ query: Query, _ values: [DatabaseValue], row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        try queries([(query, values)]) { _, columns throws(StoreError) in try row(columns) }
    }

    public func queries(_ queries: [BoundQuery], row: (Int, any Columns) throws(StoreError) -> Void)
        throws(StoreError)
    { for answer in try answers(to: queries) { try answer.hand(to: row) } }

    public func run(script: String) throws(StoreError) {
        try use { connection throws(StoreError) in
            try postponed.send(on: connection)
            try connection.script(script)
        }
    }

    /// Begins a transaction; a connection that has died since its last use is replaced once, as nothing of this
    /// transaction has been committed.
    private func begin(
        _ begin: Query, _ queries: [BoundQuery] = []
    ) throws(StoreError) -> [Answer] {
        let all = [(begin, [])] + queries
        let isNew = connection == nil
        let results: [Answer]
        do throws(StoreError) { results = try answers(to: all) } catch {
            guard !isNew, error.code == .lost else { throw error }
            rollback()
            results = try answers(to: all)
        }
        isInTransaction = true
        return results
    }

    /// The result of several uses of a query, or of one.
    private struct Answer {
        /// The position of the first use.
        let place: Int
        let uses: Int
        let result: PostgresResult

        /// Passes each row with the position of its use.
        func hand(to row: (Int, any Columns) throws(StoreError) -> Void) throws(StoreError) {
            while result.row < result.count {
                try row(place + (uses > 1 ? result.lastInteger : 0), result)
                result.row += 1
            }
        }
    }

    /// The results of queries in order; those of one query that follow one another are combined.
    private func answers(to queries: [BoundQuery]) throws(StoreError) -> [Answer] {
        try use { connection throws(StoreError) in
            try postponed.send(on: connection)
            var sent: [(place: Int, uses: Int)] = []
            var place = 0
            while place < queries.count {
                let query = queries[place].query
                let same = queries[place...].prefix { $0.query === query }
                let uses = query.combined(of: same.count)
                try connection.send(
                    query, uses: uses, same.prefix(uses).flatMap(\.values), isAnswered: true)
                sent.append((place, uses))
                place += uses
            }
            return zip(sent, try connection.finish()).map {
                Answer(place: $0.place, uses: $0.uses, result: $1)
            }
        }
    }

    /// Runs `body` on the connection, which is made if there is none and dropped if it was lost.
    private func use<Result>(
        _ body: (PostgresConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if connection == nil {
            guard !isInTransaction else {
                throw StoreError(
                    .lost, operation: "go on", "the connection to the database was lost")
            }
            connection = try PostgresConnection(address)
            connections += 1
        }
        guard let connection else { preconditionFailure("just made") }
        do throws(StoreError) { return try body(connection) } catch {
            // A server that became a standby is left for the one that is the primary now.
            if error.code == .lost || error.code == .readOnly || !connection.isAlive {
                self.connection = nil
            }
            throw error
        }
    }

    private func forgetLost() { if let connection, !connection.isAlive { self.connection = nil } }
}
