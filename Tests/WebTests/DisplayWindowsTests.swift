import TestSupport
import Testing

@Suite("One display in many windows", .serialized)
struct DisplayWindowsTests {
    /// How often a window has requested a feed.
    private func feeds(_ browser: Browser) async throws -> String {
        try await browser.value(
            "performance.getEntriesByType('resource').filter((e) => "
                + "e.name.endsWith('/v1/sessions')).length")
    }

    /// Whether a window follows the queue: it shows this number, and no notice about other windows.
    private func follows(_ browser: Browser, _ number: String) async throws -> Bool {
        guard try await !browser.shows("#elsewhere") else { return false }
        return try await browser.text("#called .turn:first-child .digits") == number
    }

    private func open(_ shop: PageShop, _ browser: Browser) async throws -> String {
        let handle = try await browser.openWindow()
        try await shop.open("display", in: browser, isKnown: true, opens: "#board")
        return handle
    }

    @Test(
        "A fifth window replaces the oldest, which shows it and rests until a touch: none compete")
    func five() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#board")
            var windows = [try await browser.window()]
            for _ in 2...5 { windows.append(try await open(shop, browser)) }

            try await browser.turn(to: windows[0])
            await browser.expect("#elsewhere")
            let sentence = try await browser.text("#elsewhere")
            #expect(sentence.contains("in zu vielen Fenstern geöffnet"))
            #expect(sentence.contains("aperta in troppe finestre"))
            let number = try await shop.ticket().number.text
            for window in windows.dropFirst() {
                try await browser.turn(to: window)
                await expectSoon { try await follows(browser, number) }
                #expect(try await feeds(browser) == "1")
            }

            // One of the others is closed: the first continues by itself, and replaces no window.
            try await browser.closeWindow()
            try await browser.turn(to: windows[0])
            await browser.expect(no: "#elsewhere")
            let second = try await shop.ticket().number.text
            for window in windows.dropLast() {
                try await browser.turn(to: window)
                await expectSoon { try await follows(browser, second) }
            }

            // The next one too many replaces the second, which comes back when it is touched.
            windows[4] = try await open(shop, browser)
            try await browser.turn(to: windows[1])
            await browser.expect("#elsewhere")
            try await browser.touch("#elsewhere")
            let third = try await shop.ticket().number.text
            await expectSoon { try await follows(browser, third) }

            // That replaced the third, which does not come back, however long it is left alone.
            try await browser.turn(to: windows[2])
            await browser.expect("#elsewhere")
            try await browser.pass(seconds: 3_600)
            #expect(try await browser.shows("#elsewhere"))
            #expect(try await feeds(browser) == "1")
            for index in [0, 1, 3, 4] {
                try await browser.turn(to: windows[index])
                await expectSoon { try await follows(browser, third) }
                #expect(try await feeds(browser) == (index < 2 ? "2" : "1"), "window \(index)")
            }
        }
    }
}
