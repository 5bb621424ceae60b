import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Notices on the page of a place [rules: notices]", .showsNotices, .serialized)
struct NoticesPageTests {
    /// A shop with a waiting customer, whose page is not yet open; their browser has the fake.
    static func waiting(
        shop settings: [String] = [], permission: String = "granted", isNew: Bool = false,
        body: (PageShop, [Reservation], Reservation, Browser) async throws -> Void
    ) async throws {
        try await PageShop.full(shop: settings, isNew: isNew) { shop, called, browser in
            let mine = try await shop.ticket()
            try await browser.fakePush(at: shop.backend.phones, permission: permission)
            try await body(shop, called, mine, browser)
        }
    }

    /// The part of a capability by which the fake names a place.
    private func name(_ reservation: Reservation) throws -> String {
        String(try #require(reservation.link).suffix(38).dropFirst(8).prefix(4))
    }

    @Test(
        "A customer turns notices on with one touch, sees so when the page opens again, and turns them off, also on a page that was opened with the symbol of a paper; the browser stays subscribed, whatever place has no notices any more"
    )
    func turnsOn() async throws {
        try await Self.waiting { shop, _, mine, browser in
            let name = try self.name(mine)
            // The answer with the key comes after a newer message of the socket.
            try await browser.open("\(shop.backend.phones)/t")
            try await browser.fake("isLate", "true")
            try await browser.open(#require(mine.link))
            try await browser.reload()
            try await browser.speak("en")
            #expect(await browser.waits(forNotices: "Notify me when it is my turn"))
            try await browser.fake("isLate", "false")
            #expect(try await browser.noticesText().contains("around two minutes before your turn"))
            #expect(try await browser.value("window.fake.kept('questions')") == "")
            #expect(try await browser.sentSubscriptions() == [])

            // With the keyboard; the focus stays on the button.
            try await browser.run("document.querySelector('#notify').focus()")
            try await browser.type("\u{E007}")
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            #expect(try await browser.focusedPart() == "notify")
            #expect(try await browser.value("window.fake.kept('questions')") == "1")
            #expect(try await browser.sentSubscriptions() == ["subscription \(name) en"])
            let sent = try await browser.value("JSON.stringify(window.fake.kept('calls')[0])")
            let request = try JSONDecoder().decode(SubscriptionRequest.self, from: Data(sent.utf8))
            #expect(request.capability == String(try #require(mine.link).suffix(38)))
            #expect(try await request.endpoint == browser.endpoint())
            #expect(request.p256dh == "point" && request.auth == "secret")
            let link = try #require(mine.link)
            #expect(try await browser.keptEndpoint(of: link) == request.endpoint)

            try await browser.reload()
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            await expectSoon { try await browser.sentSubscriptions().count == 2 }
            try await browser.speak("de")
            #expect(await browser.waits(forNotices: "Benachrichtigungen sind eingeschaltet."))
            await expectSoon {
                try await browser.sentSubscriptions().last == "subscription \(name) de"
            }
            #expect(try await browser.value("window.fake.kept('questions')") == "1")
            try await browser.speak("en")

            #expect(await browser.waits(forNotices: "Turn notifications off"))
            try await browser.pressNotify("Notify me")
            #expect(try await browser.sentSubscriptions().last == "subscription-end \(name)")
            #expect(try await browser.keptEndpoint(of: link) == "")
            try await browser.reload()
            #expect(await browser.waits(forNotices: "Notify me"))
            try await browser.pressNotify(Browser.noticesAreOn)
            #expect(try await browser.sentSubscriptions().last == "subscription \(name) en")

            let other = try await shop.ticket()
            try await browser.turnOnNotices(of: #require(other.link))
            let endpoint = try await browser.endpoint()
            #expect(endpoint != "")
            try await browser.pressNotify("Notify me")
            let ended = "subscription-end \(try self.name(other))"
            #expect(try await browser.sentSubscriptions().last == ended)
            #expect(try await browser.endpoint() == endpoint)
            let paper = try await shop.ticket()
            let before = try await browser.sentSubscriptions().count
            try await browser.open("\(shop.backend.phones)/T#\(paper.code.bare)", in: "en")
            #expect(await browser.waits(forNotices: "Notify me when it is my turn"))
            try await browser.pressNotify(Browser.noticesAreOn)
            let more = try await browser.sentSubscriptions().dropFirst(before)
            #expect(try Array(more) == ["subscription \(self.name(paper)) en"])

            try await browser.open(#require(mine.link))
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            try await browser.pressNotify("Notify me")
            try await browser.pressNotify(Browser.noticesAreOn)
            // After the end of the place nothing is offered.
            try await shop.free(mine.number)
            await browser.expect(look: "ended")
            await expectSoon { try await browser.noticesText() == "" }
            try await browser.fake("isForgotten", "true")
            try await browser.run("dispatchEvent(new Event('online'))")
            await browser.expect("#first", "This link is not valid")
            #expect(try await browser.noticesText() == "")
            #expect(try await browser.endpoint() == endpoint)
        }
    }

    @Test(
        "Notices that cannot be turned off stay on, and the page says so; they outlast a place that is given back while that can be undone, and are shown without a network; each state is for everybody"
    )
    func staysOn() async throws {
        try await Self.waiting { shop, _, mine, browser in
            try await browser.open(#require(mine.link), in: "en", opens: "#notify")
            try await browser.expectAccess("notices-off", lookingAt: "#notices")
            try await browser.pressNotify(Browser.noticesAreOn)
            try await browser.expectAccess("notices-on", lookingAt: "#notices")
            let still = "That did not work: notifications are still on."
            for (name, value) in [("isOffline", "true"), ("status", "429")] {
                try await browser.fake(name, value)
                try await browser.pressNotify(still, in: value)
                #expect(await browser.waits(forNotices: "Turn notifications off"), "\(value)")
                try await browser.fake("isOffline", "false")
            }
            try await browser.expectAccess("notices-still-on", lookingAt: "#notices")
            try await browser.fake("status", "204")
            try await browser.reload()
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            // A place that the backend does not know has no notices.
            try await browser.fake("status", "404")
            try await browser.pressNotify("Notify me")
            try await browser.fake("status", "204")
            try await browser.pressNotify(Browser.noticesAreOn)

            try await browser.press("#open")
            try await browser.run("document.querySelector('#code').focus()")
            try await browser.scan(mine.typedCode.rawValue)
            await browser.expect("#mayUndo")
            #expect(try await browser.noticesText() == "")
            try await browser.press("#back")
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            #expect(try await browser.text("#number") == mine.number.text)
            #expect(try await browser.endpoint() != "")

            await browser.expectWorker()
            try await browser.fake("isOffline", "true")
            await shop.backend.drain()
            try await browser.reload(opens: "#notice")
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
        }
    }

    @Test(
        "An answer without the key ends the offer, one with another key renews it, and a subscription with another key is replaced; a backend that is busy is asked again after a while, as it may have dropped the browser"
    )
    func renewal() async throws {
        try await Self.waiting { shop, called, _, browser in
            func count() async throws -> Int { try await browser.sentSubscriptions().count }
            let mine = try await shop.ticket()
            try await browser.turnOnNotices(of: #require(mine.link))
            let ask = "dispatchEvent(new Event('online'))"
            try await browser.fake("isWithout", "true")
            try await browser.run(ask)
            await expectSoon { try await browser.noticesText() == "" }
            #expect(try await count() == 1)

            let old = try await browser.endpoint()
            try await browser.fake("isWithout", "false")
            try await browser.fake("key", "'BAAA' + '\(FakePush.key)'")
            try await browser.run(ask)
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            await expectSoon { try await count() == 2 }
            #expect(try await browser.endpoint() != old)
            // A message of the socket, which has no key, changes nothing.
            let ahead = try await browser.text("#second")
            try await shop.free(called[0].number)
            await expectSoon { try await browser.text("#second") != ahead }
            #expect(try await count() == 2)
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))

            let former = try await browser.endpoint()
            try await browser.fake("key", "'BAAA' + window.fake.kept('key')")
            try await browser.reload()
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            await expectSoon { try await count() == 3 }
            #expect(try await browser.endpoint() != former)

            // A refusal is final, an error is tried three times; the seconds are too few, and then enough.
            for (status, tries, early, late) in [(429, 1, 350, 60), (503, 3, 250, 60)] {
                let before = try await count()
                try await browser.fake("status", "\(status)")
                try await browser.reload()
                await expectSoon("\(status)") { try await count() == before + tries }
                #expect(await browser.waits(forNotices: Browser.noticesAreOn), "\(status)")
                try await browser.fake("status", "204")
                try await browser.jump(seconds: early)
                try await browser.lets(timersRun: 3_000)
                #expect(try await count() == before + tries, "\(status)")
                try await browser.jump(seconds: late)
                await expectSoon("\(status)") { try await count() == before + tries + 1 }
                #expect(await browser.waits(forNotices: Browser.noticesAreOn), "\(status)")
                try await browser.jump(seconds: 1_000)
                try await browser.lets(timersRun: 2_000)
                #expect(try await count() == before + tries + 1, "\(status)")
            }
        }
    }

    @Test("What goes wrong is explained, and can be tried again where that helps")
    func failures() async throws {
        try await Self.waiting(permission: "denied") { shop, _, mine, browser in
            let address = shop.backend.phones
            try await browser.open(#require(mine.link), in: "en")
            #expect(await browser.waits(forNotices: "Notifications are blocked in this browser."))
            #expect(try await !browser.shows("#notify"))
            // The page notices that they were allowed.
            try await browser.permitNotices("granted", at: address)
            #expect(await browser.waits(forNotices: "Notify me"))

            for (name, value) in [("status", "429"), ("status", "503"), ("isOffline", "true")] {
                try await browser.fake(name, value)
                try await browser.pressNotify("That did not work.", in: "\(value)")
            }
            try await browser.expectAccess("notices-failed", lookingAt: "#notices")
            try await browser.fake("isOffline", "false")
            try await browser.fake("status", "422")
            try await browser.pressNotify("This browser cannot notify you.")
            #expect(try await !browser.shows("#notify"))
            try await browser.darken()
            try await browser.expectAccess("notices-impossible", lookingAt: "#notices")

            try await browser.fake("status", "204")
            try await browser.reload()
            #expect(await browser.waits(forNotices: "Notify me"))
            try await browser.pressNotify(Browser.noticesAreOn)
            try await browser.permitNotices("denied", at: address)
            #expect(await browser.waits(forNotices: "Notifications are blocked in this browser."))
            try await browser.expectAccess("notices-denied", lookingAt: "#notices")
        }
    }
}
