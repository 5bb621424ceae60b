import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The page of a desk in a browser [rules 41]", .serialized)
struct DeskPageTests {
    /// A shop with two desks, and orders whose customers are here; the first ones in front.
    private static func with(
        _ references: [String], body: (PageShop, [ServedOrder]) async throws -> Void
    ) async throws {
        try await PageShop.with(shop: ["--desks", "2"]) { shop in
            let orders = try await shop.backend.announceOrders(references)
            for order in orders { try await shop.arrive(order) }
            try await body(shop, orders)
        }
    }

    @Test(
        "A customer comes, the order is fetched, called to the desk, and handed over by a scan [Click-And-Collect UC10]"
    )
    func course() async throws {
        try await Self.with([]) { shop, _ in
            let orders = try await shop.backend.announceOrders(["4711", "4712"])
            try await Browser.with(width: 1_024, height: 768) { browser in
                try await browser.openDesk(2, of: shop)
                #expect(await browser.waits(for: "#calm"))
                #expect(try await browser.text("#calm") == "Kein Kunde wartet auf eine Bestellung")
                try await browser.countSounds()
                try await shop.arrive(orders[0])
                #expect(await browser.waits(for: ".order"))
                #expect(try await browser.text(".order-number") == "C-001")
                #expect(try await browser.text(".order-name") == "4711")
                #expect(try await browser.text(".order-parcels b") == "A3")
                #expect(await patiently { try await browser.notes() == 3 }, "it is heard")
                try await shop.arrive(orders[1])
                #expect(await patiently { try await browser.orders("waiting") == "C-001 C-002" })

                try await browser.take("fetch", "C-001")
                #expect(await patiently { try await browser.orders("fetching") == "C-001" })
                #expect(
                    try await browser.text("[data-column=fetching] .order-words")
                        == "Sie holen die Bestellung")
                try await browser.take("ready", "C-001")
                #expect(await patiently { try await browser.orders("called") == "C-001" })
                #expect(try await shop.shown(orders[0]).desk == 2)
                try await browser.keepPicture("desk-three-columns")

                try await browser.scan(orders[1].code.rawValue)
                #expect(
                    await patiently { try await browser.text("#answer").contains("geholt werden") })
                try await browser.scan(orders[0].code.rawValue)
                #expect(
                    await patiently { try await browser.text("#answer").contains("Ausgegeben") })
                #expect(try await browser.text("#answer h2") == "C-001")
                #expect(try await shop.shown(orders[0]).state == .handedOver)
                #expect(await patiently { try await browser.orders("called") == "" })
                try await browser.keepPicture("desk-handed-over")
                try await browser.press("#answer-act")
                #expect(await patiently { try await browser.orders("called") == "C-001" })
                #expect(try await shop.shown(orders[0]).state == .called, "taken back")
            }
        }
    }

    @Test("Two desks see each other's work, and never fetch the same order")
    func twoDesks() async throws {
        try await Self.with(["4711", "4712"]) { shop, orders in
            try await Browser.with(width: 768, height: 1_024) { first in
                try await first.openDesk(1, of: shop)
                try await Browser.with(width: 360, height: 640) { second in
                    try await second.openDesk(2, of: shop)
                    #expect(await patiently { try await second.orders("waiting") == "C-001 C-002" })
                    try await first.take("fetch", "C-001")
                    #expect(
                        await patiently {
                            try await second.text("[data-column=fetching] .order-words")
                                == "Schalter 1 holt sie"
                        })
                    #expect(try await second.orders("waiting") == "C-002")
                    #expect(try await !second.shows("[data-column=fetching] .order-ready"))
                    // Both touch at the same moment: one of them has it.
                    async let one: Void = first.take("fetch", "C-002")
                    async let other: Void = second.take("fetch", "C-002")
                    _ = try await (one, other)
                    #expect(await patiently { try await first.orders("waiting") == "" })
                    #expect(await patiently { try await second.orders("waiting") == "" })
                    let desks = try await shop.backend.steps("fetching", of: orders[1])
                    #expect(desks.count == 1)
                    try await second.keepPicture("desk-phone")
                    try await first.keepPicture("desk-upright")
                }
            }
        }
    }

    @Test(
        "A second touch confirms what cannot be taken back; a code can be typed; each refusal has its sentence"
    )
    func waysOn() async throws {
        try await Self.with(["4711"]) { shop, orders in
            let later = try await shop.backend.announceOrders(["4712"])
            try await Browser.with(width: 1_024, height: 768) { browser in
                try await browser.openDesk(1, of: shop)
                #expect(await browser.waits(for: ".order"))
                try await browser.take("put-back", "C-001")
                #expect(
                    await patiently {
                        try await browser.text(".order-put-back")
                            == "Zum Bestätigen berühren"
                    })
                #expect(try await browser.orders("waiting") == "C-001")
                try await browser.keepPicture("desk-confirm")
                try await browser.take("fetch", "C-001")
                try await browser.take("not-found", "C-001")
                #expect(
                    await patiently {
                        try await browser.text(".order-words")
                            == "Schalter 1 hat sie nicht gefunden"
                    })
                try await browser.take("fetch", "C-001")
                try await browser.take("ready", "C-001")
                for _ in 1...2 { try await browser.take("hand-over", "C-001") }
                #expect(
                    await patiently { try await shop.shown(orders[0]).state == .handedOver },
                    "without a code")

                // The customer came to the desk first.
                try await browser.press("#answer-act")
                try await browser.scan(later[0].code.link(at: "https://clup.example.it"))
                #expect(
                    await patiently {
                        try await browser.text("#answer").contains("noch nicht angemeldet")
                    })
                try await browser.press("#answer-act")
                #expect(
                    await patiently { try await browser.text("#answer h2") == "C-002" })
                #expect(try await shop.shown(later[0]).state == .arrived)

                for (code, words) in [
                    ("x", "kein Code einer Bestellung"), ("0000000000", "Code unbekannt"),
                    ("CLUP:C:ELSE" + later[0].code.rawValue.suffix(26), "anderen Geschäfts"),
                ] {
                    try await browser.scan(code)
                    #expect(
                        await patiently { try await browser.text("#answer").contains(words) },
                        "\(code)")
                    try await browser.press("#answer-act")
                    #expect(await browser.waits(for: "#scan"))
                }
                try await browser.press("#type")
                #expect(await browser.waits(for: "#keypad"))
                try await browser.keepPicture("desk-keypad")
                for digit in later[0].typedCode where digit.isNumber {
                    try await browser.touch("#keys [data-key=\"\(digit)\"]")
                }
                #expect(
                    await patiently { try await browser.text("#answer").contains("geholt werden") })
            }
        }
    }

    @Test(
        "A touch twice is one: it confirms nothing, and presses no button that comes in the same place"
    )
    func twice() async throws {
        try await Self.with(["4711"]) { shop, orders in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openDesk(1, of: shop)
                #expect(await browser.waits(for: ".order"))
                try await browser.lets(timersRun: 1_000)
                try await browser.run(
                    """
                    const press = (step) => document.querySelector(`.order-${step}`).click();
                    press("put-back");
                    press("put-back");
                    press("fetch");
                    while (!document.querySelector(".order-ready").getClientRects().length) {
                      await new Promise((next) => setTimeout(next, 5));
                    }
                    press("ready");
                    await new Promise((next) => setTimeout(next, 1000));
                    """)
                #expect(try await shop.shown(orders[0]).state == .fetching)
                try await browser.take("ready", "C-001")
                #expect(await patiently { try await shop.shown(orders[0]).state == .called })
            }
        }
    }

    @Test(
        "Without a network it says how old it is; a button tries for ten seconds, and then says so")
    func offline() async throws {
        try await Self.with(["4711"]) { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openDesk(1, of: shop)
                #expect(await browser.waits(for: ".order"))
                shop.backend.signal(SIGSTOP)
                #expect(
                    await patiently { try await browser.text("#old").contains("Keine Verbindung") })
                try await browser.keepPicture("desk-offline")
                try await browser.take("fetch", "C-001")
                #expect(
                    await patiently {
                        try await browser.text(".order-failure").contains("nicht geklappt")
                    })
                shop.backend.signal(SIGCONT)
                #expect(await patiently { try await !browser.shows("#old") })
                // The step may have been carried out although no answer came in time.
                #expect(
                    await patiently {
                        if try await browser.shows(".order-fetch") {
                            try await browser.take("fetch", "C-001")
                        }
                        return try await browser.orders("fetching") == "C-001"
                    })
            }
        }
    }

    @Test("Every form fits every language, can be touched with gloves, and axe finds nothing")
    func access() async throws {
        try await Self.with(["4711", "4712", "4713", "4714"]) { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openDesk(1, of: shop)
                #expect(await patiently { try await browser.orders("waiting") != "" })
                for (step, number) in [
                    ("fetch", "C-001"), ("ready", "C-001"), ("fetch", "C-002"), ("fetch", "C-003"),
                    ("not-found", "C-003"),
                ] { try await browser.take(step, number) }
                #expect(await patiently { try await browser.orders("fetching") == "C-002" })
                let languages = ["de", "it", "en"]
                for language in languages {
                    try await browser.run(
                        "document.querySelector('#languages [lang=\(language)]').click()")
                    try await browser.expectAccess("desk", in: language, of: languages)
                    try await browser.resize(1_280, 800)
                    try await browser.keepPicture("desk-\(language)-wide")
                }
            }
        }
    }

    @Test(
        "The display has a column of the called orders with their desks, and calls them with its chime"
    )
    func display() async throws {
        try await Self.with(["4711", "4712"]) { shop, orders in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                for _ in 0..<3 { _ = try await shop.ticket() }
                #expect(await browser.waits(for: "#called .turn"))
                #expect(try await !browser.shows("#orders"))
                try await browser.countSounds()
                let desk = try await shop.desk()
                for (order, number) in zip(orders, [2, 1]) {
                    try await shop.take(.fetch, order, at: number, with: desk)
                    try await shop.take(.ready, order, at: number, with: desk)
                }
                #expect(
                    await patiently {
                        try await browser.value(
                            "[...document.querySelectorAll('#orders .digits')].map((e) => e.innerText).join(' ')"
                        ) == "C-002 C-001"
                    })
                #expect(try await browser.text("#orders .turn.new p").contains("Abholschalter 1"))
                #expect(await patiently { try await browser.notes() >= 2 })
                let scroll = "document.documentElement.scrollHeight"
                #expect(try await browser.value(scroll) == "1080")
                try await browser.keepPicture("display-orders")
                try await browser.resize(1_080, 1_920)
                let width = "document.documentElement.scrollWidth"
                #expect(await patiently { try await browser.value(width) == "1080" })
                try await browser.keepPicture("display-orders-upright")
                let _: DeskOrder = try await desk.call(
                    .handovers, #"{"code":"\#(orders[0].code.rawValue)","desk":2}"#,
                    at: shop.backend)
                #expect(
                    await patiently { try await browser.text("#orders .digits") == "C-002" })
            }
        }
    }
}
