internal import CPostgres
internal import Glibc
internal import ReservationStore
internal import RowColumns

/// One connection in pipeline mode: statements are sent without waiting, and their results are read together.
///
/// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
final class PostgresConnection {
    /// A statement that was sent and whose result has not been read yet.
    private struct Sent {
        let query: Query
        /// How many uses of the query the statement combines.
        let count: Int
        /// The number of rows it must change; nil for any number.
        var rows: Int?
        var isAnswered = false
        /// Whether this prepares the query on the server, and is not the statement itself.
        var isPreparation = false
    }

    /// A query, and how many uses of it the prepared statement combines.
    private struct Prepared: Hashable {
        let query: ObjectIdentifier
        let count: Int

        init(_ query: Query, _ count: Int) {
            self.query = ObjectIdentifier(query)
            self.count = count
        }
    }

    /// Settings sent at the start: a transaction whose program hangs releases its locks after three seconds, so that the
    /// other servers show a call for help in five (rules: help), no statement waits for ever, and nothing is acknowledged
    /// that a crash would lose.
    ///
    /// A plan is made once and kept while its table grows: if an index can be used, no plan may read the whole of a
    /// table because it was small when the plan was made. A plan without an index then counts as so expensive that it
    /// would be compiled for that reason alone, so compilation is off.
    /// https://www.postgresql.org/docs/15/runtime-config-query.html
    private static let session = """
        SET statement_timeout = '10s'; SET lock_timeout = '5s';
        SET idle_in_transaction_session_timeout = '3s';
        SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_generic_plan;
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') = 'off';
        """

    private let handle: OpaquePointer
    private var sent: [Sent] = []
    private var prepared: [Prepared: (query: Query, name: String)] = [:]
    /// The number of names given so far; none is used twice.
    private var names = 0

    init(_ address: PostgresAddress) throws(StoreError) {
        let parameters = address.parameters
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        let opened = PQconnectdbParams(
            (keywords + [nil]).map { UnsafePointer($0) },
            (values + [nil]).map { UnsafePointer($0) }, 1)
        guard let opened else {
            throw StoreError(.lost, operation: "connect", "there is no memory for a connection")
        }
        handle = opened
        guard isAlive else { throw Self.refusal(Self.words(of: handle)) }
        clup_pq_silence(handle)
        try script(Self.session)
    }

    deinit { PQfinish(handle) }

    var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, failed or not.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    var descriptor: Int32 { PQsocket(handle) }

    /// Sends a statement; `finish` throws its failure.
    func send(
        _ query: Query, _ values: [DatabaseValue], rows: Int? = nil, isAnswered: Bool = false
    ) throws(StoreError) {
        try send(query, uses: 1, values, rows: rows, isAnswered: isAnswered)
    }

    /// Sends the statements for all uses of a query.
    ///
    /// - Parameter isChange: Whether each use must change one row; otherwise any number.
    func send(
        _ query: Query, uses: [[DatabaseValue]], isChange: Bool
    ) throws(StoreError) {
        var waiting = uses[...]
        while !waiting.isEmpty {
            let count = query.combined(of: waiting.count)
            let values = waiting.prefix(count).flatMap { $0 }
            try send(query, uses: count, values, rows: isChange ? count : nil)
            waiting = waiting.dropFirst(count)
        }
    }

    /// Sends one statement for so many uses of a query.
    ///
    /// - Parameter values: Those of the first use, then those of the second, and so on.
    func send(
        _ query: Query, uses count: Int, _ values: [DatabaseValue], rows: Int? = nil,
        isAnswered: Bool = false
    ) throws(StoreError) {
        precondition(values.count == count * query.parameters.count, "a value for each parameter")
        let name = try prepare(query, uses: count, for: values)
        let sentWell = StatementArguments(values).withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 0)
        }
        guard sentWell == 1 else { throw lost(query.operation) }
        sent.append(Sent(query: query, count: count, rows: rows, isAnswered: isAnswered))
    }

    /// Waits for the statements that were sent; returns the results that were asked for, in order.
    ///
    /// After a failure the following statements were not run.
    @discardableResult func finish() throws(StoreError) -> [PostgresResult] {
        guard !sent.isEmpty else { return [] }
        let expected = sent
        sent = []
        guard PQpipelineSync(handle) == 1 else { throw lost("wait") }
        var results: [PostgresResult] = []
        var failure: StoreError?
        for one in expected {
            var last: PostgresResult?
            while let next = PQgetResult(handle) {
                last = PostgresResult(next)
                if !isAlive { break }
            }
            if failure == nil {
                do throws(StoreError) {
                    guard let last else { throw lost(one.query.operation) }
                    try last.check(one.query.operation)
                    if let rows = one.rows, last.changes != rows {
                        throw StoreError.notAsKnown(one.query)
                    }
                    if one.isAnswered { results.append(last) }
                } catch { failure = error }
            }
            // After a failure, the queries that were to be prepared later were not.
            if failure != nil, one.isPreparation { prepared[Prepared(one.query, one.count)] = nil }
        }
        // Reads the result of the sync itself.
        if isAlive, let end = PQgetResult(handle) { PQclear(end) }
        if let failure { throw isAlive ? failure : failure.asLost }
        guard isAlive else { throw lost("wait") }
        return results
    }

    /// Runs statements without parameters, all of which have ended when it returns.
    func script(_ text: String) throws(StoreError) {
        try finish()
        if PQpipelineStatus(handle) != PQ_PIPELINE_OFF, PQexitPipelineMode(handle) == 0 {
            throw lost("run a script")
        }
        defer { PQenterPipelineMode(handle) }
        let result = PQexec(handle, text).map { PostgresResult($0) }
        guard let result else { throw lost("run a script") }
        let first = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        do throws(StoreError) { try result.check(first) } catch {
            throw isAlive ? error : error.asLost
        }
    }

    /// The messages of LISTEN that have come; nil if the connection is lost.
    func messages() -> [String]? {
        guard PQconsumeInput(handle) == 1 else { return nil }
        var texts: [String] = []
        while let message = PQnotifies(handle) {
            texts.append(String(cString: message.pointee.extra))
            PQfreemem(message)
        }
        return texts
    }

    private func prepare(
        _ query: Query, uses count: Int, for values: [DatabaseValue]
    ) throws(StoreError) -> String {
        if let known = prepared[Prepared(query, count)] { return known.name }
        let name = "q\(names)"
        names += 1
        let types = values.map(\.type)
        let text = query.text(uses: count)
        guard PQsendPrepare(handle, name, text, Int32(types.count), types) == 1 else {
            throw lost("prepare")
        }
        sent.append(Sent(query: query, count: count, isPreparation: true))
        prepared[Prepared(query, count)] = (query, name)
        return name
    }

    private func lost(_ operation: String) -> StoreError {
        StoreError(state: "", operation: operation, Self.words(of: handle))
    }

    private static func words(of handle: OpaquePointer) -> String {
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return lines.isEmpty ? "no answer" : lines
    }

    /// The error of a connection that was not made; a missing database has its own code, for an administrator.
    private static func refusal(_ words: String) -> StoreError {
        let isMissing = words.contains("does not exist") && words.contains("database")
        return StoreError(
            isMissing ? .missing : .lost, operation: "connect",
            "the database cannot be reached (PostgreSQL: \(words))")
    }
}

extension StoreError {
    /// The same error as a lost connection, whatever the server reported last.
    fileprivate var asLost: StoreError { StoreError(.lost, operation: operation, description) }
}
