import Cryptography
import Reservations
import TestSupport

// Orders that customers collect.
extension PageShop {
    /// The customer of an order is at the machine.
    @discardableResult
    func arrive(_ order: ServedOrder) async throws -> PickupOrder {
        try await call(.orderArrival(order.order), #"{"code":"\#(order.code.rawValue)"}"#)
    }

    /// The order as the machine shows it.
    func shown(_ order: ServedOrder) async throws -> PickupOrder {
        try await call(.orderLookup, #"{"code":"\#(order.code.rawValue)"}"#)
    }

    /// A desk that is played by the test.
    func desk() async throws -> ServedMachine {
        let key = try SigningKey.generate()
        _ = try await backend.addDevice(role: "desk", name: "desk-9", key: key.publicKey.text)
        let desk = ServedMachine(key)
        // A server knows a new key within a second.
        _ = await patiently {
            let _: DeskOrders = try await desk.call(.deskOrders, "", at: backend)
            return true
        }
        return desk
    }

    /// An order goes through these steps at a desk.
    func take(
        _ steps: DeskStep..., of order: ServedOrder, at number: Int, with desk: ServedMachine
    ) async throws {
        for step in steps {
            let _: DeskOrder = try await desk.call(
                .deskStep(order.order), #"{"step":"\#(step.rawValue)","desk":\#(number)}"#,
                at: backend)
        }
    }
}

extension Browser {
    /// Opens the page of a desk, and says which one it is.
    func openDesk(_ number: Int, of shop: PageShop) async throws {
        try await shop.open("desk", in: self, as: "desk-\(number)")
        guard await waits(for: "#choose") else { throw TestSupportError("no desk is asked for") }
        try await press("#choose div button:nth-child(\(number))")
    }
}
