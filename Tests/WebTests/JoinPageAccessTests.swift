import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Access to the page for joining [rules 35]", .serialized)
struct JoinPageAccessTests {
    @Test(
        "The offer, its ends and the entry code fit every language and size of letters, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        try await PageShop.atDoor(shop: ["--delays", "yes"]) { shop, called in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openOffer(of: shop)
                try await browser.speak(language)
                try await browser.expectAccess("join-offer", in: language)
                try await browser.run("document.querySelector('#decline').click()")
                #expect(await patiently { try await !browser.shows("#choice") })
                try await browser.expectAccess("join-declined", in: language)
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#decline"))
                try await browser.run("document.querySelector('#act').click()")
                #expect(await browser.waits(for: "#modules"))
                try await browser.expectAccess("join-waiting", in: language)
                try await shop.free(called[0].number)
                #expect(await patiently { try await browser.look() == "called" })
                try await browser.darken()
                try await browser.expectAccess("join-called", in: language)
            }
        }
    }
}
