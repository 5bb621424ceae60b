public import Reservations

/// An order at a desk inside the shop, as the queue counts its customer (rules: desks-inside).
public struct Collector: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// It is ready at the desk and not called yet, as no place was free since this moment.
        case awaited(since: Moment)
        /// It was called then; its customer may have come in already.
        case taken(since: Moment, hasEntered: Bool)
        /// It was handed over, and the place is free from this moment on.
        case leaving(until: Moment)
    }

    public let order: OrderID
    public var place: Place

    public init(order: OrderID, place: Place) {
        self.order = order
        self.place = place
    }

    /// The place of an order; nil if it takes none and waits for none.
    public init?(_ order: PickupOrderRecord, policy: ShopPolicy) {
        guard policy.orders.isDeskInside else { return nil }
        let place: Place
        switch (order.state, order.called) {
        case (.called, nil): place = .awaited(since: order.since)
        case (.handedOver, .some):
            place = .leaving(until: order.since + policy.collectorDelay)
        case (.arrived, .some(let called)), (.fetching, .some(let called)),
            (.called, .some(let called)), (.notFound, .some(let called)):
            place = .taken(since: called, hasEntered: order.hasEntered)
        case (.promised, _), (.onShelf, _), (.arrived, nil), (.fetching, nil), (.notFound, nil),
            (.handedOver, nil), (.cancelled, _), (.expired, _):
            return nil
        }
        self.init(order: order.id, place: place)
    }

    var isAwaiting: Bool {
        switch place {
        case .awaited: true
        case .taken, .leaving: false
        }
    }

    /// Whether its customer is inside, as far as it is known.
    var isInside: Bool {
        switch place {
        case .awaited: false
        case .taken(_, let hasEntered): hasEntered
        case .leaving: true
        }
    }

    /// The place of an order that was handed over is free then; nil for all others.
    var end: Moment? {
        switch place {
        case .awaited, .taken: nil
        case .leaving(let end): end
        }
    }

    /// The earlier one gets a free place first.
    static func isBefore(_ left: Collector, _ right: Collector) -> Bool {
        func key(_ collector: Collector) -> (Moment, String) {
            switch collector.place {
            case .awaited(let moment), .taken(let moment, _), .leaving(let moment):
                (moment, collector.order.rawValue)
            }
        }
        return key(left) < key(right)
    }
}

extension OrderCommand {
    /// Whether it may change which orders have places inside the shop, or wait for one.
    public var concernsPlaces: Bool {
        switch self {
        case .cancel, .take, .handOver, .enter, .leave: true
        case .arrive, .announce: false
        }
    }
}

extension ShopPolicy {
    /// The time from the hand-over of an order inside until the place is free: the way to the door, and as long as the
    /// hand-over may be taken back, so that the customer then still has the place.
    public var collectorDelay: Duration { max(leaveDelay, PickupOrderRecord.undoLimit) }
}

/// Customers at desks inside the shop take places (rules: desks-inside).
extension QueueState {
    /// The number of places that these customers have.
    var collectorPlaces: Int { collectors.count { !$0.isAwaiting } }

    /// The number of these customers who are inside, as far as it is known.
    var collectorsInside: Int { collectors.count(where: \.isInside) }

    /// Restores the orders at desks, in any order.
    public mutating func restore(collectors: [Collector]) {
        self.collectors = collectors.sorted(by: Collector.isBefore)
    }

    /// Takes over what was decided at the desks.
    mutating func collect(_ collectors: [Collector], _ deciding: inout Deciding) -> Deciding.Answer
    {
        let former = self.collectors
        restore(collectors: collectors)
        if former != self.collectors { deciding.add(.collectorsChanged) }
        return .success(.ticked)
    }

    /// Gives a free place to the first order that waits for one.
    mutating func callOrder(_ deciding: inout Deciding) {
        guard let index = collectors.firstIndex(where: \.isAwaiting) else { return }
        collectors[index].place = .taken(since: deciding.now, hasEntered: false)
        deciding.add(.orderCalled(collectors[index].order, at: deciding.now))
    }
}
