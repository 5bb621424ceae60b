import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Suggestions on the page for booking a visit [rules 39]", .serialized)
struct VisitSuggestionPageTests {
    /// A shop in which phones may book one visit at a time, and two others with visits, half a kilometre and a little more
    /// away; tomorrow at 17:00 is booked by another customer.
    private static func withFullSlot(
        body: (PageShop, Browser, _ other: Browser) async throws -> Void
    ) async throws {
        let visits = ["--phone-visits", "yes", "--visit-share", "100"]
        try await PageShop.remote(
            capacity: 2, shop: visits + ["--position", "45.4800,9.2200"]
        ) { shop in
            for (name, tag, latitude) in [
                ("BCD Shop", "BCDS", "45.4845"), ("Lambrate", "LAMB", "45.4900"),
            ] {
                try await shop.add(
                    name, tag: tag, "--hours", "Mon-Sun 00:00-24:00", "--phone-visits", "yes",
                    "--visit-share", "100", "--position", "\(latitude),9.2200")
            }
            try await Browser.with(width: 360, height: 640) { other in
                try await other.book("17:00", on: 1, of: shop)
                try await Browser.with(width: 360, height: 640) { browser in
                    // The other shops are known a few seconds after they were added.
                    #expect(
                        await patiently {
                            try await browser.open(shop.list)
                            return try await browser.listed().count == 3
                        })
                    try await body(shop, browser, other)
                }
            }
        }
    }

    /// Touches a slot that is shown as full; returns once something is suggested.
    private static func touchFull(_ time: String, _ browser: Browser, _ shop: PageShop) async throws
    {
        try await browser.openSlots(of: shop)
        try await browser.openDay(1)
        try await browser.touchSlot(time)
        #expect(await browser.waits(for: "#picker .near button"))
    }

    private static func alert(_ browser: Browser) async throws -> String {
        try await browser.text("#picker [role=alert]")
    }

    @Test(
        "Scenario: the requested visit is not available, and another shop is, at the same time [UC5]"
    )
    func anotherShop() async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await Self.touchFull("17:00", browser, shop)
            #expect(
                try await Self.alert(browser)
                    == "There are no places left at 17:00. Here are other possibilities:")
            let near = try await browser.text("#picker .near")
            #expect(near.contains("BCD Shop") && near.contains("500\u{A0}m · 17:00"), "\(near)")
            #expect(near.contains("Lambrate") && near.contains("1.1\u{A0}km · 17:00"), "\(near)")
            // The day after tomorrow at the same time is suggested too, and other times of the day.
            let times = try await browser.text("#picker > div:not(#slots)")
            #expect(times.contains("16:30") && times.contains("17:30"), "\(times)")
            #expect(times.contains("The same time on another day"), "\(times)")
            try await browser.keepPicture("visit-suggestions")
            try await browser.press("#picker .near button")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.value("location.pathname") == "/visit/BCDS")
            #expect(try await browser.text("#shop") == "BCD Shop")
            #expect(try await browser.text("#range").contains("17:00"))
            try await browser.press("#act")
            #expect(await browser.waits(for: "#modules"))
            #expect(try await browser.text("#shop") == "BCD Shop")
        }
    }

    @Test(
        "Another hour of the day and another day are taken with one touch, and the way back leads to the slots"
    )
    func anotherTime() async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await Self.touchFull("17:00", browser, shop)
            try await browser.press("#picker .days:not(#slots .days) button")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.text("#range") == "at 17:00")
            #expect(try await browser.text("#first") != "tomorrow")
            try await browser.run("history.back()")
            #expect(await browser.waits(for: "#slots .slots button"))
            #expect(try await Self.alert(browser).isEmpty)
            try await browser.touchSlot("17:00")
            #expect(await browser.waits(for: "#picker .near button"))
            try await browser.press("#picker > div:not(#slots) .slots button")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.text("#range") == "at 16:30")
        }
    }

    @Test(
        "A suggested time that does not fit the customer's own calendar is grey, and can be taken")
    func doesNotFit() async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await browser.openCheck(of: shop)
            try await browser.give(
                browser.calendar(["DTSTART:DAYT163000\nDURATION:PT30M\nSUMMARY:Dentist"]))
            try await browser.choose(way: 10)
            try await browser.touchSlot("17:00")
            #expect(await browser.waits(for: "#picker .near button"))
            let grey = """
                [...document.querySelectorAll('#picker > div:not(#slots) button[data-busy]')]
                    .map((one) => one.firstChild.textContent).join(' ')
                """
            #expect(try await browser.value(grey) == "16:30 16:45")
            try await browser.press("#picker > div:not(#slots) button[data-busy]")
            #expect(
                try await Self.alert(browser)
                    == "16:30 does not fit your day. Dentist, 16:30 to 17:00.")
            // The other suggestions stay.
            #expect(try await browser.shows("#picker .near button"))
            try await browser.keepPicture("visit-suggestion-grey")
            try await browser.pressPicker("Choose 16:30 anyway")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.text("#range") == "at 16:30")
        }
    }

    @Test("The slot is free after all [UC5.1]: it is offered at once")
    func freeAfterAll() async throws {
        try await Self.withFullSlot { shop, browser, other in
            try await browser.openSlots(of: shop)
            try await browser.openDay(1)
            try await other.press("#open")
            #expect(await other.waits(for: "#send"))
            try await other.press("#send")
            #expect(await patiently { try await other.look() == "ended" })
            try await browser.touchSlot("17:00")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.text("#range") == "at 17:00")
        }
    }

    @Test("A customer who has a place that day is shown it, whichever shop was suggested [UC5.2]")
    func hasPlace() async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await browser.book("10:00", on: 1, of: shop)
            try await Self.touchFull("17:00", browser, shop)
            try await browser.press("#picker .near button")
            #expect(
                await patiently {
                    try await browser.text("#first").hasPrefix("You already have a place on ")
                })
            try await browser.keepPicture("visit-suggestion-refused")
        }
    }

    @Test("Without a network the page says that the time is full, and the other times stay")
    func offline() async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await browser.openSlots(of: shop)
            try await browser.openDay(1)
            try await browser.run(
                "window.fetch = () => Promise.reject(new TypeError('no network'))")
            try await browser.touchSlot("17:00")
            #expect(
                await patiently {
                    try await Self.alert(browser)
                        == "There are no places left at 17:00. Please choose another time below."
                })
            #expect(try await browser.shows("#slots .slots button"))
        }
    }

    @Test("The length alone is changed: the visit keeps its slot")
    func length() async throws {
        try await Self.withFullSlot { shop, browser, other in
            try await other.press("#move")
            #expect(await other.waits(for: ".days button"))
            try await other.openDay(1)
            let own = "#slots button[aria-current]"
            #expect(try await other.value("document.querySelector('\(own)').disabled") == "true")
            try await other.run(
                """
                const stay = document.getElementById("stay");
                stay.value = "90";
                stay.dispatchEvent(new Event("change"));
                """)
            #expect(
                await patiently {
                    try await other.value("document.querySelector('\(own)').disabled") == "false"
                })
            try await other.run("document.querySelector('\(own)').click()")
            #expect(await other.waits(forFirst: "New details of your visit"))
            #expect(try await other.text("#range") == "1 hour 30 minutes")
            try await other.keepPicture("visit-length")
            try await other.press("#act")
            #expect(await other.waits(for: "#modules"))
            #expect(try await other.text("#range") == "at 17:00")
            // The page knows the end of the visit, which the server gives with the slot.
            let end = try await other.value(
                "JSON.parse(localStorage.getItem('clup-places'))[0].view.reservation.visit.end")
            #expect(end.contains("T18:30:00"), "\(end)")
            _ = browser
        }
    }

    @Test(
        "Suggestions fit every language and size of letters, and axe finds nothing",
        arguments: ["it", "de", "fr", "es", "en"])
    func access(language: String) async throws {
        try await Self.withFullSlot { shop, browser, _ in
            try await Self.touchFull("17:00", browser, shop)
            try await browser.speak(language)
            try await browser.expectAccess("visit-suggestions", in: language)
        }
    }
}
