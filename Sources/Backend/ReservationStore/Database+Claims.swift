internal import QueueEngine
internal import Reservations
internal import RowColumns

private enum ClaimColumn: Int, SelectedColumn { case shopID, attempt, claimedMs, days }
private let selectClaim = Query("SELECT \(ClaimColumn.list) FROM claim WHERE holder = $holder")
private let insertClaim = Query(
    """
    INSERT INTO claim (holder, shop_id, attempt, claimed_ms, days)
    VALUES ($holder, $shop, $attempt, $now, $days) ON CONFLICT (holder) DO NOTHING
    """)
private let replaceClaim = Query(
    """
    UPDATE claim SET shop_id = $shop, attempt = $attempt, claimed_ms = $now, days = $days
    WHERE holder = $holder AND shop_id = $formerShop AND attempt = $formerAttempt
        AND claimed_ms = $former
    """)
private let writeEndOfAttempt = Query(
    """
    UPDATE claim SET attempt = ''
    WHERE holder = $holder AND attempt = $attempt AND shop_id = $shop
    """)
private let removeClaim = Query("DELETE FROM claim WHERE holder = $holder")
// With a range of one value, SQLite uses the index of holders, and otherwise reads all reservations of the shop.
private let selectOfHolder = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND holder >= $holder AND holder <= $holder
    """)
private let forgetHolder = Query(
    """
    UPDATE reservation SET holder = ''
    WHERE shop_id = $shop COLLATE "binary" AND holder = $holder
    """)
// The condition on the holder is that of the index `reservation_by_number`.
private let selectOfNumbers = Query(
    """
    SELECT id FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND substr(holder, 1, 7) = 'number/'
        AND state_ms < $before AND state IN ('expired', 'deleted')
    LIMIT $count
    """)
private let forgetNumber = Query(
    "UPDATE reservation SET holder = '' WHERE shop_id = $shop AND id = $id")
// Two places that staff restored may be called and missed together.
private let insertNoShow = Query(
    """
    INSERT INTO no_show (shop_id, holder, missed_ms) VALUES ($shop, $holder, $missed)
    ON CONFLICT (shop_id, holder, missed_ms) DO NOTHING
    """)
private let selectNoShows = Query(
    """
    SELECT holder, missed_ms FROM no_show
    WHERE shop_id = $shop AND missed_ms >= $since ORDER BY holder, missed_ms
    """)
private let removeNoShows = Query("DELETE FROM no_show WHERE shop_id = $shop AND holder = $holder")
private let selectOldClaims = Query(
    """
    SELECT holder FROM claim
    WHERE shop_id = $shop AND claimed_ms < $before ORDER BY claimed_ms LIMIT $count
    """)
private let removeOldClaim = Query(
    "DELETE FROM claim WHERE holder = $holder AND shop_id = $shop AND claimed_ms < $before")
private let renewClaim = Query(
    """
    UPDATE claim SET claimed_ms = $now
    WHERE holder = $holder AND shop_id = $shop AND claimed_ms < $before
    """)
private let removeOldNoShows = Query(
    "DELETE FROM no_show WHERE shop_id = $shop AND missed_ms < $before")

/// Claims are kept for a day after the holder's last request for a place, and as long as one of the places is there.
private let claimLifetime = Duration.seconds(86_400)

/// Adds a row of `selectNoShows`.
private func learn(_ row: any Columns, _ noShows: inout [HolderID: [Moment]]) {
    noShows[HolderID(row.text(0)), default: []].append(Moment(milliseconds: row.integer(1)))
}

/// The days on which a holder has a place, or may have one, with the shop of each.
struct ClaimedDays: Hashable {
    private(set) var shops: [CalendarDay: ShopID]

    /// Reads `yyyy-MM-dd SHOP`, one after the other with blanks between them; a shop's identifier has none.
    init(_ text: String = "") {
        let words = text.split(separator: " ")
        let pairs = stride(from: 0, to: words.count - 1, by: 2).compactMap { place in
            CalendarDay(words[place]).map { ($0, ShopID(String(words[place + 1]))) }
        }
        shops = Dictionary(pairs) { _, last in last }
    }

    var text: String {
        shops.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
    }

    /// Adds a day, and forgets those that have passed on every clock of the world, which differ by 26 hours at most.
    mutating func add(_ day: CalendarDay, of shop: ShopID, today: CalendarDay) {
        shops = shops.filter { $0.key >= today.advanced(by: -2) }
        shops[day] = shop
    }
}

/// A holder's claim to places, as it is stored.
struct StoredClaim {
    /// The shop of the last request.
    let shop: ShopID
    /// The idempotency key of the request that is being carried out; empty if none is.
    let attempt: String
    let claimed: Moment
    let days: ClaimedDays

    /// Whether a request is being carried out, as far as its lease says.
    func isUnderWay(at now: Moment) -> Bool {
        !attempt.isEmpty && now - Claim.lease < claimed && claimed < now + Claim.lease
    }
}

/// Claims of holders, the only table whose key does not begin with the shop, and the calls that holders have missed.
extension Database {
    func claim(of holder: HolderID) throws(StoreError) -> StoredClaim? {
        try named(selectClaim, holder) { (row: Row<ClaimColumn>) in
            StoredClaim(
                shop: ShopID(row.text(.shopID)), attempt: row.text(.attempt),
                claimed: row.moment(.claimedMs), days: ClaimedDays(row.text(.days)))
        }.first
    }

    /// Makes a claim in the place of the former one, if that is still as it was read; returns whether it was.
    func write(
        _ claim: StoredClaim, of holder: HolderID, replacing former: StoredClaim?
    ) throws(StoreError) -> Bool {
        guard let former else {
            return try execute(
                insertClaim, holder, claim.shop, claim.attempt, claim.claimed, claim.days.text) == 1
        }
        return try execute(
            replaceClaim, claim.shop, claim.attempt, claim.claimed, claim.days.text, holder,
            former.shop, former.attempt, former.claimed) == 1
    }

    /// Whether a holder has a place in any of the shops of a claim.
    func hasPlace(_ holder: HolderID, by claim: StoredClaim, at now: Moment) throws(StoreError)
        -> Bool
    {
        for shop in Set(claim.days.shops.values).union([claim.shop]) {
            if try records(of: holder, in: shop).contains(where: { $0.isPlace(at: now) }) {
                return true
            }
        }
        return false
    }

    /// Ends the attempt of a claim, which keeps its days.
    func endAttempt(
        _ attempt: String, of holder: HolderID, in shop: ShopID
    ) throws(StoreError) { try execute(writeEndOfAttempt, holder, attempt, shop) }

    func deleteClaim(of holder: HolderID) throws(StoreError) {
        try execute(removeClaim, holder)
    }

    /// All places that a holder ever had in a shop, as far as they are kept.
    func records(of holder: HolderID, in shop: ShopID) throws(StoreError) -> [ReservationRecord] {
        try rows(selectOfHolder, shop, holder, read: readReservation)
    }

    /// Takes the holder's name out of the shop's reservations and missed calls; returns in how many it was. Stored answers
    /// to the holder's requests go by themselves (rules: idempotency-keys).
    func forget(_ holder: HolderID, in shop: ShopID) throws(StoreError) -> Int {
        try execute(forgetHolder, shop, holder) + deleteNoShows(of: holder, in: shop)
    }

    /// Takes the names of telephone numbers out of some of the reservations that ended before a moment; returns how many
    /// were found.
    func forgetNumbers(
        of shop: ShopID, atMost count: Int, before moment: Moment
    ) throws(StoreError) -> Int {
        let ids = try rows(selectOfNumbers, shop, moment, count) { ReservationID($0.text(0)) }
        for id in ids { try execute(forgetNumber, shop, id) }
        return ids.count
    }

    func writeNoShow(of holder: HolderID, at moment: Moment, in shop: ShopID) throws(StoreError) {
        try post(insertNoShow, shop, holder, moment, changing: nil)
    }

    /// Returns how many they were.
    func deleteNoShows(of holder: HolderID, in shop: ShopID) throws(StoreError) -> Int {
        try execute(removeNoShows, shop, holder)
    }

    /// The same, with the statements of a transaction.
    func postDeletion(ofNoShowsOf holder: HolderID, in shop: ShopID) throws(StoreError) {
        try post(removeNoShows, shop, holder, changing: nil)
    }

    /// The calls that holders have missed since a moment, in the order of the moments.
    func noShows(of shop: ShopID, since: Moment) throws(StoreError) -> [HolderID: [Moment]] {
        var found: [HolderID: [Moment]] = [:]
        try query(selectNoShows, shop, since) { learn($0, &found) }
        return found
    }

    static func noShows(of shop: ShopID, since: Moment) -> Question<LoadedQueue> {
        Question(selectNoShows.with(shop, since)) { row, queue in learn(row, &queue.noShows) }
    }

    /// Deletes the calls that were missed too long ago to count.
    func pruneNoShows(of shop: ShopID, at now: Moment) throws(StoreError) {
        try execute(removeOldNoShows, shop, now - QueueState.noShowMemory)
    }

    /// Looks at some of the oldest claims, and deletes those without a place; returns how many were looked at.
    func pruneClaims(of shop: ShopID, atMost count: Int, at now: Moment) throws(StoreError) -> Int {
        let before = now - claimLifetime
        let holders = try rows(selectOldClaims, shop, before, count) { HolderID($0.text(0)) }
        for holder in holders {
            if let claim = try claim(of: holder), try hasPlace(holder, by: claim, at: now) {
                try execute(renewClaim, now, holder, shop, before)
            } else {
                try execute(removeOldClaim, holder, shop, before)
            }
        }
        return holders.count
    }
}
