public import Reservations

/// A confirmed ticket as the store lists it to rebuild a day.
public struct DayTicket: Hashable, Sendable {
    public let number: Int
    public let confirmed: Moment
    /// When it was deleted; nil where it was not.
    public let deleted: Moment?

    public init(number: Int, confirmed: Moment, deleted: Moment?) {
        self.number = number
        self.confirmed = confirmed
        self.deleted = deleted
    }
}

/// A visit, held or confirmed, as the store lists it to rebuild a day.
public struct DayVisit: Hashable, Sendable {
    public let slot: VisitSlot
    /// When it was held, and so had its place.
    public let taken: Moment
    /// When it lapsed, was given back or deleted; nil where it was not.
    public let deleted: Moment?

    public init(slot: VisitSlot, taken: Moment, deleted: Moment?) {
        self.slot = slot
        self.taken = taken
        self.deleted = deleted
    }
}

extension QueueState {
    /// What happened to a day besides confirmations of tickets.
    fileprivate enum Event {
        case deleted(ticket: Int)
        case booked(VisitSlot)
        case freed(VisitSlot)

        /// Which of two events of the same millisecond comes first; a booking before its end.
        var rank: Int {
            switch self {
            case .booked: 0
            case .freed: 1
            case .deleted: 2
            }
        }
    }

    /// Rebuilds what is known of a day from what is stored, so that it equals what was known before.
    ///
    /// - Parameters:
    ///   - counter: the last number drawn of the day; 0 before the first.
    ///   - tickets: every ticket of the day that was ever confirmed, in the order of its number.
    ///   - visits: every visit of the day that was ever held.
    public mutating func restore(
        day: CalendarDay, counter: Int, tickets: [DayTicket], visits: [DayVisit] = []
    ) {
        restore(day: day, counter: counter)
        markKnown(day)
        var calls = PresumedCalls(policy: policy)
        // Everything takes effect when it happened, between the confirmations of then.
        var events = tickets.compactMap { ticket in
            ticket.deleted.map {
                (at: max($0, ticket.confirmed), event: Event.deleted(ticket: ticket.number))
            }
        }
        for visit in visits {
            events.append((visit.taken, .booked(visit.slot)))
            if let deleted = visit.deleted {
                events.append((max(deleted, visit.taken), .freed(visit.slot)))
            }
        }
        var due = events.sorted { ($0.at, $0.event.rank) < ($1.at, $1.event.rank) }[...]
        for ticket in tickets {
            while let first = due.first, Self.isBefore(first, ticket) {
                calls.apply(first.event, at: first.at)
                due.removeFirst()
            }
            calls.append(ticket.number, confirmed: ticket.confirmed)
        }
        for event in due { calls.apply(event.event, at: event.at) }
        days[day]?.calls = calls
    }

    /// Takes over the last number drawn of a day to come.
    public mutating func restore(day: CalendarDay, counter: Int) {
        days[day, default: Day(calls: PresumedCalls(policy: policy))].counter = counter
    }

    /// Takes over a visit of a day to come that has its place in the store.
    public mutating func restore(visit: DayVisit, on day: CalendarDay) {
        days[day, default: Day(calls: PresumedCalls(policy: policy))]
            .calls.add(visit.slot, at: visit.taken)
    }

    /// Takes over a hold that is open in the store; a visit's place comes with its day.
    public mutating func restore(hold: Hold) { insert(hold) }

    private static func isBefore(_ event: (at: Moment, event: Event), _ ticket: DayTicket) -> Bool {
        switch event.event {
        // A clock set back must not take out a ticket that is not there yet.
        case .deleted(let number): event.at < ticket.confirmed && number < ticket.number
        case .booked: event.at <= ticket.confirmed
        case .freed: event.at < ticket.confirmed
        }
    }
}

extension PresumedCalls {
    fileprivate mutating func apply(_ event: QueueState.Event, at moment: Moment) {
        switch event {
        case .deleted(let number): remove(number, at: moment)
        case .booked(let slot): add(slot, at: moment)
        case .freed(let slot): remove(slot, at: moment)
        }
    }
}
