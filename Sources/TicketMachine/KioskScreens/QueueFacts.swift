public import Reservations

/// What Home shows of the queue. Two reports of the backend that look the same are equal, so that Home is drawn again
/// only for a change.
public struct QueueFacts: Hashable, Sendable {
    /// Whether a ticket would be offered now.
    let isTicketAvailable: Bool
    /// Numbers that are called and not yet in, newest first.
    let calling: [QueueNumber]
    /// People with a ticket who have not been called.
    let waiting: Int
    /// The wait of a ticket taken now; nil if none would be offered.
    let wait: RoundedWait?
    /// Another shop where the wait is much shorter; nil if there is none, or the report of it is impossible.
    let nearby: NearbyFacts?

    public init(_ status: QueueStatus) {
        isTicketAvailable = status.ticketAvailable
        calling = status.calling
        waiting = status.waiting
        wait = status.wait.map { RoundedWait(Wait(estimate: $0, quotedAt: status.now)) }
        nearby = status.nearby.flatMap { NearbyFacts($0) }
    }
}

/// A wait as Home shows it.
struct RoundedWait: Hashable, Sendable {
    /// Whether the customer can go in without waiting.
    let isNow: Bool
    /// Whether no customer is ahead.
    let isFirst: Bool
    /// Whole minutes to the expected call.
    let minutes: Int
    /// Minutes of the earliest and the latest call.
    let low: Int
    let high: Int

    init(_ wait: Wait) {
        isNow = wait.isNow
        isFirst = wait.estimate.peopleAhead == 0
        minutes = wait.minutes
        (low, high) = wait.range
    }
}
