import TestSupport
import Testing

@Suite("The page for booking a visit [rules: visits, moved-visits]", .serialized)
struct VisitPageTests {
    @Test(
        "Scenario S2: a customer books the day after tomorrow at ten, with the length that they expect, and sees it on its page"
    )
    func books() async throws {
        try await PageShop.visits { shop, browser in
            for (language, width, day, words) in [
                ("en", 360, 2, "at 10:00"), ("it", 1_280, 3, "alle 10:00"),
            ] {
                try await browser.resize(width, width == 360 ? 640 : 800)
                try await browser.open(shop.list, in: language, opens: "#list .visit")
                try await browser.press("#list .visit", opens: ".calendar button")
                #expect(try await browser.value("location.pathname") == "/visit/TEST")
                try await browser.choose("stay", 45)
                try await browser.openDay(day)
                try await browser.touchSlot("10:00")
                try await browser.expectOffer(words)
                // Nothing was learned of this hour, so that what was declared counts alone.
                #expect(try await browser.text("#second").contains("10:45"))
                try await browser.press("#act", opens: "#modules")
                #expect(try await browser.text("#range") == words)
                #expect(try await browser.place().reservation.kind == .visit)
            }
        }
    }

    @Test(
        "Closed days are shown as closed, a day stands under its weekday, and the break of a day is seen; buttons stay until something changes; every form is for everybody"
    )
    func breaks() async throws {
        let hours = ["--hours", "Mon-Sat 08:00-13:00 15:30-20:00"]
        try await PageShop.visits(shop: hours) { shop, browser in
            try await browser.openSlots(of: shop)
            // A touch is not lost while the page goes on.
            try await browser.run("window.first = document.querySelector('.calendar button')")
            try await browser.lets(timersRun: 2_500)
            let isSame = "window.first === document.querySelector('.calendar button')"
            #expect(try await browser.value(isSame) == "true")
            let days = try await browser.labels(".calendar button")
            let sundays = days.filter { $0.hasPrefix("Sunday ") }
            #expect(sundays.count >= 3)
            #expect(sundays.allSatisfy { $0.hasSuffix(": closed") }, "\(sundays)")
            let closed = "[...document.querySelectorAll('.calendar button:disabled')].length >= 3"
            #expect(try await browser.value(closed) == "true")
            // Its columns are those of the weekdays.
            let misplaced = """
                (() => {
                  const heads = [...document.querySelectorAll(".calendar b")].map((one) => one.offsetLeft);
                  return [...document.querySelectorAll(".calendar button")]
                    .filter((one) => one.offsetLeft !== heads[one.style.gridColumnStart - 1]).length;
                })()
                """
            #expect(try await browser.value(misplaced) == "0")
            try await browser.expectAccess("visit-days")
            try await browser.run(
                "[...document.querySelectorAll('.calendar button:not(:disabled)')].at(-1).click()")
            try await browser.require("#slots .slots button")
            #expect(try await browser.text("#slots").contains("From 15:30"))
            let slots = try await browser.labels("#slots .slots button")
            #expect(slots.first == "08:00: many places left")
            #expect(slots.contains("15:30: many places left"))
            #expect(!slots.contains { $0.hasPrefix("14:") })
            try await browser.expectAccess("visit-hours")
            try await browser.darken()
            try await browser.expectAccess("visit-hours-dark")
            try await browser.run("document.querySelectorAll('#slots .slots button')[5].click()")
            try await browser.require("#decline")
            try await browser.expectAccess("visit-offer")
            try await browser.click("#act", opens: "#move")
            try await browser.require("#visitCalendar button")
            try await browser.expectAccess("visit-place")
        }
    }

    @Test(
        "A slot that is taken between the look and the touch is said so, and the nearest free ones are offered above the day [UC4.1]; the browser's way back leads to the hours, which gives the place back, and from there to the days"
    )
    func taken() async throws {
        try await PageShop.visits(capacity: 4) { shop, browser in
            try await browser.openSlots(of: shop)
            try await browser.openDay(1)
            let near = "#picker > div:not(#slots) .slots button"
            try await Browser.phone { other in
                try await other.offer("10:00", on: 1, of: shop)
                try await browser.touchSlot("10:00")
                await browser.expect("#picker [role=alert]", begins: "The last place")
                await browser.expect(
                    value: "document.querySelector('[data-missed]').dataset.level", "0")
                // A visit of ten minutes leaves the slots before and after it free.
                await expectSoon {
                    try await browser.labels(near).map { $0.prefix(5) }
                        == ["09:30", "09:45", "10:15", "10:30"]
                }
                // Who chooses another time gives the place back at once.
                try await other.press("#decline", opens: "#picker")
            }
            try await browser.press("\(near):nth-child(3)", opens: "#decline")
            #expect(try await browser.text("#range") == "at 10:15")
            try await browser.goBack()
            try await browser.require("#slots .slots button")
            // The one place of this hour is free again.
            await expectSoon {
                try await browser.labels("#slots .slots button")
                    .contains("10:15: many places left")
            }
            #expect(try await browser.value("document.activeElement.tagName") == "H3")
            try await browser.goBack()
            try await browser.require(".calendar button")
            try await browser.openDay(1)
            try await browser.touchSlot("11:00")
            try await browser.require("#decline")
            // A page that is opened again shows the same offer.
            try await browser.reload(opens: "#decline")
            #expect(try await browser.text("#range") == "at 11:00")
            try await browser.press("#act", opens: "#modules")
        }
    }

    @Test(
        "A visit is moved to another day in two touches, not on another phone, and its page is that of the new time; a move to a day with another place is refused, and the page says that the visit stays"
    )
    func moves() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            let former = try await browser.value("location.hash")
            try await Browser.phone { other in
                try await other.open("\(shop.backend.phones)/t\(former)", in: "en", opens: "#range")
                try await other.lets(timersRun: 1_000)
                #expect(try await !other.shows("#move"))
                try await other.open("\(shop.visitPage)\(former)")
                await other.expect("#first", "This visit can no longer be moved")
                try await other.press("#act")
                await other.expect(value: "location.pathname", "/t")
            }
            try await browser.openMove()
            #expect(try await browser.text("#picker p").contains("10:00"))
            try await browser.openDay(2)
            try await browser.touchSlot("11:15")
            await browser.expect("#first", "Move your visit to")
            #expect(try await browser.text("#second").contains("10:00"))
            try await browser.press("#act", opens: "#modules")
            await browser.expect("#range", "at 11:15")
            #expect(try await browser.value("location.hash") != former)
            // Who keeps the time comes back to the page as it is.
            try await browser.openMove()
            try await browser.openDay(1)
            try await browser.touchSlot("09:00")
            await browser.expect("#first", "Move your visit to")
            try await browser.press("#decline")
            await browser.expect("#range", "at 11:15")

            try await browser.book("10:00", on: 1, of: shop)
            try await browser.openMove()
            #expect(
                try await browser.labels(".calendar button")
                    .contains { $0.hasSuffix(": yours, many places left") })
            try await browser.openDay(2)
            try await browser.touchSlot("15:00")
            await browser.expect("#first", "Move your visit to")
            try await browser.press("#act")
            await browser.expect("#first", begins: "You already have a place on ")
            let hint = try await browser.text("#hint")
            #expect(hint.hasPrefix("Your visit stays as it is: "), "\(hint)")
            try await browser.press("#decline", opens: "#modules")
            #expect(try await browser.text("#range") == "at 10:00")
        }
    }

    @Test(
        "A visit is given up on its page, after a question and with a message [UC7], and its day is free; one place a day and five visits are allowed, and the page says so with the way on [UC4.2], to the list too"
    )
    func limits() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.require("#open")
            try await browser.press("#open", opens: "#send")
            let question = try await browser.text("#effect")
            #expect(question.hasPrefix("Give up your visit on "), "\(question)")
            #expect(question.contains(" at 10:00? You cannot undo this"), "\(question)")
            #expect(
                try await browser.texts("#send", "#keep") == ["Give up my visit", "Keep my visit"])
            try await browser.press("#send")
            await browser.expect(look: "ended")
            #expect(try await !browser.shows("#move"))
            #expect(try await browser.text("#first").hasSuffix(" at 10:00 is cancelled"))
            #expect(
                try await browser.text("#hint") == "You can book another visit at any time.")
            let another = "document.getElementById('another').pathname"
            #expect(try await browser.value(another) == "/visit/TEST")

            for day in 1...5 { try await browser.book("10:00", on: day, of: shop) }
            try await browser.openSlots(of: shop)
            try await browser.openDay(5)
            try await browser.touchSlot("15:00")
            await browser.expect("#first", begins: "You already have a place on ")
            #expect(try await browser.text("#first").contains(": number "))
            try await browser.press("#act", opens: "#modules")
            try await browser.openSlots(of: shop)
            try await browser.openDay(6)
            for isFirst in [true, false] {
                try await browser.touchSlot("15:00")
                await browser.expect("#first", "You already have five visits booked")
                if isFirst { try await browser.press("#act", opens: ".slots button") }
            }
            try await browser.require("#myPlaces")
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(5))
            try await browser.press("#list li:nth-child(2) .go", opens: "#modules")
            #expect(try await browser.value("location.pathname") == "/t")
            try await browser.goBack()
            #expect(await browser.listsPlaces(5))
        }
    }

    @Test(
        "Every target is large enough for a finger, each slot says in words how much is free, and a shop without departments asks for none; a browser that keeps nothing speaks the language that was chosen, also after the shop's is known"
    )
    func keepsNothing() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "Storage.prototype.setItem = () => { throw new Error('full') }"])
            try await browser.openSlots(of: shop)
            #expect(try await !browser.shows("#departments"))
            try await browser.openDay(1)
            let small = try await browser.value(
                """
                [...document.querySelectorAll('button, select, a')].filter((e) => e.offsetParent
                    && (e.offsetHeight < 44 || e.offsetWidth < 44)).length
                """)
            #expect(small == "0")
            #expect(try await browser.labels(".slots button").first == "00:00: many places left")
            for size in ["1", "2", "0"] {
                try await browser.click("#size")
                #expect(try await browser.value("document.documentElement.dataset.size") == size)
            }
            try await browser.speak("it")
            try await browser.touchSlot("10:00")
            try await browser.expectOffer("alle 10:00")
        }
    }

    @Test("A shop that asks for a number does so for a visit too, and then offers the chosen slot")
    func number() async throws {
        let gateway = try DemoGateway()
        try await PageShop.visits(
            shop: DemoGateway.shop + ["--remote-numbers", "yes"], options: try gateway.options
        ) { shop, browser in
            try await browser.openSlots(of: shop)
            try await browser.openDay(1)
            try await browser.touchSlot("10:00")
            try await browser.require("#smsNumber")
            try await browser.agree("333 1234567")
            // Within half a second after the field has changed, the form takes a touch as one that was meant for the former.
            try await browser.jump(seconds: 1)
            try await browser.typeCode(gateway.code() + "\u{E007}")
            try await browser.expectOffer("at 10:00")
            try await browser.press("#act", opens: "#modules")
        }
    }
}

extension PageShop {
    /// The page for booking a visit.
    var visitPage: String { "\(backend.phones)/visit/TEST" }
}

extension DrivenPage {
    /// Opens the page for booking a visit, in English; returns once it shows the days.
    func openSlots(of shop: PageShop) async throws {
        try await open(shop.visitPage, in: "en", opens: ".calendar button")
    }

    /// Touches the day so many days from today; returns once its slots are shown.
    func openDay(_ days: Int) async throws {
        // Near midnight today has no slots any more.
        let today = try await value(
            "document.querySelector('.calendar button').getAttribute('aria-label').split(':')[0]")
        let shift = ["today", "oggi"].contains(today) ? 0 : 1
        try await run("document.querySelectorAll('.calendar button')[\(days - shift)].click()")
        try await require(".slots button")
    }

    /// Touches the slot that begins at this time.
    func touchSlot(_ time: String) async throws {
        try await run(
            """
            [...document.querySelectorAll('.slots button')]
                .find((one) => one.firstChild.textContent === '\(time)').click()
            """)
    }

    /// A slot is offered, whose time the page says so.
    func expectOffer(_ words: String, at place: SourceLocation = #_sourceLocation) async throws {
        try await require("#decline")
        #expect(try await text("#range") == words, sourceLocation: place)
    }

    /// Chooses a number of minutes: how long the customer expects to `stay`, or is on the `way`.
    func choose(_ list: String, _ minutes: Int) async throws {
        try await run(
            """
            const list = document.getElementById("\(list)");
            list.value = "\(minutes)";
            list.dispatchEvent(new Event("change"));
            """)
    }

    /// Asks for a visit; returns once it is offered.
    func offer(_ time: String, on day: Int, of shop: PageShop) async throws {
        try await openSlots(of: shop)
        try await openDay(day)
        try await touchSlot(time)
        try await require("#decline")
    }

    /// Books a whole visit; returns once its page shows the entry code.
    func book(_ time: String, on day: Int, of shop: PageShop) async throws {
        try await offer(time, on: day, of: shop)
        try await press("#act", opens: "#modules")
    }

    /// Begins to move the visit of the page; returns once the days are shown.
    func openMove() async throws {
        try await require("#move")
        try await press("#move", opens: ".calendar button")
    }

    /// The labels of buttons, as they are read aloud.
    func labels(_ selector: String) async throws -> [String] {
        try await value(
            "[...document.querySelectorAll('\(selector)')].map((e) => e.getAttribute('aria-label')).join('|')"
        )
        .split(separator: "|").map(String.init)
    }
}
