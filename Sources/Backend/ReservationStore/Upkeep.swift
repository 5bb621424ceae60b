internal import Reservations

/// The maintenance of a server's database when no request comes.
///
/// It runs on the writer's queue only.
final class Upkeep {
    /// The time after which a shop whose old holds are all gone is checked again.
    private static let idleInterval = Duration.seconds(60)

    private static let touch = Query(
        "UPDATE change_sequence SET sequence = sequence WHERE shop_id = $shop")

    private let database: any Database
    private let pruning: Pruning
    private var next: [ShopID: ContinuousClock.Instant] = [:]

    private let sealer: AuditSealer?
    private let firstOrderDay: @Sendable (Moment, Shop) -> CalendarDay

    /// - Parameter firstOrderDay: Returns the first day whose customers may still wait for orders at a moment.
    init(
        database: any Database, sealer: AuditSealer?,
        firstOrderDay: @escaping @Sendable (Moment, Shop) -> CalendarDay
    ) {
        self.database = database
        self.sealer = sealer
        self.firstOrderDay = firstOrderDay
        pruning = Pruning(database: database)
    }

    /// Does one small step of a few milliseconds: after a failure an attempt to write, which throws while the failure
    /// lasts; otherwise it deletes one batch each of old holds, claims, subscriptions and orders, and signs one shop's audit.
    ///
    /// Without the attempt, a server that gets no requests because it is not ready would never become ready again.
    ///
    /// - Parameter uptime: The present moment of the monotonic clock.
    func step(
        shops: [Shop], hasTrouble: Bool, at now: Moment, uptime: ContinuousClock.Instant
    ) throws(StoreError) {
        if hasTrouble {
            guard let shop = shops.first else { return }
            _ = try database.transaction { () throws(StoreError) in
                try database.execute(Self.touch, shop.id)
            }
            return
        }
        try sealer?.step(shops, at: now, uptime: uptime, in: database)
        guard let due = shops.first(where: { next[$0.id].map { $0 <= uptime } ?? true })
        else { return }
        let shop = due.id
        do throws(StoreError) {
            let hasClaims = try !pruning.pruneClaims(of: shop, at: now)
            let hasSubscriptions = try !pruning.pruneSubscriptions(of: shop, at: now)
            let first = firstOrderDay(now, due)
            let hasOrders = try !pruning.passOrders(of: due, at: now, since: first)
            if try pruning.pruneHolds(of: shop, at: now).isDone, !hasClaims, !hasSubscriptions,
                !hasOrders
            {
                next[shop] = uptime + Self.idleInterval
                if shop == shops.first?.id { try pruning.pruneSMSNumbers(at: now) }
            }
        } catch {
            // An old row that cannot be read is a matter for `database check`: it must not stop customers' tickets.
            guard error.code == .corrupt else { throw error }
            next[shop] = uptime + Self.idleInterval
        }
    }
}
