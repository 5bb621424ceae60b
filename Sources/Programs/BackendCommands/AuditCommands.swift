import CommandSyntax
import Cryptography
import FoundationEssentials
import ReservationStore
import Reservations

/// A row of the audit as the command prints it.
private struct AuditLine: Encodable {
    let shop: ShopID
    let sequence: Int64
    /// RFC 3339 in UTC: the audit belongs to no time zone.
    let at: String
    let actor: String
    let action: String
    let detail: String
    let hash: String

    init(_ record: AuditRecord) {
        shop = record.shop
        sequence = record.sequence
        at = record.at.utcText
        actor = record.actor
        action = record.action
        detail = record.detail
        hash = record.hashText
    }
}

/// The result of `audit verify` for one shop.
private struct VerdictLine: Encodable {
    let shop: ShopID
    let whole: Bool
    /// The number of rows if all are intact, otherwise the first row that is not.
    let sequence: Int64
    /// The value to keep elsewhere, for `--kept`.
    let head: String?
    let reason: String?
    /// The last row that the backend's key has signed, and when, RFC 3339 in UTC; nil if it has signed none.
    let signed: Int64?
    let signedAt: String?

    init(_ shop: ShopID, _ finding: AuditFinding, _ seal: AuditSeal?) {
        self.shop = shop
        switch finding {
        case .whole(let head):
            (whole, sequence, self.head, reason) = (true, head.sequence, head.text, nil)
        case .broken(let sequence, let reason):
            (whole, self.sequence, head, self.reason) = (false, sequence, nil, reason)
        }
        signed = seal?.head.sequence
        signedAt = seal?.at.utcText
    }
}

extension Command {
    static let auditList = Command(
        words: ["audit", "list"], summary: "print who did what, a line of JSON each, oldest first",
        options: [
            .database,
            .optional("shop", "SHOP", "the shop's identifier or tag; every shop unless given"),
        ],
        notes: """
            What administrators did by commands, and the staff at the machines: kept for good.
            """
    ) { arguments throws(CommandError) in
        let store = try AdminStore(arguments)
        for shop in try shops(arguments, store) {
            try store.perform { store throws(StoreError) in
                try store.audit(of: shop) { printJSON(AuditLine($0)) }
            }
        }
    }

    static let auditVerify = Command(
        words: ["audit", "verify"],
        summary: "look whether the audit is as it was written; status 1 where it is not",
        options: [
            .database,
            .optional("shop", "SHOP", "the shop's identifier or tag; every shop unless given"),
            .optional(
                "kept", "HEAD",
                "a `head` that this command printed once, kept where nobody who can write the "
                    + "database can change it: proves the rows up to it"),
            .optional(
                "backend-key", "KEY",
                "what `clup-backend key` printed, 43 characters, where the key is not on this "
                    + "computer or may not be opened"),
            .optional("wrapping-key", "FILE", "as of `clup-backend key`; --state too"),
            .optional("state", "DIRECTORY"),
        ],
        notes: """
            Each row carries the hash of the one before, and the end is kept apart: a row that was
            changed, deleted, moved or put in is named, and so is a shop without a first row. `serve`
            signs the end with the backend's key within a minute of a change, and once an hour:
            `signed` is the last row that was signed, at `signedAt`. A chain that was cut off or
            computed anew before that row is found. Rows behind it, and a whole older state with its
            older signature, are found by --kept only. What was done by hand and not by our commands
            was never in the audit.
            """
    ) { arguments throws(CommandError) in
        let kept = try kept(arguments)
        let store = try AdminStore(arguments)
        let key = try knownBackendKey(arguments, store)
        var isBroken = false
        for shop in try shops(arguments, store) {
            var seal: AuditSeal?
            if let key {
                seal = try store.perform { store throws(StoreError) in
                    try store.auditSeal(of: shop, by: key)
                }
            }
            let finding = try store.perform { store throws(StoreError) in
                try store.verifyAudit(of: shop, kept: kept, signedBy: key)
            }
            if case .broken = finding { isBroken = true }
            printJSON(VerdictLine(shop, finding, seal))
        }
        guard !isBroken else {
            throw .failure("the audit is not as it was written; the lines above say where")
        }
    }

    private static func shops(
        _ arguments: Arguments, _ store: AdminStore
    ) throws(CommandError) -> [ShopID] {
        arguments.optional("shop") == nil
            ? try store.shops().map(\.id) : [try store.shop(arguments).id]
    }

    private static func kept(_ arguments: Arguments) throws(CommandError) -> AuditHead? {
        guard let text = arguments.optional("kept") else { return nil }
        _ = try arguments.required("shop")
        guard let head = AuditHead(text) else {
            throw .usage("--kept is \"\(text)\"; give it as `audit verify` printed it, NUMBER:HASH")
        }
        return head
    }
}
