internal import CPostgres
internal import Glibc
internal import ReservationStore

/// One connection in pipeline mode: statements are sent without waiting, and answered together.
///
/// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
final class PostgresConnection {
    /// A statement that was sent and whose answer was not looked at.
    private struct Sent {
        let operation: String
        /// The rows it must change; nil for any number.
        let rows: Int?
        let query: Query?
        let isAnswered: Bool
        /// What this makes known to the server by a name; nil for the statement itself.
        var preparing: Query?
    }

    private struct Prepared {
        let query: Query
        let name: String
    }

    /// What the server is told at the start: a transaction whose server hangs gives its locks back, nothing
    /// waits for ever, and nothing is acknowledged that a crash would lose.
    ///
    /// A plan is kept while its table grows: where an index serves, none may read the whole of a table because it
    /// was small. What has no index counts as very dear then, for which alone it would be compiled: not here.
    /// https://www.postgresql.org/docs/15/runtime-config-query.html
    private static let session = """
        SET statement_timeout = '10s'; SET lock_timeout = '5s';
        SET idle_in_transaction_session_timeout = '10s';
        SET enable_seqscan = off; SET jit = off;
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') = 'off';
        """

    private let handle: OpaquePointer
    private var sent: [Sent] = []
    private var prepared: [ObjectIdentifier: Prepared] = [:]
    /// Names given so far; none is used twice.
    private var names = 0

    init(_ address: PostgresAddress) throws(StoreError) {
        let parameters = address.parameters
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        let opened = PQconnectdbParams(
            (keywords + [nil]).map { UnsafePointer($0) },
            (values + [nil]).map { UnsafePointer($0) },
            1)
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

    /// The descriptor to wait at for messages.
    var descriptor: Int32 { PQsocket(handle) }

    /// Sends a statement; its failure is told by `finish`.
    func send(
        _ query: Query, _ values: [DatabaseValue], rows: Int? = nil, isAnswered: Bool = false
    ) throws(StoreError) {
        precondition(values.count == query.parameters.count, "a value for each parameter")
        let name = try prepare(query, for: values)
        let sentWell = Arguments(values).withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(
                handle, name, Int32(values.count), pointers, lengths, formats, 0)
        }
        guard sentWell == 1 else { throw lost(query.operation) }
        sent.append(
            Sent(
                operation: query.operation, rows: rows, query: query, isAnswered: isAnswered))
    }

    /// Waits for what was sent; answers the results that were asked for, in order.
    ///
    /// After a failure the statements behind it were not run.
    @discardableResult
    func finish() throws(StoreError) -> [PostgresResult] {
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
            if failure != nil {
                forget(one.preparing)
                continue
            }
            do throws(StoreError) {
                guard let last else { throw lost(one.operation) }
                try last.check(one.operation)
                if let rows = one.rows, last.changes != rows, let query = one.query {
                    throw StoreError.notAsKnown(query)
                }
                if one.isAnswered { results.append(last) }
            } catch {
                failure = error
                forget(one.preparing)
            }
        }
        // The answer to the sync itself.
        if isAlive, let end = PQgetResult(handle) { PQclear(end) }
        if let failure { throw isAlive ? failure : failure.asLost }
        guard isAlive else { throw lost("wait") }
        return results
    }

    /// Runs statements without parameters, all of which come to their end before it returns.
    func script(_ text: String) throws(StoreError) {
        try finish()
        if PQpipelineStatus(handle) != PQ_PIPELINE_OFF, PQexitPipelineMode(handle) == 0 {
            throw lost("run a script")
        }
        defer { PQenterPipelineMode(handle) }
        let result = PQexec(handle, text).map { PostgresResult($0) }
        guard let result else { throw lost("run a script") }
        let first = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        do throws(StoreError) {
            try result.check(first)
        } catch {
            throw isAlive ? error : error.asLost
        }
    }

    /// Messages of LISTEN that have come; nil where the connection is lost.
    func messages() -> [String]? {
        guard PQconsumeInput(handle) == 1 else { return nil }
        var texts: [String] = []
        while let message = PQnotifies(handle) {
            texts.append(String(cString: message.pointee.extra))
            PQfreemem(message)
        }
        return texts
    }

    private func prepare(_ query: Query, for values: [DatabaseValue]) throws(StoreError) -> String {
        if let known = prepared[ObjectIdentifier(query)] { return known.name }
        let name = "q\(names)"
        names += 1
        let types = values.map(\.type)
        guard PQsendPrepare(handle, name, numbered(query), Int32(types.count), types) == 1 else {
            throw lost("prepare")
        }
        sent.append(
            Sent(
                operation: query.operation, rows: nil, query: nil, isAnswered: false,
                preparing: query))
        prepared[ObjectIdentifier(query)] = Prepared(query: query, name: name)
        return name
    }

    /// What was to be prepared behind a failure was not.
    private func forget(_ query: Query?) {
        if let query { prepared[ObjectIdentifier(query)] = nil }
    }

    private func lost(_ operation: String) -> StoreError {
        StoreError(state: "", operation: operation, Self.words(of: handle))
    }

    private static func words(of handle: OpaquePointer) -> String {
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return lines.isEmpty ? "no answer" : lines
    }

    /// A connection that was not made; which database is missing is told apart, for an administrator.
    private static func refusal(_ words: String) -> StoreError {
        let isMissing = words.contains("does not exist") && words.contains("database")
        return StoreError(
            isMissing ? .missing : .lost, operation: "connect",
            "the database cannot be reached (PostgreSQL: \(words))")
    }
}

extension Query {
    /// The first words, to be named in an error.
    fileprivate var operation: String {
        text.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
    }
}

extension StoreError {
    /// The same where the connection has gone with it, whatever the server said last.
    fileprivate var asLost: StoreError {
        StoreError(.lost, operation: operation, description)
    }
}
