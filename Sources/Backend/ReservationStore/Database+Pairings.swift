public import Reservations
internal import RowColumns

/// A request for a pairing code by a machine that is not paired yet; its signature proves that it has the key.
public struct PairingRequest: Sendable {
    public var publicKey: [UInt8]
    public var nonce: SignatureNonce
    /// The real time: the validity of a code does not depend on the queue's clock.
    public var now: Moment
    /// The address that the request came from; empty if it is not known.
    public var origin: String

    /// The identifier of the key, with which the request is signed.
    public var keyID: String { nonce.keyID }

    public init(publicKey: [UInt8], nonce: SignatureNonce, now: Moment, origin: String = "") {
        self.publicKey = publicKey
        self.nonce = nonce
        self.now = now
        self.origin = origin
    }
}

/// The result of a request for a code.
public enum PairingOutcome: Hashable, Sendable {
    /// The code that pairs the key, until it expires; the same one as long as it is valid.
    case open(code: String, expires: Moment)
    /// The key is on the allow list, or was revoked.
    case keyKnown
    /// Too many machines of this address show a code already.
    case originFull
    /// Too many machines show a code already, of all addresses.
    case full
    /// The same signature came before.
    case nonceSeen
}

private let codeLifetime = Duration.minutes(10)
/// The highest number of codes of one address that are valid at the same time, of all servers together: a shop gets
/// a few machines a day. A later code never replaces an earlier one.
private let maxOpenPerOrigin = 16
/// The highest number of valid codes at the same time, so high that a few addresses cannot use them up.
private let maxOpenPairings = 1_000
/// How long a code is remembered, so that a refusal can say why it is not accepted.
private let codeRetention = Duration.seconds(86_400)
private let noShop = ShopID("")
private enum Column: Int, SelectedColumn { case keyID, publicKey, code, expiresMs, usedMs }
private let selectByKey = Query(
    "SELECT \(Column.list) FROM pairing WHERE shop_id = $shop AND key_id = $key")
private let selectByCode = Query(
    "SELECT \(Column.list) FROM pairing WHERE shop_id = $shop AND code = $code")
// The condition that moments are not negative lets the index of moments be used, as with nonces.
private let countOpen = Query(
    """
    SELECT count(*), coalesce(sum(CASE WHEN origin = $origin THEN 1 ELSE 0 END), 0)
    FROM pairing
    WHERE shop_id = $shop AND expires_ms > $now AND expires_ms >= 0
        AND used_ms IS NULL
    """)
private let writePairing = Query(
    """
    INSERT INTO pairing (shop_id, key_id, public_key, code, expires_ms, origin)
    VALUES ($shop, $key, $public, $code, $expires, $origin)
    ON CONFLICT (shop_id, key_id) DO UPDATE SET
        code = excluded.code, expires_ms = excluded.expires_ms, used_ms = NULL,
        origin = excluded.origin
    """)
private let markUsed = Query(
    "UPDATE pairing SET used_ms = $now WHERE shop_id = $shop AND key_id = $key")
private let prunePairings = Query(
    "DELETE FROM pairing WHERE shop_id = $shop AND expires_ms >= 0 AND expires_ms <= $before")

struct Pairing {
    let keyID: String
    let publicKey: [UInt8]
    let code: String
    let expires: Moment
    let isUsed: Bool

    func isOpen(at now: Moment) -> Bool { !isUsed && now < expires }
}

/// The codes that machines show to be paired: each is valid for ten minutes and for one use.
///
/// A machine that asks belongs to no shop yet: the rows have the empty `shop_id`.
extension Database {
    /// Gives a machine its code; called in a transaction.
    func openPairing(
        _ request: PairingRequest, draw: () -> String, _ nonces: inout NonceAges,
        at uptime: ContinuousClock.Instant
    ) throws(StoreError) -> PairingOutcome {
        // Servers that share the database count one after the other.
        try excludeAdministrators()
        guard try remember(request.nonce, in: noShop) else { return .nonceSeen }
        try pruneNonces(noShop, &nonces, at: uptime)
        try execute(prunePairings, noShop, request.now - codeRetention)
        let known = try machineKeys()
        if known.contains(where: {
            $0.keyID == request.keyID || $0.publicKey == request.publicKey
        }) {
            return .keyKnown
        }
        if let pairing = try firstPairing(selectByKey, request.keyID),
            pairing.isOpen(at: request.now)
        {
            return .open(code: pairing.code, expires: pairing.expires)
        }
        let open = try rows(countOpen, request.origin, noShop, request.now) {
            (all: $0.integer(0), ofOrigin: $0.integer(1))
        }
        if let open = open.first {
            if open.ofOrigin >= maxOpenPerOrigin { return .originFull }
            if open.all >= maxOpenPairings { return .full }
        }
        for _ in 0..<CodeGenerator.attempts {
            let code = draw()
            guard try firstPairing(selectByCode, code) == nil else { continue }
            let expires = request.now + codeLifetime
            try execute(
                writePairing, noShop, request.keyID, request.publicKey, code, expires,
                request.origin)
            return .open(code: code, expires: expires)
        }
        throw StoreError(
            .constraint, operation: "draw a pairing code", "no free pairing code was found")
    }

    /// The pairing of a code that is valid now; otherwise throws a refusal with the reason.
    func pairing(of code: String, at now: Moment) throws(StoreError) -> Pairing {
        func refusal(_ sentence: String) -> StoreError {
            StoreError(.refused, operation: "pair a machine", sentence)
        }
        guard let pairing = try firstPairing(selectByCode, code) else {
            throw refusal(
                "no machine shows the code \(code): read it again at the machine, which must "
                    + "reach this backend")
        }
        guard !pairing.isUsed else {
            throw refusal("the code \(code) was used before: each lets one machine in, once")
        }
        guard now < pairing.expires else {
            throw refusal(
                "the code \(code) has expired: it was good for ten minutes; have the machine "
                    + "show a new one")
        }
        return pairing
    }

    func use(_ pairing: Pairing, at now: Moment) throws(StoreError) {
        try execute(markUsed, now, noShop, pairing.keyID)
    }

    private func firstPairing(_ query: Query, _ value: String) throws(StoreError) -> Pairing? {
        try named(query, noShop, value) { (row: Row<Column>) in
            Pairing(
                keyID: row.text(.keyID), publicKey: row.blob(.publicKey), code: row.text(.code),
                expires: row.moment(.expiresMs), isUsed: !row.isNull(.usedMs))
        }.first
    }
}
