import QueueEngine
import Reservations
import Testing

@Suite("Decisions about orders that customers collect (rules: orders, announced-orders)")
struct PickupOrderTests {
    private static let day = Counter.day
    private static let now = PickupOrderRecord.now

    private static func order(
        _ state: OrderState, _ number: Int = 1, parcels: Int = 1, promised: Moment? = nil,
        since: Moment = now.moment
    ) -> PickupOrderRecord {
        .sample(
            state, number, parcels: Array(repeating: Parcel(size: .small)!, count: parcels),
            at: since, promised: promised ?? now.moment,
            desk: state == .called || state == .handedOver ? 2 : nil)
    }

    private static func shown(
        _ order: PickupOrderRecord, behind others: [PickupOrderRecord] = [],
        policy: OrderPolicy = OrderPolicy(desks: 1), at moment: Moment = now.moment
    ) -> PickupOrder {
        // A step was taken at each desk just now.
        let steps = Dictionary(uniqueKeysWithValues: (1...policy.desks).map { ($0, moment) })
        return PickupDesk(others, policy: policy, steps: steps).shown(
            order, of: .market(), at: moment, local: now.at)
    }

    @Test(
        "Each state has its arrows: an order is handed over only from a desk, and stays cancelled or expired"
    )
    func arrows() {
        for state in OrderState.allCases {
            #expect(!state.next.contains(state), "\(state)")
            #expect(state.next.contains(.handedOver) == (state == .called), "\(state)")
            #expect(state.isOpen == state.next.contains(.cancelled), "\(state)")
            #expect((state.course == .opted) == (state.isHere && state != .called), "\(state)")
            // Every state can be reached from the first one.
            #expect(reachable(from: .promised).contains(state))
        }
        #expect(OrderState.cancelled.next.isEmpty && OrderState.expired.next.isEmpty)
    }

    private func reachable(from state: OrderState) -> Set<OrderState> {
        var found: Set<OrderState> = [state]
        while true {
            let more = found.union(found.flatMap(\.next))
            if more == found { return found }
            found = more
        }
    }

    @Test("The course of a collection has the names that its tests give it [Click-And-Collect TC5]")
    func course() {
        let names = [OrderState.arrived, .fetching, .called, .handedOver].map {
            $0.course?.rawValue
        }
        #expect(
            names == [
                "Opted for Click and collect", "Opted for Click and collect", "Ready to Pickup",
                "Order complete",
            ])
        // For orders that are not open, nothing changes to 'Opted for Click and collect'.
        for state in [OrderState.handedOver, .cancelled, .expired] {
            var desk = PickupDesk([], policy: OrderPolicy(desks: 1))
            #expect(
                desk.arrive(Self.order(state), at: Self.now.moment) {
                    .sample(1, at: Self.now.moment)
                } == nil)
        }
    }

    @Test(
        "An order is ready on the shelf, or from the promised time on, and its customer is here once"
    )
    func ready() throws {
        let later = Self.now.moment + .minutes(30)
        var desk = PickupDesk([], policy: OrderPolicy(desks: 1))
        let promised = Self.order(.promised, promised: later)
        #expect(
            desk.arrive(promised, at: Self.now.moment) { .sample(1, at: Self.now.moment) } == nil)
        #expect(!Self.shown(promised).isReady && Self.shown(promised).wait == nil)
        #expect(Self.shown(Self.order(.onShelf, promised: later)).isReady)
        let here = try #require(
            desk.arrive(promised, at: later) { .sample(17, at: Self.now.moment) })
        #expect(here.state == .arrived && here.since == later && desk.orders == [here])
        #expect(here.turn?.number.text == "C-017")
        #expect(desk.arrive(here, at: later) { .sample(18, at: Self.now.moment) } == nil)
    }

    @Test("What is announced changes an order until its customer is here; a cancelled one stays so")
    func announcing() throws {
        let shelf = try #require(Parcel(text: "large@B-2"))
        let change = try #require(
            AnnouncedOrder(reference: "1", promised: Self.now.moment, parcels: [shelf]))
        #expect(change.isOnShelf)
        for state in OrderState.allCases {
            var order = Self.order(state)
            let mayChange = state == .promised || state == .onShelf
            #expect(order.announce(change, at: Self.now.moment) == mayChange, "\(state)")
            #expect(order.state == (mayChange ? .onShelf : state))
            var cancelled = Self.order(state)
            #expect(
                cancelled.cancel(at: Self.now.moment) == (state.isOpen || state == .cancelled))
            #expect(cancelled.state == (state.isOpen ? .cancelled : state))
            #expect(cancelled.turn == (state == .handedOver ? Self.order(state).turn : nil))
        }
    }

    @Test(
        "Time alone lets an order expire, and puts one back whose customer was here on another day")
    func time() {
        let tomorrow = Self.now.moment + .seconds(86_400)
        let week = Self.now.moment + .seconds(7 * 86_400)
        for state in OrderState.allCases {
            var order = Self.order(state)
            order.pass(to: tomorrow, firstDay: Self.day.advanced(by: 1), keeping: 7)
            #expect(order.state == (state.isHere ? .onShelf : state), "\(state)")
            order.pass(to: week, firstDay: Self.day.advanced(by: 7), keeping: 7)
            let isOver = state == .handedOver || state == .cancelled
            #expect(order.state == (isOver ? state : .expired), "\(state)")
            var now = Self.order(state)
            now.pass(to: Self.now.moment + .minutes(1), firstDay: Self.day, keeping: 7)
            #expect(now == Self.order(state))
        }
    }

    @Test(
        "The wait grows with the orders before, with the parcels, and with fewer desks; it is a range"
    )
    func waits() throws {
        func minutes(
            _ wait: WaitEstimate?, _ end: KeyPath<WaitEstimate, LocalMoment>
        ) throws -> Double {
            (try #require(wait)[keyPath: end].moment - Self.now.moment).inMinutes
        }
        let alone = Self.shown(Self.order(.onShelf, 9)).wait
        // A mean of six minutes and a variation of a half: the lognormal's quantiles are 3.01, 5.37, 8.00.
        #expect(try abs(minutes(alone, \.earliest) - 2.95) < 0.1)
        #expect(try abs(minutes(alone, \.expected) - 5.37) < 0.1)
        #expect(try abs(minutes(alone, \.latest) - 7.98) < 0.15)
        #expect(alone?.peopleAhead == 0)
        let before = (1...4).map { Self.order(.arrived, $0) }
        let behind = Self.shown(Self.order(.onShelf, 9), behind: before).wait
        #expect(behind?.peopleAhead == 4)
        // Five orders one after the other take 30 minutes on average.
        #expect(try abs(minutes(behind, \.expected) - 29.4) < 1)
        let two = Self.shown(
            Self.order(.onShelf, 9), behind: before, policy: OrderPolicy(desks: 2)
        ).wait
        #expect(try (14...21).contains(minutes(two, \.expected)))
        let large = Self.shown(Self.order(.onShelf, 9, parcels: 11)).wait
        #expect(try abs(minutes(large, \.expected) / minutes(alone, \.expected) - 2.5) < 0.05)
    }

    @Test(
        "An order that is being fetched is nearly there, and one that took long already takes a while longer"
    )
    func fetching() throws {
        func expected(_ minutes: Int) throws -> Double {
            let begun = Self.now.moment - .minutes(minutes)
            let wait = try #require(Self.shown(Self.order(.fetching, since: begun)).wait)
            return (wait.expected.moment - Self.now.moment).inMinutes
        }
        #expect(try expected(0) > expected(3) && expected(3) > 0)
        #expect(try expected(60) > 0 && expected(6_000) >= 0)
    }

    @Test("An order is shown with its number and desk only while these are its own")
    func shown() {
        for state in OrderState.allCases {
            let shown = Self.shown(Self.order(state))
            #expect(shown.state == state && shown.isPlausible, "\(state)")
            #expect(
                (shown.number != nil) == state.isHere && (shown.desk != nil) == (state == .called))
            #expect(
                (shown.wait != nil)
                    == [.promised, .onShelf, .arrived, .fetching].contains(state), "\(state)")
            #expect(shown.ticket == nil)
        }
        let many = (1...400).map { Self.order(.arrived, $0) }
        let last = Self.shown(Self.order(.onShelf, 999), behind: many)
        #expect(last.wait?.peopleAhead == 400 && last.isPlausible)
    }
}
