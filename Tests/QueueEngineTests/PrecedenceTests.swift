internal import Reservations
internal import Testing

@testable import QueueEngine

/// Who is called before whom: visits that are due, then ready orders, then tickets (rules: calls, desks-inside).
@Suite("The precedence of visits, orders and tickets")
struct PrecedenceTests {
    /// Someone who was called; an order has no kind of reservation.
    private struct Call: Hashable {
        let kind: ReservationKind?
        let name: String
    }

    private func calls(_ floor: QueueFloor) -> Set<Call> {
        let places = floor.counter.stored.values.filter { $0.state == .called }
            .map { Call(kind: $0.hold.kind, name: $0.hold.id.rawValue) }
        let orders = floor.orders.filter { $0.called != nil }
            .map { Call(kind: nil, name: $0.id.rawValue) }
        return Set(places + orders)
    }

    /// The visits that wait although their slot has come, and whose departments have room.
    private func callable(_ floor: QueueFloor) -> [LiveReservation] {
        let state = floor.counter.state
        let visitors = [state.called, state.inside].flatMap(\.entries)
        let isFull = visitors.contains { !$0.live.departments.isEmpty }
        return state.visits.entries(until: floor.counter.now).map(\.live).filter {
            $0.departments.isEmpty || !isFull
        }
    }

    /// A visit that is booked for one of the next quarters of an hour; nil if there is no place.
    private func visit(_ floor: QueueFloor, _ random: inout SplitMix) -> Reservation? {
        let now = floor.counter.now
        let quarter = 900_000 * (1 + Int64(random.next() % 6))
        let start = Moment(milliseconds: now.milliseconds / 900_000 * 900_000 + quarter)
        return try? floor.counter.bookVisit(
            HolderID("phone-\(random.next())"),
            at: LocalMoment(start, offsetMinutes: 60).time.description, on: .today,
            departments: random.next() % 3 == 0 ? ["Fish"] : nil)
    }

    private func act(_ floor: QueueFloor, _ places: inout [Reservation], _ random: inout SplitMix) {
        let order = floor.orders.indices.randomElement(using: &random)
        let place = places.randomElement(using: &random)
        // In a shop with visits too many other acts would leave too few visits that come.
        switch (random.next() % (floor.counter.shop.policy.phones.hasVisits ? 16 : 20), order) {
        case (0...2, _): floor.pass(.seconds(Int(random.next() % 100)))
        case (3...4, _): if let new = try? floor.counter.ticket() { places.append(new) }
        case (5...6, _): if let new = visit(floor, &random) { places.append(new) }
        case (7...8, _): if let place { floor.counter.enter(place.id) }
        case (9...10, _): if let place { floor.counter.leave(place.id) }
        case (11, _): _ = floor.arrive()
        case (12, let order?): floor.take(.handOver, order, at: floor.orders[order].desk ?? 1)
        case (13, let order?): floor.take(.fetch, order, at: 1 + Int(random.next() % 3))
        case (14, let order?): floor.take(.ready, order, at: floor.orders[order].desk ?? 1)
        case (15, let order?): floor.take(.putBack, order)
        case (16, let order?): floor.take(.undo, order, at: floor.orders[order].desk ?? 1)
        case (17, let order?): _ = floor.enter(order)
        case (18, let order?):
            _ = floor.leave(order, at: random.next() % 2 == 0 ? .checkout : .turnstile)
        case (_, _?): if let place { floor.counter.leave(place.id, at: .checkout) }
        case (_, nil): break
        }
        floor.follow()
    }

    /// The number inside never passes the capacity, and the queue knows the places of the orders, also after a restart.
    private func expectPlaces(_ floor: QueueFloor, _ number: Int, _ step: String) {
        let (counter, state) = (floor.counter, floor.counter.state)
        let people = counter.numbers(.called).count + counter.numbers(.active).count
        let orders = floor.collectors.count { !$0.isAwaiting }
        #expect(people + orders <= counter.shop.policy.capacity, "\(step)")
        #expect(state.taken <= counter.shop.policy.capacity, "\(step)")
        let known = state.collectors.filter { $0.end.map { counter.now < $0 } ?? true }
        #expect(Set(known) == Set(floor.collectors), "\(step)")
        guard number % 50 == 0 else { return }
        let restored = counter.restored
        #expect(restored.taken == state.taken, "\(step)")
        #expect(Set(restored.collectors) == Set(state.collectors), "\(step)")
    }

    @Test(
        "No order or ticket is called while a due visit may be, no ticket while an order waits, and no one above the capacity, whatever desks and doors do"
    )
    func precedence() {
        var (visits, orders, tickets, passedOver) = (0, 0, 0, 0)
        for seed in 1...20 {
            var random = SplitMix(seed: UInt64(seed))
            let leaveDelay = seed % 2 * 120
            // Phones book no visits in some of the shops.
            let floor =
                seed > 12
                ? QueueFloor(capacity: 1 + seed % 4, leaveDelay: leaveDelay)
                : .givingVisits(
                    capacity: 2 + seed % 4, leaveDelay: leaveDelay,
                    departments: [Department(name: "Fish", capacity: 1)])
            var places: [Reservation] = []
            for number in 1...700 {
                let step = "seed \(seed), step \(number)"
                let former = calls(floor)
                act(floor, &places, &random)
                let new = calls(floor).subtracting(former).map(\.kind)
                let state = floor.counter.state
                let callable = callable(floor)
                let waits = state.collectors.contains(where: \.isAwaiting)
                #expect(callable.isEmpty || new.allSatisfy { $0 == .visit }, "\(step)")
                #expect(!waits || !new.contains(.ticket), "\(step)")
                #expect(state.freePlaces <= 0 || callable.isEmpty && !waits, "\(step)")
                expectPlaces(floor, number, step)
                let due = state.visits.entries(until: floor.counter.now).count
                passedOver += due > callable.count ? 1 : 0
                visits += waits && new.contains(.visit) ? 1 : 0
                orders += !state.tickets.isEmpty && new.contains(nil) ? 1 : 0
                tickets += new.count { $0 == .ticket }
            }
        }
        #expect(visits > 0, "visits that were called before an order that was ready")
        #expect(passedOver > 0, "visits whose department was full")
        #expect(orders > 0 && tickets > 50)
    }
}
