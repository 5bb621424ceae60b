import TestSupport
import Testing

@Suite("Calls for help in a browser", .serialized)
struct HelpPageTests {
    @Test(
        "A call is seen and heard, the machine sees that a staff member goes, and that they helped; without sound the band stays, and the other machine is heard"
    )
    func whole() async throws {
        try await PageShop.with(width: 1_280, height: 800) { shop, browser in
            try await shop.open("staff", in: browser, opens: "#calm")
            #expect(try await browser.text("#calm") == "Niemand ruft um Hilfe")
            for _ in 1...3 { _ = try await shop.ticket() }
            await browser.expect("#called p", has: "003")
            try await browser.countSounds()
            let call = try await shop.callForHelp()
            await browser.expect(".help-band")
            #expect(try await browser.text(".help-machine") == "machine-0")
            let since = try await browser.text(".help-since")
            #expect(since == "seit \(call.since.time) Uhr")
            await expectSoon { try await browser.notes() == 6 }
            #expect(try await !browser.shows("#calm"))
            // It is heard again until a staff member goes.
            try await browser.jump(seconds: 6)
            await expectSoon { try await browser.notes() == 12 }

            await browser.pressHelp("going", ".help-who", says: "Sie gehen hin")
            await expectSoon {
                try await shop.helpCalls().first.map { $0.going != nil && $0.by == nil }
                    == true
            }
            let before = try await browser.notes()
            try await browser.jump(seconds: 12)
            try await browser.lets(timersRun: 2_500)
            #expect(try await browser.notes() == before, "a call to which a staff member goes")

            await browser.endHelp("helped")
            #expect(try await browser.text("#ended").contains("Geholfen"))
            #expect(try await shop.helpCalls().first?.end == .helped)
            await browser.expect("#calm")

            let heard = try await browser.notes()
            try await shop.callForHelp()
            await expectSoon { try await browser.notes() >= heard + 6 }
            #expect(
                await browser.pressHelp("mute") {
                    try await browser.text(".help-muted").hasPrefix("Kein Ton bis")
                })
            #expect(try await browser.shows(".help-going"))
            let muted = try await browser.notes()
            try await browser.jump(seconds: 12)
            try await browser.lets(timersRun: 2_500)
            #expect(try await browser.notes() == muted)
            try await shop.callForHelpAtOther()
            await expectSoon { try await browser.notes() > muted }
        }
    }

    @Test("A touch twice is one, and the band that moves up takes none that was meant for another")
    func twice() async throws {
        try await PageShop.with(width: 360, height: 640) { shop, browser in
            try await shop.open("staff", in: browser)
            try await shop.callForHelp()
            try await shop.callForHelpAtOther()
            await browser.expect(value: "document.querySelectorAll('.help-band').length", "2")
            // The requests of the page, and two clicks on the button in one moment; a third follows as soon as the
            // other band is there.
            try await browser.lets(timersRun: 1_000)
            try await browser.run(
                """
                const send = window.fetch;
                window.sent = 0;
                window.fetch = (path, options) => {
                  if (path.startsWith("/v1/help/") && options.method !== "GET") window.sent += 1;
                  return send(path, options);
                };
                const button = document.querySelector(".help-helped");
                new MutationObserver((changes, observer) => {
                  const machine = document.querySelector(".help-machine");
                  if (machine?.textContent !== "machine-1") return;
                  observer.disconnect();
                  document.querySelector(".help-helped").click();
                  window.moved = true;
                }).observe(document.body, { childList: true, characterData: true, subtree: true });
                button.click();
                button.click();
                """)
            await browser.expect(value: "window.moved", "true")
            #expect(try await browser.value("window.sent") == "1")
            #expect(try await shop.helpCalls().filter(\.isOpen).count == 1)
        }
    }

    @Test(
        "A page that is opened later shows a call too, and the page that was second shows that one goes"
    )
    func second() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("staff", in: browser)
            let staff = try await browser.window()
            try await shop.callForHelp()
            await browser.expect(".help-band")
            _ = try await browser.openWindow()
            try await shop.open("checkout", in: browser, opens: ".help-band")
            // This page does not hear in time that a staff member goes.
            try await browser.run(
                """
                const parse = JSON.parse;
                JSON.parse = (text) => {
                  const message = parse(text);
                  if (message.type !== "help") return message;
                  for (const one of message.calls) {
                    if (one.going) window.hasHeard = true;
                    delete one.going;
                  }
                  return message;
                };
                """)
            let checkout = try await browser.window()
            try await browser.turn(to: staff)
            await browser.pressHelp("going", ".help-who", says: "Sie gehen hin")
            try await browser.turn(to: checkout)
            await browser.expect(value: "window.hasHeard", "true")
            await browser.pressHelp("going", ".help-who", says: "Es geht schon jemand hin")
        }
    }

    @Test(
        "A call that was a mistake ends, said by the staff or by the customer; a shop that shows names has a field for one; the customer and the other pages see it"
    )
    func mistake() async throws {
        try await PageShop.with(width: 360, height: 640) { shop, browser in
            try await shop.open("staff", in: browser)
            try await shop.callForHelp()
            await browser.expect(".help-band")
            await browser.endHelp("mistake")
            #expect(try await browser.text("#ended").contains("Es war ein Versehen"))
            #expect(try await shop.helpCalls().first?.end == .mistake)

            let call = try await shop.callForHelp()
            await browser.expect(".help-band")
            try await shop.takeBack(call)
            await browser.expect(no: ".help-band")
            #expect(try await browser.value("document.querySelectorAll('#ended li').length") == "2")

            try await shop.backend.change("--help-names", "yes")
            try await shop.open("staff", in: browser, isKnown: true, opens: "#name")
            try await browser.touch("#name input")
            try await browser.type("Giulia")
            let staff = try await browser.window()
            try await shop.callForHelp()
            await browser.expect(".help-band")
            await browser.pressHelp("going", ".help-who", says: "Sie gehen hin")
            #expect(try await shop.helpCalls().contains { $0.isOpen && $0.by == "Giulia" })
            // The page keeps the name; then another person is at it.
            try await shop.open("staff", in: browser, isKnown: true, opens: "#name")
            #expect(
                try await browser.value("document.querySelector('#name input').value")
                    == "Giulia")
            try await browser.run("localStorage.setItem('clup-name', 'Marco')")
            await browser.expect(".help-who", "Giulia geht hin")
            #expect(try await browser.window() == staff)
        }
    }
}
