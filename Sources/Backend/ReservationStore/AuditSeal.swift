public import Cryptography
public import Reservations
private import Synchronization

/// What the backend's key has signed of a shop's audit: where the chain ended at a moment.
public struct AuditSeal: Hashable, Sendable {
    public let head: AuditHead
    /// By the clock of the queue.
    public let at: Moment

    private static let word = "clup-audit"

    init(head: AuditHead, at: Moment) {
        self.head = head
        self.at = at
    }

    /// What was signed; nil where it is of another shop or of something else.
    init?(_ text: String, of shop: ShopID) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.word, parts[1] == shop.rawValue,
            let head = AuditHead(parts[2]), let at = Int64(parts[3])
        else { return nil }
        self.init(head: head, at: Moment(milliseconds: at))
    }

    func text(of shop: ShopID) -> String { "\(Self.word) \(shop) \(head.text) \(at.milliseconds)" }
}

/// Signs the end of each shop's audit with the backend's key, now and then: who may write the tables cannot.
///
/// Nothing is signed that does not follow from what was signed before, as far as that is known here: by the
/// signature in the database, and by what was signed since and is kept elsewhere.
public final class AuditSealer: Sendable {
    /// Between two looks at a shop's audit.
    private static let checkInterval = Duration.seconds(60)
    /// A signature of an audit that did not grow is made anew after this long, so that it tells of today.
    private static let maxSealAge = Duration.seconds(3_600)

    private struct Content {
        /// What was signed last.
        var signed: [ShopID: AuditHead]
        /// When a shop is looked at again.
        var next: [ShopID: ContinuousClock.Instant] = [:]
        var broken: Set<ShopID> = []
    }

    private let signer: AnswerSigner
    private let content: Mutex<Content>
    private let keep: @Sendable ([ShopID: AuditHead]) -> Void
    private let found: @Sendable (ShopID, String) -> Void

    /// - Parameters:
    ///   - signed: what was signed before, as it was kept elsewhere than in the database.
    ///   - keep: gets all that was signed, to be kept there.
    ///   - found: gets a shop whose audit does not follow from what was signed, once, with a sentence.
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

    /// Looks at one shop, of those whose time has come the one that was never looked at.
    func step(_ shops: [Shop], at now: Moment, in database: any Database) throws(StoreError) {
        let present = ContinuousClock.now
        let due = content.withLock { content in
            let due =
                shops.first { content.next[$0.id] == nil }
                ?? shops.first { content.next[$0.id].map { $0 <= present } ?? true }
            if let due { content.next[due.id] = present + Self.checkInterval }
            return due
        }
        if let due { try seal(due.id, at: now, in: database) }
    }

    /// Signs the end of a shop's audit, unless that was done; tells of one that is not as it was.
    func seal(_ shop: ShopID, at now: Moment, in database: any Database) throws(StoreError) {
        let known = content.withLock { $0.signed[shop] }
        let finding = try database.transaction { () throws(StoreError) -> AuditFinding in
            let seal = try AuditRows.seal(of: shop, by: signer.publicKey, in: database)
            let former = [known, seal?.head].compactMap(\.self).max { $0.sequence < $1.sequence }
            let finding = try AuditRows.follow(shop, from: former ?? .none, in: database)
            guard case .whole(let head) = finding else { return finding }
            let isOld = seal.map { now < $0.at || $0.at + Self.maxSealAge <= now } ?? true
            if isOld || seal?.head != head {
                let text = AuditSeal(head: head, at: now).text(of: shop)
                try AuditRows.write(seal: signer.vouched(text), of: shop, to: database)
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
