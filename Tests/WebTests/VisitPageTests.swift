import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page for booking a visit [rules 39]", .serialized)
struct VisitPageTests {
    /// A shop with room for twenty people that is open day and night, and gives visits to phones.
    private static func with(
        capacity: Int = 20, settings: [String] = [], body: (PageShop) async throws -> Void
    ) async throws {
        try await PageShop.remote(
            capacity: capacity, shop: ["--phone-visits", "yes"] + settings, body: body)
    }

    @Test(
        "Scenario S2: a customer books the day after tomorrow at ten, with the length that they expect, and sees it on its page",
        arguments: [("en", 360), ("it", 1_280)])
    func books(language: String, width: Int) async throws {
        try await Self.with { shop in
            try await Browser.with(width: width, height: width == 360 ? 640 : 800) { browser in
                try await browser.open(shop.list)
                try await browser.speak(language)
                #expect(await browser.waits(for: "#list .visit"))
                try await browser.keepPicture("visit-list-\(language)")
                try await browser.press("#list .visit")
                #expect(await browser.waits(for: ".days button"))
                #expect(try await browser.value("location.pathname") == "/visit/TEST")
                try await browser.keepPicture("visit-days-\(language)")
                try await browser.run(
                    "const s = document.getElementById('stay'); s.value = '45'; s.dispatchEvent(new Event('change'))"
                )
                try await browser.openDay(2)
                try await browser.keepPicture("visit-hours-\(language)")
                try await browser.touchSlot("10:00")
                #expect(await browser.waits(for: "#decline"))
                let range = try await browser.text("#range")
                #expect(range == (language == "en" ? "at 10:00" : "alle 10:00"))
                // Nothing was learned of this hour, so that what was declared counts alone.
                #expect(try await browser.text("#second").contains("10:45"))
                try await browser.keepPicture("visit-offer-\(language)")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                #expect(try await browser.text("#range") == range)
                #expect(try await browser.place().reservation.kind == .visit)
                try await browser.keepPicture("visit-place-\(language)")
            }
        }
    }

    @Test(
        "A slot that is taken between the look and the touch is said so, and another one is chosen [UC4.1]"
    )
    func taken() async throws {
        try await Self.with(capacity: 4) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await Browser.with(width: 360, height: 640) { other in
                    try await other.openSlots(of: shop)
                    try await other.openDay(1)
                    try await other.touchSlot("10:00")
                    #expect(await other.waits(for: "#decline"))
                    try await browser.touchSlot("10:00")
                    #expect(
                        await patiently {
                            try await browser.text("#picker [role=alert]").hasPrefix(
                                "The last place")
                        })
                    #expect(
                        await patiently {
                            try await browser.value(
                                "document.querySelector('[data-missed]').dataset.level") == "0"
                        })
                    try await browser.keepPicture("visit-taken")
                    // Who chooses another time gives the place back at once.
                    try await other.press("#decline")
                    #expect(await other.waits(for: "#picker"))
                }
                try await browser.touchSlot("11:00")
                #expect(await browser.waits(for: "#decline"))
                // A page that is opened again shows the same offer.
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#range") == "at 11:00")
            }
        }
    }

    @Test("A visit is moved to another day in two touches, and its page is that of the new time")
    func moves() async throws {
        try await Self.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.book("10:00", on: 1, of: shop)
                let former = try await browser.value("location.hash")
                #expect(await browser.waits(for: "#move"))
                try await browser.press("#move")
                #expect(await browser.waits(for: ".days button"))
                #expect(try await browser.text("#picker p").contains("10:00"))
                try await browser.keepPicture("visit-move-days")
                try await browser.openDay(2)
                try await browser.touchSlot("11:15")
                #expect(await browser.waits(forFirst: "Move your visit to"))
                #expect(try await browser.text("#second").contains("10:00"))
                try await browser.keepPicture("visit-move")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                #expect(await patiently { try await browser.text("#range") == "at 11:15" })
                #expect(try await browser.value("location.hash") != former)
                // Who keeps the time comes back to the page as it is.
                #expect(await browser.waits(for: "#move"))
                try await browser.press("#move")
                #expect(await browser.waits(for: ".days button"))
                try await browser.openDay(1)
                try await browser.touchSlot("09:00")
                #expect(await browser.waits(forFirst: "Move your visit to"))
                try await browser.press("#decline")
                #expect(await patiently { try await browser.text("#range") == "at 11:15" })
            }
        }
    }

    @Test(
        "A visit is given up on its page, after a question and with a message [UC7], and its day is free"
    )
    func deletes() async throws {
        try await Self.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.book("10:00", on: 1, of: shop)
                #expect(await browser.waits(for: "#open"))
                try await browser.press("#open")
                #expect(await browser.waits(for: "#send"))
                let question = try await browser.text("#effect")
                #expect(question.hasPrefix("Give up your visit on "), "\(question)")
                #expect(question.contains(" at 10:00? You cannot undo this"), "\(question)")
                #expect(try await browser.text("#send") == "Give up my visit")
                #expect(try await browser.text("#keep") == "Keep my visit")
                try await browser.keepPicture("visit-give-up")
                try await browser.press("#send")
                #expect(await patiently { try await browser.look() == "ended" })
                try await browser.keepPicture("visit-given-up")
                #expect(try await !browser.shows("#move"))
                #expect(try await browser.text("#first").hasSuffix(" at 10:00 is cancelled"))
                #expect(
                    try await browser.text("#hint")
                        == "You can book another visit at any time.")
                #expect(
                    try await browser.value("document.getElementById('another').pathname")
                        == "/visit/TEST")
                try await browser.book("10:00", on: 1, of: shop)
            }
        }
    }

    @Test(
        "One place a day and five visits are allowed, and the page says so with the way on [UC4.2]")
    func limits() async throws {
        try await Self.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                for day in 1...5 { try await browser.book("10:00", on: day, of: shop) }
                try await browser.openSlots(of: shop)
                try await browser.openDay(5)
                try await browser.touchSlot("15:00")
                #expect(
                    await patiently {
                        let first = try await browser.text("#first")
                        return first.hasPrefix("You already have a place on ")
                            && first.contains(": number ")
                    })
                try await browser.keepPicture("visit-have")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                try await browser.openSlots(of: shop)
                try await browser.openDay(6)
                try await browser.touchSlot("15:00")
                #expect(await browser.waits(forFirst: "You already have five visits booked"))
                try await browser.keepPicture("visit-five")
                try await browser.press("#act")
                #expect(await browser.waits(for: ".slots button"))
            }
        }
    }

    @Test(
        "A shop without visits, or none at all, leads to the other shops; a full queue leads to visits"
    )
    func ways() async throws {
        try await PageShop.remote(capacity: 2) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(shop.visitPage)
                try await browser.speak("en")
                #expect(
                    await browser.waits(
                        forFirst: "At this shop you cannot book a visit with a phone"))
                #expect(try await browser.shows("#others"))
                try await browser.keepPicture("visit-none")
                try await browser.open("\(shop.backend.phones)/visit/NONE")
                #expect(await browser.waits(forFirst: "We do not know this shop"))
                try await browser.open(shop.remotePage)
                #expect(await browser.waits(for: "#decline"))
                #expect(await browser.waits(for: "#book"))
                try await browser.keepPicture("join-or-visit")
                #expect(
                    try await browser.value("document.getElementById('book').pathname")
                        == "/visit/TEST")
            }
        }
    }

    @Test(
        "A browser that keeps nothing speaks the language that was chosen, also after the shop's is known"
    )
    func keepsNothing() async throws {
        try await Self.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "Storage.prototype.setItem = () => { throw new Error('full') }"])
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.speak("it")
                try await browser.touchSlot("10:00")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#range") == "alle 10:00")
            }
        }
    }

    @Test("Every target is large enough for a finger, and each slot says in words how much is free")
    func accessible() async throws {
        try await Self.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                let small = try await browser.value(
                    "[...document.querySelectorAll('button, select, a')].filter((e) => e.offsetParent && (e.offsetHeight < 44 || e.offsetWidth < 44)).length"
                )
                #expect(small == "0")
                let label = try await browser.value(
                    "document.querySelector('.slots button').getAttribute('aria-label')")
                #expect(label == "00:00: many places left")
                try await browser.run(
                    "document.getElementById('size').click(); document.getElementById('size').click()"
                )
                let wide = try await browser.value(
                    "document.documentElement.scrollWidth > document.documentElement.clientWidth")
                #expect(wide == "false")
                try await browser.keepPicture("visit-large")
            }
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
        try await open(shop.visitPage)
        try await speak("en")
        guard await waits(for: ".days button") else {
            throw TestSupportError("no days: \(try await text("main"))")
        }
    }

    /// Touches the day so many days from today; returns once its slots are shown.
    func openDay(_ days: Int) async throws {
        // Near midnight today has no slots any more.
        let today = try await value(
            "document.querySelector('.days button').getAttribute('aria-label').split(':')[0]")
        let shift = ["today", "oggi"].contains(today) ? 0 : 1
        try await run("document.querySelectorAll('.days button')[\(days - shift)].click()")
        guard await waits(for: ".slots button") else {
            throw TestSupportError("no slots: \(try await text("main"))")
        }
    }

    /// Touches the slot that begins at this time.
    func touchSlot(_ time: String) async throws {
        try await run(
            """
            [...document.querySelectorAll('.slots button')]
                .find((one) => one.firstChild.textContent === '\(time)').click()
            """)
    }

    /// Books a whole visit; returns once its page shows the entry code.
    func book(_ time: String, on day: Int, of shop: PageShop) async throws {
        try await openSlots(of: shop)
        try await openDay(day)
        try await touchSlot(time)
        guard await waits(for: "#decline") else {
            throw TestSupportError("no offer: \(try await text("main"))")
        }
        try await press("#act")
        guard await waits(for: "#modules") else {
            throw TestSupportError("no entry code: \(try await text("main"))")
        }
    }
}
