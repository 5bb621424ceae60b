import BackendAPI
import Foundation
import Reservations
import TestSupport

// Customers at the door who join with their phones.
extension PageShop {
    static let joining = ["--phone-places", "yes", "--phone-share", "100"]

    /// A shop that gives places to phones, and whose capacity of two is taken by the reservations given to the body.
    static func atDoor(
        shop settings: [String] = [], options: [String] = [],
        body: (PageShop, [Reservation]) async throws -> Void
    ) async throws {
        try await full(shop: joining + settings, options: options, body: body)
    }

    /// The link of the symbol that the shop's door shows now; nil if phones get no place.
    func invitation() async throws -> String? {
        let status: QueueStatus = try await call(.queue, "")
        return status.join
    }
}

extension DrivenPage {
    /// Opens the page for joining with the symbol at the door, in English; returns once it has shown an offer.
    func openOffer(of shop: PageShop) async throws {
        guard let link = try await shop.invitation() else {
            throw TestSupportError("the shop invites no phone")
        }
        try await open(link)
        try await speak("en")
        guard await patiently(until: { try await shows("#decline") }) else {
            throw TestSupportError("no offer: \(try await text("main"))")
        }
    }

    /// Joins the queue; returns once the page of the place shows the entry code.
    func join(_ shop: PageShop) async throws {
        try await openOffer(of: shop)
        try await press("#act")
        guard await patiently(until: { try await shows("#modules") }) else {
            throw TestSupportError("no entry code: \(try await text("main"))")
        }
    }

    /// What a reader reads from the page's picture.
    func entryCodes() async throws -> [String] {
        let folder = try TemporaryFolder()
        try await photograph(folder.file("page.png"))
        return try await Picture.qrCodes(inFile: folder.file("page.png"))
    }
}
