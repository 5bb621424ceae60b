internal import QueueEngine
internal import Reservations

/// What each change of a shop's queue was about, so that another server reads that and nothing else.
///
/// Kept where several servers write one database; of the last changes only.
enum ChangeRows {
    /// Changes that are kept: those of some seconds. A server that is further behind reads everything.
    private static let kept: Int64 = 256
    /// Reservations of one change that are named, and those that are read one by one.
    private static let maxChangesPerRead = 512

    private static let insert = Query(
        """
        INSERT INTO queue_change (shop_id, sequence, reservations, floor)
        VALUES ($shop, $sequence, $reservations, $floor)
        """,
        "shop", "sequence", "reservations", "floor")
    private static let selectLater = Query(
        """
        SELECT reservations, floor FROM queue_change
        WHERE shop_id = $shop AND sequence > $known AND sequence <= $last
        """,
        "shop", "known", "last")
    private static let deleteOld = Query(
        "DELETE FROM queue_change WHERE shop_id = $shop AND sequence <= $last", "shop", "last")

    /// What changed.
    struct Content {
        var reservations: Set<ReservationID> = []
        /// Whether people without a reservation, or what is learned of customers, are among it.
        var hasFloor = false

        mutating func add(_ change: QueueChange) {
            switch change {
            case .inserted(let record), .confirmed(let record):
                reservations.insert(record.hold.id)
            case .ended(let hold, _, _), .extended(let hold): reservations.insert(hold.id)
            case .moved(let transition): reservations.insert(transition.id)
            case .strangers, .learnedStays, .learnedAttendance: hasFloor = true
            // Days are few and always read.
            case .counterAdvanced, .closingSet, .ticketsEnded: break
            }
        }
    }

    /// Names what a change was about; one of too much is left out, as by an administrator.
    static func write(
        _ content: Content, as sequence: Int64, of shop: ShopID, to database: any Database
    ) throws(StoreError) {
        guard content.reservations.count <= maxChangesPerRead else { return }
        let names = content.reservations.map(\.rawValue).joined(separator: " ")
        try database.post(
            insert,
            [
                .text(shop.rawValue), .integer(sequence), .text(names),
                .integer(content.hasFloor ? 1 : 0),
            ], changing: 1)
    }

    /// What the changes after `known` up to `last` were about; nil where one of them is not told, or
    /// they are too many.
    static func content(
        of shop: ShopID, after known: Int64, upTo last: Int64, in database: any Database
    ) throws(StoreError) -> Content? {
        guard known >= 0, known < last, last - known <= kept else { return nil }
        var content = Content()
        var told = 0
        try database.query(selectLater, [.text(shop.rawValue), .integer(known), .integer(last)]) {
            told += 1
            content.reservations.formUnion(
                $0.text(0).split(separator: " ").map { ReservationID(String($0)) })
            if $0.integer(1) == 1 { content.hasFloor = true }
        }
        return told == last - known && content.reservations.count <= maxChangesPerRead
            ? content : nil
    }

    /// Clears away what no server needs that has looked lately.
    static func prune(_ shop: ShopID, upTo last: Int64, in database: any Database)
        throws(StoreError)
    {
        try database.post(
            deleteOld, [.text(shop.rawValue), .integer(last - kept)], changing: nil)
    }
}
