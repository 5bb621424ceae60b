public import Reservations

/// Deletes data that is not needed any more, in batches so small that a running server is not held up.
///
/// Reservations that may still change are never touched: open holds, planned, called and active ones. Beside a running
/// server this is safe, since no queue in memory contains an ended reservation of an earlier day.
public final class Pruning {
    /// The number of rows of each kind deleted in one transaction: a few milliseconds' work.
    public static let batch = 256
    /// How long holds that were never confirmed are kept after they were taken: longer than any retry of a machine,
    /// whose answer is then stored with its key all the same.
    public static let holdLifetime = Duration.seconds(86_400)

    /// How long a browser stays known after its place has ended: until its capability has ended too.
    static let subscriptionAfterlife = Duration.minutes(15)
    /// How long the name of a telephone number is kept after the end of a place that was taken with it.
    static let numberLifetime = Duration.seconds(86_400)

    /// The number of rows that were deleted.
    public struct Pruned: Hashable, Sendable {
        /// Confirmed reservations, with their events.
        public var reservations = 0
        /// Holds that expired or were cancelled, with their events.
        public var holds = 0
        /// Days' counters.
        public var days = 0
        /// Stored answers; nonces are forgotten by the servers.
        public var requests = 0

        public init() {}
    }

    private static let selectOld = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day < $day AND number >= 1 AND state IN ('expired', 'deleted')
        ORDER BY day, number LIMIT $count
        """)
    private static let selectTaken = Query(
        """
        SELECT id, number, state FROM reservation
        WHERE shop_id = $shop AND id > $after AND id < $before ORDER BY id LIMIT $count
        """)
    private static let deleteEvents = Query(
        "DELETE FROM reservation_event WHERE shop_id = $shop AND reservation_id = $id")
    private static let deleteReservation = Query(
        """
        DELETE FROM reservation WHERE shop_id = $shop AND id = $id
            AND state IN ('expired', 'deleted')
        """)
    private static let deleteDays = Query(
        "DELETE FROM day_counter WHERE shop_id = $shop AND day < $day")
    private static let deletePapers = Query(
        "DELETE FROM machine_paper_day WHERE shop_id = $shop AND day < $day")

    private let database: any Database
    /// Up to which identifier each shop's holds were checked; identifiers grow with time.
    private var seen: [ShopID: String] = [:]

    public init(database: any Database) { self.database = database }

    /// Deletes everything of the days before `day`, and all other rows that are too old at `now`; calls `pause` between
    /// two transactions.
    ///
    /// - Parameters:
    ///   - day: The first day that is kept, on the shop's own calendar.
    ///   - now: The time of the queue's clock.
    public func prune(
        _ shop: ShopID, before day: CalendarDay, at now: Moment, pause: () -> Void
    ) throws(StoreError) -> Pruned {
        var pruned = Pruned()
        // The counter comes first: a day without one is being deleted, and may have gaps.
        pruned.days = try database.transaction { () throws(StoreError) in
            try database.execute(Self.deletePapers, shop, day)
            try database.pruneRefusedRequests(shop, before: day)
            try database.pruneRefusedSlots(of: shop, before: day)
            try database.pruneRetiredCodes(of: shop, before: day)
            try database.pruneNoticeCounts(of: shop, before: day)
            try database.pruneSMSCounts(of: shop, before: day)
            try database.prunePickupDays(of: shop, before: day)
            // A few hours earlier or later than the shop's own midnight.
            let midnight = Moment(milliseconds: Int64(day.daysSince1970) * 86_400_000)
            try database.pruneHelpCalls(of: shop, before: midnight)
            return try database.execute(Self.deleteDays, shop, day)
        }
        while true {
            let old = try database.rows(Self.selectOld, shop, day, Self.batch) { $0.text(0) }
            if old.isEmpty { break }
            pruned.reservations += try delete(old, of: shop)
            pause()
        }
        while try pruneClaims(of: shop, at: now) == false { pause() }
        while try pruneSubscriptions(of: shop, at: now) == false { pause() }
        try pruneSMSNumbers(at: now)
        var isDone = false
        while !isDone {
            let holds = try pruneHolds(of: shop, at: now)
            pruned.holds += holds.deleted
            isDone = holds.isDone
            if holds.deleted > 0 { pause() }
        }
        while true {
            let requests = try database.transaction { () throws(StoreError) in
                try database.pruneAnswers(shop, at: now)
            }
            if requests == 0 { return pruned }
            pruned.requests += requests
            pause()
        }
    }

    /// Checks one batch of a shop's reservations and deletes holds that were never confirmed; `isDone` is true if none
    /// is left that is old enough.
    func pruneHolds(
        of shop: ShopID, at now: Moment
    ) throws(StoreError) -> (deleted: Int, isDone: Bool) {
        var found = 0
        var last = seen[shop] ?? ""
        var expired: [String] = []
        let end = CodeGenerator.firstID(at: now - Self.holdLifetime)
        try database.query(Self.selectTaken, shop, last, end, Self.batch) { row in
            found += 1
            last = row.text(0)
            if row.isNull(1), row.text(2) == ReservationState.deleted.rawValue {
                expired.append(last)
            }
        }
        let deleted = expired.isEmpty ? 0 : try delete(expired, of: shop)
        seen[shop] = last
        return (deleted, found < Self.batch)
    }

    /// Deletes one batch of claims of phones whose place has ended, what is too old of missed calls, and which telephone
    /// numbers had places a day ago; returns whether nothing of it is left.
    func pruneClaims(of shop: ShopID, at now: Moment) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in
            try database.pruneNoShows(of: shop, at: now)
            let numbers = try database.forgetNumbers(
                of: shop, atMost: Self.batch, before: now - Self.numberLifetime)
            return try database.pruneClaims(of: shop, atMost: Self.batch, at: now) < Self.batch
                && numbers < Self.batch
        }
    }

    /// Deletes one batch of subscriptions to places that have ended; returns whether none is left.
    func pruneSubscriptions(of shop: ShopID, at now: Moment) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in
            try database.pruneSubscriptions(
                of: shop, atMost: Self.batch, before: now - Self.subscriptionAfterlife)
                < Self.batch
        }
    }

    /// Lets time pass for one batch of orders that customers collect, and deletes one batch of those that ended long ago;
    /// returns whether nothing of it is left (rules: orders).
    ///
    /// - Parameter first: The first day whose customers may still be here.
    func passOrders(
        of shop: Shop, at now: Moment, since first: CalendarDay
    ) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop.id)
            let passed = try database.passOrderTime(
                of: shop, at: now, since: first, atMost: Self.batch)
            let end = now - .seconds(shop.policy.orders.rememberedDays * 86_400)
            let pruned = try database.pruneOrders(
                of: shop.id, before: end, atMost: Self.batch)
            return passed < Self.batch && pruned < Self.batch
        }
    }

    /// Deletes what is known of telephone numbers that ask for nothing any more.
    func pruneSMSNumbers(at now: Moment) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.pruneSMSNumbers(at: now)
        }
    }

    private func delete(_ ids: [String], of shop: ShopID) throws(StoreError) -> Int {
        try database.transaction { () throws(StoreError) in
            var deleted = 0
            for id in ids {
                // An event never stays without its reservation, nor the reverse: `check` would report it.
                let rows = try database.execute(Self.deleteReservation, shop, id)
                if rows > 0 { try database.execute(Self.deleteEvents, shop, id) }
                deleted += rows
            }
            return deleted
        }
    }
}
