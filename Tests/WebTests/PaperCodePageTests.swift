import Foundation
import Reservations
import TestSupport
import Testing

@Suite(
    "The page of a place that is opened with the code of its paper [rules: paper-symbol]",
    .serialized)
struct PaperCodePageTests {
    private func link(_ code: EntryCode, _ shop: PageShop) -> String {
        "\(shop.backend.phones)/T#\(code.bare)"
    }

    /// Waits until a worker keeps the page, which is of this scope.
    private func expectKept(_ scope: String, in browser: Browser) async {
        await expectSoon {
            try await browser.run(
                """
                const all = await navigator.serviceWorker.getRegistrations();
                window.isKept = all.some((one) => one.active && one.scope.endsWith("\(scope)"));
                """)
            return try await browser.value("window.isKept") == "true"
        }
    }

    @Test(
        "It takes the code out of the address before anything else, and keeps the symbol alone; a quarter of an hour after the end of its place the phone forgets the symbol"
    )
    func takesOut() async throws {
        try await PageShop.full { shop, called, browser in
            let mine = try await shop.ticket()
            let capability = try #require(mine.link).split(separator: "#")[1]
            try await browser.open(link(mine.code, shop))
            await browser.expect("#number", mine.number.text)
            #expect(
                try await browser.value("location.pathname + location.hash")
                    == "/t#\(capability)")
            await browser.expect("#modules")
            #expect(try await !browser.shows("#entryDigits"))
            // The worker keeps the page a little later, and controls it when it is opened again.
            await expectKept("", in: browser)
            try await browser.reload()
            await browser.expectWorker()
            let traces = try await browser.traces()
            #expect(traces.contains(capability) && traces.contains("paper"))
            let secret = mine.code.bare.suffix(26)
            #expect(!traces.lowercased().contains(secret.lowercased()))
            #expect(!traces.contains(mine.typedCode.rawValue))

            // Looked at again, also after the call, it shows the symbol; giving up asks for the digits.
            try await browser.reload(opens: "#modules")
            try await browser.press("#open", opens: "#code")
            try await browser.press("#keep")
            try await shop.free(called[0].number)
            await browser.expect(look: "called")
            #expect(try await browser.shows("#modules"))
            let log = try shop.backend.log()
            #expect(!log.contains(secret) && !log.contains(capability.suffix(26)))

            await browser.expect("#modules")
            try await shop.free(mine.number)
            await browser.expect(look: "ended")
            let kept = "localStorage.getItem('clup-places')"
            await expectSoon { try await browser.value(kept).contains(#""state":"deleted""#) }
            #expect(try await browser.value(kept).contains("paper"))
            try await browser.run(
                """
                const all = JSON.parse(localStorage.getItem("clup-places"));
                for (const one of all) one.at -= 901000;
                localStorage.setItem("clup-places", JSON.stringify(all));
                location.assign("/places");
                """)
            await browser.expect(value: "location.pathname", "/places")
            await expectSoon { try await !browser.value(kept).contains("paper") }
        }
    }

    @Test(
        "Without an answer the address is without the code already, and the place opens later; what programs that read codes put around one leaves the address with it; a code that opens nothing says so, and leaves nothing; a phone that has the page opens the next paper's without network, and its address has no code"
    )
    func offline() async throws {
        try await PageShop.full { shop, _, browser in
            let mine = try await shop.ticket()
            try await browser.open("\(shop.backend.phones)/t")
            await browser.expect(look: "calm")
            // Calls fail until the test lets them pass.
            try await browser.run(
                """
                const ask = fetch;
                window.sent = "";
                window.fetch = (path, options) => {
                  if (window.isOpen) return ask(path, options);
                  window.sent += `${path} ${options.body}`;
                  return Promise.reject(new TypeError());
                };
                location.hash = "\(mine.code.bare.lowercased())";
                """)
            await expectSoon { try await browser.value("window.sent") != "" }
            #expect(try await browser.value("location.pathname + location.hash") == "/t")
            let sent = try await browser.value("window.sent")
            #expect(sent.contains(#"opening {"code":"\#(mine.code.bare)"}"#))
            await browser.expect("#notice")
            #expect(try await browser.text("#number").isEmpty)
            try await browser.run("window.isOpen = true")
            await browser.expect("#number", mine.number.text)

            let address = "\(shop.backend.phones)/T#"
            for (before, after) in [
                ("", "%20"), ("", "."), ("", "&x=1"), ("", "?utm_source=qr"), ("", "#"),
                ("/", ""), ("%23", ""), ("CLUP%3A1%3A", ""),
            ] {
                try await browser.open("\(shop.backend.phones)/icon.png")
                try await browser.open(address + before + mine.code.bare + after)
                await expectSoon("\(before) \(after)") {
                    try await browser.text("#number") == mine.number.text
                }
                let shown = try await browser.value("location.href")
                #expect(!shown.contains(mine.code.bare.suffix(26)), "\(shown)")
            }

            let none = EntryCode(tag: ShopTag(rawValue: "TEST")!, random: Array(0..<16))
            try await browser.open(link(none, shop))
            await browser.expect(look: "ended")
            #expect(try await browser.value("location.pathname + location.hash") == "/T")
            #expect(try await browser.text("#number").isEmpty)
            let kept = "localStorage.getItem('clup-places') ?? ''"
            #expect(try await !browser.value(kept).contains(none.bare.suffix(26)))

            let next = try await shop.ticket()
            await expectKept("/T", in: browser)
            try await browser.cutNetwork(true)
            try await browser.open(link(next.code, shop))
            await browser.expect(value: "location.pathname + location.hash", "/T")
            await browser.expect("#notice")
        }
    }

    @Test("A page that has not come whole has taken the code out of its address already")
    func stalled() async throws {
        let code = EntryCode(tag: ShopTag(rawValue: "TEST")!, random: Array(0..<16)).bare
        for (path, file) in [("/T", "t.html"), ("/C", "o.html")] {
            let page = Tool.repository.appending(path: "Assets/Web/phone/\(file)")
            let server = try StalledServer(try Data(contentsOf: page))
            defer { server.stop() }
            try await Browser.phone { browser in
                // In a frame, since the driver waits for the page itself.
                try await browser.open("\(server.address)/")
                try await browser.run(
                    """
                    const frame = document.createElement("iframe");
                    frame.src = "\(path)#\(code)";
                    document.body.append(frame);
                    """)
                await expectSoon {
                    try await browser.value("typeof frames[0].takeCode") == "function"
                }
                #expect(try await browser.value("frames[0].document.readyState") == "loading")
                let address = "frames[0].location.pathname + frames[0].location.hash"
                #expect(try await browser.value(address) == path)
                #expect(try await browser.value("frames[0].takeCode()") == code)
            }
        }
    }
}
