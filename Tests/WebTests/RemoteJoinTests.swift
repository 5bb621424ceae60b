import TestSupport
import Testing

@Suite("The page for joining from elsewhere [rules: elsewhere]", .serialized)
struct RemoteJoinTests {
    @Test(
        "A customer finds the shop in the list, sees the time and what to mind, and takes the place; a full queue leads to visits"
    )
    func joins() async throws {
        try await PageShop.remote(capacity: 2) { shop, browser in
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await browser.open(shop.list, in: "en", opens: "#list a")
            #expect(try await browser.listed() == ["Citt\u{E0}"])
            #expect(try await browser.text("#list .wait").hasPrefix("Wait: "))
            try await browser.press("#list a", opens: "#decline")
            #expect(try await browser.value("location.pathname") == "/join/TEST")
            #expect(
                try await browser.texts("#second", "#hint")
                    == ["You would be next", "Take the place only if you can be there in time."])
            #expect(try await !browser.shows("#others"))
            await browser.expect("#book")
            let book = "document.getElementById('book').pathname"
            #expect(try await browser.value(book) == "/visit/TEST")
            try await browser.press("#act", opens: "#modules")
            #expect(try await browser.value("location.pathname") == "/t")
            // Who can come in soon has just said to be coming.
            #expect(try await browser.place().reservation.answerBy == nil)
            #expect(try await !browser.shows("#question"))
        }
    }

    @Test(
        "Who waits long is told how to hear of the call; a reload shows the same offer, a refused one can be asked for, and one of another shop gives the place back that was kept in the former; the pages are for everybody"
    )
    func longWait() async throws {
        try await PageShop.remoteWithLine(shop: ["--town", "Milano"]) { shop, _, browser in
            try await shop.add(
                "Supermercato Città Studi", tag: "LAGE", "--hours", "Mon-Sun 00:00-00:01", "--town",
                "Sesto San Giovanni", "--street", "Viale della Repubblica 1000")
            try await shop.add("Nord", tag: "NORD", "--hours", "Mon-Sun 00:00-24:00")
            try await browser.open(shop.list, in: "en", opens: "#list a")
            try await browser.click("#list button")
            try await browser.expectAccess("remote-list")
            try await browser.darken()
            try await browser.expectAccess("remote-list-dark")
            try await browser.open(
                shop.remotePage.replacing("TEST", with: "test"), opens: "#decline")
            #expect(try await browser.text("#hint").contains("tells you when your turn is near"))
            try await browser.expectAccess("remote-offer")
            let range = try await browser.text("#range")
            try await browser.reload(opens: "#decline")
            #expect(try await browser.text("#range") == range)
            try await browser.press("#decline")
            await browser.expect("#first", "You have no place in the queue")
            await browser.expect("#others")
            try await browser.press("#act", opens: "#decline")

            try await browser.open("\(shop.backend.phones)/join/NORD", opens: "#decline")
            #expect(try await browser.text("#shop") == "Nord")
            try await browser.open("\(shop.backend.phones)/j")
            await browser.expect("#first", "Scan the code at the door")
            try await browser.joinRemotely(shop)
            // A phone that has a place is shown the way to it.
            try await browser.open(shop.remotePage)
            await browser.expect("#act", "Show my place")
            #expect(try await !browser.shows("#others"))
        }
    }

    @Test(
        "A shop that gives no places or visits to phones elsewhere, and one that is not known, lead to the other shops"
    )
    func refusals() async throws {
        try await PageShop.remoteWithLine { shop, _, browser in
            try await browser.open(shop.visitPage, in: "en")
            await browser.expect("#first", "At this shop you cannot book a visit with a phone")
            #expect(try await browser.shows("#others"))
            for page in ["visit", "join"] {
                try await browser.open("\(shop.backend.phones)/\(page)/NONE")
                await browser.expect("#first", "We do not know this shop", in: page)
            }
            #expect(try await browser.shows("#others"))
            try await browser.darken()
            try await browser.expectAccess("remote-unknown")

            // A share of which two places are for those who are elsewhere.
            try await shop.backend.change("--phone-share", "50")
            for _ in 0..<4 where shop.holdElsewhere() == 409 { break }
            try await browser.open(shop.remotePage)
            await browser.expect("#first", "For now you can join only at the door")
            #expect(try await browser.text("#hint").contains("come to the shop’s door"))

            try await shop.backend.change("--remote-places", "no")
            // The server reads the change within some seconds.
            await expectSoon {
                try await browser.press("#act")
                return await patiently(.seconds(1)) {
                    try await browser.text("#first")
                        == "At this shop you can join only at the door"
                }
            }
            try await browser.press("#others")
            await browser.expect(value: "location.pathname", "/shops")
            await browser.expect("#found", has: "cannot join any shop’s queue")
        }
    }

    @Test("While very many ask, the phone does some work first, says so, and then shows the offer")
    func work() async throws {
        try await PageShop.remote(capacity: 3) { shop, browser in
            var answers: [Int] = []
            while answers.last != 428, answers.count < 12 {
                answers.append(shop.holdElsewhere())
            }
            #expect(answers.last == 428, "\(answers)")
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    const { digest } = SubtleCrypto.prototype;
                    SubtleCrypto.prototype.digest = async function (...all) {
                      while (location.hash !== "#go") await new Promise((done) => setTimeout(done, 100));
                      return digest.apply(this, all);
                    };
                    """
                ])
            try await browser.open(shop.remotePage, in: "en")
            await browser.expect("#second", has: "Very many")
            #expect(try await browser.text("#range") == "One moment")
            try await browser.run("history.replaceState(null, '', '#go')")
            await browser.expect("#decline")
            #expect(try await browser.requests(of: "/v1/public/holds") == "2")
            try await browser.press("#act", opens: "#modules")
        }
    }
}
