public import Reservations

/// What is known of one shop's queue: open holds, who waits, who is called, who is inside.
///
/// A value; `perform` is the only thing that changes it, and tells what must be stored. Should that fail,
/// the value is worth nothing any more and is restored from what is stored.
public struct QueueState: Hashable, Sendable {
    /// What is known of a day: numbers, visits and an early closing.
    struct Day: Hashable, Sendable {
        /// The last number drawn; 0 before the first.
        var counter = 0
        /// Slots that are taken, held ones too.
        var visits = VisitBook()
        /// Closed from then on, whatever the calendar says.
        var closes: Moment?
        /// Whether the staff gives out no more places of the day.
        var endsTickets = false
    }

    public let policy: ShopPolicy
    /// Open holds, the one that lapses first in front; at most one a machine, so a linear search is short.
    private(set) var holds: [Hold] = []
    var days: [CalendarDay: Day] = [:]
    /// Planned tickets in the order in which they are called.
    var tickets = ActiveQueue()
    /// Planned visits, the earliest slot first.
    var visits = ActiveQueue()
    /// Called and not yet in, by the end of the time to enter.
    var called = ActiveQueue()
    /// Active, by the moment of entering.
    var inside = ActiveQueue()
    /// Out of the shop but with a place for a little longer, by the moment it is free.
    var leaving = ActiveQueue()
    /// People inside who came in without a reservation that is known, and since when.
    var strangers = 0
    var unregisteredSince = Moment(milliseconds: 0)
    var stays = LearnedStays()
    var attendance = Attendance()
    /// When the opening that was open last was over; nil while open, or not known.
    var closedSince: Moment?

    public init(policy: ShopPolicy) { self.policy = policy }

    public var openHolds: Int { holds.count }

    /// The last number drawn of a day; 0 before the first.
    public func lastNumber(of day: CalendarDay) -> Int { days[day]?.counter ?? 0 }

    /// Places that nobody has; below 0 after the capacity was lowered.
    public var freePlaces: Int { policy.capacity - taken }

    /// Called and active people, and those whose place is not free yet.
    public var taken: Int { called.count + inside.count + leaving.count + strangers }

    /// People inside, as far as is known.
    public var occupancy: Int { inside.count + leaving.count + strangers }

    /// Open holds that may become tickets.
    var ticketHolds: Int { holds.count { $0.kind == .ticket } }

    mutating func insert(_ hold: Hold) {
        let index = holds.partitionPoint { $0.expires.moment > hold.expires.moment }
        holds.insert(hold, at: index)
    }

    mutating func removeHold(_ id: ReservationID) -> Hold? {
        holds.firstIndex { $0.id == id }.map { holds.remove(at: $0) }
    }

    /// Until when one who was called then may enter (rules 5).
    func enterBy(_ live: LiveReservation, called: Moment) -> Moment {
        let from = policy.hasEarlyCallGrace ? max(called, live.earliest) : called
        return from + .minutes(ShopPolicy.entryTimeLimitMinutes)
    }

    /// The openings with early closings in force; the same order.
    public func effective(_ openings: [OpenInterval]) -> [OpenInterval] {
        guard days.contains(where: { $0.value.closes != nil }) else { return openings }
        return openings.compactMap { opening in
            guard let closes = days[opening.opens.day]?.closes, closes < opening.closes.moment
            else { return opening }
            guard opening.opens.moment < closes else { return nil }
            return OpenInterval(
                opens: opening.opens, closes: opening.local(closes),
                clockChange: opening.clockChange)
        }
    }

    /// How long customers who come in at this moment stay.
    func stays(at moment: LocalMoment) -> StayDistribution {
        stays.stays(in: LearnedStays.cell(moment), usual: policy.usualStayMinutes)
    }

    /// So many exits of an hour must be known before its learned stay counts for what is promised.
    static let exitsForPromises: Int64 = 30

    /// The stay that is kept free for one who comes in at this moment: of a visit, and before closing.
    ///
    /// The shop's setting until enough is known of that hour. In whole minutes, so that one exit more changes no offer.
    func promisedStay(at moment: LocalMoment) -> Duration {
        guard stays.exits(in: LearnedStays.cell(moment)) >= Self.exitsForPromises else {
            return policy.usualStay
        }
        return .minutes(max(1, Int(stays(at: moment).mean.rounded(.up))))
    }
}

// MARK: - From the store

extension QueueState {
    /// Takes over the last number drawn of a day, its early closing, and whether it gives out no more places.
    public mutating func restore(
        day: CalendarDay, counter: Int, closes: Moment? = nil, endsTickets: Bool = false
    ) {
        days[day, default: Day()].counter = counter
        days[day, default: Day()].closes = closes
        days[day, default: Day()].endsTickets = endsTickets
    }

    /// Takes over a hold that is open in the store.
    public mutating func restore(hold: Hold) {
        insert(hold)
        if let visit = hold.visit { book(visit, on: hold.day) }
    }

    /// Takes over a reservation that is planned, called or active in the store, or left a moment ago.
    public mutating func restore(_ record: ReservationRecord) {
        guard lineUp(record), let visit = record.hold.visit else { return }
        book(visit, on: record.hold.day)
    }

    /// Puts a confirmed reservation into its line; false where none is for it.
    @discardableResult
    private mutating func lineUp(_ record: ReservationRecord) -> Bool {
        guard let live = LiveReservation(record) else { return false }
        switch record.state {
        case .planned: wait(live)
        case .called: called.insert(live, key: enterBy(live, called: live.since))
        case .active: inside.insert(live, key: live.since)
        case .expired: leaving.insert(live, key: live.since + policy.leaveDelay)
        case .pending, .deleted: return false
        }
        return true
    }

    /// Takes over reservations as they are in the store at `now`, whatever was known of them.
    ///
    /// The same as a queue that is restored from all of the store, as far as reservations are concerned.
    public mutating func update(_ records: [ReservationRecord], at now: Moment) {
        let ids = Set(records.map(\.hold.id))
        holds.removeAll { ids.contains($0.id) }
        tickets.remove(ids)
        visits.remove(ids)
        called.remove(ids)
        inside.remove(ids)
        leaving.remove(ids)
        for record in records {
            switch record.state {
            case .pending: insert(record.hold)
            case .planned, .called, .active: lineUp(record)
            case .expired:
                guard record.cause == .checkedOut, record.since > now - policy.leaveDelay else {
                    continue
                }
                lineUp(record)
            case .deleted: continue
            }
        }
        for day in Set(records.filter { $0.hold.kind == .visit }.map(\.hold.day)) { rebook(day) }
    }

    /// The visits of a day from those that are held or live.
    private mutating func rebook(_ day: CalendarDay) {
        var book = VisitBook()
        for hold in holds where hold.day == day {
            if let visit = hold.visit { book.add(visit.range.milliseconds) }
        }
        for line in [visits, called, inside, leaving] {
            for entry in line.entries where entry.live.day == day {
                if let visit = entry.live.visit { book.add(visit.milliseconds) }
            }
        }
        days[day, default: Day()].visits = book
    }

    /// Takes over people inside without a reservation that is known.
    public mutating func restore(strangers count: Int, since: Moment) {
        strangers = count
        unregisteredSince = since
    }

    /// Takes over what was learned.
    public mutating func restore(stays: LearnedStays, attendance: Attendance) {
        self.stays = stays
        self.attendance = attendance
    }

    /// Takes over what another queue of the shop learned.
    public mutating func learn(from former: QueueState) {
        restore(stays: former.stays, attendance: former.attendance)
    }

    /// A planned reservation takes its place in its line.
    mutating func wait(_ live: LiveReservation) {
        if live.kind == .visit {
            visits.insert(live, key: live.place)
        } else {
            tickets.insert(live, key: live.place)
        }
    }

    mutating func book(_ visit: VisitSlot, on day: CalendarDay) {
        days[day, default: Day()].visits.add(visit.range.milliseconds)
    }

    mutating func unbook(_ visit: VisitSlot, on day: CalendarDay) {
        days[day]?.visits.remove(visit.range.milliseconds)
    }
}

extension Range<Moment> {
    /// The times as the book of visits counts.
    var milliseconds: Range<Int64> { lowerBound.milliseconds..<upperBound.milliseconds }
}

extension VisitSlot {
    /// From its start to its end; empty where that is not later.
    var range: Range<Moment> { start.moment..<max(start.moment, end.moment) }
}
