import Reservations
import TestSupport
import Testing

@Suite("The page for joining the queue at the door [rules: joining]", .serialized)
struct JoinPageTests {
    @Test(
        "A customer sees the time, takes the place, and is let in with the code on the phone; it is shown until they leave; each state is for everybody"
    )
    func joins() async throws {
        try await PageShop.full(shop: PageShop.joining + ["--delays", "yes"]) {
            shop, called, browser in
            try await browser.openOffer(of: shop)
            let range = try await browser.text("#range")
            #expect(range.contains("between") || range.contains("any moment"), "\(range)")
            #expect(
                try await browser.texts("#second", "#kept")
                    == ["You would be next", "This place is kept for you for 3 minutes."])
            try await browser.expectAccess("join-offer")
            try await browser.press("#act", opens: "#modules")
            #expect(try await browser.value("location.pathname") == "/t")
            let number = try #require(Int(try await browser.text("#number")))
            #expect(number == called[1].number.rawValue + 1)
            let entry = try #require(try await browser.place().entry)
            #expect(try await browser.text("#entryDigits") == entry.typedCode.grouped)
            let waiting = try await browser.entryCode()
            try await browser.expectAccess("join-waiting")

            try await shop.free(called[0].number)
            await browser.expect(look: "called")
            #expect(try await browser.text("#hint") == "Show this code at the entrance.")
            let width = try await browser.value(
                "document.querySelector('#modules').getBoundingClientRect().width * 25 / 33")
            #expect(try #require(Double(width)) >= 0.5 * 360)
            try await browser.darken()
            #expect(try await browser.entryCode() == waiting)
            try await browser.expectAccess("join-called")

            try await Browser.with { door in
                try await shop.open("entrance", in: door)
                await door.expect(state: "idle")
                try await door.scan(waiting.rawValue)
                await door.expect(state: "yes")
            }
            await browser.expect(look: "calm")
            #expect(try await browser.text("#hint").contains("you need the code to leave"))
            #expect(try await browser.entryCode() == waiting)
        }
    }

    @Test(
        "The phone that has the code lets people ahead and gives the place back without digits, may join again, and shows the code without a network"
    )
    func keepsCode() async throws {
        try await PageShop.full(shop: PageShop.joining + ["--delays", "yes"]) { shop, _, browser in
            try await browser.join(shop)
            let number = try await browser.text("#number")
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await browser.require("#offer0")
            try await browser.press("#offer0", opens: "#send")
            #expect(try await !browser.shows("#code"))
            try await browser.press("#send", opens: "#back")
            try await browser.press("#back")
            await browser.expect("#second", "You are next")
            try await browser.require("#open")
            try await browser.press("#open", opens: "#send")
            #expect(try await !browser.shows("#code"))
            #expect(try await browser.text("#effect").contains("cannot undo this"))
            try await browser.press("#send")
            await browser.expect(look: "ended")
            #expect(try await browser.shown(of: "#entry", "#back") == [])
            try await browser.join(shop)
            #expect(try await browser.text("#number") > number)

            let code = try await browser.text("#entryDigits")
            await browser.expectWorker()
            // On a phone that does not have the code yet, the answer with it comes after a newer message without it.
            try await browser.run(
                """
                const all = JSON.parse(localStorage.getItem("clup-places"));
                localStorage.setItem("clup-places", JSON.stringify(all.map((one) => ({ ...one, entry: null }))));
                const ask = window.fetch;
                window.fetch = async (path, options) => {
                  const answer = await ask(path, options);
                  if (path.endsWith("/place")) await new Promise((next) => { window.letAnswerCome = next; });
                  return answer;
                };
                const { hash } = location;
                addEventListener("hashchange", () => { location.hash = hash; }, { once: true });
                location.hash = "";
                """)
            await browser.expect(value: "!!window.letAnswerCome", "true")
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await browser.require("#offer0")
            #expect(try await !browser.shows("#modules"))
            try await browser.run("window.letAnswerCome()")
            try await browser.require("#modules")
            await shop.backend.drain()
            try await browser.reload(opens: "#modules")
            #expect(try await browser.text("#entryDigits") == code)
            try await browser.jump(seconds: 70)
            await browser.expect("#age")
            #expect(try await browser.shows("#modules"))
        }
    }

    @Test("An offer that has run out is asked for again; one that the server has given away is too")
    func expires() async throws {
        let clock = try MovedClock()
        try await PageShop.full(shop: PageShop.joining + ["--demo"], options: clock.options) {
            shop, called, browser in
            try await browser.openOffer(of: shop)
            try await browser.jump(seconds: 130)
            await expectSoon {
                let kept = try await browser.text("#kept")
                return kept.hasSuffix("for 1 minute.") || kept.hasSuffix("seconds.")
            }
            try await browser.jump(seconds: 200)
            await browser.expect("#act", "Ask again")
            try await browser.press("#act", opens: "#decline")

            let issued = called[0].issued
            try clock.set(issued.at(issued.moment + .seconds(1_200)))
            try await browser.press("#act")
            await browser.expect("#act", "Ask again")
            try await browser.press("#act", opens: "#decline")
        }
    }

    @Test(
        "A link without an invitation is explained; who says no has no place, and the next one gets the same time; a reload shows the same offer; a lost answer is repeated with its key: there is one place, which is shown in this window and in another one"
    )
    func lostAnswers() async throws {
        try await PageShop.full(shop: PageShop.joining) { shop, _, browser in
            for (end, words) in [
                ("", "Scan the code at the door"), ("#TEST", "Scan the code at the door"),
                ("#TEST0123456789ABCDEF", "This code has expired"),
            ] {
                try await browser.open("\(shop.backend.phones)/j\(end)", in: "en")
                await browser.expect("#first", words, in: end)
                #expect(try await !browser.shows("#choice"))
            }
            try await browser.openOffer(of: shop)
            try await browser.press("#decline")
            await browser.expect("#first", "You have no place in the queue")
            #expect(try await !browser.shows("#choice"))
            try await browser.expectAccess("join-declined")
            let next = try await shop.ticket()
            #expect(next.wait.peopleAhead == 0)

            let link = try await shop.requiredInvitation()
            // A page is not opened again at the address that it has.
            try await browser.open("about:blank")
            try await browser.openOffer(of: shop)
            let range = try await browser.text("#range")
            try await browser.reload(opens: "#decline")
            #expect(try await browser.text("#range") == range)
            try await browser.loseAnswers(to: ".")
            try await browser.press("#act")
            await browser.expect("#act", "Try again")
            #expect(try await browser.text("#kept").contains("You may already have the place"))
            try await browser.run("window.isLost = false")
            try await browser.press("#act", opens: "#modules")
            let number = try await browser.place().reservation.number
            #expect(number.rawValue == next.number.rawValue + 1)
            #expect(try await shop.ticket().number.rawValue == number.rawValue + 1)

            let shown = try await browser.text("#number")
            for isNew in [false, true] {
                if isNew { _ = try await browser.openWindow() }
                try await browser.open(link)
                await browser.expect("#act", "Show my place")
                #expect(
                    try await browser.text("#first")
                        == "You already have a place in the queue: number \(shown)")
                try await browser.press("#act", opens: "#modules")
                #expect(try await browser.text("#number") == shown)
            }
        }
    }
}
