import Reservations
import TestSupport
import Testing

// Customers at the door who join with their phones.
extension PageShop {
    /// Settings of a shop that gives places to phones.
    static let joining = ["--phone-places", "yes", "--phone-share", "100"]

    /// The link of the symbol that the shop's door shows now.
    func requiredInvitation() async throws -> String {
        let status: QueueStatus = try await call(.queue, "")
        return try #require(status.join, "the shop invites no phone")
    }
}

extension DrivenPage {
    /// Opens the page for joining with the symbol at the door, in English; returns once it has shown an offer.
    func openOffer(of shop: PageShop) async throws {
        try await open(shop.requiredInvitation(), in: "en", opens: "#decline")
    }

    /// Joins the queue; returns once the page of the place shows the entry code.
    func join(_ shop: PageShop) async throws {
        try await openOffer(of: shop)
        try await press("#act", opens: "#modules")
    }

    /// What a reader reads from the page's picture.
    func entryCodes() async throws -> [String] {
        let folder = try TemporaryFolder()
        try await photograph(folder.file("page.png"))
        return try await Picture.qrCodes(inFile: folder.file("page.png"))
    }

    /// The entry code as a reader reads it from a picture of the page.
    func entryCode() async throws -> EntryCode {
        #expect(try await shows("#modules"))
        try await run("document.querySelector('#modules').scrollIntoView({ block: 'center' })")
        var code: EntryCode?
        _ = await patiently {
            code = try await entryCodes().first.flatMap(EntryCode.init)
            return code != nil
        }
        return try #require(code)
    }

    /// Waits until the page's worker is active, so that the page opens without a network. It does not control a page that
    /// was still being opened when it became active (Service Workers, clients.claim()).
    func expectWorker() async {
        await expectSoon {
            try await run(
                """
                const kept = await navigator.serviceWorker.getRegistration();
                if (kept?.active?.state !== "activated") throw new Error("no worker is active");
                """)
            return true
        }
    }
}
