import Reservations
import TestSupport
import Testing

@Suite("SMS on the page of a place [rules: sms]", .showsNotices, .serialized)
struct SMSPageTests {
    /// A shop with SMS and a waiting customer, whose page is open in a language.
    static func waiting(
        shop settings: [String] = DemoGateway.shop, language: String = "en",
        body: (PageShop, [Reservation], Reservation, Browser, DemoGateway) async throws -> Void
    ) async throws {
        let gateway = try DemoGateway()
        try await PageShop.full(shop: settings, options: try gateway.options) {
            shop, called, browser in
            let mine = try await shop.ticket()
            try await browser.open(#require(mine.link), in: language)
            try await body(shop, called, mine, browser, gateway)
        }
    }

    @Test(
        "A customer types number and code, sees so when the page opens again, and ends the SMS; each state is for everybody"
    )
    func turnsOn() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await browser.smsText().contains("around two minutes before your turn"))
            try await browser.expectAccess("sms-off", lookingAt: "#sms")
            // Digits of nine places, then wrong ones, which the server knows when it is asked for a code.
            try await browser.press(nil, opens: "#smsDigits")
            try await browser.type("041938451\u{E007}")
            await browser.expect("#smsDigits ~ [role=alert]", has: "all ten digits")
            try await browser.expectAccess("sms-digits", lookingAt: "#sms")
            try await browser.run("document.querySelector('#smsDigits').value = ''")
            let digits = mine.typedCode.rawValue
            try await browser.type(
                (digits == "0000000000" ? "0000000001" : "0000000000") + "\u{E007}")
            await browser.expect("#smsNumber")
            #expect(try await browser.focusedPart() == "smsNumber")
            try await browser.typeNumber("333 1234567")
            try await browser.press(.main, opens: "#smsDigits")
            await browser.expect("#smsDigits ~ [role=alert]", has: "all ten digits")
            #expect(try gateway.messages() == [])
            try await browser.type(digits + "\u{E007}")
            await browser.expect("#smsNumber")
            #expect(try await browser.focusedPart() == "smsNumber")
            #expect(try await browser.numberShown() == "+39 ")
            #expect(try await browser.smsText().contains("delete it shortly after your turn"))
            try await browser.expectAccess("sms-number", lookingAt: "#sms")

            // A second touch at once asks for no second code.
            try await browser.typeNumber("333 1234567")
            try await browser.jump(seconds: 1)
            try await browser.run(
                "const b = document.querySelector('#smsNumber ~ button'); b.click(); b.click()")
            await browser.expect("#smsCode")
            #expect(try await browser.focusedPart() == "smsCode")
            #expect(try await browser.smsText().contains("+39\u{A0}333\u{A0}123\u{A0}4567"))
            try await browser.expectAccess("sms-code", lookingAt: "#sms")
            let code = try await gateway.code()
            #expect(try gateway.messages().map(\.number) == ["+393331234567"])

            let wrong = code == "111111" ? "222222" : "111111"
            for digits in ["12345", wrong] {
                try await browser.typeCode(digits)
                try await browser.press(.main, mistake: "This code is not right", in: "\(digits)")
                #expect(try await browser.focusedPart() == "smsCode", "\(digits)")
            }
            try await browser.darken()
            try await browser.expectAccess("sms-wrong-code", lookingAt: "#sms")
            try await browser.typeCode("\(code.prefix(3)) \(code.suffix(3))\u{E007}")
            #expect(
                await browser.waits(
                    forSMS: "Text messages are on for your number that ends in 567."))
            #expect(
                try await browser.value("document.activeElement.textContent").hasPrefix(
                    "Text messages are on"))
            try await browser.expectAccess("sms-on", lookingAt: "#sms")
            let kept = try await browser.value(
                "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
            #expect(kept.contains("clup-places") && !kept.contains("3331234567"))
            #expect(!kept.contains(digits))
            await expectSoon { try gateway.bookings().count == 1 }
            let booking = try #require(try gateway.bookings().first)
            #expect(booking.number == "+393331234567")
            #expect(booking.text.contains(mine.typedCode.grouped), "\(booking.text)")

            try await browser.reload()
            #expect(await browser.waits(forSMS: "Text messages are on."))
            #expect(try await !browser.shows("#smsNumber"))
            try await browser.prove(mine)
            #expect(await browser.waits(forSMS: "Text messages are off."))
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.reload()
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await !browser.smsText().contains("Text messages are off"))
            // No SMS but the code, and the last one: nothing has happened to the place.
            #expect(try await gateway.message(after: 1).text.contains("no more text messages"))
            #expect(try gateway.messages().count == 2)
        }
    }

    @Test("The call comes by SMS, in the language of the page, beside the notices of the browser")
    func called() async throws {
        try await Self.waiting(language: "de") { shop, called, mine, browser, gateway in
            try await browser.fakePush(at: shop.backend.phones)
            try await browser.reload(opens: "#notify")
            #expect(await browser.waits(forSMS: "Mich per SMS benachrichtigen"))
            #expect(
                try await browser.value(
                    "[...document.querySelectorAll('main > section')].map((e) => e.id"
                        + " || e.getAttribute('aria-labelledby')).join()"
                ).contains("notices,sms,leave"))
            try await browser.press("#notify")
            try await browser.askForCode("333 1234567", about: mine)
            try await browser.typeCode(gateway.code())
            try await browser.press(.main, says: "mit den Endziffern 567")
            #expect(await browser.waits(forNotices: "Benachrichtigungen sind eingeschaltet."))
            try await shop.free(called[0].number)
            await browser.expect(look: "called")
            #expect(try await browser.smsText() == "")
            let last = try await gateway.message(after: 1)
            #expect(last.number == (try gateway.messages().first?.number))
            #expect(last.text.contains(mine.number.text), "\(last.text)")
        }
    }

    @Test("A number of another country, and what is used up, have a sentence and a way on")
    func refusals() async throws {
        try await Self.waiting(shop: ["--sms-per-day", "1"]) { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.openNumberForm(mine)
            try await browser.press(.main, mistake: "that begin with +39, +49")
            #expect(try await browser.focusedPart() == "smsNumber")
            try await browser.expectAccess("sms-not-served", lookingAt: "#sms")
            try await browser.fillNumber("+41 79 123 45 67")
            try await browser.press(.main, mistake: "that begin with +39, +49")
            try await browser.fillNumber("+39 06 698 12345")
            try await browser.press(.main, mistake: "This is not a mobile number.")
            #expect(try await browser.focusedPart() == "smsNumber")
            try await browser.press(.cancel, says: "Notify me by text message")
            #expect(try await browser.focusedPart() == "smsButton")
            #expect(try gateway.messages() == [])

            // A browser adds the whole number behind the prefix.
            try await browser.press(nil, opens: "#smsNumber")
            try await browser.agree("+49 171 1234567")
            #expect(try await gateway.message(after: 0).number == "+491711234567")
            try await browser.press(.sendAgain)
            #expect(
                await browser.waits(
                    forMistake: "No more text messages can be sent to this number today."))
            #expect(await browser.waits(forMistake: "If you have received a code"))
            try await browser.press(.changeNumber, opens: "#smsNumber")
            #expect(
                try await browser.numberShown()
                    .hasSuffix("+49 171 1234567"))
            try await browser.run("document.documentElement.dataset.size = '2'")
            try await browser.press(.main, mistake: "Please keep this page open")
            // The sentence is in sight, whole.
            let edges = try await browser.value(
                """
                (({ top, bottom }) => [Math.round(top), Math.round(innerHeight - bottom)])(
                  document.querySelector("#smsNumber ~ [role=alert]").getBoundingClientRect())
                """)
            #expect(!edges.contains("-"), "\(edges)")
            #expect(try gateway.messages().count == 1)
        }
    }

    @Test(
        "The form is empty after a reload, an answer that was lost can be made good, and SMS that cannot be ended stay on"
    )
    func interruptions() async throws {
        try await Self.waiting { _, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.askForCode("3331234567", about: mine)
            try await browser.reload()
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            #expect(try await !browser.shows("#smsCode"))
            try await browser.openNumberForm(mine)
            #expect(try await browser.numberShown() == "+39 ")

            try await browser.block("*/public/number")
            try await browser.typeNumber("3331234567")
            try await browser.press(.main, says: "The connection was lost.")
            let code = try await gateway.code()
            try await browser.typeCode(code)
            try await browser.press(.main, mistake: "No answer came.")
            try await browser.block()
            try await browser.press(.sendAgain, says: "Another text message with the code")
            #expect(try await gateway.message(after: 1).number == "+393331234567")
            try await browser.typeCode(gateway.code(after: 1))

            // The answer to the code is lost, which was right.
            try await browser.loseAnswers(to: "number$")
            try await browser.press(.main, says: "Text messages are on")
            try await browser.block("*/number-end")
            try await browser.press(nil, says: "That did not work: text messages are still on.")
            try await browser.block()
            try await browser.press(nil, says: "Text messages are off.")
        }
    }

    @Test(
        "After STOP there are no SMS, and the page says how the number's owner can have them again; without a network it shows that they are on"
    )
    func stopped() async throws {
        try await Self.waiting { shop, _, mine, browser, gateway in
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.askForCode("3331234567", about: mine)
            try await browser.typeCode(gateway.code())
            try await browser.press(.main, says: "Text messages are on")
            try gateway.answer("STOP", from: "+393331234567")
            #expect(try await gateway.message(after: 1).text.contains("reply START"))
            try await browser.reload()
            #expect(await browser.waits(forSMS: "Notify me by text message"))
            try await browser.openNumberForm(mine)
            try await browser.typeNumber("3331234567")
            try await browser.press(.main, mistake: "ended with STOP")
            #expect(await browser.waits(forMistake: "send START to the number"))
            let count = try gateway.messages().count
            try gateway.answer("START", from: "+393331234567")
            try await browser.press(.main, opens: "#smsCode")
            try await browser.typeCode(gateway.code(after: count))
            try await browser.press(.main, says: "Text messages are on")

            await browser.expectWorker()
            await shop.backend.drain()
            try await browser.reload(opens: "#notice")
            #expect(await browser.waits(forSMS: "Text messages are on."))
        }
    }

    @Test(
        "A shop without SMS, and a backend that pushes no notices, offer none, and the page does not load the parts for them; without the part for notices it works"
    )
    func without() async throws {
        try await Self.waiting(shop: []) { shop, _, mine, browser, _ in
            await browser.expect("#range")
            _ = try await browser.place()
            for part in ["/sms.js", "/notices.js"] {
                #expect(try await browser.requests(of: part) == "0", "\(part)")
            }
            #expect(try await browser.shown(of: "#sms", "#notify") == [])
            try await shop.backend.change("--sms-per-day", "5")
            // The server reads the change within some seconds.
            await expectSoon {
                try await browser.run("dispatchEvent(new Event('online'))")
                return await patiently(.seconds(1)) { try await browser.shows("#smsButton") }
            }
            #expect(try await browser.requests(of: "/sms.js") == "1")

            try await browser.fakePush(at: shop.backend.phones)
            try await browser.block("*/notices.js")
            try await browser.reload(opens: "#range")
            await expectSoon { try await browser.requests(of: "/notices.js") != "0" }
            #expect(try await browser.text("#number") == mine.number.text)
            try await browser.press("#minutes button", opens: "#leaveAt")
            #expect(try await !browser.shows("#notify"))
        }
    }
}
