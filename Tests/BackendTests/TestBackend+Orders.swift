import Cryptography
import QueueEngine
import ReservationStore
import Reservations
import Testing

extension TestBackend {
    /// Announces an order of the shop, promised so many minutes after the morning, as an administrator does.
    func announce(
        _ reference: String, in minutes: Int = 0, parcels: [String] = ["small@A3"]
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
