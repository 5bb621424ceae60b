public import Reservations

/// A shop's queue as its staff sees it, to put it right.
public struct StaffView: Hashable, Sendable {
    public let overview: QueueOverview
    /// Whether the staff has made the present day end earlier than the calendar says.
    public let closesEarly: Bool
    /// Whether the staff gives out no more places of the present day.
    public let ticketsEnded: Bool
    /// People inside, as far as is known, and how many may be.
    public let people: Int
    public let capacity: Int
    /// Tickets that wait, in order.
    public let next: [QueueNumber]
    /// Visits of the present day that are not called yet.
    public let visits: Int
    /// Numbers given out on the present day.
    public let issued: Int
}

extension QueueState {
    /// Waiting numbers that are told to the staff.
    private static let mostNext = 50

    /// The view at a moment.
    public func staffView(in context: QueueContext) -> StaffView {
        let overview = overview(in: context)
        let now = context.now
        // Closed early, the day is still the calendar's.
        let planned = context.openings.first { $0.contains(now) }
        let day = (overview.opening ?? planned)?.opens.day
        return StaffView(
            overview: overview, closesEarly: day.flatMap { days[$0]?.closes } != nil,
            ticketsEnded: day.flatMap { days[$0]?.endsTickets } ?? false, people: occupancy,
            capacity: policy.capacity,
            next: tickets.entries.prefix(Self.mostNext).map(\.live.number),
            visits: visits.entries.count { entry in
                guard let slot = entry.live.slot, let planned else { return false }
                return slot < planned.closes.moment
            }, issued: day.map(lastNumber) ?? 0)
    }
}
