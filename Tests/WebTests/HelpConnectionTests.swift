import Glibc
import TestSupport
import Testing

@Suite("Pages of calls for help without sound or connection", .serialized)
struct HelpConnectionTests {
    @Test("A browser that forbids sounds is asked for a touch, and then makes them")
    func touchForSound() async throws {
        try await PageShop.with(width: 360, height: 640, playsUntouched: false) { shop, browser in
            try await shop.open("staff", in: browser, opens: ".help-quiet")
            try await browser.countSounds()
            try await browser.touch("#calm")
            await browser.expect(no: ".help-quiet")
            try await shop.callForHelp()
            await expectSoon { try await browser.notes() >= 6 }
        }
    }

    @Test("A page of the staff without a connection says so, a button that fails too")
    func noConnection() async throws {
        try await PageShop.with(width: 360, height: 640) { shop, browser in
            try await shop.open("staff", in: browser)
            try await shop.callForHelp()
            await browser.expect(".help-band")
            shop.backend.signal(SIGSTOP)
            await browser.expect(".help-lost")
            #expect(try await browser.text(".help-lost").contains("Keine Verbindung"))
            await browser.pressHelp("going", ".help-going", says: "Einen Moment")
            await browser.expect(".help-failure")
            #expect(try await browser.shows(".help-going"))
            shop.backend.signal(SIGCONT)
            await browser.expect(no: ".help-lost")
            #expect(await browser.pressHelp("going") { try await browser.shows(".help-who") })

            // Killed while no customer calls: it is not said that none does.
            await browser.endHelp("helped")
            await shop.backend.drain()
            await browser.expect(".help-lost")
            #expect(try await !browser.shows("#calm"))
            try await shop.backend.start()
            try await shop.callForHelp()
            await browser.expect(".help-band")
            #expect(try await !browser.shows(".help-lost"))
        }
    }
}
