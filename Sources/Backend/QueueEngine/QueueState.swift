public import Reservations

/// What is known of one shop's queue: the open holds, and of each day in use its numbers and tickets.
///
/// A value: `decide` says what should become of it, `apply` is the only thing that changes it.
public struct QueueState: Hashable, Sendable {
    /// One day's numbers and tickets.
    struct Day: Hashable, Sendable {
        /// The last number drawn; 0 before the first.
        var counter = 0
        var calls: PresumedCalls
    }

    public let policy: ShopPolicy
    /// Open holds, the one that lapses first in front; at most one a machine, so a linear search is short.
    private(set) var holds: [Hold] = []
    var days: [CalendarDay: Day] = [:]

    /// Knows nothing but that these days have no ticket yet.
    public init(policy: ShopPolicy, days: Set<CalendarDay> = []) {
        self.policy = policy
        for day in days { self.days[day] = Day(calls: PresumedCalls(policy: policy)) }
    }

    /// Whether everything of the day is known; a day that is not must be loaded before deciding on it.
    public func knows(_ day: CalendarDay) -> Bool { days[day] != nil }

    public var openHolds: Int { holds.count }

    /// The moment the next hold lapses; nil without a hold.
    public var nextLapse: Moment? { holds.first?.expires.moment }

    /// The last number drawn of a day; 0 before the first.
    public func lastNumber(of day: CalendarDay) -> Int { days[day]?.counter ?? 0 }

    func hold(_ id: ReservationID) -> Hold? { holds.first { $0.id == id } }

    func calls(of day: CalendarDay) -> PresumedCalls {
        days[day]?.calls ?? PresumedCalls(policy: policy)
    }

    /// Takes over facts that are written.
    public mutating func apply(_ changes: [QueueChange]) {
        for change in changes {
            switch change {
            case .inserted(let record): insert(record.hold)
            case .extended(let hold):
                holds.removeAll { $0.id == hold.id }
                insert(hold)
            case .counterAdvanced(let day, let number):
                days[day, default: Day(calls: PresumedCalls(policy: policy))].counter =
                    number.rawValue
            case .moved(let record, let former): move(record, from: former)
            }
        }
    }

    private mutating func move(_ record: ReservationRecord, from former: ReservationState) {
        if former == .pending { holds.removeAll { $0.id == record.hold.id } }
        guard let confirmation = record.confirmation else { return }
        let day = record.hold.day
        if record.state == .planned {
            days[day, default: Day(calls: PresumedCalls(policy: policy))].calls
                .append(confirmation.number.rawValue, confirmed: confirmation.issued.moment)
        } else if record.state == .deleted {
            days[day]?.calls.remove(confirmation.number.rawValue, at: record.since)
        }
    }

    private mutating func insert(_ hold: Hold) {
        let index = holds.partitionPoint { $0.expires.moment > hold.expires.moment }
        holds.insert(hold, at: index)
    }
}

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

extension QueueState {
    /// Rebuilds what is known from what is stored, so that it equals what was known before.
    ///
    /// - Parameters:
    ///   - tickets: every ticket of the day that was ever confirmed, in the order of its number.
    ///   - counter: the last number drawn of the day; 0 before the first.
    public mutating func restore(day: CalendarDay, counter: Int, tickets: [DayTicket]) {
        var restored = Day(counter: counter, calls: PresumedCalls(policy: policy))
        // Deletions take effect when they happened, between the confirmations of then.
        var due = tickets.compactMap { ticket in
            ticket.deleted.map { (number: ticket.number, at: max($0, ticket.confirmed)) }
        }.sorted { $0.at < $1.at }[...]
        for ticket in tickets {
            while let first = due.first, first.at < ticket.confirmed, first.number < ticket.number {
                restored.calls.remove(first.number, at: first.at)
                due.removeFirst()
            }
            restored.calls.append(ticket.number, confirmed: ticket.confirmed)
        }
        for deletion in due { restored.calls.remove(deletion.number, at: deletion.at) }
        days[day] = restored
    }

    /// Takes over a hold that is open in the store.
    public mutating func restore(hold: Hold) { insert(hold) }
}
