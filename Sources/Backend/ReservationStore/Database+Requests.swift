internal import Reservations
internal import RowColumns

/// How long an answer is kept: at least a day and the shop's day (rules 20).
private let answerRetention = Duration.seconds(2 * 86_400)
/// The number of old rows of each kind deleted with each batch, and all of the next one's moment: more than a full
/// batch adds, so that they never accumulate.
private let pruneBatchRows = 512
/// How long a second scan of a ticket at the same door counts as the first (rules 16).
private let passageRepeatWindow = Duration.seconds(5)
/// `expires_ms` numbers the rows of a shop as they come, even if servers' clocks disagree; it is about the time at
/// which a server that uses only its own clock may forget the row.
private let insertNonce = Query(
    """
    INSERT INTO nonce (shop_id, key_id, nonce, expires_ms)
    VALUES ($shop, $key, $nonce, coalesce((
        SELECT expires_ms + 1 FROM nonce
        WHERE shop_id = $shop AND expires_ms >= 0 AND expires_ms >= $expires
        ORDER BY expires_ms DESC LIMIT 1), $expires))
    ON CONFLICT (shop_id, key_id, nonce) DO NOTHING
    RETURNING 1
    """)
private enum AnswerColumn: Int, SelectedColumn { case fingerprint, status, contentType, body }
private let selectAnswer = Query(
    """
    SELECT \(AnswerColumn.list) FROM idempotency
    WHERE shop_id = $shop AND machine = $machine AND key = $key
    """)
private let selectPassage = Query(
    """
    SELECT content_type, body, created_ms FROM idempotency
    WHERE shop_id = $shop AND created_ms >= 0 AND created_ms >= $since AND created_ms <= $now
        AND machine = $machine AND fingerprint = $fingerprint AND status = 200
    ORDER BY created_ms LIMIT 1
    """)
private let insertAnswer = Query.insert(
    into: "idempotency", "shop_id, machine, key, \(AnswerColumn.list), created_ms")
// Moments are never negative; this condition lets the indices of moments be used, which no other statement can use.
// A range of one index leaves nothing to plan, while a join with the rows to delete would.
private let newestNonce = Query(
    """
    SELECT expires_ms FROM nonce WHERE shop_id = $shop AND expires_ms >= 0 AND expires_ms >= $known
    ORDER BY expires_ms DESC LIMIT 1
    """)
private let deleteNonces = Query(
    """
    DELETE FROM nonce WHERE shop_id = $shop AND expires_ms >= 0 AND expires_ms <= coalesce((
        SELECT expires_ms FROM nonce
        WHERE shop_id = $shop AND expires_ms >= 0 AND expires_ms <= $last
        ORDER BY expires_ms LIMIT 1 OFFSET $count), $last)
    """)
private let deleteAnswers = Query(
    """
    DELETE FROM idempotency WHERE shop_id = $shop AND created_ms >= 0 AND created_ms <= coalesce((
        SELECT created_ms FROM idempotency
        WHERE shop_id = $shop AND created_ms >= 0 AND created_ms <= $before
        ORDER BY created_ms LIMIT 1 OFFSET $count), $before)
    """)

/// The stored facts about a request before it is decided.
struct RequestMemory {
    /// Whether its nonce came for the first time; it is remembered now.
    var isFresh = false
    /// The answer stored with its key, and the fingerprint of the request that it was given to.
    var stored: (fingerprint: [UInt8], answer: StoredAnswer)?

    /// The queries that remember the nonces of requests in order, and look up their keys: two for each request.
    static func questions(of requests: some Collection<AuthenticatedRequest>) -> [BoundQuery] {
        requests.flatMap { request in
            let nonce = request.nonce
            return [
                insertNonce.with(request.shop, nonce.keyID, nonce.value, nonce.expires),
                selectAnswer.with(request.shop, request.machine, request.idempotencyKey),
            ]
        }
    }

    /// Stores a row of the result of the query at a position of `questions`.
    static func learn(_ columns: any Columns, at place: Int, into memories: inout [RequestMemory]) {
        if place.isMultiple(of: 2) {
            memories[place / 2].isFresh = true
        } else {
            let row = Row<AnswerColumn>(columns)
            memories[place / 2].stored = (
                row.blob(.fingerprint),
                StoredAnswer(
                    status: row.count(.status), contentType: row.text(.contentType),
                    body: row.blob(.body))
            )
        }
    }
}

/// Idempotency keys and nonces, which make every write repeatable and no signature usable twice.
extension Database {
    /// Remembers a nonce; returns false if it was remembered before.
    func remember(_ nonce: SignatureNonce, in shop: ShopID) throws(StoreError) -> Bool {
        try execute(insertNonce, shop, nonce.keyID, nonce.value, nonce.expires) == 1
    }

    /// Remembers the nonces of requests in order, and looks up their keys.
    func memories(
        of requests: some Collection<AuthenticatedRequest>
    ) throws(StoreError) -> [RequestMemory] {
        var memories = [RequestMemory](repeating: RequestMemory(), count: requests.count)
        try queries(RequestMemory.questions(of: requests)) { place, row in
            RequestMemory.learn(row, at: place, into: &memories)
        }
        return memories
    }

    func store(
        _ answer: StoredAnswer, to request: AuthenticatedRequest, at now: Moment
    ) throws(StoreError) {
        try post(
            insertAnswer, request.shop, request.machine, request.idempotencyKey,
            request.fingerprint, answer.status, answer.contentType, answer.body, now, changing: 1)
    }

    /// Repeats the first answer for a customer who has just passed this door with the same code, and stores that answer
    /// with the request's key as if it were as old as the first; returns nil if no customer has just passed.
    func repeatPassage(
        of request: AuthenticatedRequest, at now: Moment
    ) throws(StoreError) -> StoredAnswer? {
        let former = try rows(
            selectPassage, request.shop, now - passageRepeatWindow, now, request.machine,
            request.fingerprint
        ) {
            (
                StoredAnswer(status: 200, contentType: $0.text(0), body: $0.blob(1)),
                Moment(milliseconds: $0.integer(2))
            )
        }.first
        guard let (answer, first) = former else { return nil }
        try store(answer, to: request, at: first)
        return answer
    }

    /// Deletes a batch of the answers that are too old; returns the number of rows deleted.
    @discardableResult func pruneAnswers(_ shop: ShopID, at now: Moment) throws(StoreError) -> Int {
        try execute(deleteAnswers, shop, now - answerRetention, pruneBatchRows)
    }

    /// Deletes a batch of the nonces that may be forgotten; the changes of `ages` are true only after the commit.
    func pruneNonces(
        _ shop: ShopID, _ ages: inout NonceAges, at uptime: ContinuousClock.Instant
    ) throws(StoreError) {
        if let known = ages.looks(at: uptime) {
            let newest = try rows(newestNonce, shop, known) { $0.integer(0) }
            ages.saw(newest.first ?? known, at: uptime)
        }
        try execute(deleteNonces, shop, ages.forgettable, pruneBatchRows)
    }
}
