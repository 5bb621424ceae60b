import Foundation
import TestSupport
import Testing

@Suite(
    "The list of a phone's places without a network, in several windows, and with broken memory",
    .serialized)
struct MyPlacesRobustnessTests {
    @Test(
        "A deletion without a network changes nothing, says so, and can be tried again with the network [UC6]; without a network the list opens with its age and leads to the entry code; a visit three weeks ahead is listed ten days later too, and no more after its day"
    )
    func notDeleted() async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.joinRemotely(shop)
            try await browser.openPlaces(of: shop, count: 1)
            try await browser.askAboutPlace(1)
            try await browser.cutNetwork(true)
            try await browser.press("#list .yes", opens: "#list .error")
            #expect(
                try await browser.text("#list .error").hasPrefix(
                    "No connection. Nothing in this list has changed."))
            #expect(try await browser.focusedPart() == "error")
            #expect(try await browser.text("#notice").hasPrefix("No connection."))
            #expect(await browser.listsPlaces(1))
            #expect(
                try await browser.value("JSON.parse(localStorage.getItem('clup-places')).length")
                    == "1")
            try await browser.cutNetwork(false)
            await browser.expect(no: "#notice")
            try await browser.press("#list .yes", opens: "#done")
            #expect(await browser.listsPlaces(0))
            #expect(try await browser.shows("#empty"))

            try await browser.book("10:00", on: 21, of: shop)
            let visit = try await browser.text("#entryDigits")
            try await browser.joinRemotely(shop)
            let code = try await browser.text("#entryDigits")
            #expect(await browser.keepsPages())
            await shop.backend.drain()
            try await browser.openPlaces(of: shop, count: 2)
            await browser.expect("#notice")
            #expect(
                try await browser.text("#notice").hasPrefix(
                    "No connection. This is the last information we have."))
            try await browser.jump(seconds: 180)
            await expectSoon { try await browser.placesLine("age")[0].hasSuffix("minutes ago") }
            try await browser.press("#list .go", opens: "#modules")
            #expect(try await browser.text("#entryDigits") == code)

            for (days, count) in [(10, 1), (13, 0)] {
                try await browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    [
                        "source":
                            "{ const now = Date.now; Date.now = () => now() + \(days) * 86400000; }"
                    ])
                try await browser.openPlaces(of: shop, count: count)
                if count == 0 { continue }
                #expect(try await browser.placesLine("age")[0] == "As of 10 days ago")
                try await browser.press("#list .go", opens: "#modules")
                #expect(try await browser.text("#entryDigits") == visit)
            }
            #expect(try await browser.shows("#empty"))
        }
    }

    @Test(
        "Two windows that delete one visit both say that it is cancelled, and neither lists it any more [UC7]; repeated touches and lost answers are one command with one key, also if another place is asked about between"
    )
    func lostAnswers() async throws {
        try await PageShop.withPhone { shop, _, browser in
            func bookTwo() async throws {
                for day in 1...2 { try await browser.book("10:00", on: day, of: shop) }
                try await browser.openPlaces(of: shop, count: 2)
            }
            try await bookTwo()
            try await browser.askAboutPlace(1)
            let first = try await browser.window()
            let second = try await browser.openWindow()
            try await browser.openPlaces(of: shop, count: 2)
            try await browser.askAboutPlace(1)
            try await browser.press("#list .yes", opens: "#done")
            try await browser.turn(to: first)
            try await browser.press("#list .yes", opens: "#done")
            #expect(try await browser.text("#done").hasSuffix(" at 10:00 is cancelled"))
            #expect(await browser.listsPlaces(1))
            // What one window deletes leaves the other one's list, in which it is not asked about.
            try await browser.askAboutPlace(1)
            try await browser.press("#list .yes")
            #expect(await browser.listsPlaces(0))
            try await browser.closeWindow()
            try await browser.turn(to: second)
            #expect(await browser.listsPlaces(0))

            try await bookTwo()
            try await browser.loseAnswers(to: "withdrawal$")
            try await browser.askAboutPlace(1)
            try await browser.run(
                "const yes = document.querySelector('#list .yes'); yes.click(); yes.click(); yes.click()"
            )
            await browser.expect("#list .error")
            #expect(try await browser.value("window.keys.length") == "3")
            try await browser.press("#list .keep")
            try await browser.askAboutPlace(2)
            try await browser.press("#list li:nth-child(2) .yes")
            await browser.expect("#list li:nth-child(2) .error")
            try await browser.run("window.isLost = false")
            try await browser.press("#list li:nth-child(2) .keep")
            try await browser.askAboutPlace(1)
            try await browser.press("#list .yes", opens: "#done")
            #expect(await browser.listsPlaces(1))
            #expect(try await browser.value("new Set(window.keys).size") == "2")
            #expect(try await browser.value("window.keys[0] === window.keys.at(-1)") == "true")
        }
    }

    @Test(
        "A place whose link came from another person can only be removed from the list, and stays valid; a phone remembers ten places, and drops those first of which it has no entry code"
    )
    func otherPerson() async throws {
        try await PageShop.withPhone { shop, called, browser in
            try await Browser.phone { other in
                try await other.joinRemotely(shop)
                let code = try await other.text("#entryDigits")
                try await browser.open(other.value("location.href"), opens: "#range")
                try await browser.openPlaces(of: shop, count: 1)
                #expect(try await browser.text("#list .opener") == "Remove from this list")
                #expect(try await browser.text("#list .go") == "Details")
                try await browser.askAboutPlace(1)
                #expect(try await browser.text("#list .words").hasSuffix("It stays valid."))
                try await browser.press("#list .yes", opens: "#done")
                #expect(try await browser.text("#done").hasSuffix("It is still valid."))
                #expect(await browser.listsPlaces(0))
                // The place is as it was, with its code.
                #expect(try await other.place().entry?.typedCode.grouped == code)
            }

            try await browser.joinRemotely(shop)
            let number = try await "\(browser.place().reservation.number.rawValue)"
            try await browser.run(
                """
                const [mine] = JSON.parse(localStorage.getItem("clup-places"));
                const others = [...Array(9).keys()].map((n) => ({
                  ...mine, entry: null, capability: `${mine.capability.slice(0, 36)}${10 + n}`,
                }));
                localStorage.setItem("clup-places", JSON.stringify([...others, mine]));
                """)
            try await browser.open(#require(called[0].link))
            await browser.expect(look: "called")
            let kept = "JSON.parse(localStorage.getItem('clup-places'))"
            let mine =
                "\(kept).filter(({ entry }) => entry).map((e) => e.view.reservation.number).join()"
            #expect(try await browser.value("\(kept).length") == "10")
            #expect(try await browser.value(mine) == number)
        }
    }

    @Test(
        "Broken and hostile memory harms neither the list nor a place's page, and true places among it stay"
    )
    func hostileMemory() async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.joinRemotely(shop)
            let link = try await browser.value("location.href")
            let number = try await browser.text("#number")
            let kept = try await browser.value("localStorage.getItem('clup-places')")
            let wrong = String(repeating: "0", count: 38)
            let now = "Date.now()"
            for content in [
                "'{'", "'null'", "'{}'", "'7'", "'\"x\"'", "'[null, 1, \"x\", []]'",
                "'['.repeat(300000)",
                "JSON.stringify([{ capability: '../\(wrong)', at: \(now) }])",
                "JSON.stringify([{ capability: '\(wrong)', at: \(now), view: {} }])",
                "JSON.stringify([{ capability: '\(wrong)', at: \(now), view: { reservation: {} }, entry: 7 }])",
                "JSON.stringify([{ capability: '\(wrong)', at: \(now), view: { languages: 5, reservation: { state: 'planned', now: 'x' } }, minutes: 'x' }])",
                "JSON.stringify([{ capability: '\(wrong)', at: 'x', view: { reservation: { visit: { start: '9999-01-01T00:00:00Z' } } } }])",
                "JSON.stringify([...Array(500).keys()].map((n) => ({ capability: String(n).padStart(38, '0'), at: \(now) })))",
            ] {
                try await browser.open(shop.places)
                try await browser.run(
                    "localStorage.setItem('clup-places', \(content)); location.reload()")
                await expectSoon("\(content)") {
                    try await browser.value(
                        "document.querySelectorAll('#empty:not([hidden]), #list li').length")
                        != "0"
                }
                let count = try await browser.value("document.querySelectorAll('#list li').length")
                #expect(try #require(Int(count)) <= 10, "\(content)")
                try await browser.run("localStorage.setItem('clup-places', \(content))")
                try await browser.open("\(shop.backend.phones)/t#\(wrong)")
                await browser.expect(look: "ended", in: "\(content)")
            }
            // Markup is text; and a broken entry does not take the others with it.
            try await browser.open(shop.places)
            try await browser.run(
                """
                const [mine] = JSON.parse(\(String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)));
                const other = JSON.parse(JSON.stringify(mine));
                other.capability = "\(wrong)";
                other.view.reservation.shopName = "<img src=x onerror='window.harmed = true'>";
                localStorage.setItem("clup-places", JSON.stringify([null, { view: 1 }, other, mine]));
                window.fetch = () => new Promise(() => {});
                location.reload();
                """)
            await browser.expect("#list h2")
            #expect(try await browser.placesLine("number").contains(number))
            #expect(try await browser.value("document.querySelectorAll('img').length") == "0")
            #expect(try await browser.value("window.harmed") == "")
            try await browser.open(link)
            await browser.expect("#number", number)
        }
    }
}
