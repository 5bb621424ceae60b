public import Reservations

/// What is shown to everybody: who is called, who is next and when (rules 28).
public struct TurnSnapshot: Hashable, Sendable {
    /// A number that is called and not in yet.
    public struct Called: Hashable, Sendable {
        public let number: QueueNumber
        public let kind: ReservationKind
        /// When it was called, or called again.
        public let since: Moment
        public let enterBy: Moment
    }

    /// A ticket that waits.
    public struct Waiting: Hashable, Sendable {
        public let number: QueueNumber
        public let wait: WaitEstimate
    }

    /// When the turn of a ticket should come, in a few bytes.
    public struct Time: Hashable, Sendable {
        public let number: QueueNumber
        /// Whole minutes from the snapshot.
        public let minutes: Int
    }

    /// A visit that is not called yet.
    public struct Visit: Hashable, Sendable {
        public let number: QueueNumber
        public let slot: Moment
    }

    public let overview: QueueOverview
    /// Newest first.
    public let called: [Called]
    public let next: [Waiting]
    public let visits: [Visit]
    /// Every ticket that waits, in order, and in how many minutes its turn should come; as many as can be shown
    /// one after the other within a minute.
    public let times: [Time]
    /// Whether nobody who waits is called any more: the shop is closed, or its last call is over.
    public let callsEnded: Bool
}

extension QueueState {
    /// Waiting numbers that are told by name.
    private static let mostNext = 8
    /// Times that are told: in letters to be read from 5 m no display shows more within a minute.
    private static let mostTimes = 300
    /// Visits that are told: more than half of the places of a large shop within the hour.
    private static let mostVisits = 64
    /// Visits are told from so long before their slot.
    private static let visitNotice = Duration.minutes(60)

    /// The snapshot at a moment, with the waits of the forecast; without one they are worked out once.
    public func turns(in context: QueueContext) -> TurnSnapshot {
        let openings = effective(context.openings)
        let now = context.now
        guard let opening = openings.first(where: { $0.contains(now) }) else {
            return TurnSnapshot(
                overview: overview(in: context), called: calledTurns, next: [], visits: [],
                times: [],
                callsEnded: true)
        }
        let informed = QueueContext(
            shop: context.shop, now: now, openings: context.openings,
            forecast: context.forecast ?? WaitForecast(self, at: now, in: opening))
        let deciding = Deciding(informed, openings: openings)
        let next = tickets.entries.prefix(Self.mostNext).enumerated().map { ahead, entry in
            TurnSnapshot.Waiting(
                number: entry.live.number, wait: wait(behind: ahead, in: opening, deciding))
        }
        let visits = visits.entries.lazy.prefix(Self.mostVisits).compactMap { entry in
            entry.live.slot.flatMap { slot in
                slot - now <= Self.visitNotice
                    ? TurnSnapshot.Visit(number: entry.live.number, slot: slot) : nil
            }
        }
        let times = tickets.entries.prefix(Self.mostTimes).enumerated().map { ahead, entry in
            TurnSnapshot.Time(
                number: entry.live.number,
                minutes: Int(informed.forecast?.wait(behind: ahead, at: now).p50.rounded() ?? 0))
        }
        return TurnSnapshot(
            overview: overview(in: informed),
            called: calledTurns, next: next, visits: Array(visits), times: times,
            callsEnded: tickets.isEmpty && now >= lastCall(in: opening, at: now))
    }

    /// Newest first; who was called before the shop closed may still come in.
    private var calledTurns: [TurnSnapshot.Called] {
        called.entries.suffix(Self.mostCalling).map { entry in
            TurnSnapshot.Called(
                number: entry.live.number, kind: entry.live.kind, since: entry.live.since,
                enterBy: Moment(milliseconds: entry.key))
        }.sorted { ($0.since, $0.number) > ($1.since, $1.number) }
    }
}
