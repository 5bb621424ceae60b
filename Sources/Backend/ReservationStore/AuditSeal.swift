public import Cryptography
public import Reservations
private import Synchronization

/// The end of a shop's audit at a moment, as the backend's key has signed it.
public struct AuditSeal: Hashable, Sendable {
    public let head: AuditHead
    /// The moment by the clock of the queue.
    public let at: Moment

    private static let word = "clup-audit"

    init(head: AuditHead, at: Moment) {
        self.head = head
        self.at = at
    }

    /// Reads a signed text; returns nil if it is of another shop or of another kind.
    init?(_ text: String, of shop: ShopID) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.word, parts[1] == shop.rawValue,
            let head = AuditHead(parts[2]), let at = Int64(parts[3])
        else { return nil }
        self.init(head: head, at: Moment(milliseconds: at))
    }

    func text(of shop: ShopID) -> String { "\(Self.word) \(shop) \(head.text) \(at.milliseconds)" }
}

/// Signs the end of each shop's audit with the backend's key from time to time: an attacker with access to the tables
/// alone cannot do that.
///
/// An end is signed only if it follows from what was signed before, as far as that is known here: by the signature in
/// the database, and by what was signed since and is kept elsewhere.
public final class AuditSealer: Sendable {
    private static let checkInterval = Duration.seconds(60)
    /// The signature of an audit that did not grow is made again after this long, so that it shows a recent date.
    private static let maxSealAge = Duration.seconds(3_600)

    private struct Content {
        var signed: [ShopID: AuditHead]
        var next: [ShopID: ContinuousClock.Instant] = [:]
        var broken: Set<ShopID> = []
    }

    private let signer: AnswerSigner
    private let content: Mutex<Content>
    private let keep: @Sendable ([ShopID: AuditHead]) -> Void
    private let found: @Sendable (ShopID, String) -> Void

    /// - Parameters:
    ///   - signed: The heads that were signed before, as they were kept outside of the database.
    ///   - keep: Called with all heads that were signed, to keep them there.
    ///   - found: Called once with a shop whose audit does not follow from what was signed, and with a sentence.
    public init(
        signer: AnswerSigner, signed: [ShopID: AuditHead] = [:],
        keep: @escaping @Sendable ([ShopID: AuditHead]) -> Void = { _ in },
        found: @escaping @Sendable (ShopID, String) -> Void = { _, _ in }
    ) {
        self.signer = signer
        content = Mutex(Content(signed: signed))
        self.keep = keep
        self.found = found
    }

    /// Checks one shop among those that are due, first one that was never checked.
    func step(
        _ shops: [Shop], at now: Moment, uptime: ContinuousClock.Instant,
        in database: any Database
    ) throws(StoreError) {
        let due = content.withLock { content in
            let due =
                shops.first { content.next[$0.id] == nil }
                ?? shops.first { content.next[$0.id].map { $0 <= uptime } ?? true }
            if let due { content.next[due.id] = uptime + Self.checkInterval }
            return due
        }
        if let due { try seal(due.id, at: now, in: database) }
    }

    /// Signs the end of a shop's audit, unless that was done; reports an audit that was changed.
    func seal(_ shop: ShopID, at now: Moment, in database: any Database) throws(StoreError) {
        let known = content.withLock { $0.signed[shop] }
        let finding = try database.transaction { () throws(StoreError) -> AuditFinding in
            let seal = try database.auditSeal(of: shop, by: signer.publicKey)
            let former = [known, seal?.head].compactMap(\.self).max { $0.sequence < $1.sequence }
            let finding = try database.followAudit(shop, from: former ?? .none)
            guard case .whole(let head) = finding else { return finding }
            let isOld = seal.map { now < $0.at || $0.at + Self.maxSealAge <= now } ?? true
            if isOld || seal?.head != head {
                let text = AuditSeal(head: head, at: now).text(of: shop)
                try database.write(auditSeal: signer.signed(text), of: shop)
            }
            return finding
        }
        switch finding {
        case .whole(let head):
            let all = content.withLock { content -> [ShopID: AuditHead]? in
                content.broken.remove(shop)
                guard content.signed.updateValue(head, forKey: shop) != head else { return nil }
                return content.signed
            }
            if let all { keep(all) }
        case .broken(let sequence, let reason):
            let isNew = content.withLock { $0.broken.insert(shop).inserted }
            if isNew { found(shop, "row \(sequence): \(reason)") }
        }
    }
}
