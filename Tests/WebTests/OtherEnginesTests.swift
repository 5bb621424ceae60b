import BackendAPI
import Foundation
import TestSupport
import Testing

@Suite("The pages for phones in WebKit and Firefox [rules: place-page, joining]", .serialized)
struct OtherEnginesTests {
    private func expectFits(_ page: any DrivenPage, in engine: OtherEngine) async throws {
        let spare = engine == .webKit ? 1 : 0
        let fits = "document.documentElement.scrollWidth <= innerWidth + \(spare)"
        #expect(try await page.value(fits) == "true")
    }

    @Test(
        "It follows a place, lets two ahead, gives the place back and takes it back",
        arguments: OtherEngine.allCases)
    func follows(engine: OtherEngine) async throws {
        try await PageShop.full(shop: ["--delays", "yes"]) { shop, called in
            let mine = try await shop.ticket()
            let digits = mine.typedCode.rawValue
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await engine.open(#require(mine.link), in: "it") { page in
                /// Opens a form, and gives it the ten digits.
                func prove(_ opener: String) async throws {
                    guard engine == .firefox else {
                        try await page.click(opener)
                        return try await page.run(
                            "document.querySelector('#code').value = '\(digits)';"
                                + "document.querySelector('#send').click()")
                    }
                    #expect(await page.press(opener, until: "#code"))
                    try await page.scan(digits)
                }
                await page.expect("#number", mine.number.text)
                await page.expect("#range")
                let range = try await page.text("#range")
                #expect(range.contains("tra le") || range.contains("momento"), "\(range)")
                #expect(try await page.look() == "planned")
                try await prove("#offer0")
                await page.expect("#second", has: "2")
                await page.expect("#back")
                try await engine.press("#back", on: page)
                await expectSoon { try await !page.text("#second").contains("2") }
                try await prove("#open")
                await page.expect(look: "ended")
                await page.expect("#mayUndo")
                try await engine.press("#back", on: page)
                await page.expect(look: "planned")
                try await shop.free(called[0].number)
                await page.expect(look: "called")
                #expect(try await page.text("#alarm").contains(mine.number.text))
                try await expectFits(page, in: engine)
            }
        }
    }

    @Test(
        "It joins at the door and shows the code, Firefox also without a network, with the last state and its age",
        arguments: OtherEngine.allCases)
    func joins(engine: OtherEngine) async throws {
        try await PageShop.full(shop: PageShop.joining) { shop, called in
            try await engine.open(shop.requiredInvitation(), in: "de") { page in
                try await page.require("#decline")
                #expect(try await page.text("#first") == "Erwarteter Einlass")
                try await engine.press("#act", opens: "#modules", on: page)
                #expect(try await page.value("location.pathname") == "/t")
                let shown = try await page.text("#number")
                #expect(Int(shown) == called[1].number.rawValue + 1)
                let entry = try #require(try await page.place().entry)
                #expect(try await page.text("#entryDigits") == entry.typedCode.grouped)
                _ = try await page.entryCode()
                if engine == .firefox {
                    #expect(try await page.value("[innerWidth, innerHeight]") == "360,640")
                    await page.expect("#range")
                    await page.expectWorker()
                    await shop.backend.drain()
                    try await page.jump(seconds: 70)
                    await page.expect("#notice")
                    // A minute, or more on a busy computer.
                    await expectSoon {
                        try await page.text("#age").contains { ("1"..."9").contains($0) }
                    }
                    try await page.reload(opens: "#modules")
                    await page.expect("#number", shown)
                    #expect(try await page.shows("#range"))
                    await page.expect("#notice")
                    #expect(try await page.text("#entryDigits") == entry.typedCode.grouped)
                    _ = try await page.entryCode()
                }
                try await expectFits(page, in: engine)
            }
        }
    }

    @Test(
        "It joins from the list of shops, and answers that the customer is coming",
        arguments: OtherEngine.allCases)
    func comes(engine: OtherEngine) async throws {
        try await PageShop.remoteWithLine { shop, line in
            try await engine.open(shop.list, in: "it") { page in
                try await page.require("#list a")
                try await engine.press("#list a", opens: "#decline", on: page)
                try await engine.press("#act", opens: "#modules", on: page)
                for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
                await page.expect("#yes")
                try await engine.press("#yes", on: page)
                await page.expect("#coming", has: "Grazie")
                #expect(try await page.place().reservation.answerBy == nil)
                try await expectFits(page, in: engine)
            }
        }
    }

    @Test(
        "Firefox subscribes at the push service of the tests, which refuses what no push service takes"
    )
    func subscribes() async throws {
        try await PageShop.full { shop, called in
            try await FirefoxPhone.with(language: "en") { phone in
                try await phone.open(#require(called[0].link))
                await phone.expectWorker()
                let endpoint = try await phone.value(
                    """
                    navigator.serviceWorker.getRegistration('/t').then(async ({ pushManager }) => {
                      const { publicKey } = await crypto.subtle.generateKey(
                        { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
                      const applicationServerKey = await crypto.subtle.exportKey('raw', publicKey);
                      return (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).endpoint;
                    })
                    """)
                #expect(endpoint.hasPrefix(phone.pushService))
                let sealed = ["content-encoding": "aes128gcm"]
                let lasting = sealed.merging(["ttl": "60"]) { $1 }
                let claimed = lasting.merging(["authorization": "vapid t=a.b.c, k=d"]) { $1 }
                for (fields, size, status) in [
                    (sealed, 100, 400), (["ttl": "60"], 100, 400), (lasting, 4_097, 413),
                    (lasting, 100, 401), (claimed, 100, 401),
                ] {
                    #expect(try post(fields, size, to: endpoint) == status, "\(fields)")
                }
                try await phone.answerPosts(503)
                #expect(try post(sealed, 100, to: endpoint) == 503)
                #expect(try await phone.posts().map(\.status) == [400, 400, 413, 401, 401, 503])
                #expect(try await phone.notifications().isEmpty)
            }
        }
    }

    private func post(_ fields: [String: String], _ size: Int, to endpoint: String) throws -> Int? {
        let url = try #require(URL(string: endpoint))
        return WireRequest(
            method: "POST", authority: "127.0.0.1:\(try #require(url.port))", path: url.path,
            fields: fields, body: Array(repeating: 0, count: size)
        ).exchange()?.status
    }
}
