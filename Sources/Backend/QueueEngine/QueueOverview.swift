public import Reservations

/// What may be told of a queue before anyone asks for a place.
public struct QueueOverview: Hashable, Sendable {
    public var now: Moment
    /// The present opening; nil while closed.
    public var opening: OpenInterval?
    /// The next opening after the present moment; nil where none is known.
    public var nextOpening: OpenInterval?
    /// People with a confirmed ticket who have not been called.
    public var waiting: Int
    /// Numbers called and not yet in, newest first; empty until the doors can tell.
    public var calling: [QueueNumber]
    public var ticketAvailable: Bool
    /// The wait of a ticket taken now; nil where none would be offered.
    public var wait: WaitEstimate?

    public init(
        now: Moment, opening: OpenInterval?, nextOpening: OpenInterval?, waiting: Int,
        calling: [QueueNumber], ticketAvailable: Bool, wait: WaitEstimate?
    ) {
        self.now = now
        self.opening = opening
        self.nextOpening = nextOpening
        self.waiting = waiting
        self.calling = calling
        self.ticketAvailable = ticketAvailable
        self.wait = wait
    }
}

extension QueueState {
    /// The overview at a moment; holds that are overdue but not yet written as lapsed do not count.
    public func overview(at now: Moment, openings: [OpenInterval]) -> QueueOverview {
        let next = openings.first { now < $0.opens.moment }
        guard let opening = openings.first(where: { $0.contains(now) }) else {
            return QueueOverview(
                now: now, opening: nil, nextOpening: next, waiting: 0, calling: [],
                ticketAvailable: false, wait: nil)
        }
        let present = lapsed(at: now)
        let wait = present.offer(at: now, in: opening)
        return QueueOverview(
            now: now, opening: opening, nextOpening: next,
            waiting: present.calls(of: opening.opens.day).waiting(at: now), calling: [],
            ticketAvailable: wait != nil, wait: wait)
    }

    /// The state without the holds that have run out.
    private func lapsed(at now: Moment) -> QueueState {
        var present = self
        for hold in holds.prefix(while: { $0.expires.moment <= now }) {
            present.apply([hold.ended(at: hold.expires.moment, because: .lapsed)])
        }
        return present
    }

    /// The wait of one more ticket; nil where its stay might not end before closing (rules 3).
    func offer(at now: Moment, in opening: OpenInterval) -> WaitEstimate? {
        let day = opening.opens.day
        let wait = WaitEstimator.estimate(
            calls(of: day), holdsAhead: ticketHolds, policy: policy, now: opening.local(now))
        guard wait.latest.moment + policy.usualStay <= opening.closes.moment,
            canDraw(oneMoreOf: day)
        else { return nil }
        return wait
    }
}
