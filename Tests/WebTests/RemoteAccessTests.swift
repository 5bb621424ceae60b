import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Access to the pages for joining from elsewhere [rules 37]", .serialized)
struct RemoteAccessTests {
    @Test(
        "The list, the offer, its refusal and the question fit every language and size of letters, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        try await PageShop.remoteWithLine(shop: ["--town", "Milano"]) { shop, line in
            try await shop.add(
                "Supermercato Città Studi", tag: "LAGE", "--hours", "Mon-Sun 00:00-00:01", "--town",
                "Sesto San Giovanni", "--street", "Viale della Repubblica 1000")
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(shop.list)
                try await browser.speak(language)
                #expect(await browser.waits(for: "#list a"))
                try await browser.run("document.querySelector('#list button').click()")
                try await browser.expectAccess("remote-list", in: language)
                try await browser.darken()
                try await browser.expectAccess("remote-list-dark", in: language)

                try await browser.open("\(shop.backend.phones)/join/NONE")
                #expect(await browser.waits(for: "#others"))
                try await browser.expectAccess("remote-unknown", in: language)
                try await browser.open(shop.remotePage)
                #expect(await browser.waits(for: "#decline"))
                try await browser.expectAccess("remote-offer", in: language)
                try await browser.run("document.querySelector('#act').click()")
                #expect(await browser.waits(for: "#modules"))
                for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
                #expect(await browser.waits(for: "#yes"))
                try await browser.expectAccess("remote-question", in: language)
            }
        }
    }
}
