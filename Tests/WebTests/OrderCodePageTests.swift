import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of an order that is opened with its code (rules 41)", .serialized)
struct OrderCodePageTests {
    private static let memory = "localStorage.getItem('clup-orders') ?? ''"

    @Test(
        "It takes the code out of the address, also of an older link, and keeps it with the order",
        arguments: ["/C#", "/orders#CLUP:C:"])
    func takesOut(page: String) async throws {
        try await OrderPageTests.with(["4711"], known: 0) { shop, orders, browser in
            let code = orders[0].code
            try await browser.open("\(shop.backend.phones)\(page)\(code.bare)")
            #expect(await browser.waits(for: "#entryDigits"))
            let hash = try await browser.value("location.hash.slice(1)")
            #expect(OrderCapability(rawValue: hash) != nil, "\(hash)")
            let secret = code.bare.suffix(26)
            let traces = try await browser.traces(memory: false)
            #expect(traces.contains(hash))
            #expect(!traces.lowercased().contains(secret.lowercased()))
            #expect(try await browser.value(Self.memory).contains(secret))
            let log = try shop.backend.log()
            #expect(!log.contains(secret) && !log.contains(hash.suffix(26)))
            // The list and a second look have no code in their addresses, and still show the symbol.
            try await browser.run("location.reload()")
            #expect(await browser.waits(for: "#entryDigits"))
            #expect(try await browser.orderCodes() == [code.rawValue])
            try await browser.press("#toList")
            #expect(await browser.waits(for: "#open a"))
            #expect(
                try await browser.value("document.querySelector('#open a').href")
                    .hasSuffix("#\(hash)"))
        }
    }

    @Test("Who only has the address sees the order without its code, and the door asks nothing")
    func looks() async throws {
        try await OrderPageTests.with(["4711"], known: 1) { shop, orders, browser in
            let address = try await browser.value("location.href")
            try await Browser.with(width: 360, height: 640) { stranger in
                try await stranger.open(address)
                try await stranger.speak("en")
                #expect(
                    await patiently { try await stranger.text("#range") == "Ready to be collected" }
                )
                #expect(try await stranger.text("#label") == "Order 4711")
                #expect(try await !stranger.shows("#entry"))
                #expect(try await stranger.text("#hint").hasPrefix("To collect it, open the link"))
                try await stranger.keepPicture("order-without-code")
                let traces = try await stranger.traces()
                #expect(!traces.contains(orders[0].code.bare.suffix(26)))
                #expect(!traces.contains(orders[0].typedCode))
                try await stranger.open(try #require(try await shop.invitation()))
                #expect(await stranger.waits(for: "#decline"))
            }
        }
    }

    @Test("An order that an older page kept by its code gets its name, and its notices stay on")
    func renames() async throws {
        try await OrderPageTests.with(["1"], known: 1) { shop, orders, browser in
            try await browser.run(
                """
                const all = JSON.parse(\(Self.memory)).map(({ name, code, ...one }) =>
                  ({ ...one, code: `CLUP:C:${code}`, notices: true }));
                localStorage.setItem("clup-orders", JSON.stringify(all));
                location.assign("/orders?again");
                """)
            #expect(await browser.waits(for: "#open a"))
            let link = "document.querySelector('#open a').hash.slice(1)"
            #expect(
                await patiently {
                    OrderCapability(rawValue: try await browser.value(link)) != nil
                })
            let kept = try await browser.value(Self.memory)
            #expect(kept.contains(#""notices":true"#), "\(kept)")
            #expect(try await browser.orderCount("open") == "1")
            try await browser.press("#open a")
            #expect(await browser.waits(for: "#entryDigits"))
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])
        }
    }

    @Test("A quarter of an hour after an order's end the phone forgets its code")
    func forgets() async throws {
        try await OrderPageTests.with(["1"], known: 1) { shop, orders, browser in
            let secret = orders[0].code.bare.suffix(26)
            try await shop.arrive(orders[0])
            let desk = try await shop.desk()
            for step in [DeskStep.fetch, .ready, .handOver] {
                try await shop.take(step, orders[0], at: 1, with: desk)
            }
            #expect(await patiently { try await !browser.shows("#entry") })
            #expect(try await browser.value(Self.memory).contains(secret))
            try await browser.run(
                """
                const all = JSON.parse(\(Self.memory));
                for (const { view } of all) view.order.since = new Date(Date.now() - 901000).toISOString();
                localStorage.setItem("clup-orders", JSON.stringify(all));
                location.assign("/orders?again");
                """)
            #expect(await browser.waits(for: "#over a"))
            #expect(try await !browser.value(Self.memory).contains(secret))
        }
    }
}
