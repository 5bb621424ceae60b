import Glibc
import TestSupport
import Testing

@Suite("Calls for help at two servers behind nginx", .serialized)
struct HelpPageServersTests {
    @Test(
        "The server of a page hangs or is killed: the other one shows a call, and a button works",
        arguments: ["staff", "checkout"])
    func oneOfTwo(role: String) async throws {
        let database = try PostgresServer.shared().database()
        try await PageShop.with(database: database) { shop in
            try await shop.backend.withAnother(options: ["--assets", PageShop.assets]) { other in
                try await ReverseProxy.with(to: shop.backend.address, other.address) { proxy in
                    try await Browser.with { browser in
                        try await shop.open(
                            role, in: browser, at: "https://localhost:\(proxy.port)")
                        await browser.expect(role == "staff" ? "#calm" : "#symbol")
                        // The page is at one of them, so that one of these two must move it.
                        for (hung, alive) in [(shop.backend, other), (other, shop.backend)] {
                            hung.signal(SIGSTOP)
                            try await check(shop, alive, browser)
                            hung.signal(SIGCONT)
                        }
                        other.signal(SIGKILL)
                        try await check(shop, shop.backend, browser)
                    }
                }
            }
        }
    }

    /// A call at a server is shown, and a staff member goes.
    private func check(_ shop: PageShop, _ server: ServingBackend, _ browser: Browser) async throws
    {
        let call = try await shop.callForHelp(by: server)
        await browser.expect(".help-band")
        #expect(await browser.pressHelp("going") { try await browser.shows(".help-who") })
        try await shop.takeBack(call, by: server)
        await browser.expect(no: ".help-band")
        await browser.expect(no: ".help-lost")
    }
}
