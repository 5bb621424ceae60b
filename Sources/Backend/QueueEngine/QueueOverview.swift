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
    /// Numbers called and not yet in, newest first.
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
    /// Called numbers that are told; more than any display shows.
    static let mostCalling = 200

    /// The overview at a moment; what is overdue but not yet written is taken as it will be.
    public func overview(in context: QueueContext) -> QueueOverview {
        var present = self
        var deciding = Deciding(context, openings: effective(context.openings))
        let now = context.now
        let next = deciding.openings.first { now < $0.opens.moment }
        guard let opening = deciding.opening else {
            return QueueOverview(
                now: now, opening: nil, nextOpening: next, waiting: 0, calling: [],
                ticketAvailable: false, wait: nil)
        }
        while let hold = present.holds.first, hold.expires.moment <= now {
            present.end(hold, at: hold.expires.moment, because: .lapsed, &deciding)
        }
        let wait = present.offer(in: opening, deciding)
        let calling = called.entries.suffix(Self.mostCalling).map(\.live).sorted {
            ($0.since, $0.number) > ($1.since, $1.number)
        }
        return QueueOverview(
            now: now, opening: opening, nextOpening: next, waiting: tickets.count,
            calling: calling.map(\.number), ticketAvailable: wait != nil, wait: wait)
    }
}
