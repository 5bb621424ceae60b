internal import QueueEngine
internal import Reservations
internal import RowColumns

/// How long an answer is kept: at least a day and the shop's day (rules: idempotency-keys).
private let answerRetention = Duration.seconds(2 * 86_400)
/// The number of old rows of each kind deleted with each batch, and all of the next one's moment: more than a full
/// batch adds, so that they never accumulate.
private let pruneBatchRows = 512
/// How long a second scan of a ticket at the same door counts as the first (rules: scans).
private let passageRepeatWindow = Duration.seconds(5)
/// `expires_ms` numbers the rows of a shop as they come, even if servers' clocks disagree; it is about the time at
/// which a server that uses only its own clock may forget the row.
private let insertNonce = Query(
    """
    INSERT INTO nonce (shop_id, key_id, nonce, expires_ms)
    VALUES ($shop, $key, $nonce, coalesce((
        SELECT expires_ms + 1 FROM nonce
        WHERE shop_id = $shop AND expires_ms >= $expires AND expires_ms >= 0
        ORDER BY expires_ms DESC LIMIT 1), $expires))
    ON CONFLICT (shop_id, nonce, key_id) DO NOTHING
    """, isCombinable: true)
private enum AnswerColumn: Int, SelectedColumn { case fingerprint, status, contentType, body }
/// The answer stored with a key, and a row of NULLs if the nonce came before.
private let selectMemory = Query(
    """
    SELECT \(AnswerColumn.list) FROM idempotency
    WHERE shop_id = $shop AND machine = $machine AND key = $key
    UNION ALL SELECT NULL, NULL, NULL, NULL FROM nonce
    WHERE shop_id = $shop AND nonce = $nonce AND key_id = $keyID
    """, isCombinable: true)
private let selectPassage = Query(
    """
    SELECT content_type, body, created_ms FROM idempotency
    WHERE shop_id = $shop AND created_ms >= $since AND created_ms >= 0
        AND created_ms <= $now AND machine = $machine AND fingerprint = $fingerprint AND status = 200
    ORDER BY created_ms LIMIT 1
    """)
private let insertAnswer = Query.insert(
    into: "idempotency", "shop_id, machine, key, \(AnswerColumn.list), created_ms",
    isCombinable: true)
// Moments are never negative; this condition lets the indices of moments be used, which no other statement can use. Of
// two lower bounds SQLite begins at the one that is written first, and examines every row from there. A range of one
// index leaves nothing to plan, while a join with the rows to delete would.
private let newestNonce = Query(
    """
    SELECT expires_ms FROM nonce
    WHERE shop_id = $shop AND expires_ms >= $known AND expires_ms >= 0
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

extension HoldOwner {
    /// The name under which answers are stored, and what was done; a machine's name has no slash.
    var name: String {
        switch self {
        case .machine(let machine): machine.rawValue
        case .phone(let holder): "phone/\(holder)"
        }
    }
}

/// The stored facts about a request before it is decided.
struct RequestMemory {
    /// Whether its nonce has not come before.
    var isFresh = true
    /// The answer stored with its key, and the fingerprint of the request that it was given to.
    var stored: (fingerprint: [UInt8], answer: StoredAnswer)?

    /// The query for the memory of a request.
    static func question(of request: AuthenticatedRequest) -> BoundQuery {
        selectMemory.with(
            request.shop, request.sender.name, request.idempotencyKey, request.nonce?.value,
            request.nonce?.keyID)
    }

    /// Learns a row of the result of `question`.
    mutating func learn(_ columns: any Columns) {
        let row = Row<AnswerColumn>(columns)
        guard !row.isNull(.status) else {
            isFresh = false
            return
        }
        stored = (
            row.blob(.fingerprint),
            StoredAnswer(
                status: row.count(.status), contentType: row.text(.contentType),
                body: row.blob(.body))
        )
    }
}

/// Idempotency keys and nonces, which make every write repeatable and no signature usable twice.
extension Database {
    /// Remembers a nonce; returns false if it was remembered before.
    func remember(_ nonce: SignatureNonce, in shop: ShopID) throws(StoreError) -> Bool {
        try execute(insertNonce, shop, nonce.keyID, nonce.value, nonce.expires) == 1
    }

    /// Remembers a nonce that has not come before.
    func rememberNew(_ nonce: SignatureNonce, in shop: ShopID) throws(StoreError) {
        try post(insertNonce, shop, nonce.keyID, nonce.value, nonce.expires, changing: 1)
    }

    /// The stored facts about a request.
    func memory(of request: AuthenticatedRequest) throws(StoreError) -> RequestMemory {
        var memory = RequestMemory()
        try queries([RequestMemory.question(of: request)]) { _, row in memory.learn(row) }
        return memory
    }

    func store(
        _ answer: StoredAnswer, to request: AuthenticatedRequest, at now: Moment
    ) throws(StoreError) {
        try post(
            insertAnswer, request.shop, request.sender.name, request.idempotencyKey,
            request.fingerprint, answer.status, answer.contentType, answer.body, now, changing: 1)
    }

    /// Repeats the first answer for a customer who has just passed this door with the same code, and stores that answer
    /// with the request's key as if it were as old as the first; returns nil if no customer has just passed.
    func repeatPassage(
        of request: AuthenticatedRequest, at now: Moment
    ) throws(StoreError) -> StoredAnswer? {
        let former = try rows(
            selectPassage, request.shop, now - passageRepeatWindow, now, request.sender.name,
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
        try post(deleteNonces, shop, ages.forgettable, pruneBatchRows, changing: nil)
    }
}
