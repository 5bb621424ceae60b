import TestSupport
import Testing

@Suite("Departments on the page for booking a visit [rules: departments]", .serialized)
struct DepartmentPageTests {
    @Test(
        "A customer names departments, sees them on the page of the visit, and changes them there; they are for everybody"
    )
    func books() async throws {
        // The first one has place for one visitor who names it.
        let departments = "Fish counter=1, Bakery=6, Fruit and vegetables, Wine"
        try await PageShop.visits(shop: ["--departments", departments]) { shop, browser in
            try await browser.openSlots(of: shop)
            try await browser.pressPicker("Fish counter")
            try await browser.pressPicker("Wine")
            try await browser.expectAccess("departments")
            try await browser.openDay(1)
            try await browser.touchSlot("10:00")
            try await browser.require("#decline")
            #expect(try await browser.text("#second").hasSuffix(" · Fish counter · Wine"))
            try await browser.press("#act", opens: "#modules")
            #expect(try await browser.text("#second") == "Fish counter · Wine")
            try await full(shop, browser)
            try await browser.openMove()
            let chosen = "document.querySelectorAll('[aria-pressed=true]').length"
            await browser.expect(value: chosen, "2")
            try await browser.pressPicker("Fish counter")
            try await browser.openDay(1)
            let own = "document.querySelector('#slots button[aria-current]')"
            await browser.expect(value: "\(own).disabled", "false")
            try await browser.run("\(own).click()")
            await browser.expect("#first", "New details of your visit")
            #expect(try await browser.text("#range") == "As long as most customers · Wine")
            try await browser.press("#act", opens: "#modules")
            await browser.expect("#second", "Wine")
        }
    }

    /// Another customer sees that the fish counter is full at that time, and only for those who name it.
    private func full(_ shop: PageShop, _ browser: Browser) async throws {
        try await Browser.with(width: 1_280, height: 800) { other in
            try await other.openSlots(of: shop)
            try await other.pressPicker("Fish counter")
            try await other.openDay(1)
            func has(_ label: String) async throws -> Bool {
                try await other.labels(".slots button").contains(label)
            }
            await expectSoon { try await has("10:00: full") }
            #expect(try await has("11:00: many places left"))
            try await other.pressPicker("Fish counter")
            await expectSoon { try await has("10:00: many places left") }
        }
    }
}
