internal import Cryptography
public import Reservations
internal import RowColumns
internal import TextForms

/// An action of an administrator or the staff on a shop.
public struct AuditEntry: Hashable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        /// The shop is older than its audit.
        case auditBegun = "audit-begun"
        case shopAdded = "shop-added"
        case shopChanged = "shop-changed"
        /// A public key was put on the allow list by hand.
        case keyAdded = "key-added"
        /// A machine was paired by the code that it showed.
        case keyPaired = "key-paired"
        case keyRevoked = "key-revoked"
        /// A machine added another key of its own.
        case keyOffered = "key-offered"
        /// A machine revoked all its other keys.
        case keyRotated = "key-rotated"
        /// The backend got a new key of its own: all machines must be given it.
        case backendKeyMade = "backend-key-made"
        /// A machine got a remote command: to go out of service or into service, to restart or to change its key.
        case machineOrdered = "machine-ordered"
        case letIn = "let-in"
        case calledAgain = "called-again"
        case restored
        case deletedForCustomer = "deleted-for-customer"
        case codeRenewed = "code-renewed"
        case occupancyCorrected = "occupancy-corrected"
        case closedEarly = "closed-early"
        case ticketsEnded = "tickets-ended"
        case sentHome = "sent-home"
        case openedAgain = "opened-again"
        /// A staff member went to a customer who called for help.
        case helpGoing = "help-going"
        case helpEnded = "help-ended"
        /// A staff member silenced the calls of a machine for ten minutes.
        case helpMuted = "help-muted"
        /// A blocked phone may take places again (rules: blocks).
        case holderUnblocked = "holder-unblocked"
        /// The pages of the shop's staff got another PIN, or none.
        case staffPINSet = "staff-pin-set"
        /// All that was known of a phone is gone; the entry does not name it.
        case holderForgotten = "holder-forgotten"
        /// Orders that customers collect were announced or changed (rules: announced-orders).
        case ordersAnnounced = "orders-announced"
        case orderCancelled = "order-cancelled"
        /// An assistant handed an order over without its code.
        case orderHandedOver = "order-handed-over"
    }

    /// The actor: a user of the backend's computer, or a machine and the person at it.
    public var actor: String
    public var action: Action
    /// The object of the action, in words; empty if the action needs none.
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
    /// Counted from 1, without gaps.
    public let sequence: Int64
    public let at: Moment
    public let actor: String
    /// The raw value of an `AuditEntry.Action`, perhaps one of a newer program.
    public let action: String
    public let detail: String
    /// The hash of the row before; 32 zeros in the first row.
    public let previous: [UInt8]
    public let hash: [UInt8]

    /// `hash` in hexadecimal digits.
    public var hashText: String { AuditHead(sequence: sequence, hash: hash).hashText }

    /// The correct value of `hash`: SHA-256 of all other fields, each preceded by its length in bytes.
    var rightHash: [UInt8] {
        let fields = [shop.rawValue, "\(sequence)", "\(at.milliseconds)", actor, action, detail]
        return SHA256.digest(previous + fields.flatMap { Array("\($0.utf8.count):\($0),".utf8) })
    }
}

/// The end of a shop's audit.
public struct AuditHead: Hashable, Sendable {
    public let sequence: Int64
    public let hash: [UInt8]

    public init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The head before the first row.
    static let none = AuditHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))

    /// Reads the text that `text` writes; returns nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence > 0,
            parts[1].utf8.count == 64
        else { return nil }
        guard let bytes = Hexadecimal.bytes(parts[1]) else { return nil }
        self.init(sequence: sequence, hash: bytes)
    }

    /// The sequence, a colon and the hash in hexadecimal digits.
    public var text: String { "\(sequence):\(hashText)" }

    var hashText: String { Hexadecimal.text(hash) }
}

/// The result of verifying a whole chain.
public enum AuditFinding: Hashable, Sendable {
    /// Every row follows from the one before, and the last row is the one with which the chain should end.
    case whole(AuditHead)
    /// The first row that is not as it was written, or is missing.
    case broken(sequence: Int64, reason: String)
}

// This locks the head's row until the transaction ends, so that two servers do not write the same sequence.
private let lockHead = Query(
    """
    INSERT INTO audit_head (shop_id, sequence, hash) VALUES ($shop, 0, $zeros)
    ON CONFLICT (shop_id) DO UPDATE SET sequence = audit_head.sequence
    """)
private let selectHead = Query("SELECT sequence, hash FROM audit_head WHERE shop_id = $shop")
private let moveHead = Query(
    "UPDATE audit_head SET sequence = $sequence, hash = $hash WHERE shop_id = $shop")
private let insertRecord = Query.insert(into: "audit", "shop_id, \(Column.list)")
private enum Column: Int, SelectedColumn {
    case sequence, atMs, actor, action, detail, previous, hash
}
private let selectRecords = Query(
    """
    SELECT \(Column.list) FROM audit
    WHERE shop_id = $shop AND sequence > $after ORDER BY sequence
    """)
private let selectHash = Query(
    "SELECT hash FROM audit WHERE shop_id = $shop AND sequence = $sequence")
private let selectSeal = Query("SELECT vouched FROM audit_seal WHERE shop_id = $shop")
private let writeSeal = Query.insert(into: "audit_seal", "shop_id, vouched", replacing: "shop_id")
private let selectUnaudited = Query(
    """
    SELECT shop_id, created_ms FROM shop
    WHERE NOT EXISTS (SELECT 1 FROM audit WHERE audit.shop_id = shop.shop_id)
    """)
/// A row that is known from another place than the table, and the reason that is given if the table has a
/// different one.
private typealias Mark = (head: AuditHead, reason: String)

/// The audit of each shop: append-only, each row chained to the one before by its hash.
extension Database {
    /// Gives each shop that is older than its audit a first row.
    func beginAudits() throws(StoreError) {
        let shops = try rows(selectUnaudited) {
            (id: ShopID($0.text(0)), created: Moment(milliseconds: $0.integer(1)))
        }
        for shop in shops {
            try append(
                AuditEntry(actor: "clup-backend", action: .auditBegun), of: shop.id,
                at: shop.created)
        }
    }

    /// The end of a shop's audit that the key has signed; nil if it has signed none.
    func auditSeal(of shop: ShopID, by key: PublicKey) throws(StoreError) -> AuditSeal? {
        try rows(selectSeal, shop) { row in
            key.text(ofSigned: row.text(0)).flatMap { AuditSeal($0, of: shop) }
        }.first ?? nil
    }

    func write(auditSeal signed: String, of shop: ShopID) throws(StoreError) {
        try execute(writeSeal, shop, signed)
    }

    /// Records an action; to be called in the transaction that carries it out.
    func append(_ entry: AuditEntry, of shop: ShopID, at now: Moment) throws(StoreError) {
        try execute(lockHead, shop, AuditHead.none.hash)
        let head = try auditHead(of: shop) ?? .none
        let unsigned = AuditRecord(
            shop: shop, sequence: head.sequence + 1, at: now, actor: entry.actor,
            action: entry.action.rawValue, detail: entry.detail, previous: head.hash, hash: [])
        let hash = unsigned.rightHash
        try execute(
            insertRecord, shop, unsigned.sequence, now, unsigned.actor, unsigned.action,
            unsigned.detail, head.hash, hash)
        try execute(moveHead, unsigned.sequence, hash, shop)
    }

    /// Passes the rows after a sequence to `body`, in order.
    func eachAuditRecord(
        of shop: ShopID, after sequence: Int64, _ body: (AuditRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        try query(selectRecords, shop, sequence) { columns throws(StoreError) in
            let row = Row<Column>(columns)
            try body(
                AuditRecord(
                    shop: shop, sequence: row.integer(.sequence), at: row.moment(.atMs),
                    actor: row.text(.actor), action: row.text(.action), detail: row.text(.detail),
                    previous: row.blob(.previous), hash: row.blob(.hash)))
        }
    }

    /// The row with which the chain should end; nil for a shop with no recorded action.
    func auditHead(of shop: ShopID) throws(StoreError) -> AuditHead? {
        try rows(selectHead, shop) { AuditHead(sequence: $0.integer(0), hash: $0.blob(1)) }.first
    }

    /// Verifies a shop's chain from its first row.
    ///
    /// - Parameters:
    ///   - kept: A head that was written down elsewhere.
    ///   - key: The key with which the end was signed from time to time; nil if the backend has none.
    func verifyAudit(
        _ shop: ShopID, kept: AuditHead?, key: PublicKey?
    ) throws(StoreError) -> AuditFinding {
        var marks: [Mark] = []
        if let kept { marks.append((kept, "it is not the one whose hash was kept")) }
        var signed: AuditSeal?
        if let key { signed = try auditSeal(of: shop, by: key) }
        if let signed { marks.append((signed.head, "it is not the one that was signed")) }
        let finding = try followAudit(shop, from: .none, marks: marks)
        guard case .whole(let head) = finding, key != nil, signed == nil else { return finding }
        return .broken(
            sequence: head.sequence,
            reason: "no row is signed with the backend's key: \"clup-backend serve\" and "
                + "\"clup-backend key\" sign; where they have, the signature was taken away")
    }

    /// Verifies a shop's chain from a row on that is known to be right.
    func followAudit(_ shop: ShopID, from first: AuditHead) throws(StoreError) -> AuditFinding {
        try followAudit(shop, from: first, marks: [])
    }

    private func followAudit(
        _ shop: ShopID, from first: AuditHead, marks: [Mark]
    ) throws(StoreError) -> AuditFinding {
        if first != .none {
            let hash = try rows(selectHash, shop, first.sequence) { $0.blob(0) }.first
            guard hash == first.hash else {
                return .broken(
                    sequence: first.sequence,
                    reason: hash == nil
                        ? "it is missing: the end was cut off"
                        : "it is not the one that was signed")
            }
        }
        var last = first
        var broken: AuditFinding?
        // It begins at the lowest possible number, so that a row before the first is found too.
        try eachAuditRecord(of: shop, after: first == .none ? .min : first.sequence) {
            record throws(StoreError) in
            guard broken == nil else { return }
            let next = last.sequence + 1
            func find(_ reason: String) { broken = .broken(sequence: next, reason: reason) }
            if record.sequence < next {
                broken = .broken(sequence: record.sequence, reason: "there is no such row")
            } else if record.sequence != next {
                find("it is missing")
            } else if record.previous != last.hash {
                find("it does not follow from the row before")
            } else if record.hash != record.rightHash {
                find("it was changed")
            } else if let mark = marks.first(where: {
                $0.head.sequence == next && $0.head.hash != record.hash
            }) {
                find(mark.reason)
            }
            last = AuditHead(sequence: record.sequence, hash: record.hash)
        }
        if let broken { return broken }
        let next = last.sequence + 1
        if last == .none {
            return .broken(
                sequence: next, reason: "it is missing: a shop that is there has its first row")
        }
        if marks.contains(where: { $0.head.sequence > last.sequence }) {
            return .broken(sequence: next, reason: "it is missing: the end was cut off")
        }
        guard try auditHead(of: shop) ?? .none == last else {
            return .broken(sequence: next, reason: "the chain should not end before it, or not so")
        }
        return .whole(last)
    }
}
