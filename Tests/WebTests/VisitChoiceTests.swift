import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("What a customer finds and loses while choosing a visit [rules 39]", .serialized)
struct VisitChoiceTests {
    /// A shop with a break at noon that is closed on Sundays.
    private static func withBreak(body: (PageShop) async throws -> Void) async throws {
        try await PageShop.remote(
            capacity: 20,
            shop: ["--phone-visits", "yes", "--hours", "Mon-Sat 08:00-13:00 15:30-20:00"],
            body: body)
    }

    /// The labels of buttons, as they are read aloud.
    private func labels(_ selector: String, in browser: Browser) async throws -> [String] {
        try await browser.value(
            "[...document.querySelectorAll('\(selector)')].map((e) => e.getAttribute('aria-label')).join('|')"
        )
        .split(separator: "|").map(String.init)
    }

    @Test("Closed days are shown as closed, weeks have titles, and the break of a day is seen")
    func breaks() async throws {
        try await Self.withBreak { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                let days = try await labels(".days button", in: browser)
                let sundays = days.filter { $0.hasPrefix("Sunday ") }
                #expect(sundays.count >= 3)
                #expect(sundays.allSatisfy { $0.hasSuffix(": closed") }, "\(sundays)")
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('.days button:disabled')].length >= 3")
                        == "true")
                #expect(try await browser.text("#slots").contains("Next week"))
                try await browser.keepPicture("visit-closed-days")
                try await browser.run(
                    "[...document.querySelectorAll('.days button:not(:disabled)')].at(-1).click()")
                #expect(await browser.waits(for: "#slots .slots button"))
                #expect(try await browser.text("#slots").contains("From 15:30"))
                let slots = try await labels("#slots .slots button", in: browser)
                #expect(slots.first == "08:00: many places left")
                #expect(slots.contains("15:30: many places left"))
                #expect(!slots.contains { $0.hasPrefix("14:") })
                try await browser.keepPicture("visit-break")
            }
        }
    }

    @Test(
        "The browser's way back leads from the offer to the hours, which gives the place back, and from there to the days"
    )
    func back() async throws {
        try await PageShop.remote(capacity: 4, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.touchSlot("10:00")
                #expect(await browser.waits(for: "#decline"))
                try await browser.run("history.back()")
                #expect(await browser.waits(for: "#slots .slots button"))
                // The one place of this hour is free again.
                #expect(
                    await patiently {
                        try await labels("#slots .slots button", in: browser)
                            .contains("10:00: many places left")
                    })
                #expect(try await browser.value("document.activeElement.tagName") == "H3")
                try await browser.run("history.back()")
                #expect(await browser.waits(for: ".days button"))
                try await browser.openDay(1)
                try await browser.touchSlot("11:00")
                #expect(await browser.waits(for: "#decline"))
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
            }
        }
    }

    @Test("Beside a slot that was taken, the nearest free ones are offered above the day")
    func nearest() async throws {
        try await PageShop.remote(capacity: 4, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await Browser.with(width: 360, height: 640) { other in
                    try await other.book("10:00", on: 1, of: shop)
                }
                try await browser.touchSlot("10:00")
                let near = "#picker > div:not(#slots) .slots button"
                // A visit of ten minutes leaves the slots before and after it free.
                #expect(
                    await patiently {
                        try await labels(near, in: browser).map { $0.prefix(5) }
                            == ["09:30", "09:45", "10:15", "10:30"]
                    })
                try await browser.keepPicture("visit-nearest")
                try await browser.press("\(near):nth-child(3)")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#range") == "at 10:15")
            }
        }
    }

    @Test("A touch is not lost while the page goes on: its buttons stay until something changes")
    func buttonsStay() async throws {
        try await Self.withBreak { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.run("window.first = document.querySelector('.days button')")
                try await browser.lets(timersRun: 2_500)
                #expect(
                    try await browser.value(
                        "window.first === document.querySelector('.days button')") == "true")
            }
        }
    }

    @Test("A move to a day with another place is refused, and the page says that the visit stays")
    func moveRefused() async throws {
        try await PageShop.remote(capacity: 20, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.book("10:00", on: 1, of: shop)
                try await browser.book("10:00", on: 2, of: shop)
                #expect(await browser.waits(for: "#move"))
                try await browser.press("#move")
                #expect(await browser.waits(for: ".days button"))
                #expect(
                    try await labels(".days button", in: browser)
                        .contains { $0.hasSuffix(": yours, many places left") })
                try await browser.openDay(1)
                try await browser.touchSlot("15:00")
                #expect(await browser.waits(forFirst: "Move your visit to"))
                try await browser.press("#act")
                #expect(
                    await patiently {
                        try await browser.text("#first").hasPrefix("You already have a place on ")
                    })
                let hint = try await browser.text("#hint")
                #expect(hint.hasPrefix("Your visit stays as it is: "), "\(hint)")
                try await browser.keepPicture("visit-not-moved")
                try await browser.press("#decline")
                #expect(await browser.waits(for: "#modules"))
                #expect(try await browser.text("#range") == "at 10:00")
            }
        }
    }

    @Test("A visit is not moved on another phone, whose page has no way to it")
    func otherPhone() async throws {
        try await PageShop.remote(capacity: 20, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.book("10:00", on: 1, of: shop)
                let capability = try await browser.value("location.hash")
                try await Browser.with(width: 360, height: 640) { other in
                    try await other.open("\(shop.backend.phones)/t\(capability)")
                    try await other.speak("en")
                    #expect(await other.waits(for: "#range"))
                    try await other.lets(timersRun: 1_000)
                    #expect(try await !other.shows("#move"))
                    try await other.open("\(shop.visitPage)\(capability)")
                    #expect(await other.waits(forFirst: "This visit can no longer be moved"))
                    try await other.press("#act")
                    #expect(
                        await patiently { try await other.value("location.pathname") == "/t" })
                }
            }
        }
    }

    @Test("A shop that asks for a number does so for a visit too, and then offers the chosen slot")
    func number() async throws {
        let gateway = try DemoGateway()
        try await PageShop.remote(
            capacity: 20,
            shop: DemoGateway.shop + ["--remote-numbers", "yes", "--phone-visits", "yes"],
            options: try gateway.options
        ) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.touchSlot("10:00")
                #expect(await browser.waits(for: "#smsNumber"))
                try await browser.typeNumber("333 1234567")
                try await browser.press(.main)
                #expect(await browser.waits(for: "#smsCode"))
                // Within half a second after the field has changed, the form takes a touch as one that was meant for the former.
                try await browser.jump(seconds: 1)
                try await browser.typeCode(gateway.code() + "\u{E007}")
                let isOffered = await browser.waits(for: "#decline")
                let shown = try await browser.text("main")
                #expect(isOffered, "\(shown)")
                #expect(try await browser.text("#range") == "at 10:00")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
            }
        }
    }

    @Test(
        "The days, the hours, the offer and the page of a visit fit every language and size of letters, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        try await Self.withBreak { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.speak(language)
                try await browser.expectAccess("visit-days", in: language)
                try await browser.run(
                    "[...document.querySelectorAll('.days button:not(:disabled)')].at(-1).click()")
                #expect(await browser.waits(for: "#slots .slots button"))
                try await browser.expectAccess("visit-hours", in: language)
                try await browser.darken()
                try await browser.expectAccess("visit-hours-dark", in: language)
                try await browser.run(
                    "document.querySelectorAll('#slots .slots button')[5].click()")
                #expect(await browser.waits(for: "#decline"))
                try await browser.expectAccess("visit-offer", in: language)
                try await browser.run("document.querySelector('#act').click()")
                #expect(await browser.waits(for: "#move"))
                try await browser.expectAccess("visit-place", in: language)
            }
        }
    }
}
