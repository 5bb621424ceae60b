public import Reservations

/// Everything the wait of one more ticket depends on, at one moment; times are minutes.
public struct QueueSnapshot: Hashable, Sendable {
    /// A place that is not free.
    public enum Occupant: Hashable, Sendable {
        /// The customer entered so long ago.
        case inside(since: Double)
        /// A ticket was called so long ago, and its holder has not entered yet.
        case called(since: Double, Customer = .machine)
        /// The place of a visit has been held for so long, and its holder has not entered yet.
        case booked(since: Double, Customer = .machine)
        /// The holder has left, and the place is free again after so long.
        case leaving(after: Double)
    }

    /// How the customers of a shop behave.
    public struct Behaviour: Hashable, Sendable {
        public var stays: StayDistribution
        /// The share of a channel's called customers who never come; 0 to 1.
        public var noShow: ByChannel<Double>
        /// The share of those who are asked whether they are coming and do not answer; 0 to 1.
        public var silence = 0.0
        /// The share of these who never come when they are called; 0 to 1.
        public var silentNoShow = 0.0
        /// The time from the call until the place of a customer who does not come is free again.
        public var entryWindow: Double
        /// Ticket holders reach the door up to so long after their call, evenly distributed.
        public var ticketWalk = 5.0
        /// Visitors reach the door up to so long after their slot, evenly distributed.
        public var visitDelay = 8.0
        /// The time from the call of an order inside until its place is free.
        public var collecting = 5.0
        /// The time from the check-out to the door: a place is free so long after its holder's stay.
        public var leaveDelay = 0.0
        /// The share of the customers inside whose exit is not scanned; 0 to 1.
        public var missedExit = 0.0
        /// The time inside after which an exit that was not scanned is inferred.
        public var longestStay = Double.infinity

        public init(stays: StayDistribution, noShow: ByChannel<Double>, entryWindow: Double) {
            self.stays = stays
            self.noShow = noShow
            self.entryWindow = entryWindow
        }

        /// The share of such customers who never come when they are called.
        public func noShow(of customer: Customer) -> Double {
            switch customer {
            case .machine: noShow.machine
            case .phone: noShow.phone
            case .remote: noShow.remote
            case .unasked: silence * silentNoShow + (1 - silence) * noShow.remote
            case .silent: silentNoShow
            }
        }
    }

    /// What is known of a customer before the call: where the place was taken, and what was answered
    /// (rules: elsewhere, coming-question).
    public enum Customer: Int, Hashable, Sendable, CaseIterable {
        case machine
        case phone
        /// A customer elsewhere, who is not asked whether they are coming, or has said so.
        case remote
        /// A customer elsewhere who will be asked.
        case unasked
        /// A customer elsewhere who was asked, and has not answered.
        case silent
    }

    /// The number of people who may be inside at once; at least 1.
    public var capacity: Int
    public var behaviour: Behaviour
    public var places: [Occupant]
    /// The slots of visits without a place, in minutes from now and in order; those that are due are at or below 0.
    public var visits: [Double]
    /// The customers of the first of these visits, in order; the others booked at machines.
    public var visitsKnown: [Customer] = []
    /// The number of orders that are ready at desks inside and wait for a place.
    public var orders = 0
    /// The number of tickets before the next one.
    public var ticketsAhead: Int
    /// The customers of the first of these tickets, in order; the others took theirs at machines.
    public var ticketsKnown: [Customer] = []
    /// Whether tickets wait if a visit that is nearly due might otherwise have to wait outside (`CallingRule`).
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
    public var wait: WaitDistribution { QueueSimulation.waits(self, positions: [ticketsAhead])[0] }
}
