internal import Reservations
internal import Testing

@testable import QueueEngine

/// Who is called before whom: visits that are due, then ready orders, then tickets (rules 5, 41).
@Suite("The precedence of visits, orders and tickets")
struct PrecedenceTests {
    /// Who was called at a moment.
    private struct Calls {
        var visits: Set<ReservationID> = []
        var tickets: Set<ReservationID> = []
        var orders: Set<OrderID> = []

        init(_ floor: QueueFloor) {
            for record in floor.counter.stored.values where record.state == .called {
                if record.hold.kind == .visit {
                    visits.insert(record.hold.id)
                } else {
                    tickets.insert(record.hold.id)
                }
            }
            for order in floor.orders where order.called != nil { orders.insert(order.id) }
        }

        func since(_ former: Calls) -> Calls {
            var new = self
            new.visits.subtract(former.visits)
            new.tickets.subtract(former.tickets)
            new.orders.subtract(former.orders)
            return new
        }
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
        switch (random.next() % 16, order) {
        case (0, _), (1, _), (2, _): floor.pass(.seconds(Int(random.next() % 100)))
        case (3, _), (4, _): if let new = try? floor.counter.ticket() { places.append(new) }
        case (5, _), (6, _): if let new = visit(floor, &random) { places.append(new) }
        case (7, _), (8, _): if let place { floor.counter.enter(place.id) }
        case (9, _), (10, _):
            if let place { floor.counter.leave(place.id) }
        case (11, _): _ = floor.arrive()
        case (12, let order?): floor.take(.handOver, order, at: floor.orders[order].desk ?? 1)
        case (13, let order?): floor.take(.fetch, order, at: 1 + Int(random.next() % 3))
        case (14, let order?): floor.take(.ready, order, at: floor.orders[order].desk ?? 1)
        case (_, let order?): floor.take(.putBack, order)
        case (_, nil): break
        }
        floor.follow()
    }

    @Test(
        "No order or ticket is called while a due visit may be, and no ticket while an order waits")
    func precedence() {
        var (visits, orders, tickets, passedOver) = (0, 0, 0, 0)
        for seed in 1...12 {
            var random = SplitMix(seed: UInt64(seed))
            let floor = QueueFloor.givingVisits(
                capacity: 2 + seed % 4, leaveDelay: seed % 2 * 120,
                departments: [Department(name: "Fish", capacity: 1)])
            var places: [Reservation] = []
            for step in 1...700 {
                let former = Calls(floor)
                act(floor, &places, &random)
                let new = Calls(floor).since(former)
                let state = floor.counter.state
                let callable = callable(floor)
                let waits = state.collectors.contains(where: \.isAwaiting)
                #expect(
                    callable.isEmpty || new.orders.isEmpty && new.tickets.isEmpty,
                    "seed \(seed), step \(step)")
                #expect(!waits || new.tickets.isEmpty, "seed \(seed), step \(step)")
                #expect(
                    state.freePlaces <= 0 || callable.isEmpty && !waits,
                    "seed \(seed), step \(step)")
                let due = state.visits.entries(until: floor.counter.now).count
                passedOver += due > callable.count ? 1 : 0
                visits += waits && !new.visits.isEmpty ? 1 : 0
                orders += !state.tickets.isEmpty && !new.orders.isEmpty ? 1 : 0
                tickets += new.tickets.count
            }
        }
        #expect(visits > 0, "visits that were called before an order that was ready")
        #expect(passedOver > 0, "visits whose department was full")
        #expect(orders > 0 && tickets > 50)
    }
}
