import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("SMS on the page of a place [rules 38]", .serialized)
struct SMSPageTests {
    /// A shop with SMS and a waiting customer, whose page is open in a language.
    static func waiting(
        shop settings: [String] = DemoGateway.shop, language: String = "en",
        body: (PageShop, [Reservation], Reservation, Browser, DemoGateway) async throws -> Void
    ) async throws {
        let gateway = try DemoGateway()
        try await PageShop.full(shop: settings, options: try gateway.options) { shop, called in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                try await browser.speak(language)
                try await body(shop, called, mine, browser, gateway)
            }
        }
    }

    @Test("A customer types number and code, sees so when the page opens again, and ends the SMS")
    func turnsOn() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await browser.smsText().contains("around two minutes before your turn"))
            try await browser.keepPicture("sms-off")
            // Digits of nine places, then wrong ones, which the server knows when it is asked for a code.
            try await browser.press(nil)
            #expect(await browser.waits(for: "#smsDigits"))
            try await browser.type("041938451\u{E007}")
            #expect(
                await patiently {
                    try await browser.text("#smsDigits ~ [role=alert]").contains("all ten digits")
                })
            try await browser.keepPicture("sms-digits")
            try await browser.run("document.querySelector('#smsDigits').value = ''")
            let digits = mine.typedCode.rawValue
            try await browser.type(
                (digits == "0000000000" ? "0000000001" : "0000000000") + "\u{E007}")
            #expect(await browser.waits(for: "#smsNumber"))
            #expect(try await browser.focused() == "smsNumber")
            try await browser.typeNumber("333 1234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsDigits"))
            #expect(
                await patiently {
                    try await browser.text("#smsDigits ~ [role=alert]").contains("all ten digits")
                })
            #expect(try gateway.messages() == [])
            try await browser.type(digits + "\u{E007}")
            #expect(await browser.waits(for: "#smsNumber"))
            #expect(try await browser.focused() == "smsNumber")
            #expect(try await browser.value("document.querySelector('#smsNumber').value") == "+39 ")
            #expect(try await browser.smsText().contains("delete it shortly after your turn"))
            try await browser.keepPicture("sms-number")

            // A second touch at once asks for no second code.
            try await browser.typeNumber("333 1234567")
            try await browser.jump(seconds: 1)
            try await browser.run(
                "const b = document.querySelector('#smsNumber ~ button'); b.click(); b.click()")
            #expect(await browser.waits(for: "#smsCode"))
            #expect(try await browser.focused() == "smsCode")
            #expect(try await browser.smsText().contains("+39\u{A0}333\u{A0}123\u{A0}4567"))
            try await browser.keepPicture("sms-code")
            let code = try await gateway.code()
            #expect(try gateway.messages().map(\.number) == ["+393331234567"])

            let wrong = code == "111111" ? "222222" : "111111"
            for digits in ["12345", wrong] {
                try await browser.typeCode(digits)
                try await browser.press(.main)
                #expect(await browser.waits(forMistake: "This code is not right"), "\(digits)")
                #expect(try await browser.focused() == "smsCode", "\(digits)")
            }
            try await browser.keepPicture("sms-wrong-code")
            try await browser.typeCode("\(code.prefix(3)) \(code.suffix(3))\u{E007}")
            #expect(
                await browser.waits(
                    forSMS: "Text messages are on for your number that ends in 567."))
            #expect(
                try await browser.value("document.activeElement.textContent").hasPrefix(
                    "Text messages are on"))
            try await browser.keepPicture("sms-on")
            let kept = try await browser.value(
                "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
            #expect(kept.contains("clup-places") && !kept.contains("3331234567"))
            #expect(!kept.contains(digits))
            #expect(await patiently { try gateway.bookings().count == 1 })
            let booking = try #require(try gateway.bookings().first)
            #expect(booking.number == "+393331234567")
            #expect(booking.text.contains(mine.typedCode.grouped), "\(booking.text)")

            try await browser.run("location.reload()")
            #expect(await browser.waits(forSMS: "Text messages are on."))
            #expect(try await !browser.shows("#smsNumber"))
            try await browser.prove(mine)
            #expect(await browser.waits(forSMS: "Text messages are off."))
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.run("location.reload()")
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await !browser.smsText().contains("Text messages are off"))
            // No SMS but the code, and the last one: nothing has happened to the place.
            #expect(try await gateway.message(after: 1).text.contains("no more text messages"))
            #expect(try gateway.messages().count == 2)
        }
    }

    @Test("The call comes by SMS, in the language of the page, beside the notices of the browser")
    func called() async throws {
        let gateway = try DemoGateway()
        try await PageShop.full(shop: DemoGateway.shop, options: try gateway.options) {
            shop, called in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.fakePush(at: shop.backend.phones)
                try await browser.open(#require(mine.link))
                try await browser.speak("de")
                #expect(await browser.waits(for: "#notify"))
                #expect(await browser.waits(forSMS: "Mich per SMS benachrichtigen"))
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('main > section')].map((e) => e.id"
                            + " || e.getAttribute('aria-labelledby')).join()"
                    ).contains("notices,sms,leave"))
                try await browser.press("#notify")
                try await browser.askForCode("333 1234567", about: mine)
                try await browser.typeCode(gateway.code())
                try await browser.press(.main)
                #expect(await browser.waits(forSMS: "mit den Endziffern 567"))
                #expect(
                    await browser.waits(forNotices: "Benachrichtigungen sind eingeschaltet."))
                try await browser.keepPicture("sms-notices-de")
                try await shop.free(called[0].number)
                #expect(await patiently { try await browser.look() == "called" })
                #expect(try await browser.smsText() == "")
                let last = try await gateway.message(after: 1)
                #expect(last.number == (try gateway.messages().first?.number))
                #expect(last.text.contains(mine.number.text), "\(last.text)")
            }
        }
    }

    @Test("A number of another country, and what is used up, have a sentence and a way on")
    func refusals() async throws {
        try await Self.waiting(shop: ["--sms-per-day", "1"]) { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.openNumberForm(mine)
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "that begin with +39, +49"))
            #expect(try await browser.focused() == "smsNumber")
            try await browser.run(
                "document.querySelector('#smsNumber').value = '+41 79 123 45 67'")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "that begin with +39, +49"))
            try await browser.keepPicture("sms-other-country")
            try await browser.run(
                "document.querySelector('#smsNumber').value = '+39 06 698 12345'")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "This is not a mobile number."))
            #expect(try await browser.focused() == "smsNumber")
            try await browser.keepPicture("sms-not-mobile")
            try await browser.press(.cancel)
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await browser.focused() == "smsButton")
            #expect(try gateway.messages() == [])

            // A browser adds the whole number behind the prefix.
            try await browser.press(nil)
            #expect(await browser.waits(for: "#smsNumber"))
            try await browser.typeNumber("+49 171 1234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            #expect(try await gateway.message(after: 0).number == "+491711234567")
            try await browser.press(.sendAgain)
            #expect(
                await browser.waits(
                    forMistake: "No more text messages can be sent to this number today."))
            #expect(await browser.waits(forMistake: "If you have received a code"))
            try await browser.press(.changeNumber)
            #expect(await browser.waits(for: "#smsNumber"))
            #expect(
                try await browser.value("document.querySelector('#smsNumber').value")
                    .hasSuffix("+49 171 1234567"))
            try await browser.run("document.documentElement.dataset.size = '2'")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "Please keep this page open"))
            // The sentence is in sight, whole.
            let edges = try await browser.value(
                """
                (({ top, bottom }) => [Math.round(top), Math.round(innerHeight - bottom)])(
                  document.querySelector("#smsNumber ~ [role=alert]").getBoundingClientRect())
                """)
            #expect(!edges.contains("-"), "\(edges)")
            try await browser.keepPicture("sms-used-up")
            #expect(try gateway.messages().count == 1)
        }
    }

    @Test("The form is empty after a reload, and an answer that was lost can be made good")
    func interruptions() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.askForCode("3331234567", about: mine)
            try await browser.run("location.reload()")
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await !browser.shows("#smsCode"))
            try await browser.openNumberForm(mine)
            #expect(try await browser.value("document.querySelector('#smsNumber').value") == "+39 ")

            try await browser.devTools("Network.enable")
            try await browser.devTools("Network.setBlockedURLs", ["urls": ["*/public/number"]])
            try await browser.typeNumber("3331234567")
            try await browser.press(.main)
            #expect(await browser.waits(forSMS: "The connection was lost."))
            try await browser.keepPicture("sms-lost")
            let code = try await gateway.code()
            try await browser.typeCode(code)
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "No answer came."))
            try await browser.devTools("Network.setBlockedURLs", ["urls": [String]()])
            try await browser.press(.sendAgain)
            #expect(await browser.waits(forSMS: "Another text message with the code"))
            #expect(try await gateway.message(after: 1).number == "+393331234567")
            try await browser.typeCode(gateway.code(after: 1))

            // The answer to the code is lost, which was right.
            try await browser.run(
                """
                const real = window.fetch;
                window.fetch = async (path, options) => {
                  const answer = await real(path, options);
                  if (/number$/.test(path)) throw new TypeError("lost");
                  return answer;
                };
                """)
            try await browser.press(.main)
            #expect(await browser.waits(forSMS: "Text messages are on"))
            try await browser.press(nil)
            #expect(await browser.waits(forSMS: "Text messages are off."))
        }
    }

    @Test(
        "After STOP there are no SMS, and the page says how the number's owner can have them again")
    func stopped() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            try await browser.switchOnSMS(gateway, about: mine)
            try await gateway.answer("STOP", from: "+393331234567")
            #expect(try await gateway.message(after: 1).text.contains("reply START"))
            try await browser.run("location.reload()")
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.openNumberForm(mine)
            try await browser.typeNumber("3331234567")
            try await browser.press(.main)
            #expect(await browser.waits(forMistake: "ended with STOP"))
            #expect(await browser.waits(forMistake: "send START to the number"))
            try await browser.keepPicture("sms-stopped")
            let count = try gateway.messages().count
            try await gateway.answer("START", from: "+393331234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            try await browser.typeCode(gateway.code(after: count))
            try await browser.press(.main)
            #expect(await browser.waits(forSMS: "Text messages are on"))
        }
    }

    @Test("SMS that cannot be ended stay on, and the page says so")
    func staysOn() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            try await browser.switchOnSMS(gateway, about: mine)
            try await browser.devTools("Network.enable")
            try await browser.devTools("Network.setBlockedURLs", ["urls": ["*/number-end"]])
            try await browser.press(nil)
            #expect(await browser.waits(forSMS: "That did not work: text messages are still on."))
            try await browser.keepPicture("sms-still-on")
            try await browser.devTools("Network.setBlockedURLs", ["urls": [String]()])
            try await browser.press(nil)
            #expect(await browser.waits(forSMS: "Text messages are off."))
        }
    }

    @Test("Without a network the page shows that SMS are on")
    func offline() async throws {
        try await Self.waiting { shop, _, mine, browser, gateway in
            try await browser.switchOnSMS(gateway, about: mine)
            let worker = "navigator.serviceWorker.controller?.state"
            #expect(await patiently { try await browser.value(worker) == "activated" })
            await shop.backend.drain()
            try await browser.run("location.reload()")
            #expect(await browser.waits(for: "#notice"))
            #expect(await browser.waits(forSMS: "Text messages are on."))
        }
    }

    @Test("A shop without SMS offers none, and its page does not load the part for them")
    func without() async throws {
        try await Self.waiting(shop: []) { shop, _, _, browser, _ in
            let parts = "performance.getEntriesByName(location.origin + '/sms.js').length"
            #expect(await browser.waits(for: "#range"))
            _ = try await browser.place()
            #expect(try await browser.value(parts) == "0")
            #expect(try await !browser.shows("#sms"))
            try await shop.backend.change("--sms-per-day", "5")
            // The server reads the change within some seconds.
            #expect(
                await patiently(.seconds(30)) {
                    try await browser.run("dispatchEvent(new Event('online'))")
                    return await patiently(.seconds(1)) { try await browser.shows("#smsButton") }
                })
            #expect(try await browser.value(parts) == "1")
        }
    }
}
