import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The page of a desk in a browser [rules: order-desks]", .serialized)
struct DeskPageTests {
    /// A shop with two desks, orders whose customers are here, the first ones in front, and a browser.
    private static func with(
        _ references: [String], width: Int = 360, height: Int = 640,
        body: (PageShop, [ServedOrder], Browser) async throws -> Void
    ) async throws {
        try await PageShop.with(shop: ["--desks", "2"], width: width, height: height) {
            shop, browser in
            let orders = try await shop.backend.announceOrders(references)
            for order in orders { try await shop.arrive(order) }
            try await body(shop, orders, browser)
        }
    }

    @Test(
        "A customer comes, the order is fetched, called to the desk, and handed over by a scan [Click-And-Collect UC10]"
    )
    func course() async throws {
        try await Self.with([], width: 1_024, height: 768) { shop, _, browser in
            let orders = try await shop.backend.announceOrders(["4711", "4712"])
            try await browser.openDesk(2, of: shop)
            await browser.expect("#calm")
            #expect(try await browser.text("#calm") == "Kein Kunde wartet auf eine Bestellung")
            try await browser.countSounds()
            try await shop.arrive(orders[0])
            await browser.expect(".order")
            #expect(try await browser.text(".order-number") == "C-001")
            #expect(try await browser.text(".order-name") == "4711")
            // In words: `0:05` would be a time of the clock beside it.
            let waits = try await browser.text(".order-time")
            #expect(waits.contains(/^\d+\s(Sek|Min)/), "\(waits)")
            #expect(try await browser.text(".order-parcels b") == "A3")
            await expectSoon("it is heard") { try await browser.notes() == 3 }
            try await shop.arrive(orders[1])
            await browser.expect(orders: "C-001 C-002", in: "waiting")

            try await browser.take("fetch", "C-001")
            await browser.expect(orders: "C-001", in: "fetching")
            #expect(
                try await browser.text("[data-column=fetching] .order-words")
                    == "Sie holen die Bestellung")
            try await browser.take("ready", "C-001")
            await browser.expect(orders: "C-001", in: "called")
            #expect(try await shop.shown(orders[0]).desk == 2)

            try await browser.scan(orders[1].code.rawValue)
            await browser.expect("#answer", has: "geholt werden")
            try await browser.scan(orders[0].code.rawValue)
            await browser.expect("#answer", has: "Ausgegeben")
            #expect(try await browser.text("#answer h2") == "C-001")
            #expect(try await shop.shown(orders[0]).state == .handedOver)
            await browser.expect(orders: "", in: "called")
            try await browser.press("#answer-act")
            await browser.expect(orders: "C-001", in: "called")
            #expect(try await shop.shown(orders[0]).state == .called, "taken back")
        }
    }

    @Test("Two desks see each other's work")
    func twoDesks() async throws {
        try await Self.with(["4711", "4712"], width: 768, height: 1_024) { shop, _, first in
            try await first.openDesk(1, of: shop)
            try await Browser.phone { second in
                try await second.openDesk(2, of: shop)
                await second.expect(orders: "C-001 C-002", in: "waiting")
                try await first.take("fetch", "C-001")
                await second.expect(
                    "[data-column=fetching] .order-words", "Schalter 1 holt sie")
                #expect(try await second.orders("waiting") == "C-002")
                #expect(try await !second.shows("[data-column=fetching] .order-ready"))
            }
        }
    }

    @Test(
        "A second touch confirms what cannot be taken back; a code can be typed; each refusal has its sentence"
    )
    func waysOn() async throws {
        try await Self.with(["4711"], width: 1_024, height: 768) { shop, orders, browser in
            let later = try await shop.backend.announceOrders(["4712"])
            try await browser.openDesk(1, of: shop)
            await browser.expect(".order")
            try await browser.take("put-back", "C-001")
            await browser.expect(".order-put-back", "Zum Bestätigen berühren")
            #expect(try await browser.orders("waiting") == "C-001")
            try await browser.take("fetch", "C-001")
            try await browser.take("not-found", "C-001")
            await browser.expect(".order-words", "Schalter 1 hat sie nicht gefunden")
            try await browser.take("fetch", "C-001")
            try await browser.take("ready", "C-001")
            for _ in 1...2 { try await browser.take("hand-over", "C-001") }
            await expectSoon("without a code") {
                try await shop.shown(orders[0]).state == .handedOver
            }

            // The customer came to the desk first.
            try await browser.press("#answer-act")
            try await browser.scan(later[0].code.link(at: "https://clup.example.it"))
            await browser.expect("#answer", has: "noch nicht angemeldet")
            try await browser.press("#answer-act")
            await browser.expect("#answer h2", "C-002")
            #expect(try await shop.shown(later[0]).state == .arrived)

            for (code, words) in [
                ("x", "kein Code einer Bestellung"), ("0000000000", "Code unbekannt"),
                ("CLUP:C:ELSE" + later[0].code.rawValue.suffix(26), "anderen Geschäfts"),
            ] {
                try await browser.scan(code)
                await browser.expect("#answer", has: words, in: "\(code)")
                try await browser.press("#answer-act", opens: "#scan")
            }
            try await browser.press("#type", opens: "#keypad")
            for digit in later[0].typedCode where digit.isNumber {
                try await browser.touch("#keys [data-key=\"\(digit)\"]")
            }
            await browser.expect("#answer", has: "geholt werden")
        }
    }

    @Test(
        "A touch twice is one: it confirms nothing, and presses no button that comes in the same place; without a network it says how old it is; a button tries for ten seconds, and then says so; every form fits every language, can be touched with gloves, and axe finds nothing"
    )
    func twice() async throws {
        try await Self.with(["4711", "4712", "4713", "4714"]) { shop, orders, browser in
            try await browser.openDesk(1, of: shop)
            await browser.expect(orders: "C-001 C-002 C-003 C-004", in: "waiting")
            try await browser.lets(timersRun: 1_000)
            try await browser.run(
                """
                const press = (step) => document.querySelector(`.order-${step}`).click();
                press("put-back");
                press("put-back");
                press("fetch");
                const ready = () => document.querySelector("[data-column=fetching] .order-ready");
                while (!ready()?.getClientRects().length) {
                  await new Promise((next) => setTimeout(next, 5));
                }
                ready().click();
                await new Promise((next) => setTimeout(next, 1000));
                """)
            #expect(try await shop.shown(orders[0]).state == .fetching)
            try await browser.take("ready", "C-001")
            await expectSoon { try await shop.shown(orders[0]).state == .called }

            shop.backend.signal(SIGSTOP)
            await browser.expect("#old", has: "Keine Verbindung")
            try await browser.take("fetch", "C-002")
            await browser.expect(".order-failure", has: "nicht geklappt")
            shop.backend.signal(SIGCONT)
            await browser.expect(no: "#old")
            // The step may have been carried out although no answer came in time.
            #expect(await browser.takes("fetch", "C-002", to: "fetching"))
            #expect(try await browser.orders("fetching") == "C-002")

            for step in ["fetch", "not-found"] { try await browser.take(step, "C-003") }
            await browser.expect(orders: "C-002", in: "fetching")
            try await browser.expectAccess("desk", of: ["de", "it", "en"])
            try await browser.resize(1_280, 800)
        }
    }

    @Test(
        "The display has a column of the called orders with their desks, and calls them with its chime"
    )
    func display() async throws {
        try await Self.with(["4711", "4712"], width: 1_920, height: 1_080) {
            shop, orders, browser in
            try await shop.open("display", in: browser)
            for _ in 0..<3 { _ = try await shop.ticket() }
            await browser.expect("#called .turn")
            #expect(try await !browser.shows("#orders"))
            try await browser.countSounds()
            let desk = try await shop.desk()
            for (order, number) in zip(orders, [2, 1]) {
                try await shop.take(.fetch, .ready, of: order, at: number, with: desk)
            }
            await browser.expect(
                value:
                    "[...document.querySelectorAll('#orders .digits')].map((e) => e.innerText).join(' ')",
                "C-002 C-001")
            #expect(try await browser.text("#orders .turn.new p").contains("Abholschalter 1"))
            let deskHeight =
                "parseFloat(getComputedStyle(document.querySelector('#orders .desk')).fontSize)"
            let height = try #require(Double(try await browser.value(deskHeight)))
            #expect(height > 70, "the number of the desk is seen from afar: \(height) px")
            try await browser.keepPicture("display-desks")
            await expectSoon { try await browser.notes() >= 2 }
            let scroll = "document.documentElement.scrollHeight"
            #expect(try await browser.value(scroll) == "1080")
            try await browser.resize(1_080, 1_920)
            let width = "document.documentElement.scrollWidth"
            await browser.expect(value: width, "1080")
            let _: DeskOrder = try await desk.call(
                .handovers, #"{"code":"\#(orders[0].code.rawValue)","desk":2}"#,
                at: shop.backend)
            await browser.expect("#orders .digits", "C-002")
        }
    }

    @Test(
        "With a desk inside, an order waits at the desk of a full shop; called, it opens the door and names the desk"
    )
    func full() async throws {
        try await PageShop.with(
            capacity: 1, shop: ["--desks", "2", "--desk-inside", "yes"], width: 1_024, height: 768
        ) { shop, page in
            let orders = try await shop.backend.announceOrders(["4711", "4712"])
            for order in orders { try await shop.arrive(order) }
            let ticket = try await shop.ticket()
            let desk = try await shop.desk()
            try await shop.take(.fetch, .ready, of: orders[0], at: 2, with: desk)
            try await page.openDesk(2, of: shop)
            await page.expect("[data-column=called] .order-words", "Wartet auf einen freien Platz")
            try await Browser.with(width: 1_080, height: 1_920) { door in
                try await shop.open("entrance", in: door, opens: "[data-state=idle]")
                try await door.scan(orders[0].code.rawValue)
                await door.expect(state: "wait")
                #expect(try await door.text("#words").contains("Achten Sie auf die Anzeige"))
                // The customer who was called gives the place back.
                try await shop.free(ticket.number)
                await page.expect(
                    "[data-column=called] .order-words", has: "an Schalter 2 aufgerufen")
                await door.expect(state: "idle")
                try await door.scan(orders[0].code.rawValue)
                // All of it at one look, as it is shown for some seconds only.
                let shown =
                    "document.getElementById('reader').dataset.state + '|' + "
                    + "document.querySelector('#words .number')?.innerText + '|' + "
                    + "document.querySelector('#words')?.innerText"
                await expectSoon {
                    let words = try await door.value(shown)
                    return words.hasPrefix("yes|C-001|")
                        && words.contains("Bitte zum Abholschalter 2")
                }
                await door.expect(state: "idle")
                // Its customer went to the door at once.
                let new = try await shop.backend.announceOrders(["4713"])[0]
                try await door.scan(new.code.rawValue)
                await door.expect(state: "no")
                #expect(try await door.text("#words").contains("Zeigen Sie den Code am"))
            }
        }
    }
}
