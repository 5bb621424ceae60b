internal import Reservations
internal import Testing

@testable import QueueEngine

@Suite("Desks inside the shop: a customer who is called takes a place (rules: desks-inside)")
struct DeskPlaceTests {
    @Test("A ready order waits at the desk until a place is free, and is called before tickets")
    func waits() throws {
        let floor = QueueFloor(capacity: 1)
        let inside = try floor.counter.inside()
        let next = try floor.counter.ticket()
        let (first, second) = (floor.ready(), floor.ready())
        #expect(!floor.isCalled(first) && floor.orders[first].isUncalled)
        let desk = PickupDesk(floor.orders, policy: floor.counter.shop.policy.orders)
        func local(_ moment: Moment) -> LocalMoment { LocalMoment(moment, offsetMinutes: 60) }
        #expect(desk.turns(at: floor.counter.now, local: local)?.isEmpty == true)
        let shown = desk.shown(
            floor.orders[first], of: floor.counter.shop, at: floor.counter.now, local: local)
        #expect(shown.state == .fetching && shown.desk == nil && shown.isPlausible)
        let atDesk = desk.shownAtDesk(at: floor.counter.now, local: local).orders
        #expect(atDesk.map(\.waitsForPlace) == [true, true])
        floor.pass(.minutes(16))
        #expect(floor.orders[first].isUncalled, "its time has not begun")
        floor.leave(inside)
        #expect(floor.isCalled(first) && !floor.isCalled(second))
        #expect(floor.counter.state(of: next.id) == .planned)
        #expect(floor.orders[first].called == floor.counter.now)
        floor.pass(.minutes(14))
        #expect(floor.isCalled(first))
        // It goes back on the shelf fifteen minutes after its call, and the next one is called.
        floor.pass(.minutes(1))
        #expect(floor.orders[first].state == .onShelf && floor.isCalled(second))
        #expect(floor.take(.handOver, second))
        #expect(floor.counter.state(of: next.id) == .planned)
        floor.pass(.seconds(119))
        #expect(floor.counter.state(of: next.id) == .planned, "the way to the door")
        floor.pass(.seconds(1))
        #expect(floor.counter.state(of: next.id) == .called)
    }

    @Test(
        "A visit that is due gets the free place before an order that was ready first, and before tickets"
    )
    func afterVisits() throws {
        let floor = QueueFloor.givingVisits(capacity: 2)
        floor.counter.now = Counter.at("10:20")
        let inside = try (1...2).map { _ in try floor.counter.inside() }
        let visit = try floor.counter.bookVisit("ada", at: "10:45", on: .today)
        let next = try floor.counter.ticket()
        let order = floor.ready()
        floor.pass(.minutes(25))
        #expect(floor.counter.state(of: visit.id) == .planned && !floor.isCalled(order))
        floor.leave(inside[0])
        #expect(floor.counter.state(of: visit.id) == .called && !floor.isCalled(order))
        floor.leave(inside[1])
        #expect(floor.isCalled(order) && floor.counter.state(of: next.id) == .planned)
    }

    @Test(
        "An order waits for no visit whose slot has yet to come, and for none while the shop is closed"
    )
    func beforeLaterVisits() throws {
        let floor = QueueFloor.givingVisits(capacity: 1)
        floor.counter.now = Counter.at("10:20")
        _ = try floor.counter.bookVisit("ada", at: "10:45", on: .today)
        floor.pass(.minutes(24))
        let ticket = try floor.counter.ticket()
        #expect(floor.counter.state(of: ticket.id) == .planned, "the place is kept for the visit")
        #expect(floor.isCalled(floor.ready()))
        let late = QueueFloor(capacity: 1)
        late.counter.now = Counter.at("13:30")
        #expect(late.isCalled(late.ready()))
    }

    @Test("The place is kept as long as a step may be taken back, and for a customer who is inside")
    func undone() throws {
        let floor = QueueFloor(capacity: 1, leaveDelay: 0)
        let order = floor.ready()
        #expect(floor.isCalled(order))
        let ticket = try floor.counter.ticket()
        #expect(floor.take(.handOver, order))
        floor.pass(.seconds(19))
        #expect(floor.counter.state(of: ticket.id) == .planned)
        #expect(floor.take(.undo, order) && floor.isCalled(order))
        #expect(floor.counter.state.taken == 1)
        // Its customer has come in, so that the place stays when the order is fetched again.
        let other = floor.ready()
        #expect(floor.orders[other].isUncalled)
        floor.take(.handOver, order)
        floor.pass(.seconds(20))
        #expect(floor.isCalled(other))
        #expect(floor.enter(other) == nil)
        #expect(floor.take(.undo, other) == false, "too late")
        floor.take(.handOver, other)
        floor.pass(.seconds(20))
        #expect(floor.counter.state(of: ticket.id) == .called)
        floor.counter.enter(ticket.id)
        floor.counter.leave(ticket.id)
        let third = floor.ready()
        #expect(floor.enter(third) == nil)
        #expect(floor.take(.undo, third) && floor.orders[third].state == .fetching)
        #expect(floor.counter.state.taken == 1, "its customer is inside")
        #expect(floor.take(.notFound, third) && floor.counter.state.taken == 1)
        #expect(floor.take(.putBack, third) && floor.counter.state.taken == 0)
        let fourth = floor.ready()
        #expect(floor.take(.undo, fourth))
        #expect(floor.counter.state.taken == 0, "its customer has not come in")
    }

    @Test("At the entrance a called order is let in once, and each other one is refused with why")
    func doors() {
        let floor = QueueFloor(capacity: 2)
        let order = floor.arrive()
        #expect(
            floor.enter(order) == .notYetCalled && floor.leave(order, at: .turnstile) == .notInside)
        floor.take(.fetch, order)
        #expect(floor.enter(order) == .notYetCalled)
        floor.take(.ready, order)
        #expect(floor.counter.state.taken == 1 && floor.counter.state.occupancy == 0)
        #expect(floor.enter(order) == nil)
        #expect(floor.counter.state.taken == 1 && floor.counter.state.occupancy == 1)
        #expect(floor.enter(order) == .inside)
        #expect(floor.leave(order, at: .turnstile) == nil)
        #expect(floor.enter(order) == nil, "the customer may come in again without the order")
        floor.take(.handOver, order)
        #expect(floor.enter(order) == .orderNotCalled)
        #expect(floor.leave(order, at: .checkout) == nil && floor.counter.state.taken == 1)
        #expect(floor.leave(order, at: .turnstile) == nil && floor.counter.state.taken == 0)
        let other = floor.ready()
        floor.take(.putBack, other)
        #expect(
            floor.enter(other) == .orderNotCalled && floor.leave(other, at: .checkout) == .notInside
        )
    }

    @Test("Where the desk is outside, orders take no place and are called at once")
    func outside() {
        let floor = QueueFloor(capacity: 1)
        floor.counter.shop.policy.orders.isDeskInside = false
        let order = floor.arrive()
        for step in [DeskStep.fetch, .ready] {
            let isTaken = floor.orders[order].take(step, at: 1, now: floor.counter.now)
            #expect(isTaken)
        }
        #expect(floor.isCalled(order))
        #expect(Collector(floor.orders[order], policy: floor.counter.shop.policy) == nil)
        // A shop that moves its desk outside calls what waits for a place.
        floor.orders[order].called = nil
        let desk = PickupDesk(floor.orders, policy: floor.counter.shop.policy.orders)
        #expect(desk.isDue(at: floor.counter.now))
        floor.orders[order].pass(to: floor.counter.now, firstDay: Counter.day, keeping: 7)
        #expect(floor.isCalled(order))
    }
}
