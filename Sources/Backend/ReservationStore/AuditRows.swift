internal import Cryptography
public import Reservations

/// What an administrator or the staff did to a shop.
public struct AuditEntry: Hashable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        case shopAdded = "shop-added"
        case shopChanged = "shop-changed"
        /// A public key was put on the white list by hand.
        case keyAdded = "key-added"
        /// A machine was let in by the code that it showed.
        case keyPaired = "key-paired"
        case keyRevoked = "key-revoked"
        /// A machine let another key of its own in.
        case keyOffered = "key-offered"
        /// A machine put all its other keys out.
        case keyRotated = "key-rotated"
        /// The backend got a key of its own anew: all machines must be told.
        case backendKeyMade = "backend-key-made"
        /// A machine was told from afar to go out of service or in again, to restart or to change its key.
        case machineOrdered = "machine-ordered"
        case letIn = "let-in"
        case calledAgain = "called-again"
        case restored
        case deletedForCustomer = "deleted-for-customer"
        case occupancyCorrected = "occupancy-corrected"
        case closedEarly = "closed-early"
        case ticketsEnded = "tickets-ended"
        case sentHome = "sent-home"
        case openedAgain = "opened-again"
    }

    /// Who did it: a user of the backend's computer, or a machine and the person at it.
    public var actor: String
    public var action: Action
    /// To what, in words; empty where the action says it all.
    public var detail: String

    public init(actor: String, action: Action, detail: String = "") {
        self.actor = actor
        self.action = action
        self.detail = detail
    }
}

/// A row of a shop's audit: an entry, and the hashes that chain it to the one before.
public struct AuditRecord: Hashable, Sendable {
    public let shop: ShopID
    /// From 1, without gaps.
    public let sequence: Int64
    public let at: Moment
    public let actor: String
    /// The raw value of an `AuditEntry.Action`, perhaps one of a newer program.
    public let action: String
    public let detail: String
    /// The hash of the row before; of the first, 32 zeros.
    public let previous: [UInt8]
    public let hash: [UInt8]

    /// What `hash` must be: SHA-256 of all else, each field behind its length in bytes.
    var rightHash: [UInt8] {
        let fields = [
            shop.rawValue, "\(sequence)", "\(at.milliseconds)", actor, action, detail,
        ]
        return SHA256.digest(
            previous + fields.flatMap { Array("\($0.utf8.count):\($0),".utf8) })
    }
}

/// Where a shop's audit ends.
public struct AuditHead: Hashable, Sendable {
    public let sequence: Int64
    public let hash: [UInt8]

    public init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Before the first row.
    static let none = AuditHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))
}

/// What a look at a whole chain finds.
public enum AuditFinding: Hashable, Sendable {
    /// Every row follows from the one before, and the last one is where the chain should end.
    case whole(AuditHead)
    /// The first row that is not as it was written, or is missing.
    case broken(sequence: Int64, reason: String)
}

/// The audit of each shop: append-only, each row chained to the one before by its hash.
enum AuditRows {
    // Locks the head's row until the transaction ends, so that two servers do not write one sequence.
    private static let lockHead = Query(
        """
        INSERT INTO audit_head (shop_id, sequence, hash) VALUES ($shop, 0, $zeros)
        ON CONFLICT (shop_id) DO UPDATE SET sequence = audit_head.sequence
        """,
        "shop", "zeros")
    private static let selectHead = Query(
        "SELECT sequence, hash FROM audit_head WHERE shop_id = $shop", "shop")
    private static let moveHead = Query(
        "UPDATE audit_head SET sequence = $sequence, hash = $hash WHERE shop_id = $shop",
        "shop", "sequence", "hash")
    private static let insert = Query(
        """
        INSERT INTO audit (shop_id, sequence, at_ms, actor, action, detail, previous, hash)
        VALUES ($shop, $sequence, $at, $actor, $action, $detail, $previous, $hash)
        """,
        "shop", "sequence", "at", "actor", "action", "detail", "previous", "hash")
    private static let select = Query(
        """
        SELECT sequence, at_ms, actor, action, detail, previous, hash FROM audit
        WHERE shop_id = $shop AND sequence > $after ORDER BY sequence
        """,
        "shop", "after")

    /// Records what was done; to be called in the transaction that does it.
    static func append(
        _ entry: AuditEntry, of shop: ShopID, at now: Moment, in database: any Database
    ) throws(StoreError) {
        let id = DatabaseValue.text(shop.rawValue)
        try database.execute(lockHead, [id, .blob(AuditHead.none.hash)])
        let head = try head(of: shop, in: database) ?? .none
        let unsigned = AuditRecord(
            shop: shop, sequence: head.sequence + 1, at: now, actor: entry.actor,
            action: entry.action.rawValue, detail: entry.detail, previous: head.hash, hash: [])
        let hash = unsigned.rightHash
        try database.execute(
            insert,
            [
                id, .integer(unsigned.sequence), .integer(now.milliseconds),
                .text(entry.actor), .text(entry.action.rawValue), .text(entry.detail),
                .blob(head.hash), .blob(hash),
            ])
        try database.execute(moveHead, [id, .integer(unsigned.sequence), .blob(hash)])
    }

    /// Rows behind a sequence, in order.
    static func each(
        of shop: ShopID, after sequence: Int64, in database: any Database,
        _ body: (AuditRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.query(select, [.text(shop.rawValue), .integer(sequence)]) {
            row throws(StoreError) in
            try body(
                AuditRecord(
                    shop: shop, sequence: row.integer(0), at: Moment(milliseconds: row.integer(1)),
                    actor: row.text(2), action: row.text(3), detail: row.text(4),
                    previous: row.blob(5), hash: row.blob(6)))
        }
    }

    /// Where the chain should end; nil for a shop to which nothing was ever done.
    static func head(of shop: ShopID, in database: any Database) throws(StoreError) -> AuditHead? {
        try database.rows(selectHead, [.text(shop.rawValue)]) {
            AuditHead(sequence: $0.integer(0), hash: $0.blob(1))
        }.first
    }

    /// Computes a shop's chain again; `kept` is a head that was written down elsewhere.
    static func verify(
        _ shop: ShopID, kept: AuditHead?, in database: any Database
    ) throws(StoreError) -> AuditFinding {
        var last = AuditHead.none
        var broken: AuditFinding?
        try each(of: shop, after: 0, in: database) { record throws(StoreError) in
            guard broken == nil else { return }
            let next = last.sequence + 1
            func find(_ reason: String) {
                broken = .broken(sequence: next, reason: reason)
            }
            if record.sequence != next {
                find("it is missing")
            } else if record.previous != last.hash {
                find("it does not follow from the row before")
            } else if record.hash != record.rightHash {
                find("it was changed")
            } else if let kept, kept.sequence == next, kept.hash != record.hash {
                find("it is not the one whose hash was kept")
            }
            last = AuditHead(sequence: record.sequence, hash: record.hash)
        }
        if let broken { return broken }
        let next = last.sequence + 1
        if let kept, kept.sequence > last.sequence {
            return .broken(sequence: next, reason: "it is missing: the end was cut off")
        }
        guard try head(of: shop, in: database) ?? .none == last else {
            return .broken(
                sequence: next, reason: "the chain should not end before it, or not so")
        }
        return .whole(last)
    }
}
