internal import Cryptography
internal import QRCode
internal import QueueEngine
internal import Reservations
private import Synchronization

/// Makes the invitations of shops, a new one each minute, and recognizes those of the last minutes (rules: joining).
///
/// They are made with the key of the backend's answers, so that every server of a database knows those of the others, and
/// none is stored.
final class Invitations: Sendable {
    /// An invitation as it is shown.
    struct Shown: Hashable {
        let minute: Int64
        let link: String
        /// The symbol of the link, as `QRMatrix.rows`; nil if it cannot be drawn.
        let symbol: [String]?
    }

    /// The shop, and whether only customers of orders are invited.
    private struct Wanted: Hashable {
        let tag: ShopTag
        let isForOrders: Bool
    }

    private struct Content {
        var shown: [Wanted: Shown] = [:]
        /// Those of the minutes that count now, so that each is made once.
        var made: [ShopTag: [Int64: Invitation]] = [:]
    }

    /// Minutes for which an invitation is good after its own.
    private static let lifetime = QueueState.invitationLifetime.wholeSeconds / 60
    /// Minutes by which the clock of the server that made one may be ahead.
    private static let tolerance = 1

    private let content = Mutex(Content())
    private let page: String
    private let orderPage: String
    private let signer: AnswerSigner
    private let clock: @Sendable () -> Moment

    /// - Parameters:
    ///   - page: the address of the page for joining.
    ///   - orderPage: the address of the page of orders.
    init(
        page: String, orderPage: String, signer: AnswerSigner,
        clock: @escaping @Sendable () -> Moment
    ) {
        self.page = page
        self.orderPage = orderPage
        self.signer = signer
        self.clock = clock
    }

    private var minute: Int64 { clock().seconds / 60 }

    /// The minutes whose invitations are good in this one.
    private static func minutes(in minute: Int64) -> ClosedRange<Int64> {
        (minute - Int64(lifetime))...(minute + Int64(tolerance))
    }

    /// The invitation of the present minute.
    ///
    /// - Parameter isForOrders: whether its link leads to the page of orders, and not to that for joining.
    func shown(of tag: ShopTag, isForOrders: Bool = false) -> Shown {
        let wanted = Wanted(tag: tag, isForOrders: isForOrders)
        let minute = minute
        if let shown = content.withLock({ $0.shown[wanted] }), shown.minute == minute {
            return shown
        }
        // Two callers may make the same one.
        let link = invitation(of: tag, in: minute).link(to: isForOrders ? orderPage : page)
        let shown = Shown(
            minute: minute, link: link, symbol: try? QRCode.matrix(of: link).rows)
        content.withLock { $0.shown[wanted] = shown }
        return shown
    }

    /// Whether it is the invitation of one of the last minutes; its shop must exist.
    func isGood(_ invitation: Invitation) -> Bool {
        Self.minutes(in: minute).contains { minute in
            Cryptography.equal(
                Array(self.invitation(of: invitation.tag, in: minute).rawValue.utf8),
                Array(invitation.rawValue.utf8))
        }
    }

    private func invitation(of tag: ShopTag, in minute: Int64) -> Invitation {
        if let made = content.withLock({ $0.made[tag]?[minute] }) { return made }
        let proof = signer.proof(of: "invitation.\(tag).\(minute)", bytes: Invitation.proofBytes)
        let made = Invitation(tag: tag, proof: proof)
        let counting = Self.minutes(in: self.minute)
        content.withLock { content in
            content.made[tag] = content.made[tag, default: [:]].filter {
                counting.contains($0.key)
            }
            content.made[tag]?[minute] = made
        }
        return made
    }
}
