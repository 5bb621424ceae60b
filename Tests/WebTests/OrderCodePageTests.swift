import Foundation
import Reservations
import TestSupport
import Testing

@Suite(
    "The page of an order that is opened with its code (rules: order-codes, order-pages)",
    .serialized)
struct OrderCodePageTests {
    private static let memory = "localStorage.getItem('clup-orders') ?? ''"

    @Test(
        "It takes the code out of the address, also of an older link, and keeps it with the order",
        arguments: ["/C#", "/orders#CLUP:C:"])
    func takesOut(page: String) async throws {
        try await OrderPageTests.with(["4711"], known: 0) { shop, orders, browser in
            let code = orders[0].code
            try await browser.open(
                "\(shop.backend.phones)\(page)\(code.bare)?utm_source=mail", opens: "#entryDigits")
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
            try await browser.reload(opens: "#entryDigits")
            #expect(try await browser.orderCodes() == [code.rawValue])
            try await browser.press("#toList", opens: "#open a")
            #expect(
                try await browser.value("document.querySelector('#open a').href")
                    .hasSuffix("#\(hash)"))
        }
    }

    @Test(
        "Who only has the address sees the order without its code, and the door asks nothing; one that an older page kept by its code gets its name, and its notices stay on; a quarter of an hour after its end the phone forgets the code"
    )
    func looks() async throws {
        try await OrderPageTests.with(["4711"], known: 1) { shop, orders, browser in
            let address = try await browser.value("location.href")
            try await Browser.phone { stranger in
                try await stranger.open(address, in: "en")
                await stranger.expect("#range", "Ready to be collected")
                // With what a filter of mails has written behind it.
                try await stranger.open("about:blank")
                try await stranger.open(address + "?utm_source=mail", in: "en")
                await stranger.expect("#range", "Ready to be collected")
                #expect(try await stranger.value("location.href") == address)
                #expect(try await stranger.text("#label") == "Order 4711")
                #expect(try await !stranger.shows("#entry"))
                #expect(try await stranger.text("#hint").hasPrefix("To collect it, open the link"))
                let traces = try await stranger.traces()
                #expect(!traces.contains(orders[0].code.bare.suffix(26)))
                #expect(!traces.contains(orders[0].typedCode))
                try await stranger.open(shop.requiredInvitation(), opens: "#decline")
            }

            try await browser.run(
                """
                const all = JSON.parse(\(Self.memory)).map(({ name, code, ...one }) =>
                  ({ ...one, code: `CLUP:C:${code}`, notices: true }));
                localStorage.setItem("clup-orders", JSON.stringify(all));
                location.assign("/orders?again");
                """)
            await browser.expect("#open a")
            let link = "document.querySelector('#open a').hash.slice(1)"
            await expectSoon { OrderCapability(rawValue: try await browser.value(link)) != nil }
            let kept = try await browser.value(Self.memory)
            #expect(kept.contains(#""notices":true"#), "\(kept)")
            #expect(try await browser.orderCount("open") == "1")
            try await browser.press("#open a", opens: "#entryDigits")
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])

            let secret = orders[0].code.bare.suffix(26)
            try await shop.arrive(orders[0])
            let desk = try await shop.desk()
            try await shop.take(.fetch, .ready, .handOver, of: orders[0], at: 1, with: desk)
            await browser.expect(no: "#entry")
            #expect(try await browser.value(Self.memory).contains(secret))
            try await browser.run(
                """
                const all = JSON.parse(\(Self.memory));
                for (const { view } of all) view.order.since = new Date(Date.now() - 901000).toISOString();
                localStorage.setItem("clup-orders", JSON.stringify(all));
                location.assign("/orders?again");
                """)
            await browser.expect("#over a")
            #expect(try await !browser.value(Self.memory).contains(secret))
        }
    }
}
