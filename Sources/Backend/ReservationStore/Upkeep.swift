internal import Reservations

/// What a server does for its database where nobody asks for anything.
///
/// On the writer's queue only.
final class Upkeep {
    /// How long a shop whose old holds are all gone is left alone.
    private static let idleInterval = Duration.seconds(60)

    private static let touch = Query(
        "UPDATE change_sequence SET sequence = sequence WHERE shop_id = $shop", "shop")

    private let database: any Database
    private let pruning: Pruning
    /// When a shop's holds are looked at again.
    private var next: [ShopID: ContinuousClock.Instant] = [:]

    private let sealer: AuditSealer?

    init(database: any Database, sealer: AuditSealer?) {
        self.database = database
        self.sealer = sealer
        pruning = Pruning(database: database)
    }

    /// One small step, a few milliseconds: after trouble a try to write, which throws while it lasts; else
    /// one bite of old holds, and one shop's audit signed.
    ///
    /// Without the try a server that nobody sends anything, because it is not ready, would never be ready
    /// again.
    func step(
        shops: [Shop], hasTrouble: Bool, at now: Moment
    ) throws(StoreError) {
        if hasTrouble {
            guard let shop = shops.first else { return }
            _ = try database.transaction { () throws(StoreError) in
                try database.execute(Self.touch, [.text(shop.id.rawValue)])
            }
            return
        }
        try sealer?.step(shops, at: now, in: database)
        let present = ContinuousClock.now
        guard let shop = shops.first(where: { next[$0.id].map { $0 <= present } ?? true })?.id
        else { return }
        do throws(StoreError) {
            if try pruning.pruneHolds(of: shop, at: now).isDone {
                next[shop] = present + Self.idleInterval
            }
        } catch {
            // An old row that cannot be read is for `database check`: it keeps nobody from a ticket.
            guard error.code == .corrupt else { throw error }
            next[shop] = present + Self.idleInterval
        }
    }
}
