public import Reservations

/// How long customers who collected orders were there, by hours of the shop's clock (rules: order-forecasts).
public struct OrderReport: Sendable {
    /// One event of an order.
    public struct Event: Hashable, Sendable {
        public let at: Moment
        /// The state that the order came into.
        public let state: OrderState
        /// By when it should be at a desk, as was quoted to its customer at the arrival.
        public let latest: Moment?

        public init(at: Moment, state: OrderState, latest: Moment? = nil) {
            self.at = at
            self.state = state
            self.latest = latest
        }
    }

    /// The customers who came in one hour of one day.
    public struct Hour: Hashable, Sendable {
        public let day: CalendarDay
        /// 0 to 23.
        public let hour: Int
        public fileprivate(set) var arrivals = 0
        /// Of the orders that came to a desk, those whose customer was quoted a time.
        public fileprivate(set) var ready = 0
        /// Those of them that were at the desk by then.
        public fileprivate(set) var readyAsQuoted = 0
        /// Orders that were at a desk and went back on the shelf.
        public fileprivate(set) var notCollected = 0
        /// Orders that were looked for in vain, and not found later.
        public fileprivate(set) var notFound = 0
        /// Whole seconds from the arrival to the hand-over, the shortest first.
        public fileprivate(set) var seconds: [Int] = []

        /// Half of the customers who got their orders had them after so long; nil if none did.
        public var medianSeconds: Int? { OrderReport.quantile(0.5, of: seconds) }
        /// Nine of ten of them.
        public var nineOfTenSeconds: Int? { OrderReport.quantile(0.9, of: seconds) }
    }

    /// What came of one arrival of a customer.
    private struct Turn {
        let arrived: Moment
        let latest: Moment?
        var ready: Moment?
        var handedOver: Moment?
        var state = OrderState.arrived
        /// The state before the order went back on the shelf or was called off; nil if it did not.
        var stateAtEnd: OrderState?
    }

    private struct Name: Hashable {
        let day: CalendarDay
        let hour: Int
    }

    private let period: Range<Moment>
    private let local: @Sendable (Moment) -> LocalMoment
    private var byHour: [Name: Hour] = [:]

    /// - Parameters:
    ///   - period: When the customers came who are counted.
    ///   - local: Returns a moment as the shop's clock shows it.
    public init(of period: Range<Moment>, local: @escaping @Sendable (Moment) -> LocalMoment) {
        self.period = period
        self.local = local
    }

    /// The hours in which customers came, in order.
    public var hours: [Hour] {
        byHour.values.map { hour in
            var hour = hour
            hour.seconds.sort()
            return hour
        }.sorted { ($0.day, $0.hour) < ($1.day, $1.hour) }
    }

    /// The seconds from the arrival to the hand-over in which a share of the customers of an hour of all days had their orders;
    /// nil for an hour in which none got one. Without an hour, of all customers.
    public func seconds(_ share: Double, in hour: Int? = nil) -> Int? {
        let those = byHour.values.filter { hour == nil || $0.hour == hour }
        return Self.quantile(share, of: those.flatMap(\.seconds).sorted())
    }

    private static func quantile(_ share: Double, of sorted: [Int]) -> Int? {
        guard !sorted.isEmpty else { return nil }
        return sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }

    /// Counts all events of one order, in order.
    public mutating func add(_ events: [Event]) {
        for turn in Self.turns(events) where period.contains(turn.arrived) { count(turn) }
    }

    private mutating func count(_ turn: Turn) {
        let arrived = local(turn.arrived)
        let name = Name(day: arrived.day, hour: arrived.time.hour)
        var hour = byHour[name] ?? Hour(day: name.day, hour: name.hour)
        hour.arrivals += 1
        if let ready = turn.ready, let latest = turn.latest {
            hour.ready += 1
            if ready <= latest { hour.readyAsQuoted += 1 }
        }
        if let handedOver = turn.handedOver {
            hour.seconds.append((handedOver - turn.arrived).wholeSeconds)
        }
        if turn.stateAtEnd == .called { hour.notCollected += 1 }
        if (turn.stateAtEnd ?? turn.state) == .notFound { hour.notFound += 1 }
        byHour[name] = hour
    }

    /// The arrivals of one order; a step that was taken back is as if it had not been taken.
    private static func turns(_ events: [Event]) -> [Turn] {
        var turns: [Turn] = []
        var isHere = false
        for event in events {
            switch event.state {
            case .promised, .onShelf, .cancelled, .expired:
                if isHere, let last = turns.indices.last {
                    turns[last].stateAtEnd = turns[last].state
                }
                isHere = false
            case .arrived where !isHere:
                turns.append(Turn(arrived: event.at, latest: event.latest))
                isHere = true
            case .arrived, .fetching, .called, .notFound, .handedOver:
                guard let last = turns.indices.last else { continue }
                let isFetched = event.state == .called || event.state == .handedOver
                if !isFetched { turns[last].ready = nil }
                if isFetched, turns[last].ready == nil { turns[last].ready = event.at }
                turns[last].handedOver = event.state == .handedOver ? event.at : nil
                turns[last].state = event.state
            }
        }
        return turns
    }
}
