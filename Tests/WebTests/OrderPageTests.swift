import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of orders on a phone (rules 41)", .serialized)
struct OrderPageTests {
    /// A shop with two desks that gives places to phones, orders of it, and a phone that knows the first ones.
    static func with(
        _ references: [String], known: Int, shop settings: [String] = PageShop.joining,
        width: Int = 360, body: (PageShop, [ServedOrder], Browser) async throws -> Void
    ) async throws {
        try await PageShop.with(
            shop: ["--desks", "2", "--town", "Milano"] + settings,
            options: ["--phones", "127.0.0.1:0"]
        ) { shop in
            let orders = try await shop.backend.announceOrders(references)
            try await Browser.with(width: width, height: width == 360 ? 640 : 800) { browser in
                for order in orders.prefix(known) { try await browser.openOrder(order, of: shop) }
                try await body(shop, orders, browser)
            }
        }
    }

    @Test(
        "A customer sees the order, scans the door's symbol, says to be here, follows it to the desk, and has it in the list of earlier ones [Click-And-Collect UC8, Click-And-Collect UC10, Click-And-Collect UC11, Click-And-Collect UC12, Click-And-Collect UC13, Click-And-Collect TC4]",
        arguments: ["it"])
    func course(language: String) async throws {
        try await Self.with(["4711"], known: 1) { shop, orders, browser in
            try await browser.speak(language)
            let isEnglish = language == "en"
            #expect(try await browser.text("#title") == "Citt\u{E0}")
            #expect(try await browser.text("#label") == (isEnglish ? "Order 4711" : "Ordine 4711"))
            #expect(try await browser.text("#parcels") == (isEnglish ? "1 parcel" : "1 pacco"))
            #expect(try await browser.text("#address").contains("Milano"))
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])
            #expect(try await browser.text("#entryDigits") == orders[0].typedCode)
            // Away from the door nothing says that the customer is here.
            #expect(try await !browser.shows("#iAmHere"))
            try await browser.keepPicture("order-ready-\(language)")

            let link = try #require(try await shop.invitation())
            try await browser.open(link)
            #expect(await browser.waits(for: "#iAmHere"))
            #expect(try await browser.value("location.pathname") == "/orders")
            #expect(
                try await browser.text("#askHere")
                    == (isEnglish
                        ? "Order 4711, 1 parcel: are you here to collect it?"
                        : "Ordine 4711, 1 pacco: sei qui per ritirarlo?"))
            #expect(try await browser.text("#wouldBe") != "")
            #expect(
                try await !browser.value("location.href").contains(String(link.suffix(16))),
                "the symbol's text does not stay in the address")
            try await browser.keepPicture("order-here-\(language)")
            try await browser.press("#iAmHere")
            #expect(await patiently { try await browser.text("#number") == "C-001" })
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .arrived)
            try await browser.keepPicture("order-arrived-\(language)")

            let desk = try await shop.desk()
            try await shop.take(.fetch, orders[0], at: 2, with: desk)
            let fetching =
                isEnglish ? "We are fetching your order" : "Stiamo andando a prendere il tuo ordine"
            #expect(await patiently { try await browser.text("#first") == fetching })
            try await browser.keepPicture("order-fetching-\(language)")
            try await shop.take(.ready, orders[0], at: 2, with: desk)
            #expect(await patiently { try await browser.look() == "called" })
            #expect(
                try await browser.text("#first")
                    == (isEnglish ? "Please go to desk 2" : "Vai al banco ritiri 2"))
            try await browser.keepPicture("order-called-\(language)")
            try await browser.press("#toList")
            #expect(await browser.waits(for: "#busy li"))
            try await browser.keepPicture("order-list-called-\(language)")
            try await browser.press("#busy a")
            #expect(await browser.waits(for: "#entryDigits"))

            let _: DeskOrder = try await desk.call(
                .handovers, #"{"code":"\#(orders[0].code.rawValue)","desk":2}"#, at: shop.backend)
            let has = isEnglish ? "Order collected" : "Ordine ritirato"
            #expect(await patiently { try await browser.text("#first") == has })
            #expect(
                try await browser.text("#range").hasPrefix(isEnglish ? "Today at" : "Oggi alle"))
            #expect(try await !browser.shows("#entry"))
            try await browser.keepPicture("order-handed-over-\(language)")
            try await browser.press("#toList")
            #expect(await browser.waits(for: "#over li"))
            for title in ["#openTitle", "#busyTitle"] {
                #expect(try await !browser.shows(title))
            }
            #expect(try await browser.text("#over .first") == has)
            try await browser.keepPicture("order-list-over-\(language)")
            // Once nothing is to be collected, the door's symbol is for joining the queue again.
            try await browser.open(try #require(try await shop.invitation()))
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.value("location.pathname") == "/j")
        }
    }

    @Test(
        "Away from the door, at another shop's door, without an order and with an old symbol nothing says to be here [Click-And-Collect UC10, exception 1, Click-And-Collect TC4]"
    )
    func notHere() async throws {
        try await Self.with(["1", "2"], known: 0) { shop, orders, browser in
            let link = try #require(try await shop.invitation())
            // No order on this phone: the symbol is for joining.
            try await browser.open(link)
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.value("location.pathname") == "/j")
            // Neither an order nor the door.
            try await browser.open("\(shop.backend.phones)/orders")
            #expect(await browser.waits(for: "#empty"))
            try await browser.speak("en")
            #expect(
                try await browser.text("#noOrders") == "There are no orders on this phone.")
            try await browser.keepPicture("order-list-empty")
            // An order, and no door.
            try await browser.openOrder(orders[0], of: shop)
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await browser.text("#hint").contains("scan the code on the display"))
            // The door of another shop, and a symbol that is none: both lead to the queue's page.
            try await browser.open("\(shop.backend.phones)/orders?queue#ELSE\(link.suffix(16))")
            #expect(await patiently { try await browser.value("location.pathname") == "/j" })
            // That of a shop where no phone joins the queue leads to the list.
            try await browser.open("\(shop.backend.phones)/orders#ELSE\(link.suffix(16))")
            #expect(await patiently { try await browser.orderCount("open") == "1" })
            #expect(try await !browser.shows("#toQueue"))
            // A symbol that has changed meanwhile.
            let last = link.last == "0" ? "1" : "0"
            try await browser.open(String(link.dropLast()) + last)
            #expect(await browser.waits(for: "#iAmHere"))
            try await browser.press("#iAmHere")
            #expect(
                await patiently {
                    try await browser.text("#error")
                        == "The code at the door has changed. Please scan it again."
                })
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .onShelf)
            try await browser.keepPicture("order-scan-again")
            // Who has scanned it by mistake, or wants something else.
            try await browser.open(link)
            #expect(await browser.waits(for: "#notNow"))
            try await browser.press("#notNow")
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .onShelf)
            try await browser.press("#toQueue")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await browser.value("location.pathname") == "/j")
        }
    }

    @Test("Of two orders at the door the customer chooses one, and each is shown with its state")
    func two() async throws {
        try await Self.with(["4711", "4712", "4713"], known: 3, width: 1_280) {
            shop, orders, browser in
            try await browser.speak("de")
            try await browser.open("\(shop.backend.phones)/orders")
            #expect(await patiently { try await browser.orderCount("open") == "3" })
            try await browser.open(try #require(try await shop.invitation()))
            #expect(await patiently { try await browser.orderCount("open") == "3" })
            #expect(try await browser.shows("#toQueue"))
            try await browser.press("#open li:nth-child(2) a")
            #expect(await browser.waits(for: "#iAmHere"))
            try await browser.press("#iAmHere")
            #expect(await patiently { try await browser.text("#number") == "C-001" })
            try await browser.press("#toList")
            #expect(await patiently { try await browser.orderCount("busy") == "1" })
            #expect(try await browser.text("#busy h3") == "Bestellung 4712")
            #expect(try await browser.text("#busy .number") == "C-001")
            try await Tool.succeed(
                ServingBackend.program,
                [
                    "order", "cancel", "--database", shop.backend.database, "--shop", "TEST",
                    "--reference", "4713",
                ])
            try await browser.run("location.reload()")
            #expect(await patiently { try await browser.orderCount("over") == "1" })
            #expect(try await browser.text("#over .first") == "Bestellung storniert")
            try await browser.keepPicture("order-list-de")
        }
    }

    @Test(
        "An order that is not known is said to be so, with the way to the list; one is removed after a question [Click-And-Collect UC11, exception 1]"
    )
    func unknown() async throws {
        try await Self.with(["1"], known: 1) { shop, orders, browser in
            try await browser.speak("en")
            let none = "CLUP:C:TEST" + String(repeating: "0", count: 26)
            try await browser.open("\(shop.backend.phones)/orders#\(none)")
            #expect(
                await patiently { try await browser.text("#first") == "We do not know this order" })
            try await browser.keepPicture("order-unknown")
            try await browser.press("#toList")
            #expect(await patiently { try await browser.orderCount("open") == "1" })
            try await browser.press("#open a")
            #expect(await browser.waits(for: "#remove"))
            try await browser.press("#remove")
            #expect(await browser.waits(for: "#removeWords"))
            try await browser.keepPicture("order-remove")
            try await browser.press("#leave")
            #expect(try await !browser.shows("#removeWords"))
            try await browser.press("#remove")
            try await browser.press("#remove")
            #expect(await browser.waits(for: "#empty"))
            try await browser.openOrder(orders[0], of: shop)
        }
    }

    @Test(
        "The customer turns notices of an order on with one touch, and off [Click-And-Collect UC9]")
    func notices() async throws {
        try await Self.with(["1"], known: 0) { shop, orders, browser in
            try await browser.fakePush(at: shop.backend.phones)
            try await browser.openOrder(orders[0], of: shop)
            try await browser.speak("en")
            #expect(await browser.waits(forNotices: "Notify me"))
            #expect(try await browser.noticesText().contains("when your order is at the desk"))
            try await browser.keepPicture("order-notices-off")
            try await browser.press("#notify")
            #expect(await browser.waits(forNotices: "Notifications are on."))
            let sent = try await browser.value("JSON.stringify(window.fake.kept('calls')[0])")
            let request = try JSONDecoder().decode(SubscriptionRequest.self, from: Data(sent.utf8))
            #expect(request.capability == orders[0].code.bare && request.language == "en")
            try await browser.run("location.reload()")
            #expect(await browser.waits(forNotices: "Notifications are on."))
            try await browser.keepPicture("order-notices-on")
            try await browser.press("#notify")
            #expect(await browser.waits(forNotices: "Notify me"))
        }
    }

    @Test(
        "The page is for everybody, in light and dark", arguments: ["en", "it", "de", "fr", "es"])
    func access(language: String) async throws {
        try await Self.with(["4711", "4712"], known: 2) { shop, orders, browser in
            try await browser.speak(language)
            // The list and an order without a question have few words beside those of the others.
            let isWhole = language == "de"
            if isWhole { try await browser.expectAccess("order", in: language, of: ["de"]) }
            try await browser.open(try #require(try await shop.invitation()))
            #expect(await patiently { try await browser.orderCount("open") == "2" })
            if isWhole { try await browser.expectAccess("orders", in: language, of: ["de"]) }
            try await browser.press("#open a")
            #expect(await browser.waits(for: "#iAmHere"))
            try await browser.expectAccess("order-here", in: language)
            try await browser.press("#iAmHere")
            #expect(await patiently { try await browser.text("#number") == "C-001" })
            let desk = try await shop.desk()
            try await shop.take(.fetch, orders[0], at: 1, with: desk)
            try await shop.take(.ready, orders[0], at: 1, with: desk)
            #expect(await patiently { try await browser.look() == "called" })
            try await browser.devTools(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
            try await browser.expectAccess("order-called", in: language)
        }
    }
}

extension DrivenPage {
    /// Opens the page of an order as the link in the shop's mail does; returns once it is shown.
    func openOrder(_ order: ServedOrder, of shop: PageShop) async throws {
        try await open("\(shop.backend.phones)/C#\(order.code.bare)")
        guard await waits(for: "#entryDigits") else {
            throw TestSupportError("no order: \(try await text("main"))")
        }
    }

    /// How many orders a part of the list has.
    func orderCount(_ part: String) async throws -> String {
        try await value("document.querySelectorAll('#\(part) li').length")
    }

    /// What a reader reads from the order's symbol.
    func orderCodes() async throws -> [String] {
        try await run("document.getElementById('modules').scrollIntoView({ block: 'center' })")
        return try await entryCodes()
    }
}
