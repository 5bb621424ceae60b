import Reservations
import TestSupport
import Testing

@Suite("More time and missed calls on the page of a place [rules: more-time]", .serialized)
struct PlacePageChangesTests {
    static let settings = ["--delays", "yes", "--reclaims", "yes"]

    /// Whether a text names both times of a range as the page shows them in English.
    private func names(_ text: String, _ wait: WaitEstimate) -> Bool {
        text.contains("between \(wait.earliest.time) and \(wait.latest.time)")
    }

    private func delays(_ browser: Browser) async throws -> [DelayOffer] {
        try await browser.place().reservation.delayOffers ?? []
    }

    /// The page of a waiting ticket, before two others, with the form open in which the two are let ahead.
    private func withForm(
        _ body: (PageShop, Browser, Reservation, _ called: [Reservation], _ others: [Reservation])
            async throws -> Void
    ) async throws {
        try await PageShop.full(shop: Self.settings) { shop, called, browser in
            let mine = try await shop.ticket()
            let others = [try await shop.ticket(), try await shop.ticket()]
            try await browser.open(#require(mine.link), in: "en", opens: "#offer0")
            try await browser.press("#offer0", opens: "#code")
            try await body(shop, browser, mine, called, others)
        }
    }

    @Test(
        "Two are let ahead at the time that was shown before; it is undone here, and shown on a second page"
    )
    func delays() async throws {
        try await PageShop.full(shop: Self.settings) { shop, _, browser in
            let mine = try await shop.ticket()
            for _ in 0..<4 { _ = try await shop.ticket() }
            let link = try #require(mine.link)
            try await browser.open(link, in: "en", opens: "#offer0")
            #expect(try await !browser.shows("#offer1"))
            await expectSoon {
                let offers = try await delays(browser)
                let text = try await browser.text("#offer0")
                return offers.map(\.people) == [2] && text.contains("2 people")
                    && names(text, offers[0].wait)
            }
            try await browser.press("#offer0", opens: "#code")
            await expectSoon { try await names(browser.text("#price"), delays(browser)[0].wait) }
            #expect(try await browser.text("#effect").contains("Your number stays the same"))
            #expect(try await browser.text("#send").contains("2 people"))
            try await browser.press("#keep", opens: "#offer0")
            #expect(try await browser.text("#second") == "You are next")

            try await browser.press("#offer0", opens: "#code")
            try await browser.scan(mine.typedCode.rawValue)
            await browser.expect("#second", "2 people ahead of you")
            await browser.expect("#back")
            #expect(try await browser.text("#number") == mine.number.text)
            let place = try await browser.place().reservation
            #expect(place.wait?.peopleAhead == 2 && place.number == mine.number)
            await expectSoon {
                try await names(
                    browser.text("#range"), #require(browser.place().reservation.wait))
            }
            let first = try await browser.window()
            let second = try await browser.openWindow()
            try await browser.open(link, opens: "#mayUndo")
            #expect(
                try await browser.texts("#second", "#back")
                    == ["2 people ahead of you", "Take my old place back"])

            try await browser.turn(to: first)
            try await browser.press("#back")
            await browser.expect("#second", "You are next")
            #expect(try await !browser.shows("#form"))
            try await browser.turn(to: second)
            await browser.expect("#second", "You are next")
            await browser.expect(no: "#back")
        }
    }

    @Test(
        "People are let ahead twice at most, and none if no customer is behind; each form is for everybody"
    )
    func atMostTwice() async throws {
        try await PageShop.full(shop: Self.settings) { shop, _, browser in
            let mine = try await shop.ticket()
            try await browser.open(#require(mine.link), in: "en", opens: "#range")
            #expect(try await !browser.shows("#more"))
            try await browser.run(
                """
                const answer = await fetch("/v1/public/delay", { method: "POST",
                  headers: { "content-type": "application/json", "idempotency-key": "one" },
                  body: JSON.stringify({ capability: location.hash.slice(1),
                    code: "\(mine.typedCode.rawValue)", people: 1 }) });
                window.problem = (await answer.json()).type;
                """)
            #expect(try await browser.value("window.problem").hasSuffix(":no-delay"))

            for _ in 0..<10 { _ = try await shop.ticket() }
            try await browser.require("#offer2")
            try await browser.expectAccess("offers")
            try await browser.click("#open", opens: "#form")
            try await browser.expectAccess("form")
            try await browser.click("#keep")
            for people in [2, 4] {
                try await browser.require("#offer0")
                try await browser.press("#offer0", opens: "#code")
                if people == 2 { try await browser.expectAccess("delay") }
                try await browser.run("document.querySelector('#code').focus()")
                // The digits that were typed before are there.
                if people == 2 { try await browser.type(mine.typedCode.rawValue) }
                try await browser.press("#send")
                await browser.expect("#second", "\(people) people ahead of you")
                if people == 2 { try await browser.expectAccess("delayed") }
            }
            await browser.expect(no: "#more")
            #expect(try await browser.shows("#open"))
            // The page opened again does not know the digits.
            try await browser.reload(opens: "#back")
            try await browser.click("#back", opens: "#form")
            try await browser.expectAccess("undo")
        }
    }

    @Test(
        "An offer that vanishes while its form is open is withdrawn in plain words, and nothing is done; a call closes the form, and is in sight"
    )
    func vanishes() async throws {
        try await withForm { shop, browser, _, called, others in
            try await shop.free(others[0].number)
            await browser.expect(no: "#form")
            #expect(try await browser.text("#error") == "That is no longer possible.")
            #expect(try await browser.text("#offer0").contains("1 person"))
            try await shop.free(others[1].number)
            await browser.expect(no: "#more")
            #expect(try await browser.place().reservation.wait?.peopleAhead == 0)

            for _ in 0..<2 { _ = try await shop.ticket() }
            try await browser.require("#offer0")
            try await browser.press("#offer0", opens: "#code")
            #expect(try await browser.value("scrollY") != "0")
            try await shop.free(called[0].number)
            await browser.expect(look: "called")
            #expect(try await !browser.shows("#form"))
            #expect(try await browser.value("scrollY") == "0")
        }
    }

    @Test(
        "A delay that has become longer is shown again before it is made; without a network nothing is changed, and the page says so"
    )
    func price() async throws {
        try await withForm { shop, browser, mine, _, _ in
            try await browser.type(mine.typedCode.rawValue)
            // The socket goes on, and brings nothing new.
            try await browser.run(
                """
                const parse = JSON.parse;
                window.isDeaf = true;
                JSON.parse = (text) => window.isDeaf
                  ? { type: "nothing", reservation: { now: "" } } : parse(text);
                """)
            let before = try await browser.text("#price")
            try await shop.backend.change("--stay", "40")
            await expectSoon { try await !names(before, #require(delays(browser).first).wait) }
            #expect(try await browser.text("#price") == before)
            try await browser.press("#send", opens: "#error")
            #expect(try await browser.text("#error") == "The time is now later. Please check it.")
            #expect(try await browser.shows("#form"))
            let offer = try #require(await delays(browser).first)
            #expect(try await names(browser.text("#price"), offer.wait))
            #expect(try await browser.place().reservation.wait?.peopleAhead == 0)
            try await browser.run("window.isDeaf = false")
            try await browser.press("#send")
            await browser.expect("#second", "2 people ahead of you")

            for _ in 0..<2 { _ = try await shop.ticket() }
            try await browser.require("#offer0")
            try await browser.press("#offer0", opens: "#send")
            await shop.backend.drain()
            try await browser.press("#send")
            await browser.expect("#error", "That did not work. Please try again.")
            #expect(try await browser.text("#notice").contains("No connection."))
            #expect(try await browser.text("#second") == "2 people ahead of you")
        }
    }

    @Test(
        "A missed call is made good within ten minutes, once; one that is not in time is over, also while the form is open"
    )
    func missed() async throws {
        let clock = try MovedClock()
        try await PageShop.full(shop: Self.settings + ["--demo"], options: clock.options) {
            shop, called, browser in
            let mine = called[0]
            try await browser.open(#require(mine.link), in: "en")
            await browser.expect(look: "called")
            for isFirst in [true, false] {
                let end = try #require(try await browser.place().reservation.enterBy)
                try clock.set(end.at(end.moment + .seconds(1)))
                await browser.expect(look: "ended")
                #expect(try await browser.text("#first") == "Your turn has passed")
                #expect(try await browser.shows("#back") == isFirst)
                let hint = try await browser.text("#hint")
                guard isFirst else {
                    #expect(hint == "Get a new ticket, or ask the staff.")
                    continue
                }
                let place = try await browser.place().reservation
                let reclaimBy = try #require(place.reclaimBy)
                #expect(hint.contains("until \(reclaimBy.time)"))
                try await browser.expectAccess("missed")
                try await browser.press("#back", opens: "#code")
                try await browser.expectAccess("reclaim")
                try await browser.run("document.querySelector('#code').focus()")
                try await browser.scan("0000000000")
                await browser.expect("#error")
                try await browser.run("document.querySelector('#code').select()")
                try await browser.scan(mine.typedCode.rawValue)
                await browser.expect(look: "called")
                #expect(try await browser.text("#number") == mine.number.text)
            }

            let other = try await shop.ticket()
            try await browser.open(#require(other.link))
            await browser.expect(look: "called")
            let enterBy = try #require(try await browser.place().reservation.enterBy)
            try clock.set(enterBy.at(enterBy.moment + .seconds(1)))
            try await browser.require("#back")
            await browser.expect("#back")
            try await browser.press("#back", opens: "#code")
            let reclaimBy = try #require(try await browser.place().reservation.reclaimBy)
            try clock.set(reclaimBy.at(reclaimBy.moment + .seconds(1)))
            await browser.expect(no: "#form")
            #expect(try await browser.text("#error") == "That is no longer possible.")
            #expect(try await browser.text("#hint") == "Get a new ticket, or ask the staff.")
        }
    }
}
