public import Reservations

/// The state of one shop's queue: the open holds and the waiting, called and inside customers.
///
/// A value; only `perform` changes it, and returns what must be stored. If storing fails, the value is no longer valid
/// and is restored from what is stored.
public struct QueueState: Hashable, Sendable {
    /// The state of a day: numbers, visits and an early closing.
    struct Day: Hashable, Sendable {
        /// The last number assigned; 0 before the first.
        var counter = 0
        /// The slots that are taken, including those of holds.
        var visits = VisitBook()
        /// Those of them that phones have taken (rules: visits).
        var phoneVisits = VisitBook()
        /// Those of them whose customers have named a department, by its name (rules: departments).
        var departmentVisits: [String: VisitBook] = [:]
        /// The shop is closed from then on, whatever the calendar says.
        var closes: Moment?
        /// Whether the staff gives out no more places of the day.
        var endsTickets = false
    }

    public let policy: ShopPolicy
    /// Open holds, the one that expires first in front; at most one per owner, so a linear search is short.
    public private(set) var holds: [Hold] = []
    var days: [CalendarDay: Day] = [:]
    /// Planned tickets in the order in which they are called.
    var tickets = ActiveQueue()
    /// Planned visits, the earliest slot first.
    var visits = VisitLine()
    /// Called customers who have not entered yet, by the end of the time to enter.
    var called = ActiveQueue()
    /// Active customers, by the moment of entering.
    var inside = ActiveQueue()
    /// Customers who have left but whose place is taken a little longer, by the moment it is free.
    var leaving = ActiveQueue()
    /// Orders at desks inside the shop, the one that was ready or called first in front (rules: desks-inside).
    var collectors: [Collector] = []
    /// The number of people inside who entered without a known reservation, and since when.
    var unregistered = 0
    var unregisteredSince = Moment(milliseconds: 0)
    public internal(set) var stays = LearnedStays()
    public internal(set) var attendance = Attendance()
    /// The moments at which holders missed their calls, in order; those of the last days that count.
    public internal(set) var noShows: [HolderID: [Moment]] = [:]
    /// When the last opening ended; nil while the shop is open, or if it is not known.
    var closedSince: Moment?

    public init(policy: ShopPolicy) { self.policy = policy }

    /// The number of places that no customer has; below 0 after the capacity was lowered.
    public var freePlaces: Int { policy.capacity - taken }

    /// The number of called and active people, and of those whose place is not free yet.
    public var taken: Int {
        called.count + inside.count + leaving.count + unregistered + collectorPlaces
    }

    /// The number of people inside, as far as it is known.
    public var occupancy: Int {
        inside.count + leaving.count + unregistered + collectorsInside
    }

    /// The number of open holds that may become tickets.
    var ticketHolds: Int { holds.count { $0.kind == .ticket } }

    mutating func insert(_ hold: Hold) {
        let index = holds.partitionPoint { $0.expires.moment > hold.expires.moment }
        holds.insert(hold, at: index)
    }

    mutating func removeHold(_ id: ReservationID) -> Hold? {
        holds.firstIndex { $0.id == id }.map { holds.remove(at: $0) }
    }

    /// The moment until which a customer who was called at `called` may enter (rules: calls).
    func enterBy(_ live: LiveReservation, called: Moment) -> Moment {
        let from = policy.hasEarlyCallGrace ? max(called, live.earliest) : called
        return from + .minutes(ShopPolicy.entryTimeLimitMinutes)
    }

    /// The openings with early closings in force, in the same order.
    public func effective(_ openings: [OpenInterval]) -> [OpenInterval] {
        guard days.contains(where: { $0.value.closes != nil }) else { return openings }
        var openings = openings
        // The list begins with the present opening, which does not follow one of the day before that was ended early.
        if let first = openings.first, first.staffDay == first.opens.day,
            let closes = days[first.begins.day]?.closes, closes < first.opens.moment
        {
            openings[0] = first.parted
        }
        return openings.compactMap { opening in
            guard let closes = days[opening.staffDay]?.closes, closes < opening.closes.moment
            else { return opening }
            guard opening.opens.moment < closes else { return nil }
            return opening.closing(at: opening.local(closes))
        }.adjoined
    }

    /// How long customers who enter at this moment stay.
    func stays(at moment: LocalMoment) -> StayDistribution {
        stays.stays(in: LearnedStays.cell(moment), usual: policy.usualStayMinutes)
    }

    /// So many exits of an hour must be known before its learned stay is used for promises.
    static let exitsForPromises: Int64 = 30

    /// The stay for which a place is kept free for a customer who enters at this moment: a visitor, or just before
    /// closing.
    ///
    /// It is the shop's setting until enough is known of that hour. It is in whole minutes, so that one more exit
    /// changes no offer.
    func promisedStay(at moment: LocalMoment) -> Duration {
        guard stays.exits(in: LearnedStays.cell(moment)) >= Self.exitsForPromises else {
            return policy.usualStay
        }
        return .minutes(max(1, Int(stays(at: moment).mean.rounded(.up))))
    }
}

// MARK: - From the store

extension QueueState {
    /// Restores the last number assigned for a day, its early closing, and whether it gives out no more places.
    public mutating func restore(
        day: CalendarDay, counter: Int, closes: Moment? = nil, endsTickets: Bool = false
    ) {
        days[day, default: Day()].counter = counter
        days[day, default: Day()].closes = closes
        days[day, default: Day()].endsTickets = endsTickets
    }

    /// Restores a hold that is open in the store.
    public mutating func restore(hold: Hold) {
        insert(hold)
        if let visit = hold.visit { book(visit, on: hold.day, hold.channel) }
    }

    /// Restores a reservation that is planned, called or active in the store, or whose holder left a moment ago.
    public mutating func restore(_ record: ReservationRecord) {
        guard lineUp(record), let visit = record.hold.visit else { return }
        book(visit, on: record.hold.day, record.hold.channel)
    }

    /// Puts a confirmed reservation into its queue; returns false if there is none for its state.
    @discardableResult private mutating func lineUp(_ record: ReservationRecord) -> Bool {
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

    /// Replaces reservations by their records in the store at `now`, whatever was known of them.
    ///
    /// The result is the same as a queue that is restored from all of the store, as far as reservations are concerned.
    public mutating func update(_ records: [ReservationRecord], at now: Moment) {
        let ids = Set(records.map(\.hold.id))
        holds.removeAll { ids.contains($0.id) }
        tickets.remove(ids)
        let booked = records.filter { $0.hold.kind == .visit }
        var changed = Set(booked.map(\.hold.day))
        // A visit that was moved may be known on another day.
        let isMoved = booked.contains { $0.turn.moveCount > 0 }
        changed.formUnion(visits.remove(ids, within: isMoved ? nil : changed))
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
        for day in changed { rebook(day) }
    }

    /// Computes the visits of a day from those that are held or live.
    private mutating func rebook(_ day: CalendarDay) {
        days[day, default: Day()].visits = VisitBook()
        days[day]?.phoneVisits = VisitBook()
        days[day]?.departmentVisits = [:]
        for hold in holds where hold.day == day {
            if let visit = hold.visit { book(visit, on: day, hold.channel) }
        }
        for entry in visits.entries(of: day) { book(entry.live) }
        for line in [called, inside, leaving] {
            for entry in line.entries where entry.live.day == day { book(entry.live) }
        }
    }

    /// Restores the number of people inside without a known reservation.
    public mutating func restore(unregistered count: Int, since: Moment) {
        unregistered = count
        unregisteredSince = since
    }

    /// Restores what was learned.
    public mutating func restore(stays: LearnedStays, attendance: Attendance) {
        self.stays = stays
        self.attendance = attendance
    }

    /// Restores the calls that holders have missed, in the order of their moments.
    public mutating func restore(noShows: [HolderID: [Moment]]) { self.noShows = noShows }

    mutating func wait(_ live: LiveReservation) {
        if live.kind == .visit {
            visits.insert(live)
        } else {
            tickets.insert(live, key: live.position)
        }
    }

    /// Takes the time of a visit that comes back.
    mutating func book(_ live: LiveReservation) {
        if let visit = live.visit { book(visit, live.departments, on: live.day, live.channel) }
    }

    mutating func book(_ visit: VisitSlot, on day: CalendarDay, _ channel: Channel) {
        book(visit.range, visit.departments ?? [], on: day, channel)
    }

    private mutating func book(
        _ visit: Range<Moment>, _ departments: [String], on day: CalendarDay, _ channel: Channel
    ) {
        let visit = visit.milliseconds
        days[day, default: Day()].visits.add(visit)
        if channel.isPhone { days[day]?.phoneVisits.add(visit) }
        for name in departments {
            days[day]?.departmentVisits[name, default: VisitBook()].add(visit)
        }
    }

    /// Frees the time of a visit that has lost its place: others may book it, until its customer comes back.
    mutating func unbook(_ live: LiveReservation) {
        if let visit = live.visit { unbook(visit, live.departments, on: live.day, live.channel) }
    }

    mutating func unbook(_ visit: VisitSlot, on day: CalendarDay, _ channel: Channel) {
        unbook(visit.range, visit.departments ?? [], on: day, channel)
    }

    private mutating func unbook(
        _ visit: Range<Moment>, _ departments: [String], on day: CalendarDay, _ channel: Channel
    ) {
        let visit = visit.milliseconds
        days[day]?.visits.remove(visit)
        if channel.isPhone { days[day]?.phoneVisits.remove(visit) }
        for name in departments {
            days[day]?.departmentVisits[name]?.remove(visit)
            if days[day]?.departmentVisits[name]?.steps.isEmpty == true {
                days[day]?.departmentVisits[name] = nil
            }
        }
    }
}

extension Range<Moment> {
    /// The times in the unit that the book of visits uses.
    var milliseconds: Range<Int64> { lowerBound.milliseconds..<upperBound.milliseconds }
}

extension VisitSlot {
    /// The range from its start to its end; empty if the end is not later.
    var range: Range<Moment> { start.moment..<max(start.moment, end.moment) }
}
