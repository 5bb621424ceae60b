import TestSupport
import Testing

@Suite(
    "The page of a place in browsers that get no notices, and on the Home Screen [rules: notices]",
    .showsNotices, .serialized)
struct HomeScreenTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
    private static let oldIPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/15.6.6 Mobile/15E148 Safari/604.1"
    private static let homeScreen = "Add to Home Screen"

    @Test(
        "Browsers without push, old iPhones, and WebKit's engine say that the page must stay open; an iPhone's customer is shown the way to the Home Screen, from which the page opens by its link alone, and who joined on it reads where the entry code stays"
    )
    func noPush() async throws {
        try await NoticesPageTests.waiting(shop: PageShop.joining) { shop, _, mine, browser in
            let words = "This browser cannot notify you. Please keep this page open"
            let link = try #require(mine.link)
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument", ["source": "delete window.PushManager"])
            for agent in ["", Self.oldIPhone] {
                try await browser.devTools(
                    "Emulation.setUserAgentOverride",
                    ["userAgent": agent, "platform": agent.isEmpty ? "Linux" : "iPhone"])
                try await browser.open("about:blank")
                try await browser.open(link, in: "en")
                #expect(await browser.waits(forNotices: words), "\(agent)")
                #expect(try await !browser.shows("#notify"))
            }

            try await browser.devTools(
                "Emulation.setUserAgentOverride",
                ["userAgent": Self.iPhone, "platform": "iPhone"])
            try await browser.open("about:blank")
            try await browser.open(link, in: "en")
            #expect(await browser.waits(forNotices: Self.homeScreen))
            #expect(try await !browser.shows("#notify"))
            #expect(try await !browser.noticesText().contains("entry code"))

            // What a browser would open from the Home Screen, by its own reading of the page's manifest.
            let answer = try await browser.devTools("Page.getAppManifest")
            #expect((answer["errors"] as? [Any])?.isEmpty == true, "\(answer)")
            #expect((answer["url"] as? String)?.hasSuffix("/manifest.json") == true)
            let manifest = answer["manifest"] as? [String: Any]
            #expect(manifest?["display"] as? String == "kStandalone", "\(answer)")
            let start = try #require(manifest?["startUrl"] as? String)
            #expect(start == link)
            // The storage of the Home Screen is apart.
            try await Browser.phone { apart in
                try await apart.fakePush(at: shop.backend.phones)
                try await apart.open(start, in: "en")
                await apart.expect("#number", mine.number.text)
                await apart.expect("#range")
                #expect(await apart.waits(forNotices: "Notify me"))
                try await apart.pressNotify(Browser.noticesAreOn)
            }

            try await browser.join(shop)
            #expect(await browser.waits(forNotices: Self.homeScreen))
            #expect(try await browser.noticesText().contains("Your entry code stays"))

            try await Browser.phone(.webKit) { webKit in
                try await webKit.open(link, opens: "#range")
                try await webKit.speak("en")
                try await webKit.run(FakePush.script + "dispatchEvent(new Event('online'))")
                #expect(await webKit.waits(forNotices: words))
                #expect(try await webKit.value("'PushManager' in window") == "false")
            }
        }
    }

    @Test("An order's page, as a place's, is within the pages of the manifest that it names")
    func manifest() async throws {
        try await OrderPageTests.with(["4711"], known: 0) { shop, orders, browser in
            try await browser.devTools(
                "Emulation.setUserAgentOverride",
                ["userAgent": Self.iPhone, "platform": "iPhone"])
            try await browser.openOrder(orders[0], of: shop)
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument", ["source": "delete window.PushManager"])
            try await browser.reload(opens: "#entryDigits")
            await browser.expect(
                value: "document.querySelector('link[rel=manifest]') !== null", "true")
            let answer = try await browser.devTools("Page.getAppManifest")
            #expect((answer["errors"] as? [Any])?.isEmpty == true, "\(answer)")
            let manifest = try #require(answer["manifest"] as? [String: Any])
            let (start, scope) = (manifest["startUrl"] as? String, manifest["scope"] as? String)
            #expect(start == (try await browser.value("location.href")))
            #expect(try #require(start).hasPrefix(try #require(scope)), "\(answer)")
        }
    }

    @Test(
        "On the Home Screen of an iPhone, where no file can be saved, a calendar's file goes to the sheet for sharing: who closes it can ask again, and a sheet that does not open is said"
    )
    func calendarFile() async throws {
        try await PageShop.full { shop, _, browser in
            _ = try await shop.ticket()
            let mine = try await shop.ticket()
            try await browser.open(#require(mine.link), in: "en")
            try await browser.require("#calendar")
            try await browser.fakeShareSheet()
            try await browser.press("#calendar")
            await browser.expect(
                value: "window.shared.join()", "clup-\(mine.number.text).ics BEGIN:VCALENDAR")
        }
        try await PageShop.visits { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.require("#visitCalendar button")
            try await browser.fakeShareSheet()
            for (failure, words) in [
                ("AbortError", ""),
                ("NotAllowedError", "That did not work. Please try again in a few minutes."),
                ("AbortError", ""), ("", "Your phone now has the file visit"),
            ] {
                try await browser.run("window.shared = []; window.failure = '\(failure)'")
                try await browser.press("#visitCalendar button")
                await browser.expect(value: "window.shared.length", "1")
                await browser.expect(
                    value:
                        "document.querySelector('#visitCalendar p').textContent.startsWith('\(words)')",
                    "true")
                let said = try await browser.text("#visitCalendar p")
                #expect(said.isEmpty == words.isEmpty, "\(failure) \(said)")
                // Only a file that the phone has is changed there later.
                let memory = try await browser.value("localStorage.getItem('clup-places')")
                #expect(memory.contains("\"calendar\"") == failure.isEmpty)
            }
        }
    }
}

extension Browser {
    /// Makes the page one on the Home Screen of an iPhone, whose sheet for sharing keeps what it gets in `shared`, and fails
    /// as `failure` says. The sheet is a fake: there is none here.
    fileprivate func fakeShareSheet() async throws {
        try await run(
            """
            window.shared = [];
            window.failure = "";
            const fakes = {
              standalone: true,
              canShare: ({ files }) => files.every(({ type }) => type === "text/calendar"),
              share: async ({ files: [file] }) => {
                window.shared.push(`${file.name} ${(await file.text()).slice(0, 15)}`);
                if (window.failure) throw new DOMException("", window.failure);
              },
            };
            for (const [name, value] of Object.entries(fakes)) Object.defineProperty(navigator, name, { value });
            """)
    }
}
