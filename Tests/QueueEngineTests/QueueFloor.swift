internal import Reservations

@testable import QueueEngine

/// A shop with desks inside, its queue, and its orders as the store keeps them.
final class QueueFloor {
    var counter: Counter
    var orders: [PickupOrderRecord] = []

    init(
        capacity: Int, leaveDelay: Int = 120, _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) {
        counter = Counter(capacity: capacity, leaveDelay: leaveDelay) {
            $0.orders.desks = 3
            $0.orders.isDeskInside = true
            decide(&$0)
        }
    }

    /// A shop in which phones may book all places for visits.
    static func givingVisits(
        capacity: Int, leaveDelay: Int = 120, departments: [Department] = []
    ) -> QueueFloor {
        QueueFloor(capacity: capacity, leaveDelay: leaveDelay) {
            $0.visitSharePercent = 100
            $0.phones.visitPercent = 100
            $0.phones.hasPlaces = true
            $0.phones.hasVisits = true
            $0.departments = departments
        }
    }

    /// A customer leaves, so that an order may be called.
    func leave(_ ticket: Reservation) {
        counter.leave(ticket.id)
        follow()
    }

    /// An order whose customer is here.
    func arrive() -> Int {
        let number = orders.count + 1
        orders.append(.sample(.arrived, number, at: counter.now))
        return number - 1
    }

    /// The places of the orders as they are stored now.
    var collectors: [Collector] {
        orders.compactMap { Collector($0, policy: counter.shop.policy) }
            .filter { $0.end.map { counter.now < $0 } ?? true }
    }

    /// Stores what a command has done with orders that waited.
    func follow() {
        for index in orders.indices where orders[index].isUncalled {
            for collector in counter.collectors where collector.order == orders[index].id {
                if case .taken(let since, _) = collector.place { orders[index].called = since }
            }
        }
        counter.collectors = collectors
    }

    private func collect() {
        counter.collectors = collectors
        counter.ask(.collect(collectors))
        follow()
    }

    @discardableResult
    func take(_ step: DeskStep, _ order: Int, at desk: Int = 1) -> Bool {
        let isTaken = orders[order].take(
            step, at: desk, now: counter.now, callsAtOnce: false)
        collect()
        return isTaken
    }

    /// An order that is ready at the desk.
    func ready() -> Int {
        let order = arrive()
        take(.fetch, order)
        take(.ready, order)
        return order
    }

    func enter(_ order: Int) -> Refusal? {
        defer { collect() }
        return orders[order].enter()
    }

    func leave(_ order: Int, at point: ExitPoint) -> Refusal? {
        defer { collect() }
        return orders[order].leave(at: point)
    }

    func pass(_ time: Duration) {
        counter.tick(after: time)
        follow()
        var isChanged = false
        for index in orders.indices {
            let former = orders[index]
            orders[index].pass(
                to: counter.now, firstDay: Counter.day, keeping: 7, callsAtOnce: false)
            isChanged = isChanged || orders[index] != former
        }
        if isChanged { collect() }
    }

    func isCalled(_ order: Int) -> Bool {
        orders[order].state == .called && orders[order].called != nil
    }
}
