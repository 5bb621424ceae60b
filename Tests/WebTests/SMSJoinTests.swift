import TestSupport
import Testing

@Suite(
    "The number that a shop asks for, on the page for joining from elsewhere [rules: confirmed-numbers]",
    .serialized)
struct SMSJoinTests {
    /// A shop that asks customers elsewhere for a number.
    private static func shop(_ body: (PageShop, DemoGateway) async throws -> Void) async throws {
        let gateway = try DemoGateway()
        try await PageShop.remote(
            capacity: 2, shop: DemoGateway.shop + ["--remote-numbers", "yes"],
            options: try gateway.options
        ) { shop in
            for _ in 0..<4 { _ = try await shop.ticket() }
            try await body(shop, gateway)
        }
    }

    @Test(
        "A lost form is loaded again; a customer confirms the number, gets the offer, and SMS about the place without a code"
    )
    func joins() async throws {
        try await Self.shop { shop, gateway in
            try await Browser.phone { browser in
                try await browser.open(shop.remotePage, in: "en", opens: "#smsNumber")
                try await browser.block("*/sms.js")
                try await browser.reload()
                await browser.expect("#first", "No connection.")
                try await browser.block()
                try await browser.press("#act", opens: "#smsNumber")
                try await browser.press("#others")
                await browser.expect(value: "location.pathname", "/shops")
                await browser.expect("#list a")

                try await browser.open(shop.remotePage, in: "it", opens: "#smsNumber")
                #expect(
                    try await browser.text("#first")
                        == "Questo negozio chiede il tuo numero di cellulare")
                #expect(try await browser.text("#hint").contains("Senza cellulare"))
                #expect(try await browser.shows("#others"))
                try await browser.expectAccess("sms-join-number", lookingAt: "#smsNumber")
                try await browser.darken()
                try await browser.agree("333 1234567")
                try await browser.expectAccess("sms-join-code", lookingAt: "#smsNumber")
                // A page that is opened in the middle begins again.
                try await browser.reload(opens: "#smsNumber")
                #expect(try await browser.numberShown() == "+39 ")
                try await browser.agree("333 1234567")
                try await browser.typeCode("12")
                try await browser.press(.main, mistake: "Questo codice non è giusto")
                try await browser.typeCode(gateway.code(after: 1) + "\u{E007}")
                try await browser.require("#decline")
                #expect(try await !browser.shows("#smsNumber"))
                #expect(try gateway.messages().allSatisfy { $0.number == "+393331234567" })
                try await browser.press("#act", opens: "#modules")

                // This phone has confirmed the number.
                #expect(await browser.waits(forSMS: "Avvisami con un SMS"))
                try await browser.press(nil, opens: "#smsNumber")
                try await browser.typeNumber("3331234567")
                try await browser.press(.main, says: "che finisce con 567")
                #expect(try gateway.messages().count == 2)
            }
        }
    }

    @Test("WebKit and Firefox confirm a number and join", arguments: OtherEngine.allCases)
    func engines(engine: OtherEngine) async throws {
        try await Self.shop { shop, gateway in
            try await engine.open(shop.remotePage, in: "fr") { page in
                func submit(_ field: String, _ text: String, opens part: String) async throws {
                    try await page.jump(seconds: 1)
                    try await page.run(
                        """
                        document.querySelector('\(field)').value = '\(text)';
                        document.querySelector('#smsNumber ~ button').click();
                        """)
                    try await page.require(part)
                }
                try await page.require("#smsNumber")
                try await submit("#smsNumber", "+39 333 1234567", opens: "#smsCode")
                try await submit("#smsCode", gateway.code(), opens: "#decline")
                try await page.click("#act", opens: "#modules")
                await page.expect("#smsButton")
            }
        }
    }
}
