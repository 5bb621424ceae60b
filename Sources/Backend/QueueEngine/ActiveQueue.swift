public import Reservations

/// A confirmed reservation that still takes part in the queue, reduced to the fields that the queue needs.
public struct LiveReservation: Hashable, Sendable {
    public let id: ReservationID
    public let number: QueueNumber
    /// What its paper bears; with other digits the reservation has another code, and another link.
    let typedCode: TypedCode
    public let day: CalendarDay
    public let channel: Channel
    /// Nil if it was taken at a machine, or if its holder was forgotten.
    let holder: HolderID?
    /// When its customer asked for it.
    let taken: Moment
    /// The slot of a visit; nil for a ticket.
    let visit: Range<Moment>?
    /// The names of the departments that the customer of a visit has named.
    let departments: [String]
    /// The moment since when it is planned, called or active.
    public var since: Moment
    /// The earliest time that was quoted to its holder (p10).
    public let earliest: Moment
    /// What its holder has done about its turn (rules: more-time).
    let turn: TurnChanges
    /// The question whether its holder is coming (rules: coming-question).
    var question: ComingQuestion

    public var kind: ReservationKind { visit == nil ? .ticket : .visit }

    /// When a visit may be called; nil for a ticket.
    public var slot: Moment? { visit?.lowerBound }

    /// Nil for a record that was never confirmed.
    public init?(_ record: ReservationRecord) {
        guard let confirmation = record.confirmation else { return nil }
        id = record.hold.id
        number = confirmation.number
        typedCode = confirmation.typedCode
        day = record.hold.day
        channel = record.hold.channel
        holder = record.hold.owner.holder.flatMap { $0.rawValue.isEmpty ? nil : $0 }
        taken = record.hold.taken.moment
        visit = record.hold.visit?.range
        departments = record.hold.visit?.departments ?? []
        since = record.since
        earliest = record.turn.place?.earliest ?? record.hold.wait.earliest.moment
        turn = record.turn
        question = record.question
    }

    /// Whether a record that was read earlier has the same number, code and slot.
    func isBooked(as record: ReservationRecord) -> Bool {
        day == record.hold.day && number == record.confirmation?.number
            && typedCode == record.confirmation?.typedCode
            && visit == record.hold.visit?.range
            && departments == record.hold.visit?.departments ?? []
    }

    func since(_ moment: Moment) -> LiveReservation {
        var changed = self
        changed.since = moment
        return changed
    }

    /// Its position among the waiting reservations: tickets by day and number unless their holders let others go ahead,
    /// visits by slot and number.
    var position: Int64 {
        if let slot { return slot.milliseconds * 1_000_000 + Int64(number.rawValue) }
        let ofNumber = Int64(day.daysSince1970) * 1_000_000 + Int64(number.rawValue)
        return turn.place?.position ?? ofNumber * Self.positionsPerNumber
    }

    /// The positions from one number to the next, for tickets that let others go ahead. Each takes the middle of those
    /// that are left in a gap, so that there is room for 24 even if all go into the same one (rules: more-time).
    static let positionsPerNumber: Int64 = 1 << 24
}

/// Live reservations in the order of a key and then their number; one is found by both in logarithmic time.
///
/// Adding one at the end is the usual case and moves nothing; removing one moves the later entries, of which a shop has
/// a few hundred.
struct ActiveQueue: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let key: Int64
        let live: LiveReservation
    }

    private(set) var entries: [Entry] = []
    /// How many of them have not been asked whether their customers are coming, and must be: mostly none, so that a long
    /// queue need not be looked through for them with each command.
    private(set) var unaskedCount = 0

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var first: Entry? { entries.first }

    mutating func insert(_ live: LiveReservation, key: Int64) {
        let entry = Entry(key: key, live: live)
        let order = (key, live.number)
        if let last = entries.last, order < (last.key, last.live.number) {
            let place = entries.partitionPoint { ($0.key, $0.live.number) > order }
            entries.insert(entry, at: place)
        } else {
            entries.append(entry)
        }
        if live.isUnasked { unaskedCount += 1 }
    }

    /// The number of entries before this one.
    func count(before live: LiveReservation, key: Int64) -> Int {
        entries.partitionPoint { ($0.key, $0.live.number) >= (key, live.number) }
    }

    mutating func insert(_ live: LiveReservation, key moment: Moment) {
        insert(live, key: moment.milliseconds)
    }

    /// Removes a reservation and returns it; returns nil if it is not in the queue under this key.
    mutating func remove(_ id: ReservationID, key: Int64) -> LiveReservation? {
        var index = entries.partitionPoint { $0.key >= key }
        while index < entries.count, entries[index].key == key {
            if entries[index].live.id == id {
                let removed = entries.remove(at: index).live
                if removed.isUnasked { unaskedCount -= 1 }
                return removed
            }
            index += 1
        }
        return nil
    }

    /// Replaces a reservation by what it is now, under the same key.
    mutating func replace(_ live: LiveReservation, key: Int64) {
        if remove(live.id, key: key) != nil { insert(live, key: key) }
    }

    mutating func remove(_ ids: Set<ReservationID>) {
        entries.removeAll { ids.contains($0.live.id) }
        unaskedCount = entries.count { $0.live.isUnasked }
    }

    /// Removes at most `limit` of the first reservations whose key is at most `key`.
    mutating func removeFirst(upTo key: Int64, limit: Int) -> [LiveReservation] {
        let count = min(limit, entries.partitionPoint { $0.key > key })
        guard count > 0 else { return [] }
        let removed = entries.prefix(count).map(\.live)
        entries.removeFirst(count)
        unaskedCount -= removed.count(where: \.isUnasked)
        return removed
    }

    /// The reservations whose key is a later moment, found in logarithmic time.
    func entries(after moment: Moment) -> ArraySlice<Entry> {
        entries[entries.partitionPoint { $0.key > moment.milliseconds }...]
    }

    mutating func removeFirst() -> LiveReservation {
        let removed = entries.removeFirst().live
        if removed.isUnasked { unaskedCount -= 1 }
        return removed
    }
}

extension Array {
    /// The first index whose element fulfils `predicate`, in an array in which all such elements are at the end.
    func partitionPoint(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
