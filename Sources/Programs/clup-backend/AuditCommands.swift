import FoundationEssentials
import ReservationStore
import Reservations

/// A row of the audit as the command prints it.
private struct AuditLine: Encodable {
    let shop: ShopID
    let sequence: Int64
    /// RFC 3339 in UTC: the audit is of no time zone.
    let at: String
    let actor: String
    let action: String
    let detail: String
    let hash: String

    init(_ record: AuditRecord) {
        shop = record.shop
        sequence = record.sequence
        at = Date(timeIntervalSince1970: Double(record.at.milliseconds) / 1_000)
            .formatted(.iso8601)
        actor = record.actor
        action = record.action
        detail = record.detail
        hash = record.hash.hexadecimal
    }
}

/// What `audit verify` found of one shop.
private struct VerdictLine: Encodable {
    let shop: ShopID
    let whole: Bool
    /// Rows, where all are whole; else the first that is not.
    let sequence: Int64
    /// What to keep elsewhere, for `--kept`.
    let head: String?
    let reason: String?
}

extension Command {
    static let auditList = Command(
        words: ["audit", "list"], summary: "print who did what, a line of JSON each, oldest first",
        usage: """
            Usage: clup-backend audit list --database FILE [--shop SHOP]

              --shop SHOP   the shop's identifier or tag; every shop unless given

            What administrators did by commands, and the staff at the machines: kept for good.
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(words, valued: ["database", "shop"])
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
        usage: """
            Usage: clup-backend audit verify --database FILE [--shop SHOP [--kept HEAD]]

              --shop SHOP   the shop's identifier or tag; every shop unless given
              --kept HEAD   a `head` that this command printed once, kept where nobody who can
                            write the database can change it: proves the rows up to it

            Each row carries the hash of the one before, and the end is kept apart: a row that was
            changed, deleted, moved or put in is named. Who can write the database and computes
            every hash behind his change anew is found by --kept only; what was done by hand and
            not by our commands was never in the audit.
            """
    ) { words throws(CommandError) in
        let arguments = try Arguments(words, valued: ["database", "shop", "kept"])
        let kept = try kept(arguments)
        let store = try AdminStore(arguments)
        var isBroken = false
        for shop in try shops(arguments, store) {
            let finding = try store.perform { store throws(StoreError) in
                try store.verifyAudit(of: shop, kept: kept)
            }
            switch finding {
            case .whole(let head):
                printJSON(
                    VerdictLine(
                        shop: shop, whole: true, sequence: head.sequence,
                        head: "\(head.sequence):\(head.hash.hexadecimal)", reason: nil))
            case .broken(let sequence, let reason):
                isBroken = true
                printJSON(
                    VerdictLine(
                        shop: shop, whole: false, sequence: sequence, head: nil, reason: reason))
            }
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
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence > 0,
            let hash = [UInt8](hexadecimal: parts[1]), hash.count == 32
        else {
            throw .usage("--kept is \"\(text)\"; give it as `audit verify` printed it, NUMBER:HASH")
        }
        return AuditHead(sequence: sequence, hash: hash)
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0\(text)" : text
        }.joined()
    }

    fileprivate init?(hexadecimal text: Substring) {
        let digits = Array<Character>(text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
            append(byte)
        }
    }
}
