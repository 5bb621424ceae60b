import TestSupport
import Testing

@Suite("The page at a wrong address", .serialized)
struct ErrorPageTests {
    @Test(
        "It says what to do, and leads to the shops and to the places that the phone knows; while the service is busy it says so, and tries again"
    )
    func ways() async throws {
        try await PageShop.remote(capacity: 2) { shop, browser in
            let wrong = "\(shop.backend.phones)/join/NOSUCH"
            try await browser.open(wrong, in: "it")
            await browser.expect("#heading", "A questo indirizzo non c’è nessuna pagina")
            #expect(try await browser.text("#advice").contains("inquadra di nuovo il codice QR"))
            #expect(try await browser.shows("#toShops"))
            #expect(try await !browser.shows("#tryAgain"))
            #expect(try await !browser.shows("#myPlaces"))
            try await browser.expectAccess("wrong-address", lookingAt: "#toShops")
            try await browser.press("#toShops", opens: "#list")

            let mine = try await shop.ticket()
            try await browser.open(try #require(mine.link), in: "en")
            await browser.expect("#number", mine.number.text)
            try await browser.open(wrong, in: "en")
            await browser.expect("#heading", "There is no page at this address")
            #expect(try await browser.shows("#myPlaces"))
            try await browser.press("#myPlaces", opens: "#list")
            #expect(await browser.listsPlaces(1))

            // The same page as the server gives it while it is busy.
            try await browser.open(wrong, in: "en")
            try await browser.run(
                """
                const page = await (await fetch(location.href, { headers: { accept: "text/html" } })).text();
                document.open();
                document.write(page.replace('data-cause="address"', 'data-cause="busy"'));
                document.close();
                """)
            await browser.expect("#heading", "This page cannot be opened right now")
            #expect(try await browser.text("#advice") == "Please try again in a minute.")
            try await browser.expectAccess("busy", lookingAt: "#tryAgain")
            try await browser.press("#tryAgain", opens: "#toShops")
            await browser.expect("#heading", "There is no page at this address")
        }
    }
}
