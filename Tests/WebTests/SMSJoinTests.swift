import Foundation
import Reservations
import TestSupport
import Testing

@Suite(
    "The number that a shop asks for, on the page for joining from elsewhere [rules 38]",
    .serialized)
struct SMSJoinTests {
    /// A shop that asks customers elsewhere for a number; its page is open in a language.
    static func asked(
        _ engine: Browser.Engine = .chromium, language: String = "en",
        body: (PageShop, Browser, DemoGateway) async throws -> Void
    ) async throws {
        try await shop { shop, gateway in
            try await Browser.with(engine, width: 360, height: 640) { browser in
                try await browser.open(shop.remotePage)
                try await browser.speak(language)
                #expect(await browser.waits(for: "#smsNumber"))
                try await body(shop, browser, gateway)
            }
        }
    }

    private static func shop(
        _ body: (PageShop, DemoGateway) async throws -> Void
    ) async throws {
        let gateway = try DemoGateway()
        try await PageShop.remote(
            capacity: 2, shop: DemoGateway.shop + ["--remote-numbers", "yes"],
            options: try gateway.options
        ) { shop in
            for _ in 0..<4 { _ = try await shop.ticket() }
            try await body(shop, gateway)
        }
    }

    @Test("A customer confirms the number, gets the offer, and SMS about the place without a code")
    func joins() async throws {
        try await Self.asked(language: "it") { _, browser, gateway in
            #expect(
                try await browser.text("#first")
                    == "Questo negozio chiede il tuo numero di cellulare")
            #expect(try await browser.text("#hint").contains("Senza cellulare"))
            #expect(try await browser.shows("#others"))
            try await browser.keepPicture("sms-join-number-it")
            try await browser.typeNumber("333 1234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            try await browser.keepPicture("sms-join-code-it")
            // A page that is opened in the middle begins again.
            try await browser.run("location.reload()")
            #expect(await browser.waits(for: "#smsNumber"))
            #expect(try await browser.value("document.querySelector('#smsNumber').value") == "+39 ")
            try await browser.typeNumber("333 1234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            try await browser.typeCode("12")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "Questo codice non è giusto"))
            try await browser.typeCode(gateway.code(after: 1) + "\u{E007}")
            #expect(await browser.waits(for: "#decline"))
            #expect(try await !browser.shows("#smsNumber"))
            #expect(try gateway.messages().allSatisfy { $0.number == "+393331234567" })
            try await browser.press("#act")
            #expect(await browser.waits(for: "#modules"))

            // This phone has confirmed the number.
            #expect(await browser.waits(forSMS: "Avvisami con un SMS"))
            try await browser.press(nil)
            #expect(await browser.waits(for: "#smsNumber"))
            try await browser.typeNumber("3331234567")
            try await browser.press(.main)
            #expect(await browser.waits(forSMS: "che finisce con 567"))
            #expect(try gateway.messages().count == 2)
        }
    }

    @Test("A number of another country is refused with its reason, and a lost form is loaded again")
    func refusals() async throws {
        try await Self.asked { shop, browser, gateway in
            try await browser.run("document.querySelector('#smsNumber').value = '+41791234567'")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "that begin with +39, +49"))
            try await browser.keepPicture("sms-join-other-country")
            #expect(try gateway.messages() == [])
            try await browser.devTools("Network.enable")
            try await browser.devTools("Network.setBlockedURLs", ["urls": ["*/sms.js"]])
            try await browser.run("location.reload()")
            #expect(await browser.waits(forFirst: "No connection."))
            try await browser.devTools("Network.setBlockedURLs", ["urls": [String]()])
            try await browser.press("#act")
            #expect(await browser.waits(for: "#smsNumber"))
            try await browser.press("#others")
            #expect(await patiently { try await browser.value("location.pathname") == "/shops" })
            #expect(await browser.waits(for: "#list a"))
            _ = shop
        }
    }

    @Test("WebKit, the engine of iPhones, confirms a number and joins")
    func webKit() async throws {
        try await Self.asked(.webKit) { _, browser, gateway in
            try await confirm(on: browser, gateway, picture: "sms-webkit-code")
        }
    }

    @Test("Firefox confirms a number and joins")
    func firefox() async throws {
        try await Self.shop { shop, gateway in
            try await FirefoxPhone.with(language: "fr") { phone in
                try await phone.open(shop.remotePage)
                #expect(await phone.waits(for: "#smsNumber"))
                try await phone.keepPicture("sms-firefox-number")
                try await confirm(on: phone, gateway, picture: "sms-firefox-code")
                try await phone.keepPicture("sms-firefox-place")
            }
        }
    }

    private func confirm(
        on page: some DrivenPage, _ gateway: DemoGateway, picture: String
    ) async throws {
        func submit(_ field: String, _ text: String) async throws {
            try await page.jump(seconds: 1)
            try await page.run(
                """
                document.querySelector('\(field)').value = '\(text)';
                document.querySelector('#smsNumber ~ button').click();
                """)
        }
        try await submit("#smsNumber", "+39 333 1234567")
        #expect(await page.waits(for: "#smsCode"))
        try await page.keepPicture(picture)
        try await submit("#smsCode", gateway.code())
        #expect(await page.waits(for: "#decline"))
        try await page.run("document.querySelector('#act').click()")
        #expect(await page.waits(for: "#modules"))
        #expect(await page.waits(for: "#smsButton"))
    }
}
