import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Calls for help in a browser", .serialized)
struct HelpPageTests {
    @Test(
        "A call is seen and heard, the machine sees that a staff member goes, and that they helped")
    func whole() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 1_280, height: 800) { browser in
                try await shop.open("staff", in: browser)
                #expect(await patiently { try await browser.shows("#calm") })
                #expect(try await browser.text("#calm") == "Niemand ruft um Hilfe")
                for _ in 1...3 { _ = try await shop.ticket() }
                #expect(
                    await patiently { try await browser.text("#called p").contains("003") })
                try await browser.countSounds()
                let call = try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                #expect(try await browser.text(".help-machine") == "machine-0")
                let since = try await browser.text(".help-since")
                #expect(since == "seit \(call.since.time) Uhr")
                #expect(await patiently { try await browser.notes() == 6 })
                #expect(try await !browser.shows("#calm"))
                // It is heard again until a staff member goes.
                try await browser.jump(seconds: 6)
                #expect(await patiently { try await browser.notes() == 12 })

                #expect(
                    await browser.pressHelp("going") {
                        try await browser.text(".help-who") == "Sie gehen hin"
                    })
                #expect(
                    await patiently {
                        try await shop.helpCalls().first.map { $0.going != nil && $0.by == nil }
                            == true
                    })
                let before = try await browser.notes()
                try await browser.jump(seconds: 12)
                try await browser.lets(timersRun: 2_500)
                #expect(try await browser.notes() == before, "a call to which a staff member goes")

                #expect(
                    await browser.pressHelp("helped") { try await !browser.shows(".help-band") })
                #expect(try await browser.text("#ended").contains("Geholfen"))
                #expect(try await shop.helpCalls().first?.end == .helped)
                #expect(await patiently { try await browser.shows("#calm") })
            }
        }
    }

    @Test("A touch twice is one, and the band that moves up takes none that was meant for another")
    func twice() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                let other = try SigningKey.generate()
                try await shop.backend.addMachine(key: other.publicKey.text, name: "machine-1")
                try await shop.open("staff", in: browser)
                try await shop.callForHelp()
                // A server knows a new key within a second.
                #expect(
                    await patiently {
                        try await shop.callForHelp(at: other)
                        return true
                    })
                #expect(
                    await patiently {
                        try await browser.value("document.querySelectorAll('.help-band').length")
                            == "2"
                    })
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
                #expect(await patiently { try await browser.value("window.moved") == "true" })
                #expect(try await browser.value("window.sent") == "1")
                #expect(try await shop.helpCalls().filter(\.isOpen).count == 1)
            }
        }
    }

    @Test("A page opened later shows the call, and the page that was second shows that one goes")
    func second() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("staff", in: browser)
                let staff = try await browser.window()
                try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                _ = try await browser.openWindow()
                try await shop.open("checkout", in: browser)
                #expect(await patiently { try await browser.shows(".help-band") })
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
                #expect(
                    await browser.pressHelp("going") {
                        try await browser.text(".help-who") == "Sie gehen hin"
                    })
                try await browser.turn(to: checkout)
                #expect(await patiently { try await browser.value("window.hasHeard") == "true" })
                #expect(
                    await browser.pressHelp("going") {
                        try await browser.text(".help-who") == "Es geht schon jemand hin"
                    })
            }
        }
    }

    @Test("Without sound the band stays, and the other machine is heard")
    func mute() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 768, height: 1_024) { browser in
                try await shop.open("staff", in: browser)
                try await browser.countSounds()
                try await shop.callForHelp()
                #expect(await patiently { try await browser.notes() >= 6 })
                #expect(
                    await browser.pressHelp("mute") {
                        try await browser.text(".help-muted").hasPrefix("Kein Ton bis")
                    })
                #expect(try await browser.shows(".help-going"))
                let before = try await browser.notes()
                try await browser.jump(seconds: 12)
                try await browser.lets(timersRun: 2_500)
                #expect(try await browser.notes() == before)
                let other = try SigningKey.generate()
                try await shop.backend.addMachine(key: other.publicKey.text, name: "machine-1")
                // A server knows a new key within a second.
                #expect(
                    await patiently {
                        try await shop.callForHelp(at: other)
                        return true
                    })
                #expect(await patiently { try await browser.notes() > before })
            }
        }
    }

    @Test("A call that was a mistake ends, said by the staff or by the customer")
    func mistake() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await shop.open("staff", in: browser)
                try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                #expect(
                    await browser.pressHelp("mistake") { try await !browser.shows(".help-band") })
                #expect(try await browser.text("#ended").contains("Es war ein Versehen"))
                #expect(try await shop.helpCalls().first?.end == .mistake)

                let call = try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                try await shop.takeBack(call)
                #expect(await patiently { try await !browser.shows(".help-band") })
                #expect(
                    try await browser.value("document.querySelectorAll('#ended li').length") == "2")
            }
        }
    }

    @Test("A shop that shows names has a field for one; the customer and the other pages see it")
    func names() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await shop.backend.change("--help-names", "yes")
                try await shop.open("staff", in: browser)
                #expect(await patiently { try await browser.shows("#name") })
                try await browser.touch("#name input")
                try await browser.type("Giulia")
                let staff = try await browser.window()
                try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                #expect(
                    await browser.pressHelp("going") {
                        try await browser.text(".help-who") == "Sie gehen hin"
                    })
                #expect(try await shop.helpCalls().first?.by == "Giulia")
                // The page keeps the name; then another person is at it.
                try await shop.open("staff", in: browser, isKnown: true)
                #expect(await patiently { try await browser.shows("#name") })
                #expect(
                    try await browser.value("document.querySelector('#name input').value")
                        == "Giulia")
                try await browser.run("localStorage.setItem('clup-name', 'Marco')")
                #expect(
                    await patiently { try await browser.text(".help-who") == "Giulia geht hin" })
                try await browser.keepPicture("staff-name-360x640")
                #expect(try await browser.window() == staff)
            }
        }
    }
}
