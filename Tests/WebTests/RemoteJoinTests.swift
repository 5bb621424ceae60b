import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page for joining from elsewhere [rules 37]", .serialized)
struct RemoteJoinTests {
    @Test(
        "A customer finds the shop in the list, sees the time and what to mind, and takes the place"
    )
    func joins() async throws {
        try await PageShop.remote(capacity: 2) { shop in
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(shop.list)
                try await browser.speak("en")
                #expect(await browser.waits(for: "#list a"))
                #expect(try await browser.listed() == ["Citt\u{E0}"])
                #expect(try await browser.text("#list .wait").hasPrefix("Wait: "))
                try await browser.keepPicture("remote-list")
                try await browser.press("#list a")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.value("location.pathname") == "/join/TEST")
                #expect(try await browser.text("#second") == "You would be next")
                #expect(
                    try await browser.text("#hint")
                        == "Take the place only if you can be there in time.")
                #expect(try await !browser.shows("#others"))
                try await browser.keepPicture("remote-offer")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                #expect(try await browser.value("location.pathname") == "/t")
                // Who can come in soon has just said to be coming.
                #expect(try await browser.place().reservation.answerBy == nil)
                #expect(try await !browser.shows("#question"))
            }
        }
    }

    @Test(
        "Who waits long is told how to hear of the call; a reload shows the same offer, and a refused one can be asked for"
    )
    func longWait() async throws {
        try await PageShop.remoteWithLine { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(
                    shop.remotePage.replacingOccurrences(of: "TEST", with: "test"))
                try await browser.speak("en")
                #expect(await browser.waits(for: "#decline"))
                #expect(
                    try await browser.text("#hint").contains("tells you when your turn is near"))
                try await browser.keepPicture("remote-offer-later")
                let range = try await browser.text("#range")
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#range") == range)
                try await browser.press("#decline")
                #expect(await browser.waits(forFirst: "You have no place in the queue"))
                #expect(await browser.waits(for: "#others"))
                try await browser.keepPicture("remote-declined")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#decline"))
            }
        }
    }

    @Test("A customer who goes on to another shop gives the place back that was kept in the former")
    func otherShop() async throws {
        try await PageShop.remoteWithLine { shop, _ in
            try await shop.add("Nord", tag: "NORD", "--hours", "Mon-Sun 00:00-24:00")
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openRemoteOffer(of: shop)
                try await browser.open("\(shop.backend.phones)/join/NORD")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#shop") == "Nord")
                try await browser.open("\(shop.backend.phones)/j")
                #expect(await browser.waits(forFirst: "Scan the code at the door"))
                try await browser.openRemoteOffer(of: shop)
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                // A phone that has a place is shown the way to it.
                try await browser.open(shop.remotePage)
                #expect(await patiently { try await browser.text("#act") == "Show my place" })
                #expect(try await !browser.shows("#others"))
            }
        }
    }

    @Test(
        "A shop that gives no places to phones elsewhere, and one that is not known, lead to the other shops"
    )
    func refusals() async throws {
        try await PageShop.remoteWithLine { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open("\(shop.backend.phones)/join/NONE")
                try await browser.speak("en")
                #expect(await browser.waits(forFirst: "We do not know this shop"))
                #expect(try await browser.shows("#others"))
                try await browser.keepPicture("remote-unknown")

                // A share of which two places are for those who are elsewhere.
                try await shop.backend.change("--phone-share", "50")
                for _ in 0..<4 where try await shop.holdElsewhere() == 409 { break }
                try await browser.open(shop.remotePage)
                #expect(
                    await browser.waits(
                        forFirst: "For now you can join only at the door")
                )
                #expect(try await browser.text("#hint").contains("come to the shop’s door"))
                try await browser.keepPicture("remote-taken")

                try await shop.backend.change("--remote-places", "no")
                // The server reads the change within some seconds.
                #expect(
                    await patiently {
                        try await browser.press("#act")
                        return await patiently(.seconds(1)) {
                            try await browser.text("#first")
                                == "At this shop you can join only at the door"
                        }
                    })
                try await browser.keepPicture("remote-none")
                try await browser.press("#others")
                #expect(
                    await patiently { try await browser.value("location.pathname") == "/shops" })
                #expect(
                    await patiently {
                        try await browser.text("#found").contains("cannot join any shop’s queue")
                    })
                try await browser.keepPicture("remote-no-shops")
            }
        }
    }

    @Test("While very many ask, the phone does some work first, says so, and then shows the offer")
    func work() async throws {
        try await PageShop.remote(capacity: 3) { shop in
            var answers: [Int] = []
            while answers.last != 428, answers.count < 12 {
                answers.append(try await shop.holdElsewhere())
            }
            #expect(answers.last == 428, "\(answers)")
            try await Browser.with(width: 360, height: 640) { browser in
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
                try await browser.open(shop.remotePage)
                try await browser.speak("en")
                #expect(await patiently { try await browser.text("#second").contains("Very many") })
                #expect(try await browser.text("#range") == "One moment")
                try await browser.keepPicture("remote-work")
                try await browser.run("history.replaceState(null, '', '#go')")
                #expect(await browser.waits(for: "#decline"))
                #expect(
                    try await browser.value(
                        "performance.getEntriesByName(location.origin + '/v1/public/holds').length")
                        == "2")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
            }
        }
    }

    @Test("WebKit, the engine of iPhones, joins from the list")
    func webKit() async throws {
        try await PageShop.remoteWithLine { shop, _ in
            try await Browser.with(.webKit, width: 360, height: 640) { browser in
                try await browser.open(shop.list)
                #expect(await browser.waits(for: "#list a"))
                try await browser.run(
                    "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
                )
                try await browser.keepPicture("remote-webkit-list")
                try await browser.run("document.querySelector('#list a').click()")
                #expect(await browser.waits(for: "#decline"))
                try await browser.keepPicture("remote-webkit-offer")
                try await browser.run("document.querySelector('#act').click()")
                #expect(await browser.waits(for: "#modules"))
            }
        }
    }
}
