import BackendAPI
import BackendService
import Cryptography
import QueueEngine
import ReservationStore
import Reservations
import TestSupport
import Testing

@Suite("Orders that customers collect, over HTTP (rules 41)")
struct OrderServiceTests {
    private let backend: TestBackend
    private let machine: TestMachine

    init() throws {
        backend = try TestBackend { $0.orders.desks = 2 }
        machine = try backend.enrol("door-1")
    }

    private func announce(
        _ reference: String = "4711", in minutes: Int = 0, parcels: String...,
        on backend: TestBackend? = nil
    ) throws -> PickupOrderRecord {
        try (backend ?? self.backend).announce(
            reference, in: minutes, parcels: parcels.isEmpty ? ["small@A-3", "large@B1"] : parcels)
    }

    private func look(_ code: String, by caller: TestMachine? = nil) throws -> WireResponse {
        try (caller ?? machine).call(.orderLookup, "{\"code\":\"\(code)\"}")
    }

    private func arrive(
        _ order: PickupOrderRecord, _ code: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        try machine.call(
            .orderArrival(order.id), "{\"code\":\"\(code ?? order.code.rawValue)\"}", key: key)
    }

    @Test(
        "A customer shows the code, sees the order, says to be here and gets a number [Click-And-Collect UC10]"
    )
    func collects() throws {
        #expect(try machine.call(.machine).decoded(MachineProfile.self).hasDesk == true)
        let order = try announce()
        let found = try look(order.code.rawValue.lowercased()).decoded(PickupOrder.self)
        #expect(found.id == order.id && found.reference == "4711" && found.parcels == 2)
        #expect(found.state == .onShelf && found.isReady && found.number == nil)
        #expect(found.wait?.peopleAhead == 0 && found.isPlausible)
        #expect(try look(order.typedCode.grouped).decoded(PickupOrder.self) == found)

        let answer = try arrive(order, key: "a")
        #expect(answer.status == 201)
        let came = try answer.decoded(PickupOrder.self)
        #expect(came.state == .arrived && came.number?.text == "C-001" && came.isPlausible)
        #expect(came.ticket == PickupTicket(code: order.code, typedCode: order.typedCode))
        #expect(try arrive(order, key: "a").body == answer.body, "the same key")
        let again = try arrive(order)
        #expect(again.status == 200)
        let known = try again.decoded(PickupOrder.self)
        #expect(known.number == came.number && known.ticket == nil)
        #expect(try look(order.code.rawValue).decoded(PickupOrder.self).number == came.number)
        // The shelf, a text that no code contains, is for the desk only, and there is no other text of the order.
        for body in [answer.body, again.body] {
            #expect(!String(decoding: body, as: UTF8.self).contains("A-3"))
        }
    }

    @Test(
        "The machine is told of no order that is not its shop's, nor of a reservation [Click-And-Collect TC4]"
    )
    func refused() throws {
        let order = try announce()
        let other = "CLUP:C:MIL1" + order.code.rawValue.suffix(26)
        #expect(try look(String(other)).problem == .otherShop)
        #expect(try arrive(order, String(other)).problem == .otherShop)
        #expect(try look("CLUP:C:ROM1" + String(repeating: "0", count: 26)).problem == .notFound)
        for code in ["", "x", "123456789", "CLUP:1:ROM1" + String(repeating: "0", count: 26)] {
            #expect(try look(code).problem == .unreadableCode, "\(code)")
        }
        #expect(try arrive(order, "0000000000").problem == .notFound)
        #expect(try machine.call(.orderLookup, "{}").problem == .malformed)
        // A reservation's code is no order's, and the other way round.
        let ticket = try machine.reservation()
        #expect(try look(ticket.typedCode.rawValue).problem == .notFound)
        #expect(try machine.lookUp(order.code.rawValue).problem == .unreadableCode)
        #expect(try backend.count("pickup_event") == 1)
    }

    @Test("Ten digits are not guessed at a machine, and a symbol needs no guess")
    func guesses() throws {
        let limited = try TestBackend(codeLimit: RateLimit(perSecond: 0.000_001, burst: 6)) {
            $0.orders.desks = 1
        }
        let guesser = try limited.enrol()
        let order = try announce(on: limited)
        func arrive(_ code: String) throws -> WireResponse {
            try guesser.call(.orderArrival(order.id), "{\"code\":\"\(code)\"}")
        }
        for number in 0..<3 {
            #expect(try look("00000\(10_000 + number)", by: guesser).problem == .notFound)
            #expect(try arrive("00000\(10_000 + number)").problem == .notFound)
        }
        #expect(try look(order.typedCode.rawValue, by: guesser).problem == .tooManyRequests)
        #expect(try arrive(order.typedCode.rawValue).problem == .tooManyRequests)
        #expect(try guesser.lookUp("0000000000").problem == .tooManyRequests, "one limit for all")
        #expect(try arrive(order.code.rawValue).status == 201)
    }

    @Test(
        "Each state is answered as it is, and no arrival changes what is over [Click-And-Collect TC5]"
    )
    func states() throws {
        let later = try announce("1", in: 60, parcels: "small")
        let early = try arrive(later).decoded(PickupOrder.self)
        #expect(early.state == .promised && !early.isReady && early.wait == nil)
        backend.time.advance(by: .minutes(60))
        #expect(try look(later.code.rawValue).decoded(PickupOrder.self).isReady)
        #expect(try arrive(later).status == 201)

        let cancelled = try announce("2")
        let shop = try #require(try backend.administration.shops().first)
        try backend.administration.cancelOrder("2", in: shop)
        let over = try arrive(cancelled)
        #expect(over.status == 200)
        #expect(try over.decoded(PickupOrder.self).state == .cancelled)
        try backend.administration.cancelOrder("1", in: shop)
        let gone = try look(later.code.rawValue).decoded(PickupOrder.self)
        #expect(gone.state == .cancelled && gone.number == nil)
    }

    @Test(
        "While the shop is closed no customer of an order is taken, and one without a desk offers none"
    )
    func closed() throws {
        let order = try announce()
        backend.time.advance(by: .minutes(601))
        let refused = try arrive(order)
        #expect(refused.status == 409 && refused.problem == .shopClosed)
        #expect(try look(order.code.rawValue).status == 200)
        let without = try TestBackend()
        let other = try without.enrol()
        #expect(try other.call(.machine).decoded(MachineProfile.self).hasDesk == false)
        #expect(try look(order.code.rawValue, by: other).problem == .unsupportedKind)
        #expect(
            try other.call(.orderArrival(order.id), "{\"code\":\"\(order.code.rawValue)\"}").problem
                == .unsupportedKind)
    }

    @Test("Only ticket machines look orders up, and one that runs out of control is held up")
    func roles() throws {
        let order = try announce()
        for role in KeyRole.devices {
            let device = try backend.enrol("device-\(role.rawValue)", role: role)
            #expect(try look(order.code.rawValue, by: device).problem == .forbidden)
        }
        let slow = try TestBackend(reservationLimit: RateLimit(perSecond: 0.000_001, burst: 2)) {
            $0.orders.desks = 1
        }
        let runaway = try slow.enrol()
        var statuses: [Int] = []
        for number in 1...4 {
            let one = try announce("\(number)", on: slow)
            let body = "{\"code\":\"\(one.code.rawValue)\"}"
            statuses.append(try runaway.call(.orderArrival(one.id), body).status)
        }
        #expect(statuses == [201, 201, 429, 429])
        // One that finds the customer here already counts for nothing.
        #expect(try slow.count("pickup_order WHERE state = 'arrived'") == 2)
    }
}
