import TestSupport
import Testing

@Suite("The list of shops [rules: elsewhere]", .serialized)
struct ShopsPageTests {
    private func find(_ words: String, in browser: Browser) async throws {
        try await browser.run(
            "const s = document.querySelector('#search'); s.value = '\(words)';"
                + "s.dispatchEvent(new Event('input'))")
    }

    private func wait(_ tag: String, in browser: Browser) async throws -> String {
        try await browser.text("#list a[href$=\(tag)] .wait")
    }

    @Test(
        "The first button of a shop leads into its queue, the second to its visits; without a place there is no first one"
    )
    func buttons() async throws {
        try await PageShop.visits { shop, browser in
            try await shop.add("Lager", tag: "LAGE", "--hours", "Mon-Sun 00:00-00:01")
            for (language, words) in [
                ("en", "Join the queue|Book a visit"), ("it", "Mettiti in coda|Prenota un orario"),
            ] {
                try await browser.open(shop.list, in: language, opens: "#list .join")
                let buttons = """
                    [...document.querySelectorAll("#list li:has(a[href$=TEST]) a")].slice(1)
                        .map((one) => one.innerText).join("|")
                    """
                #expect(try await browser.value(buttons) == words)
                #expect(try await !browser.shows("#list li:has(a[href$=LAGE]) .join"))
                try await browser.keepPicture("shops-buttons-\(language)")
            }
            try await browser.press("#list .join", opens: "#decline")
            #expect(try await browser.value("location.pathname") == "/join/TEST")
        }
    }

    @Test(
        "Favourites come first, also after a reload; the nearest shops come first where the phone is; a list that does not have all shops is searched by the backend; it names the shops by town with their waits, and finds them by words without accents; it asks again each half minute; without a network it keeps the list, and says from when it is"
    )
    func search() async throws {
        // Four shops in two towns, of which one has no place in a queue.
        try await PageShop.remote(
            capacity: 2,
            shop: ["--town", "Milano", "--street", "Via Larga 1", "--position", "45.4600,9.1930"]
        ) { shop, browser in
            let always = "Mon-Sun 00:00-24:00"
            try await shop.add(
                "Brera", tag: "BRER", "--hours", always, "--town", "Milano", "--street",
                "Via Solferino 12", "--position", "45.4733,9.1880")
            try await shop.add(
                "Müller", tag: "MULL", "--hours", always, "--town", "Bozen", "--street",
                "Weintraubengasse 3", "--position", "46.4983,11.3548")
            try await shop.add("Lager", tag: "LAGE", "--hours", "Mon-Sun 00:00-00:01")
            for _ in 0..<8 { _ = try await shop.ticket() }
            try await browser.open(shop.list, in: "en")
            await expectSoon { try await browser.listed().filter { $0 == "Lager" } != [] }
            let star = "#list li:has(a[href$=TEST]) button"
            try await browser.press(star)
            let mine = ["Your favourites", "Citt\u{E0}", "Bozen", "Müller", "Milano", "Brera"]
            await expectSoon { try await Array(browser.listed().prefix(6)) == mine }
            let focused = "document.activeElement.getAttribute('aria-label')"
            #expect(try await browser.value(focused) == "Favourite: Citt\u{E0}")
            try await browser.reload()
            await expectSoon { try await Array(browser.listed().prefix(6)) == mine }
            #expect(
                try await browser.value("document.querySelector('\(star)').ariaPressed") == "true")

            try await browser.devTools(
                "Browser.grantPermissions",
                ["permissions": ["geolocation"], "origin": shop.backend.phones])
            try await browser.devTools(
                "Emulation.setGeolocationOverride",
                ["latitude": 45.4642, "longitude": 9.19, "accuracy": 10])
            try await browser.press("#nearby")
            await expectSoon {
                try await browser.listed() == [
                    "Your favourites", "Citt\u{E0}", "By distance", "Brera", "Müller", "Lager",
                ]
            }
            #expect(try await browser.text("#list").contains("520\u{A0}m"))
            #expect(try await browser.text("#list").contains("1.0\u{A0}km"))
            try await browser.press("#nearby")
            try await browser.press(star)
            await expectSoon { try await browser.listed().first == "Bozen" }
            try await browser.reload()
            await expectSoon { try await browser.listed().first == "Bozen" }

            try await browser.run(
                """
                window.sent = [];
                const real = window.fetch;
                window.fetch = async (path, request) => {
                  window.sent.push(JSON.parse(request.body).search);
                  const list = await (await real(path, request)).json();
                  if (window.sent.at(-1) === "") list.shops = list.shops.filter(({ tag }) => tag === "MULL");
                  return new Response(JSON.stringify({ ...list, more: window.sent.at(-1) === "" }));
                };
                """)
            try await browser.jump(seconds: 31)
            await browser.expect("#further")
            #expect(try await browser.listed() == ["Bozen", "Müller"])
            try await find("brera", in: browser)
            await expectSoon { try await browser.listed() == ["Milano", "Brera"] }
            #expect(try await browser.value("window.sent.join()") == ",brera")
            #expect(try await !browser.shows("#further"))
            try await find("", in: browser)
            await expectSoon { try await browser.listed() == ["Bozen", "Müller"] }

            try await browser.reload()
            await expectSoon { try await browser.listed().count == 7 }
            #expect(
                try await browser.listed() == [
                    "Bozen", "Müller", "Milano", "Brera", "Citt\u{E0}", "Other shops", "Lager",
                ])
            #expect(try await wait("BRER", in: browser) == "No wait at the moment")
            #expect(try await wait("TEST", in: browser).hasPrefix("Wait: about "))
            #expect(try await wait("LAGE", in: browser).hasPrefix("Closed, opens "))
            for (words, found) in [
                ("milano SOLF", ["Milano", "Brera"]), ("citta", ["Milano", "Citt\u{E0}"]),
                ("muller", ["Bozen", "Müller"]), ("zzz", []),
            ] {
                try await find(words, in: browser)
                await expectSoon("\(words)") { try await browser.listed() == found }
            }
            #expect(try await browser.text("#found") == "No shop was found with these words.")

            try await find("", in: browser)
            await expectSoon { try await browser.listed().count == 7 }
            let before = try await wait("TEST", in: browser)
            for _ in 0..<6 { _ = try await shop.ticket() }
            try await browser.jump(seconds: 31)
            await expectSoon { try await wait("TEST", in: browser) != before }
            await shop.backend.drain()
            try await browser.jump(seconds: 31)
            await browser.expect("#notice")
            let notice = try await browser.text("#notice")
            #expect(notice.hasPrefix("No connection. Waiting times as of "), "\(notice)")
            #expect(try await browser.listed().count == 7)
        }
    }
}
