import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Access to the page of a place [rules 33, 34]", .serialized)
struct PlacePageAccessTests {
    @Test(
        "Each form fits every language and size of letters, can be touched with gloves, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        let clock = try MovedClock()
        try await PageShop.full(
            shop: PlacePageChangesTests.settings + ["--demo"], options: clock.options
        ) {
            shop, called in
            let mine = try await shop.ticket()
            for _ in 0..<10 { _ = try await shop.ticket() }
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await browser.waits(for: "#offer2"))
                try await browser.speak(language)
                try await browser.expectAccess("offers", in: language)
                try await browser.run("document.querySelector('#open').click()")
                try await browser.expectAccess("form", in: language)
                try await browser.run("document.querySelector('#keep').click()")
                try await browser.run("document.querySelector('#offer0').click()")
                try await browser.expectAccess("delay", in: language)
                try await browser.scan(mine.typedCode.rawValue)
                #expect(await browser.waits(for: "#back"))
                try await browser.expectAccess("delayed", in: language)
                // The page opened again does not know the digits.
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#back"))
                try await browser.run("document.querySelector('#back').click()")
                #expect(await browser.waits(for: "#form"))
                try await browser.expectAccess("undo", in: language)

                try await browser.open(#require(called[0].link))
                #expect(await patiently { try await browser.look() == "called" })
                let enterBy = try #require(try await browser.place().reservation.enterBy)
                try clock.set(enterBy.at(enterBy.moment + .seconds(1)))
                #expect(await browser.waits(for: "#back"))
                try await browser.expectAccess("missed", in: language)
                try await browser.run("document.querySelector('#back').click()")
                #expect(await browser.waits(for: "#form"))
                try await browser.expectAccess("reclaim", in: language)
            }
        }
    }
}
