import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of orders on a phone (rules: order-pages)", .serialized)
struct OrderPageTests {
    /// A shop with two desks that gives places to phones, orders of it, and a phone that knows the first ones.
    static func with(
        _ references: [String], known: Int, shop settings: [String] = PageShop.joining,
        width: Int = 360, body: (PageShop, [ServedOrder], Browser) async throws -> Void
    ) async throws {
        try await PageShop.with(
            shop: ["--desks", "2", "--town", "Milano"] + settings,
            options: ["--phones", "127.0.0.1:0"], width: width, height: width == 360 ? 640 : 800
        ) { shop, browser in
            let orders = try await shop.backend.announceOrders(references)
            for order in orders.prefix(known) { try await browser.openOrder(order, of: shop) }
            try await body(shop, orders, browser)
        }
    }

    @Test("A link that a mail program has cut off opens with the order's number and its ten digits")
    func cutLink() async throws {
        try await Self.with(["4711"], known: 0) { shop, orders, browser in
            try await browser.open("\(shop.backend.phones)/C", in: "it", opens: "#find")
            try await browser.expectAccess("order-find")
            func find(_ reference: String, _ digits: String) async throws {
                try await browser.run(
                    """
                    document.getElementById("reference").value = "\(reference)";
                    document.getElementById("digits").value = "\(digits)";
                    """)
                try await browser.press("#findGo")
            }
            try await find("4711", "12345")
            await browser.expect("#findError", has: "Controlla il numero")
            try await find("4711", "0000000000")
            await browser.expect("#findError", has: "Controlla il numero")
            try await find("# 4711", orders[0].typedCode)
            #expect(await browser.waits(for: "#entryDigits"))
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])
            // It is in the list from now on.
            try await browser.press("#toList", opens: "#open li")
            #expect(try await !browser.shows("#find"))
        }
    }

    @Test(
        "A customer sees the order, scans the door's symbol, says to be here, follows it to the desk, and has it in the list of earlier ones [Click-And-Collect UC8, Click-And-Collect UC10, Click-And-Collect UC11, Click-And-Collect UC12, Click-And-Collect UC13, Click-And-Collect TC4]"
    )
    func course() async throws {
        try await Self.with(["4711"], known: 1) { shop, orders, browser in
            try await browser.speak("it")
            #expect(
                try await browser.texts("#title", "#label", "#parcels", "#entryDigits")
                    == ["Citt\u{E0}", "Ordine 4711", "1 pacco", orders[0].typedCode])
            #expect(try await browser.text("#address").contains("Milano"))
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])
            // Away from the door nothing says that the customer is here.
            #expect(try await !browser.shows("#iAmHere"))

            let link = try await shop.requiredInvitation()
            try await browser.open(link, opens: "#iAmHere")
            #expect(try await browser.value("location.pathname") == "/orders")
            #expect(
                try await browser.text("#askHere")
                    == "Ordine 4711, 1 pacco: sei qui per ritirarlo?")
            #expect(try await browser.text("#wouldBe") != "")
            #expect(
                try await !browser.value("location.href").contains(String(link.suffix(16))),
                "the symbol's text does not stay in the address")
            try await browser.press("#iAmHere")
            await browser.expect("#number", "C-001")
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .arrived)

            let desk = try await shop.desk()
            try await shop.take(.fetch, of: orders[0], at: 2, with: desk)
            await browser.expect("#first", "Stiamo andando a prendere il tuo ordine")
            try await shop.take(.ready, of: orders[0], at: 2, with: desk)
            await browser.expect(look: "called")
            #expect(try await browser.text("#first") == "Vai al banco ritiri 2")
            try await browser.press("#toList", opens: "#busy li")
            try await browser.press("#busy a", opens: "#entryDigits")

            let _: DeskOrder = try await desk.call(
                .handovers, #"{"code":"\#(orders[0].code.rawValue)","desk":2}"#, at: shop.backend)
            await browser.expect("#first", "Ordine ritirato")
            #expect(try await browser.text("#range").hasPrefix("Oggi alle"))
            #expect(try await !browser.shows("#entry"))
            try await browser.press("#toList", opens: "#over li")
            #expect(try await browser.shown(of: "#openTitle", "#busyTitle") == [])
            #expect(try await browser.text("#over .first") == "Ordine ritirato")
            // Once nothing is to be collected, the door's symbol is for joining the queue again.
            try await browser.open(shop.requiredInvitation(), opens: "#decline")
            #expect(try await browser.value("location.pathname") == "/j")
        }
    }

    @Test(
        "Away from the door, at another shop's door, without an order and with an old symbol nothing says to be here [Click-And-Collect UC10, exception 1, Click-And-Collect TC4]; the customer turns notices of an order on with one touch, and off [Click-And-Collect UC9]; an order that is not known is said to be so, with the way to the list; one is removed after a question [Click-And-Collect UC11, exception 1]",
        .showsNotices)
    func notHere() async throws {
        try await Self.with(["1", "2"], known: 0) { shop, orders, browser in
            let link = try await shop.requiredInvitation()
            // No order on this phone: the symbol is for joining.
            try await browser.open(link, opens: "#decline")
            #expect(try await browser.value("location.pathname") == "/j")
            // Neither an order nor the door.
            try await browser.open("\(shop.backend.phones)/orders", opens: "#empty")
            try await browser.speak("en")
            #expect(try await browser.text("#noOrders") == "There are no orders on this phone.")
            // An order, and no door.
            try await browser.openOrder(orders[0], of: shop)
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await browser.text("#hint").contains("scan the code on the display"))
            // The door of another shop, and a symbol that is none: both lead to the queue's page.
            try await browser.open("\(shop.backend.phones)/orders?queue#ELSE\(link.suffix(16))")
            await browser.expect(value: "location.pathname", "/j")
            // That of a shop where no phone joins the queue leads to the list.
            try await browser.open("\(shop.backend.phones)/orders#ELSE\(link.suffix(16))")
            await expectSoon { try await browser.orderCount("open") == "1" }
            #expect(try await !browser.shows("#toQueue"))
            // A symbol that has changed meanwhile.
            let last = link.last == "0" ? "1" : "0"
            try await browser.open(String(link.dropLast()) + last, opens: "#iAmHere")
            try await browser.press("#iAmHere")
            await browser.expect(
                "#error", "The code at the door has changed. Please scan it again.")
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .onShelf)
            // Who has scanned it by mistake, or wants something else.
            try await browser.open(link, opens: "#notNow")
            try await browser.press("#notNow")
            #expect(try await !browser.shows("#iAmHere"))
            #expect(try await shop.shown(orders[0]).state == .onShelf)
            try await browser.press("#toQueue", opens: "#decline")
            #expect(try await browser.value("location.pathname") == "/j")

            try await browser.fakePush(at: shop.backend.phones)
            try await browser.openOrder(orders[0], of: shop)
            #expect(await browser.waits(forNotices: "Notify me"))
            #expect(try await browser.noticesText().contains("when your order is at the desk"))
            try await browser.pressNotify(Browser.noticesAreOn)
            let sent = try await browser.value("JSON.stringify(window.fake.kept('calls')[0])")
            let request = try JSONDecoder().decode(SubscriptionRequest.self, from: Data(sent.utf8))
            #expect(request.capability == orders[0].code.bare && request.language == "en")
            try await browser.reload()
            #expect(await browser.waits(forNotices: Browser.noticesAreOn))
            try await browser.pressNotify("Notify me")

            let none = "CLUP:C:TEST" + String(repeating: "0", count: 26)
            try await browser.open("\(shop.backend.phones)/orders#\(none)")
            await browser.expect("#first", "We do not know this order")
            try await browser.press("#toList")
            await expectSoon { try await browser.orderCount("open") == "1" }
            try await browser.press("#open a", opens: "#remove")
            try await browser.press("#remove", opens: "#removeWords")
            try await browser.press("#leave")
            #expect(try await !browser.shows("#removeWords"))
            try await browser.press("#remove")
            try await browser.press("#remove", opens: "#empty")
            try await browser.openOrder(orders[0], of: shop)
        }
    }

    @Test(
        "Of three orders at the door the customer chooses one, and each is shown with its state; the page is for everybody, in light and dark"
    )
    func two() async throws {
        try await Self.with(["4711", "4712", "4713"], known: 3, width: 1_280) {
            shop, orders, browser in
            try await browser.speak("de")
            // The list and an order without a question have few words beside those of the others.
            try await browser.expectAccess("order", of: ["de"])
            try await browser.open("\(shop.backend.phones)/orders")
            await expectSoon { try await browser.orderCount("open") == "3" }
            try await browser.open(shop.requiredInvitation())
            await expectSoon { try await browser.orderCount("open") == "3" }
            #expect(try await browser.shows("#toQueue"))
            try await browser.expectAccess("orders", of: ["de"])
            try await browser.resize(1_280, 800)
            try await browser.press("#open li:nth-child(2) a", opens: "#iAmHere")
            try await browser.expectAccess("order-here")
            try await browser.resize(1_280, 800)
            try await browser.press("#iAmHere")
            await browser.expect("#number", "C-001")
            try await browser.press("#toList")
            await expectSoon { try await browser.orderCount("busy") == "1" }
            #expect(try await browser.text("#busy h3") == "Bestellung 4712")
            #expect(try await browser.text("#busy .number") == "C-001")
            try await Tool.succeed(
                ServingBackend.program,
                [
                    "order", "cancel", "--database", shop.backend.database, "--shop", "TEST",
                    "--reference", "4713",
                ])
            try await browser.reload()
            await expectSoon { try await browser.orderCount("over") == "1" }
            #expect(try await browser.text("#over .first") == "Bestellung storniert")
            let desk = try await shop.desk()
            try await shop.take(.fetch, .ready, of: orders[1], at: 1, with: desk)
            try await browser.press("#busy a", opens: "#entryDigits")
            await browser.expect(look: "called")
            try await browser.darken()
            try await browser.expectAccess("order-called")
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
