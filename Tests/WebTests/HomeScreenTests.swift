import TestSupport
import Testing

@Suite(
    "The page of a place in browsers that get no notices, and on the Home Screen [rules 36]",
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
}
