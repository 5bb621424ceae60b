import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Departments on the page for booking a visit [rules 39]", .serialized)
struct DepartmentPageTests {
    /// A shop with four departments, of which the first one has place for one visitor who names it.
    private static func with(_ body: (PageShop, Browser) async throws -> Void) async throws {
        try await PageShop.remote(
            capacity: 20,
            shop: [
                "--phone-visits", "yes", "--departments",
                "Fish counter=1, Bakery=6, Fruit and vegetables, Wine",
            ]
        ) { shop in
            try await Browser.with(width: 360, height: 640) { try await body(shop, $0) }
        }
    }

    /// Touches the department, and waits for the slots that are for it.
    private static func touch(_ name: String, _ browser: some DrivenPage) async throws {
        try await browser.run(
            """
            [...document.querySelectorAll('.departments button')]
                .find((one) => one.textContent === '\(name)').click()
            """)
    }

    private static func label(_ time: String, _ browser: some DrivenPage) async throws -> String {
        try await browser.value(
            """
            [...document.querySelectorAll('.slots button')]
                .find((one) => one.firstChild.textContent === '\(time)').getAttribute('aria-label')
            """)
    }

    @Test(
        "A customer names departments, sees them on the page of the visit, and changes them there")
    func books() async throws {
        try await Self.with { shop, browser in
            try await browser.openSlots(of: shop)
            try await Self.touch("Fish counter", browser)
            try await Self.touch("Wine", browser)
            try await browser.keepPicture("departments-days")
            try await browser.openDay(1)
            try await browser.keepPicture("departments-hours")
            try await browser.touchSlot("10:00")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.text("#second").hasSuffix(" · Fish counter · Wine"))
            try await browser.keepPicture("departments-offer")
            try await browser.press("#act")
            #expect(await browser.waits(for: "#modules"))
            #expect(try await browser.text("#second") == "Fish counter · Wine")
            try await browser.keepPicture("departments-place")
            try await full(shop, browser)
            #expect(await browser.waits(for: "#move"))
            try await browser.press("#move")
            #expect(await browser.waits(for: ".days button"))
            let chosen = "document.querySelectorAll('[aria-pressed=true]').length"
            #expect(await patiently { try await browser.value(chosen) == "2" })
            try await Self.touch("Fish counter", browser)
            try await browser.openDay(1)
            let own = "document.querySelector('#slots button[aria-current]')"
            #expect(await patiently { try await browser.value("\(own).disabled") == "false" })
            try await browser.run("\(own).click()")
            #expect(await browser.waits(forFirst: "New details of your visit"))
            #expect(try await browser.text("#range") == "As long as usual · Wine")
            try await browser.keepPicture("departments-change")
            try await browser.press("#act")
            #expect(await browser.waits(for: "#modules"))
            #expect(await patiently { try await browser.text("#second") == "Wine" })
        }
    }

    /// Another customer sees that the fish counter is full at that time, and only for those who name it.
    private func full(_ shop: PageShop, _ browser: Browser) async throws {
        try await Browser.with(width: 1_280, height: 800) { other in
            try await other.openSlots(of: shop)
            try await Self.touch("Fish counter", other)
            try await other.openDay(1)
            #expect(await patiently { try await Self.label("10:00", other) == "10:00: full" })
            #expect(try await Self.label("11:00", other) == "11:00: many places left")
            try await other.keepPicture("departments-full-wide")
            try await Self.touch("Fish counter", other)
            #expect(
                await patiently {
                    try await Self.label("10:00", other) == "10:00: many places left"
                })
        }
    }

    @Test(
        "They fit every language and size of letters, and axe finds nothing",
        arguments: ["it", "de", "fr", "es", "en"])
    func access(language: String) async throws {
        try await Self.with { shop, browser in
            try await browser.openSlots(of: shop)
            try await Self.touch("Bakery", browser)
            try await browser.speak(language)
            try await browser.expectAccess("departments", in: language)
        }
    }

    @Test("A shop without departments asks for none")
    func none() async throws {
        try await PageShop.remote(capacity: 20, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openSlots(of: shop)
                #expect(try await !browser.shows("#departments"))
            }
        }
    }
}
