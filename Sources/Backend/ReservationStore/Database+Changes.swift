internal import QueueEngine
internal import Reservations

/// The number of changes that are kept: those of a few seconds. A server that is further behind reads everything.
private let kept: Int64 = 256
/// The highest number of reservations that one change names, and that are read one by one.
private let maxChangesPerRead = 512
private let insertChange = Query.insert(
    into: "queue_change", "shop_id, sequence, reservations, floor, no_shows", isCombinable: true)
private let selectLater = Query(
    """
    SELECT reservations, floor, no_shows FROM queue_change
    WHERE shop_id = $shop AND sequence > $known AND sequence <= $last
    """)
private let deleteOld = Query(
    "DELETE FROM queue_change WHERE shop_id = $shop AND sequence <= $last")

struct QueueChanges {
    var reservations: Set<ReservationID> = []
    /// Whether unregistered occupants, orders at desks inside, or what is learned of customers, changed too.
    var hasFloor = false
    /// Whether an order was called, so that the desks have changed.
    var callsOrders = false
    /// Whether a holder has missed a call.
    var hasNoShows = false
    /// The last number of each day that was given; written once for all commands of a transaction.
    var numbers: [CalendarDay: QueueNumber] = [:]

    mutating func add(_ change: QueueChange) {
        switch change {
        case .inserted(let record), .confirmed(let record), .turnChanged(let record),
            .rebooked(let record, _), .recoded(let record, _):
            reservations.insert(record.hold.id)
        case .extended(let hold): reservations.insert(hold.id)
        case .moved(let transition): reservations.insert(transition.id)
        case .questionChanged(let id, _): reservations.insert(id)
        case .unregistered, .learnedStays, .learnedAttendance, .collectorsChanged: hasFloor = true
        case .orderCalled:
            hasFloor = true
            callsOrders = true
        case .noShow, .noShowsForgotten: hasNoShows = true
        case .counterAdvanced(let day, let number, _): numbers[day] = number
        // There are few days, and they are always read.
        case .closingSet, .ticketsEnded: break
        }
    }
}

/// The subject of each change of a shop's queue, so that another server reads only what was changed.
///
/// Only the last changes are kept, and only if several servers write to one database.
extension Database {
    /// Writes the subject of a change; one with too many reservations is left out, as is one by an administrator.
    func write(_ content: QueueChanges, as sequence: Int64, of shop: ShopID) throws(StoreError) {
        guard content.reservations.count <= maxChangesPerRead else { return }
        let names = content.reservations.map(\.rawValue).joined(separator: " ")
        try post(
            insertChange, shop, sequence, names, content.hasFloor, content.hasNoShows, changing: 1)
    }

    /// The subject of the changes after `known` up to `last`; nil if one of them has no row, or if there are too many.
    func queueChanges(
        of shop: ShopID, after known: Int64, upTo last: Int64
    ) throws(StoreError) -> QueueChanges? {
        guard known >= 0, known < last, last - known <= kept else { return nil }
        var content = QueueChanges()
        var found = 0
        try query(selectLater, shop, known, last) {
            found += 1
            content.reservations.formUnion(
                $0.text(0).split(separator: " ").map { ReservationID(String($0)) })
            if $0.integer(1) == 1 { content.hasFloor = true }
            if $0.integer(2) == 1 { content.hasNoShows = true }
        }
        return found == last - known && content.reservations.count <= maxChangesPerRead
            ? content : nil
    }

    /// Deletes the rows that no server needs that has looked recently.
    func pruneQueueChanges(_ shop: ShopID, upTo last: Int64) throws(StoreError) {
        try post(deleteOld, shop, last - kept, changing: nil)
    }
}
