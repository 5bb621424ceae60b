/// Everything the wait of one more ticket depends on, at one moment; times are minutes.
public struct QueueSnapshot: Hashable, Sendable {
    /// A place that is not free.
    public enum Occupant: Hashable, Sendable {
        /// Entered so long ago.
        case inside(since: Double)
        /// A ticket called so long ago, its holder not in yet.
        case called(since: Double)
        /// A visit whose place has been held so long, its holder not in yet.
        case booked(since: Double)
        /// Left by its holder and free again after so long.
        case leaving(after: Double)
    }

    /// How the customers of a shop behave.
    public struct Behaviour: Hashable, Sendable {
        public var stays: StayDistribution
        /// The share of those called who never come; 0 to 1.
        public var noShow: Double
        /// From the call until the place of one who does not come is free again.
        public var entryWindow: Double
        /// Ticket holders reach the door up to so long after their call, evenly spread.
        public var ticketWalk = 5.0
        /// Visitors reach the door up to so long after their slot, evenly spread.
        public var visitDelay = 8.0
        /// From the check-out to the door: a place is free so long after its holder's stay.
        public var leaveDelay = 0.0
        /// The share of those inside whose exit nobody scans; 0 to 1.
        public var missedExit = 0.0
        /// The time inside after which an exit that was not scanned is inferred.
        public var longestStay = Double.infinity

        public init(stays: StayDistribution, noShow: Double, entryWindow: Double) {
            self.stays = stays
            self.noShow = noShow
            self.entryWindow = entryWindow
        }
    }

    /// People who may be inside at once; at least 1.
    public var capacity: Int
    public var behaviour: Behaviour
    public var places: [Occupant]
    /// Slots of visits without a place, due ones at or below 0, minutes from now; in order.
    public var visits: [Double]
    /// Tickets before the next one.
    public var ticketsAhead: Int
    /// Whether tickets wait while a visit that is nearly due might stand outside (`CallingRule`).
    public var looksAhead: Bool

    public init(
        capacity: Int, behaviour: Behaviour, places: [Occupant], visits: [Double],
        ticketsAhead: Int, looksAhead: Bool
    ) {
        self.capacity = capacity
        self.behaviour = behaviour
        self.places = places
        self.visits = visits
        self.ticketsAhead = ticketsAhead
        self.looksAhead = looksAhead
    }
}

extension QueueSnapshot {
    /// When the next ticket would be called; the work grows with the people and the places.
    public var wait: WaitDistribution {
        QueueSimulation.waits(self, positions: [ticketsAhead])[0]
    }
}
