import QueueEngine
import Reservations
import Testing

@Suite("What assistants do with orders at desks (rules: order-desks)")
struct DeskStepTests {
    private static let now = PickupOrderRecord.now
    private static let policy = OrderPolicy(desks: 3)

    private static func order(
        _ state: OrderState, _ number: Int = 1, desk: Int? = nil
    ) -> PickupOrderRecord {
        .sample(
            state, number, parcels: [Parcel(text: "small@A3")!, Parcel(text: "bulky")!], desk: desk)
    }

    /// The order after steps at desks, each so many seconds later; nil for each step that was refused.
    private static func after(
        _ steps: (DeskStep, Int)..., seconds: Int = 1
    ) -> [OrderState?] {
        var order = order(.arrived)
        var now = now.moment
        return steps.map { step, desk in
            now = now + .seconds(seconds)
            return order.take(step, at: desk, now: now) ? order.state : nil
        }
    }

    /// An order after a step some seconds later; nil if it was refused, which changes nothing.
    private static func taken(
        _ order: PickupOrderRecord, _ step: DeskStep, at desk: Int, seconds: Int = 1
    ) -> PickupOrderRecord? {
        var changed = order
        let isTaken = changed.take(step, at: desk, now: now.moment + .seconds(seconds))
        if !isTaken { #expect(changed == order) }
        return isTaken ? changed : nil
    }

    @Test("An order is fetched, called to the desk, and handed over there [Click-And-Collect UC10]")
    func course() {
        #expect(
            Self.after((.fetch, 2), (.ready, 2), (.handOver, 2))
                == [.fetching, .called, .handedOver])
        #expect(
            Self.after((.fetch, 2), (.notFound, 2), (.fetch, 1), (.ready, 1))
                == [.fetching, .notFound, .fetching, .called], "another one finds it")
        #expect(
            Self.after((.fetch, 2), (.release, 1), (.fetch, 1))
                == [.fetching, .arrived, .fetching], "an assistant who went home")
        #expect(Self.after((.fetch, 2), (.putBack, 3)) == [.fetching, .onShelf])
    }

    @Test(
        "Two assistants never fetch the same order, and no desk hands over what is at another one")
    func oneDesk() {
        #expect(Self.after((.fetch, 1), (.fetch, 2)) == [.fetching, nil])
        #expect(Self.after((.fetch, 1), (.ready, 2)) == [.fetching, nil])
        #expect(Self.after((.fetch, 1), (.notFound, 2)) == [.fetching, nil])
        #expect(Self.after((.fetch, 1), (.ready, 1), (.handOver, 2)) == [.fetching, .called, nil])
        #expect(Self.after((.ready, 1)) == [nil])
        #expect(Self.after((.handOver, 1)) == [nil])
    }

    @Test("A step that was taken at this desk already changes nothing")
    func again() {
        for (step, state) in [
            (DeskStep.fetch, OrderState.fetching), (.ready, .called), (.notFound, .notFound),
            (.handOver, .handedOver),
        ] {
            let order = Self.order(state, desk: 2)
            #expect(Self.taken(order, step, at: 2) == order)
            #expect(Self.taken(order, step, at: 1) == nil)
        }
    }

    @Test("For ten seconds, and ten on the way, the last step of the same desk can be taken back")
    func undo() {
        for (state, former) in [
            (OrderState.fetching, OrderState.arrived), (.called, .fetching),
            (.notFound, .fetching), (.handedOver, .called),
        ] {
            let order = Self.order(state, desk: 2)
            let undone = Self.taken(order, .undo, at: 2, seconds: 19)
            #expect(undone?.state == former && undone?.desk == (former == .arrived ? nil : 2))
            #expect(undone?.turn == order.turn)
            #expect(
                undone.flatMap { Self.taken($0, .undo, at: 2, seconds: 20) } == nil,
                "and none before it")
            #expect(Self.taken(order, .undo, at: 2, seconds: 20) == nil)
            #expect(Self.taken(order, .undo, at: 1) == nil)
        }
        for state in [OrderState.promised, .onShelf, .arrived, .cancelled, .expired] {
            #expect(Self.taken(Self.order(state), .undo, at: 2) == nil)
        }
    }

    @Test("No step leads along an arrow that is none, whatever the state and the desk")
    func arrows() {
        for state in OrderState.allCases {
            for step in DeskStep.allCases {
                for desk in [1, 2] {
                    let hasDesk =
                        state == .fetching || state == .called || state == .notFound
                        || state == .handedOver
                    let order = Self.order(state, desk: hasDesk ? 2 : nil)
                    let changed = Self.taken(order, step, at: desk) ?? order
                    #expect(changed.state == state || state.next.contains(changed.state))
                    #expect(changed.state != .handedOver || changed.desk == 2)
                    #expect(
                        (changed.turn != nil)
                            == (changed.state.isHere || changed.state == .handedOver))
                }
            }
        }
    }

    @Test(
        "A called order is called again after five minutes, and goes back on the shelf after fifteen"
    )
    func calls() {
        let called = [Self.order(.called, 1, desk: 2), Self.order(.called, 2, desk: 1)]
        let others = [Self.order(.arrived, 3), Self.order(.fetching, 4, desk: 1)]
        let desk = PickupDesk(called + others, policy: Self.policy)
        func turns(after minutes: Int) -> [OrderTurn]? {
            desk.turns(at: Self.now.moment + .minutes(minutes), local: Self.now.at)
        }
        let first = turns(after: 4)
        #expect(first?.map(\.number.text) == ["C-002", "C-001"] && first?.map(\.desk) == [1, 2])
        #expect(first?.allSatisfy { $0.since == Self.now } == true)
        let again = Self.now.at(Self.now.moment + .minutes(5))
        #expect(turns(after: 5)?.allSatisfy { $0.since == again } == true)
        #expect(turns(after: 14)?.allSatisfy { $0.since == again } == true, "once")
        #expect(!desk.isDue(at: Self.now.moment + .minutes(14)))
        let end = Self.now.moment + .minutes(15)
        #expect(desk.isDue(at: end))
        var order = called[0]
        order.pass(to: end, firstDay: Self.now.day, keeping: 7)
        #expect(order.state == .onShelf && order.turn == nil && order.desk == nil)
        #expect(order.isReady(at: end), "its customer may come again")
        var other = others[0]
        other.pass(to: end, firstDay: Self.now.day, keeping: 7)
        #expect(other == others[0])
        #expect(PickupDesk([], policy: OrderPolicy()).turns(at: end, local: Self.now.at) == nil)
    }

    @Test(
        "A desk is shown who is here, who came first in front, with what is where; at most a hundred"
    )
    func list() {
        let orders = (1...130).reversed().map { Self.order(.arrived, $0) }
        let here = PickupDesk(orders + [Self.order(.onShelf, 200)], policy: Self.policy)
            .shownAtDesk(at: Self.now.moment, local: Self.now.at)
        #expect(here.here == 130 && here.desks == 3 && here.now == Self.now)
        #expect(here.orders.count == 100 && here.orders.first?.number?.text == "C-001")
        let busy = PickupDesk(
            orders.dropFirst() + [Self.order(.fetching, 130, desk: 1)], policy: Self.policy
        ).shownAtDesk(at: Self.now.moment, local: Self.now.at).orders
        #expect(busy.count == 100 && busy.last?.number?.text == "C-130", "an assistant is busy")
        let first = here.orders.first
        #expect(first?.parcels.map(\.shelf) == ["A3", nil])
        #expect(first?.parcels.map(\.size) == ["small", "bulky"])
        #expect(first?.arrived == Self.now.at(Self.now.moment + .seconds(1)))
        #expect(first?.desk == nil && first?.reference == "1")
    }
}
