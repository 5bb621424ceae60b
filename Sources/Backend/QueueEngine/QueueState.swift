public import Reservations

/// What is known of one shop's queue: the open holds, of each day in use its numbers and tickets, and of
/// every day from then on its numbers and visits.
///
/// A value: `decide` says what should become of it, `apply` is the only thing that changes it.
public struct QueueState: Hashable, Sendable {
    /// One day's numbers, tickets and visits.
    struct Day: Hashable, Sendable {
        /// The last number drawn; 0 before the first.
        var counter = 0
        var calls: PresumedCalls
    }

    public let policy: ShopPolicy
    /// Open holds, the one that lapses first in front; at most one a machine, so a linear search is short.
    private(set) var holds: [Hold] = []
    var days: [CalendarDay: Day] = [:]
    /// Days whose tickets are known too.
    private var known: Set<CalendarDay>

    /// Knows nothing but that these days have no ticket yet.
    public init(policy: ShopPolicy, days: Set<CalendarDay> = []) {
        self.policy = policy
        known = days
    }

    /// Whether everything of the day is known; a day that is not must be loaded before tickets of it are
    /// decided on.
    public func knows(_ day: CalendarDay) -> Bool { known.contains(day) }

    public var openHolds: Int { holds.count }

    /// The moment the next hold lapses; nil without a hold.
    public var nextLapse: Moment? { holds.first?.expires.moment }

    /// Everything of the day is loaded now.
    mutating func markKnown(_ day: CalendarDay) { known.insert(day) }

    /// The last number drawn of a day; 0 before the first.
    public func lastNumber(of day: CalendarDay) -> Int { days[day]?.counter ?? 0 }

    /// Open holds that may become tickets.
    var ticketHolds: Int { holds.count { $0.kind == .ticket } }

    func calls(of day: CalendarDay) -> PresumedCalls {
        days[day]?.calls ?? PresumedCalls(policy: policy)
    }

    /// Takes over facts that are written.
    public mutating func apply(_ changes: [QueueChange]) {
        for change in changes {
            switch change {
            case .inserted(let record): insert(record)
            case .extended(let hold):
                holds.removeAll { $0.id == hold.id }
                insert(hold)
            case .counterAdvanced(let day, let number): with(day) { $0.counter = number.rawValue }
            case .moved(let record, let former): move(record, from: former)
            }
        }
    }

    private mutating func move(_ record: ReservationRecord, from former: ReservationState) {
        if former == .pending { holds.removeAll { $0.id == record.hold.id } }
        if let visit = record.hold.visit {
            if record.state == .deleted {
                with(record.hold.day) { $0.calls.remove(visit, at: record.since) }
            }
        } else if let confirmation = record.confirmation {
            let number = confirmation.number.rawValue
            with(record.hold.day) { day in
                if record.state == .planned {
                    day.calls.append(number, confirmed: confirmation.issued.moment)
                } else if record.state == .deleted {
                    day.calls.remove(number, at: record.since)
                }
            }
        }
    }

    /// A held visit has its place from now on.
    private mutating func insert(_ record: ReservationRecord) {
        insert(record.hold)
        if let visit = record.hold.visit {
            with(record.hold.day) { $0.calls.add(visit, at: record.hold.taken.moment) }
        }
    }

    mutating func insert(_ hold: Hold) {
        let index = holds.partitionPoint { $0.expires.moment > hold.expires.moment }
        holds.insert(hold, at: index)
    }

    private mutating func with(_ day: CalendarDay, _ change: (inout Day) -> Void) {
        change(&days[day, default: Day(calls: PresumedCalls(policy: policy))])
    }
}
