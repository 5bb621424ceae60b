import Foundation
public import Reservations

/// An order that was announced to a served backend.
public struct ServedOrder: Sendable, Decodable {
    public let order: OrderID
    public let reference: String
    public let code: PickupCode
    /// In groups, as a mail shows it.
    public let typedCode: String
}

extension ServingBackend {
    /// Lets a shop's own system in by its public key.
    public func addOrderSource(key: String) async throws {
        try await administer("order-source add", "--name", "web-shop", "--key=\(key)")
    }

    /// From now on the shop hands orders over, at one desk.
    public func openDesk() async throws { try await administer("shop change", "--desks", "1") }

    /// Announces orders of one parcel on the shelf, through `order import`; the shop must have a desk.
    public func announceOrders(_ references: [String]) async throws -> [ServedOrder] {
        let file = folder.file("orders.csv")
        let promised = Date().formatted(.iso8601)
        let lines = references.map { "\($0),\(promised),small@A3\n" }
        try ("reference,promised,parcels\n" + lines.joined())
            .write(toFile: file, atomically: true, encoding: .utf8)
        let output = try await administer("order import", file)
        return try output.split(separator: "\n").map {
            try JSONDecoder().decode(ServedOrder.self, from: Data($0.utf8))
        }
    }
}
