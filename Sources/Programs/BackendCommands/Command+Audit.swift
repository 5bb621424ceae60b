import CommandSyntax
import Cryptography
import FoundationEssentials
import ReservationStore
import Reservations

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
    ) { arguments in
        let store = try Administration(arguments)
        for shop in try shops(arguments, store) {
            try store.audit(of: shop) { record in
                printJSON([
                    // The audit belongs to no time zone: the time is RFC 3339 in UTC.
                    "shop": record.shop, "sequence": record.sequence, "at": record.at.utcText,
                    "actor": record.actor, "action": record.action, "detail": record.detail,
                    "hash": record.hashText,
                ])
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
            computed again before that row is found. Rows behind it, and a whole older state with its
            older signature, are found by --kept only. What was done by hand and not by our commands
            was never in the audit.
            """
    ) { arguments in
        let kept = try kept(arguments)
        let store = try Administration(arguments)
        let key = try knownBackendKey(arguments, store)
        var isBroken = false
        for shop in try shops(arguments, store) {
            let seal = try key.flatMap { try store.auditSeal(of: shop, by: $0) }
            let finding = try store.verifyAudit(of: shop, kept: kept, signedBy: key)
            let line: JSONLine
            switch finding {
            case .whole(let head):
                line = ["whole": true, "sequence": head.sequence, "head": head.text]
            case .broken(let sequence, let reason):
                isBroken = true
                line = ["whole": false, "sequence": sequence, "reason": reason]
            }
            printJSON(
                line + ["shop": shop, "signed": seal?.head.sequence, "signedAt": seal?.at.utcText])
        }
        guard !isBroken else {
            throw CommandError.failure(
                "the audit is not as it was written; the lines above say where")
        }
    }

    private static func shops(_ arguments: Arguments, _ store: Administration) throws -> [ShopID] {
        arguments.optional("shop") == nil
            ? try store.shops().map(\.id) : [try store.shop(arguments).id]
    }

    private static func kept(_ arguments: Arguments) throws -> AuditHead? {
        guard arguments.has("kept") else { return nil }
        _ = try arguments.required("shop")
        return try arguments.required(
            "kept", or: "give it as `audit verify` printed it, NUMBER:HASH"
        ) { AuditHead($0) }
    }
}
