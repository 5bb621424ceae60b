import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("More time and missed calls on the page of a place [rules 34]", .serialized)
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
    private struct Opened {
        let shop: PageShop
        let browser: Browser
        let mine: Reservation
        let others: [Reservation]
        let called: [Reservation]
    }

    private func withForm(_ body: (Opened) async throws -> Void) async throws {
        try await PageShop.full(shop: Self.settings) { shop, called in
            let mine = try await shop.ticket()
            let others = [try await shop.ticket(), try await shop.ticket()]
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                try await browser.speak("en")
                #expect(await browser.waits(for: "#offer0"))
                try await browser.press("#offer0")
                #expect(await browser.waits(for: "#code"))
                try await body(
                    Opened(
                        shop: shop, browser: browser, mine: mine, others: others, called: called))
            }
        }
    }

    @Test(
        "Two are let ahead at the time that was shown before; it is undone here, and shown on a second page"
    )
    func delays() async throws {
        try await PageShop.full(shop: Self.settings) { shop, _ in
            let mine = try await shop.ticket()
            for _ in 0..<4 { _ = try await shop.ticket() }
            let link = try #require(mine.link)
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(link)
                try await browser.speak("en")
                #expect(await browser.waits(for: "#offer0"))
                #expect(try await !browser.shows("#offer1"))
                #expect(
                    await patiently {
                        let offers = try await delays(browser)
                        let text = try await browser.text("#offer0")
                        return offers.map(\.people) == [2] && text.contains("2 people")
                            && names(text, offers[0].wait)
                    })
                try await browser.press("#offer0")
                #expect(await browser.waits(for: "#code"))
                #expect(
                    await patiently {
                        try await names(browser.text("#price"), delays(browser)[0].wait)
                    })
                #expect(try await browser.text("#effect").contains("Your number stays the same"))
                #expect(try await browser.text("#send").contains("2 people"))
                try await browser.press("#keep")
                #expect(await browser.waits(for: "#offer0"))
                #expect(try await browser.text("#second") == "You are next")

                try await browser.press("#offer0")
                #expect(await browser.waits(for: "#code"))
                try await browser.scan(mine.typedCode.rawValue)
                #expect(
                    await patiently { try await browser.text("#second") == "2 people ahead of you" }
                )
                #expect(await browser.waits(for: "#back"))
                #expect(try await browser.text("#number") == mine.number.text)
                let place = try await browser.place().reservation
                #expect(place.wait?.peopleAhead == 2 && place.number == mine.number)
                #expect(
                    await patiently {
                        try await names(
                            browser.text("#range"), #require(browser.place().reservation.wait))
                    })
                let first = try await browser.window()
                let second = try await browser.openWindow()
                try await browser.open(link)
                #expect(await browser.waits(for: "#mayUndo"))
                #expect(try await browser.text("#second") == "2 people ahead of you")
                #expect(try await browser.text("#back") == "Take my old place back")

                try await browser.turn(to: first)
                try await browser.press("#back")
                #expect(await patiently { try await browser.text("#second") == "You are next" })
                #expect(try await !browser.shows("#form"))
                try await browser.turn(to: second)
                #expect(await patiently { try await browser.text("#second") == "You are next" })
                #expect(await patiently { try await !browser.shows("#back") })
            }
        }
    }

    @Test("People are let ahead twice at most, and none if no customer is behind")
    func atMostTwice() async throws {
        try await PageShop.full(shop: Self.settings) { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                try await browser.speak("en")
                #expect(await browser.waits(for: "#range"))
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

                for _ in 0..<6 { _ = try await shop.ticket() }
                for people in [2, 4] {
                    #expect(await browser.waits(for: "#offer0"))
                    try await browser.press("#offer0")
                    #expect(await browser.waits(for: "#code"))
                    // The digits that were typed before are there.
                    if people == 2 { try await browser.type(mine.typedCode.rawValue) }
                    try await browser.press("#send")
                    #expect(
                        await patiently {
                            try await browser.text("#second") == "\(people) people ahead of you"
                        })
                }
                #expect(await patiently { try await !browser.shows("#more") })
                #expect(try await browser.shows("#open"))
            }
        }
    }

    @Test(
        "An offer that vanishes while its form is open is withdrawn in plain words, and nothing is done"
    )
    func vanishes() async throws {
        try await withForm { opened in
            let (shop, browser) = (opened.shop, opened.browser)
            try await shop.free(opened.others[0].number)
            #expect(await patiently { try await !browser.shows("#form") })
            #expect(
                try await browser.text("#error")
                    == "That is no longer possible.")
            #expect(try await browser.text("#offer0").contains("1 person"))
            try await browser.keepPicture("phone-offer-vanished")
            try await shop.free(opened.others[1].number)
            #expect(await patiently { try await !browser.shows("#more") })
            #expect(try await browser.place().reservation.wait?.peopleAhead == 0)
        }
    }

    @Test("A call closes the form of a delay, and is in sight")
    func calledMeanwhile() async throws {
        try await withForm { opened in
            let (shop, browser) = (opened.shop, opened.browser)
            #expect(try await browser.value("scrollY") != "0")
            try await shop.free(opened.called[0].number)
            #expect(await patiently { try await browser.look() == "called" })
            #expect(try await !browser.shows("#form"))
            #expect(try await browser.value("scrollY") == "0")
        }
    }

    @Test("Without a network nothing is changed, and the page says so")
    func offline() async throws {
        try await withForm { opened in
            let (shop, browser, mine) = (opened.shop, opened.browser, opened.mine)
            await shop.backend.drain()
            try await browser.scan(mine.typedCode.rawValue)
            #expect(
                await patiently {
                    try await browser.text("#error") == "That did not work. Please try again."
                })
            #expect(try await browser.text("#notice").contains("No connection."))
            #expect(try await browser.text("#second") == "You are next")
        }
    }

    @Test("A delay that has become longer is shown again before it is made")
    func price() async throws {
        try await withForm { opened in
            let (shop, browser, mine) = (opened.shop, opened.browser, opened.mine)
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
            #expect(
                await patiently {
                    try await !names(before, #require(delays(browser).first).wait)
                })
            #expect(try await browser.text("#price") == before)
            try await browser.press("#send")
            #expect(await browser.waits(for: "#error"))
            #expect(
                try await browser.text("#error") == "The time is now later. Please check it.")
            #expect(try await browser.shows("#form"))
            let offer = try #require(await delays(browser).first)
            #expect(try await names(browser.text("#price"), offer.wait))
            #expect(try await browser.place().reservation.wait?.peopleAhead == 0)
            try await browser.keepPicture("phone-later")
            try await browser.run("window.isDeaf = false")
            try await browser.press("#send")
            #expect(
                await patiently { try await browser.text("#second") == "2 people ahead of you" }
            )
        }
    }

    @Test("A missed call is made good within ten minutes, once")
    func missed() async throws {
        let clock = try MovedClock()
        try await PageShop.full(shop: Self.settings + ["--demo"], options: clock.options) {
            shop, called in
            let mine = called[0]
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                try await browser.speak("en")
                #expect(await patiently { try await browser.look() == "called" })
                for isFirst in [true, false] {
                    let end = try #require(try await browser.place().reservation.enterBy)
                    try clock.set(end.at(end.moment + .seconds(1)))
                    #expect(await patiently { try await browser.look() == "ended" })
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
                    try await browser.press("#back")
                    #expect(await browser.waits(for: "#code"))
                    try await browser.scan("0000000000")
                    #expect(await browser.waits(for: "#error"))
                    try await browser.run("document.querySelector('#code').select()")
                    try await browser.scan(mine.typedCode.rawValue)
                    #expect(await patiently { try await browser.look() == "called" })
                    #expect(try await browser.text("#number") == mine.number.text)
                }
            }
        }
    }

    @Test("A place that is not taken back in time is over, also while the form is open")
    func missedForGood() async throws {
        let clock = try MovedClock()
        try await PageShop.full(shop: Self.settings + ["--demo"], options: clock.options) {
            shop, called in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(called[0].link))
                try await browser.speak("en")
                #expect(await patiently { try await browser.look() == "called" })
                let enterBy = try #require(try await browser.place().reservation.enterBy)
                try clock.set(enterBy.at(enterBy.moment + .seconds(1)))
                #expect(await browser.waits(for: "#back"))
                try await browser.press("#back")
                #expect(await browser.waits(for: "#code"))
                let reclaimBy = try #require(try await browser.place().reservation.reclaimBy)
                try clock.set(reclaimBy.at(reclaimBy.moment + .seconds(1)))
                #expect(await patiently { try await !browser.shows("#form") })
                #expect(
                    try await browser.text("#error")
                        == "That is no longer possible.")
                #expect(
                    try await browser.text("#hint") == "Get a new ticket, or ask the staff.")
            }
        }
    }
}
