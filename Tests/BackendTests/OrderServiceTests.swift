import BackendAPI
import QueueEngine
import Reservations
import Testing

@Suite("Orders that customers collect, over HTTP (rules 41)")
final class OrderServiceTests: OrderShop {
    private func announce(
        _ reference: String = "4711", on backend: TestBackend? = nil
    ) throws -> PickupOrderRecord {
        try (backend ?? self.backend).announce(reference, parcels: ["small@A-3", "large@B1"])
    }

    private func look(_ code: String, by caller: TestMachine? = nil) throws -> WireResponse {
        try (caller ?? machine).call(.orderLookup, code: code)
    }

    @Test("A customer shows the code, says to be here and gets a number [Click-And-Collect UC10]")
    func collects() throws {
        #expect(try machine.profile().hasDesk == true)
        let order = try announce()
        let found = try look(order.code.rawValue.lowercased()).decoded(PickupOrder.self)
        #expect(found.id == order.id && found.reference == "4711" && found.parcels == 2)
        #expect(found.state == .onShelf && found.isReady && found.number == nil)
        #expect(found.wait?.peopleAhead == 0 && found.isPlausible)
        #expect(try look(order.typedCode.grouped).decoded(PickupOrder.self) == found)

        let answer = try machine.arrive(order, key: "a")
        #expect(answer.status == 201)
        let came = try answer.decoded(PickupOrder.self)
        #expect(came.state == .arrived && came.number?.text == "C-001" && came.isPlausible)
        #expect(came.ticket == PickupTicket(code: order.code, typedCode: order.typedCode))
        #expect(try machine.arrive(order, key: "a").body == answer.body, "the same key")
        let again = try machine.arrive(order)
        #expect(again.status == 200)
        let known = try again.decoded(PickupOrder.self)
        #expect(known.number == came.number && known.ticket == nil)
        #expect(try look(order.code.rawValue).decoded(PickupOrder.self).number == came.number)
        // The shelf, a text that no code contains, is for the desk only, and there is no other text of the order.
        for body in [answer.body, again.body] {
            #expect(!String(decoding: body, as: UTF8.self).contains("A-3"))
        }
    }

    @Test("The machine learns of no order but its shop's, nor of a place [Click-And-Collect TC4]")
    func refused() throws {
        let order = try announce()
        let other = "CLUP:C:MIL1" + order.code.rawValue.suffix(26)
        #expect(try look(String(other)).problem == .otherShop)
        #expect(try machine.arrive(order, String(other)).problem == .otherShop)
        #expect(try look("CLUP:C:ROM1" + String(repeating: "0", count: 26)).problem == .notFound)
        for code in ["", "x", "123456789", "CLUP:1:ROM1" + String(repeating: "0", count: 26)] {
            #expect(try look(code).problem == .unreadableCode, "\(code)")
        }
        #expect(try machine.arrive(order, "0000000000").problem == .notFound)
        #expect(try machine.call(.orderLookup, "{}").problem == .malformed)
        // A reservation's code is no order's, and the other way round.
        let ticket = try machine.reservation()
        #expect(try look(ticket.typedCode.rawValue).problem == .notFound)
        #expect(try machine.lookUp(order.code.rawValue).problem == .unreadableCode)
        #expect(try backend.count("pickup_event") == 1)
    }

    @Test("Ten digits are not guessed at a machine, and a symbol needs no guess")
    func guesses() throws {
        let limited = try TestBackend([.codes: .only(6)]) { $0.orders.desks = 1 }
        let guesser = try limited.enrol()
        let order = try announce(on: limited)
        func arrive(_ code: String) throws -> WireResponse { try guesser.arrive(order, code) }
        for number in 0..<3 {
            #expect(try look("00000\(10_000 + number)", by: guesser).problem == .notFound)
            #expect(try arrive("00000\(10_000 + number)").problem == .notFound)
        }
        #expect(try look(order.typedCode.rawValue, by: guesser).problem == .tooManyRequests)
        #expect(try arrive(order.typedCode.rawValue).problem == .tooManyRequests)
        #expect(try guesser.lookUp("0000000000").problem == .tooManyRequests, "one limit for all")
        #expect(try arrive(order.code.rawValue).status == 201)
    }

    @Test("No arrival changes what is over, and each state is shown [Click-And-Collect TC5]")
    func states() throws {
        let later = try backend.announce("1", in: 60, parcels: ["small"])
        let early = try machine.arrive(later).decoded(PickupOrder.self)
        #expect(early.state == .promised && !early.isReady && early.wait == nil)
        backend.time.advance(by: .minutes(60))
        #expect(try look(later.code.rawValue).decoded(PickupOrder.self).isReady)
        #expect(try machine.arrive(later).status == 201)

        let cancelled = try announce("2")
        let shop = try #require(try backend.administration.shops().first)
        try backend.administration.cancelOrder("2", in: shop)
        let over = try machine.arrive(cancelled)
        #expect(over.status == 200)
        #expect(try over.decoded(PickupOrder.self).state == .cancelled)
        try backend.administration.cancelOrder("1", in: shop)
        let gone = try look(later.code.rawValue).decoded(PickupOrder.self)
        #expect(gone.state == .cancelled && gone.number == nil)
    }

    @Test("A closed shop takes no customer of an order, and one without a desk offers none")
    func closed() throws {
        let order = try announce()
        backend.time.advance(by: .minutes(601))
        let refused = try machine.arrive(order)
        #expect(refused.status == 409 && refused.problem == .shopClosed)
        #expect(try look(order.code.rawValue).status == 200)
        let without = try TestBackend()
        let other = try without.enrol()
        #expect(try other.profile().hasDesk == false)
        #expect(try look(order.code.rawValue, by: other).problem == .unsupportedKind)
        #expect(try other.arrive(order).problem == .unsupportedKind)
    }

    @Test("A machine that runs out of control has the arrivals of few orders")
    func runaway() throws {
        let slow = try TestBackend([.reservations: .only(2)]) { $0.orders.desks = 1 }
        let runaway = try slow.enrol()
        let statuses = try (1...4).map { number in
            try runaway.arrive(announce("\(number)", on: slow)).status
        }
        #expect(statuses == [201, 201, 429, 429])
        // One that finds the customer here already counts for nothing.
        #expect(try slow.count("pickup_order WHERE state = 'arrived'") == 2)
    }
}
