import TestSupport
import Testing

@Suite("The feed of devices that is lost", .serialized)
struct ReconnectionTests {
    @Test("Each device tries again after pauses of its own", arguments: ["display", "desk"])
    func pauses(role: String) async throws {
        try await PageShop.with(shop: ["--desks", "2"]) { shop, browser in
            if role == "desk" {
                try await browser.openDesk(1, of: shop)
            } else {
                try await shop.open(role, in: browser, opens: "#nobody")
            }
            try await browser.run(
                """
                window.pauses = [];
                const later = window.setTimeout;
                window.setTimeout = (act, time, ...rest) => {
                  pauses.push(time);
                  return later(act, time, ...rest);
                };
                window.fetch = () => Promise.reject(new TypeError("no network"));
                """)
            try await shop.backend.killAndRestart()
            // The pauses that are not a whole number of milliseconds: no other pause of the page has a part of chance.
            let own = "pauses.filter((one) => one % 1)"
            await expectSoon { (Int(try await browser.value("\(own).length")) ?? 0) >= 6 }
            let different = try await browser.value("new Set(\(own)).size === \(own).length")
            #expect(different == "true")
            let within = try await browser.value("\(own).every((one) => one > 70 && one < 2600)")
            #expect(within == "true")
        }
    }
}
