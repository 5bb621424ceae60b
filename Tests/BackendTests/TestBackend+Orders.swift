import BackendAPI
import Cryptography
import QueueEngine
import Reservations
import Testing

extension TestBackend {
    /// Announces an order of the shop, promised so many minutes after the morning, as an administrator does.
    func announce(
        _ reference: String = "4711", in minutes: Int = 0, parcels: [String] = ["small@A3"]
    ) throws -> PickupOrderRecord {
        let order = try #require(
            AnnouncedOrder(
                reference: reference, promised: Self.morning + .minutes(minutes),
                parcels: parcels.compactMap { Parcel(text: $0) }))
        var announced: [PickupOrderRecord] = []
        let administration = try administration
        let shop = try #require(try administration.shops().first)
        try administration.announce([order], in: shop, randomBytes: { RandomBytes.make($0) }) {
            order, _ in announced.append(order)
        }
        return try #require(announced.first)
    }
}

extension TestMachine {
    func shown(_ order: PickupOrderRecord) throws -> PickupOrder {
        try call(.orderLookup, code: order.code.rawValue).decoded(PickupOrder.self)
    }

    func arrive(
        _ order: PickupOrderRecord, _ code: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        try call(.orderArrival(order.id), code: code ?? order.code.rawValue, key: key)
    }

    /// A step of an assistant at a desk.
    @discardableResult
    func step(_ step: String, _ order: PickupOrderRecord, at desk: Int = 1) throws -> WireResponse {
        try call(.deskStep(order.id), #"{"step":"\#(step)","desk":\#(desk)}"#)
    }

    func handOver(_ code: String, at desk: Int = 1) throws -> WireResponse {
        try call(.handovers, #"{"code":"\#(code)","desk":\#(desk)}"#)
    }

    func deskOrders() throws -> DeskOrders { try call(.deskOrders).decoded(DeskOrders.self) }
}
