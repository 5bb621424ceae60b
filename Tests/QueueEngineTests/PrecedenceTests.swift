internal import Reservations
internal import Testing

@testable import QueueEngine

/// Who is called before whom: visits that are due, then ready orders, then tickets (rules 5, 41).
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
                let former = calls(floor)
                act(floor, &places, &random)
                let new = calls(floor).subtracting(former).map(\.kind)
                let state = floor.counter.state
                let callable = callable(floor)
                let waits = state.collectors.contains(where: \.isAwaiting)
                #expect(
                    callable.isEmpty || new.allSatisfy { $0 == .visit },
                    "seed \(seed), step \(step)")
                #expect(!waits || !new.contains(.ticket), "seed \(seed), step \(step)")
                #expect(
                    state.freePlaces <= 0 || callable.isEmpty && !waits,
                    "seed \(seed), step \(step)")
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
