import Foundation
import Glibc
import TestSupport
import Reservations
import Testing

@Suite("The readers in a browser", .serialized)
struct ReaderTests {
    @Test(
        "Idle, a touch wakes it, a code is typed: the door opens, and after the answer it is idle; without a backend customers are sent to the staff; the same request is not sent twice"
    )
    func keypad() async throws {
        let folder = try TemporaryFolder()
        let log = folder.file("door")
        let door = try folder.writeProgram(
            "#!/bin/sh\necho \"$@\" >> '\(log)'\n", to: "open-door")
        try await PageShop.with(options: ["--door-command", door]) { shop, browser in
            try await shop.open("entrance", in: browser, opens: "[data-state=idle]")
            // A sensor at the door sends this.
            try await browser.scan("WAKE")
            await browser.expect("#keypad")
            let ticket = try await shop.ticket()
            try await browser.touch("#words")
            await browser.expect("#keypad")
            for digit in ticket.typedCode.rawValue {
                try await browser.touch("#keys [data-key=\"\(digit)\"]")
            }
            await browser.expect(state: "yes")
            #expect(try await browser.text("#words .number") == ticket.number.text)
            await expectSoon {
                try String(contentsOfFile: log, encoding: .utf8)
                    == "open entrance entrance-1 \(ticket.number.text)\n"
                    + "close entrance entrance-1\n"
            }
            await browser.expect(state: "idle")
            let next = try await shop.ticket()
            shop.backend.signal(SIGSTOP)
            // Measured in the page, as the computer of this test may be busy.
            try await browser.run(
                """
                const reader = document.getElementById("reader");
                const begin = performance.now();
                new MutationObserver(() => {
                    if (reader.dataset.state === "staff") {
                        reader.dataset.took ??= Math.round(performance.now() - begin);
                    }
                }).observe(reader, { attributes: true });
                """)
            try await browser.scan(next.code.rawValue)
            await browser.expect(state: "staff")
            let took = try await browser.value("document.getElementById('reader').dataset.took")
            #expect(Int(took).map { $0 < 9_000 } == true, "3 seconds and a busy machine: \(took)")
            shop.backend.signal(SIGCONT)
            await browser.expect(state: "idle")
            try await browser.scan(next.code.rawValue)
            await browser.expect(state: "yes")
            await browser.expect(state: "idle")
            // This sensor has a key of its own, F1.
            #expect(try await !browser.shows("#keypad"))
            try await browser.type("\u{E031}")
            await browser.expect("#keypad")
        }
    }

    @Test(
        "The keys of a reader are understood whatever its settings, and those of a person are left to the browser"
    )
    func settings() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            let code = "CLUP:1:TEST0419384512"
            try await browser.run(
                """
                window.codes = [];
                window.left = [];
                const { listenToScanner } = await import("/web/scanner.js");
                listenToScanner(() => {}, (code) => codes.push(code), () => codes.push("woken"));
                window.press = (...keys) => {
                  for (const one of keys.flat()) {
                    const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...one });
                    document.body.dispatchEvent(event);
                    if (!event.defaultPrevented) left.push(one.key);
                  }
                };
                const place = (sign) => /[A-Z]/.test(sign) ? `Key${sign}` : /\\d/.test(sign) ? `Digit${sign}` : "Semicolon";
                window.typed = (more = {}) => [..."\(code)"].map((sign) =>
                  ({ code: place(sign), key: sign, shiftKey: /[A-Z:]/.test(sign), ...more }));
                window.named = (key, more = {}) => ({ code: key, key, ...more });
                """)
            let end = "named('Enter')"
            for keys in [
                "typed(), \(end)", "named('CapsLock'), typed(), named('CapsLock'), \(end)",
                // With Caps Lock the letters of keys with Shift are small.
                "named('CapsLock'), typed().map((one) => ({ ...one, key: one.key.toLowerCase() })), \(end)",
                "named('NumLock'), typed().map((one) => /Digit/.test(one.code) "
                    + "? { ...one, code: one.code.replace('Digit', 'Numpad') } : one), \(end)",
                "named('F2'), typed(), \(end)", "named('Escape'), typed(), \(end)",
                "typed(), { code: 'KeyJ', key: 'j', ctrlKey: true }",
                "typed(), { code: 'KeyM', key: 'm', ctrlKey: true }", "typed(), named('Tab')",
                "{ code: 'KeyB', key: 'b', ctrlKey: true }, typed(), { code: 'KeyC', key: 'c', ctrlKey: true }",
                "typed({ code: '' }), { code: '', key: 'Enter' }",
                "typed({ code: '' }).map((one) => ({ ...one, key: one.key.toLowerCase() })), { code: '', key: 'Enter' }",
            ] {
                try await browser.run("codes.length = 0; press(\(keys));")
                #expect(try await browser.value("codes.join()") == code, "\(keys)")
            }
            let symbol =
                "{ code: 'BracketRight', key: ']' }, { code: 'KeyQ', key: 'Q', shiftKey: true }, "
            try await browser.run(
                "codes.length = 0; press(\(symbol) { code: 'Digit1', key: '1' }, typed(), \(end));")
            #expect(try await browser.value("codes.join()") == "]Q1\(code)")
            try await browser.run(
                "codes.length = 0; press(typed(), { code: 'Quote', key: 'Dead' }, \(end));")
            #expect(try await browser.value("codes.join()") == "\(code)'")
            // What a person presses, without a code.
            let own = [
                "Tab", "Enter", "NumpadEnter", "Space", "ArrowUp", "ArrowDown", "PageDown", "Home",
                "F5", "Escape",
            ]
            try await browser.run(
                "codes.length = 0; left.length = 0; press(\(own).map((key) => named(key)));")
            #expect(try await browser.value("left.join()") == own.joined(separator: ","))
            #expect(try await browser.value("codes.join()") == "")
        }
    }

    @Test(
        "A scanned ticket enters once, a refusal has its reason, and check-out and turnstile let customers out who are inside, or were not scanned at the entrance, and show the others why not; the holder of a visit of another day reads the day in the shop's language"
    )
    func scanner() async throws {
        try await PageShop.with(capacity: 3, width: 1_080, height: 1_920) { shop, browser in
            try await shop.open("entrance", in: browser, opens: "[data-state=idle]")
            var tickets: [Reservation] = []
            for _ in 0..<4 { tickets.append(try await shop.ticket()) }
            let waiting = tickets[3].code.rawValue
            try await shop.act(StaffActionRequest(.sendHome))
            try await browser.scan(waiting)
            await browser.expect(reason: "closed-before-turn")
            #expect(try await browser.state() == "no")
            try await shop.act(StaffActionRequest(.openAgain))
            for ticket in tickets[..<2] {
                try await browser.scan(ticket.code.link(at: "https://clup.example.it"))
                await browser.expect(state: "yes")
                await browser.expect("#words .number", ticket.number.text)
            }
            try await browser.scan(waiting)
            await browser.expect(state: "wait")
            #expect(try await browser.text("#words").contains(":"), "when to come back")
            let unknown = "CLUP:1:TEST" + String(repeating: "0", count: 26)
            func expectRefusals(_ cases: (code: String, reason: String)...) async throws {
                for (code, reason) in cases {
                    try await browser.scan(code)
                    await browser.expect(reason: reason)
                    #expect(try await browser.state() == "no")
                }
            }
            try await expectRefusals(
                ("CLUP:1:ELSE" + String(repeating: "0", count: 26), "other-shop"),
                (unknown, "not-found"), ("HTTP://EXAMPLE.COM", "unreadable-code"),
                ("BEGIN:VEVENT", "symbol-for-calendars"))

            try await shop.open("checkout", in: browser, opens: "[data-state=idle]")
            try await expectRefusals((waiting, "not-inside"))
            try await browser.scan(tickets[0].code.rawValue.lowercased())
            await browser.expect("#words .number", tickets[0].number.text)
            #expect(try await browser.state() == "yes")
            try await shop.open("turnstile", in: browser, opens: "[data-state=idle]")
            try await expectRefusals((waiting, "not-inside"), (unknown, "not-found"))
            for ticket in tickets[1...2] {
                try await browser.scan(ticket.code.rawValue)
                await browser.expect("#words .number", ticket.number.text)
                #expect(try await browser.state() == "yes")
            }
            // The last one leaves without having been scanned at the entrance.
            let words = try await browser.text("#words")
            #expect(words.contains("Dieses Ticket wurde am Eingang nicht gelesen"))
            #expect(words.contains("Questo biglietto non è stato letto all’ingresso"))

            try await shop.open("entrance", in: browser, isKnown: true)
            await browser.expect(state: "idle")
            // Within five seconds the door would repeat its first answer.
            await expectSoon {
                try await browser.scan(tickets[0].code.rawValue)
                return await patiently(.seconds(2)) {
                    try await browser.reason() == "already-used"
                }
            }

            try await shop.act(StaffActionRequest(.endTickets))
            let visit = try await shop.ticket(.visit)
            let slot = try #require(visit.visit).start
            #expect(slot.day > visit.issued.day)
            try await browser.scan(visit.code.rawValue)
            await browser.expect(reason: "not-today")
            #expect(try await browser.state() == "wait")
            let day = try await browser.text("#words")
            #expect(day.contains(slot.time.description))
            #expect(day.contains("\(slot.day.day)") && !day.contains("Invalid"), "\(day)")
        }
    }
}
