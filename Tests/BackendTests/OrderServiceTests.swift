import BackendAPI
import QueueEngine
import Reservations
import Testing

@Suite("Orders that customers collect, over HTTP (rules: order-codes, order-arrivals)")
final class OrderServiceTests: OrderShop {
    private func announce() throws -> PickupOrderRecord {
        try backend.announce("4711", parcels: ["small@A-3", "large@B1"])
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

    @Test("A closed shop shows an order, and one without a desk offers none")
    func closed() throws {
        let order = try announce()
        backend.time.advance(by: .minutes(601))
        #expect(try look(order.code.rawValue).status == 200)
        let other = try TestBackend().enrol()
        #expect(try other.profile().hasDesk == false)
        #expect(try look(order.code.rawValue, by: other).problem == .unsupportedKind)
        #expect(try other.arrive(order).problem == .unsupportedKind)
    }
}
