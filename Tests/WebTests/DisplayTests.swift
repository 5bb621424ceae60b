import BackendAPI
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The turn display in a browser", .serialized)
struct DisplayTests {
    private static let first = "#called .turn:first-child"

    private func firstNumber(_ browser: Browser) async throws -> String {
        try await browser.text("\(Self.first) .digits")
    }

    @Test("A call appears, newest first, with a mark, and its digits are large enough")
    func call() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
                for _ in 0..<3 {
                    let ticket = try await shop.ticket()
                    #expect(
                        await patiently {
                            try await firstNumber(browser) == ticket.number.text
                        })
                    #expect(try await browser.shows("\(Self.first).new .mark"))
                }
                // The pages turn, so that the oldest comes too.
                #expect(await patiently { try await firstNumber(browser) == "001" })
                let scroll = "document.documentElement.scrollHeight"
                #expect(try await browser.value(scroll) == "1080")
            }
        }
    }

    @Test("What comes late or twice changes nothing: the display never goes back")
    func order() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
                let message = """
                    const { take } = await import("/web/display.js");
                    const at = new Date().toISOString().replace("Z", "+00:00");
                    const message = { type: "turns", shopName: "?", languages: ["en"], now: at,
                        open: true, next: [], visits: [], waiting: 0, called: [] };
                    """
                try await browser.run(message + "take({ ...message, sequence: 1 });")
                #expect(try await firstNumber(browser) == ticket.number.text)
                try await browser.run(
                    message + """
                        const later = 9e15;
                        const called = [{ number: 77, kind: "ticket", since: at, enterBy: at }];
                        take({ ...message, sequence: later, called });
                        take({ ...message, sequence: later });
                        take({ ...message, sequence: later - 1 });
                        """)
                #expect(try await firstNumber(browser) == "077")
            }
        }
    }

    @Test("A silent backend is told by its age, then by the staff; its return heals all at once")
    func gap() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                #expect(try await !browser.shows("#band"))
                shop.backend.signal(SIGSTOP)
                #expect(await patiently { try await browser.shows("#band") })
                #expect(try await browser.text("#band").contains { $0.isNumber })
                #expect(try await firstNumber(browser) == "001", "still there, with its age")
                #expect(await patiently(.seconds(90)) { try await browser.shows("#ask") })
                #expect(try await !browser.shows("#called"), "no number that may be wrong")
                // Ten minutes in all, where there is time for them; the page does nothing new in them.
                try await Task.sleep(for: TestLength.choose(.zero, long: .seconds(540)))
                shop.backend.signal(SIGCONT)
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
                #expect(await patiently { try await !browser.shows("#ask") })
                #expect(await patiently { try await !browser.shows("#band") })
            }
        }
    }

    @Test("Closed before its turn: the display says so, and opened again it calls")
    func closed() async throws {
        try await PageShop.with(capacity: 1) { shop in
            try await Browser.with { browser in
                for _ in 1...2 { _ = try await shop.ticket() }
                try await shop.act(StaffAction(.sendHome))
                try await shop.open("display", in: browser)
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.act(
                    StaffAction(.delete, number: QueueNumber(rawValue: 1)))
                #expect(
                    await patiently {
                        try await browser.text("#nobody").contains("gelten nicht mehr")
                    })
                try await shop.act(StaffAction(.openAgain))
                #expect(await patiently { try await firstNumber(browser) == "002" })
            }
        }
    }

    @Test("A revoked display shows its key again, and no number")
    func revoked() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.backend.revokeDevice("display-1")
                #expect(await patiently { try await browser.shows("#enrolment") })
            }
        }
    }

    @Test("A backend that was killed is found again, and the display goes on")
    func killed() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.backend.killAndRestart()
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
            }
        }
    }

    @Test(
        "Nothing overflows, and the digits are 18 cm high on a 43-inch screen, however it hangs",
        arguments: [(1_920, 1_080, 0.34), (1_080, 1_920, 0.19)])
    func sizes(width: Int, height: Int, share: Double) async throws {
        try await PageShop.with(capacity: 4) { shop in
            try await Browser.with(width: width, height: height) { browser in
                try await shop.open("display", in: browser)
                for _ in 0..<13 { _ = try await shop.ticket() }
                #expect(
                    await patiently {
                        try await browser.value("document.querySelectorAll('#next .item').length")
                            != "0"
                    })
                let folder = try TemporaryFolder()
                let path = folder.file("display.png")
                // Past the marks of a new call the digits are yellow on black.
                #expect(await patiently { try await !browser.shows(".turn.new") })
                try await browser.photograph(path)
                if let keep = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"] {
                    try await browser.photograph("\(keep)/display-\(width)x\(height).png")
                }
                let rows = try await Command.succeed(
                    "convert",
                    [
                        path, "-crop", try await box(browser), "+repage", "-fuzz", "20%", "-fill",
                        "black", "+opaque", "#ffd84d", "-trim", "-format", "%h", "info:",
                    ])
                let tall = try #require(Int(rows.trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(Double(tall) >= share * Double(height), "\(tall) pixels")
                let overflow = """
                    [...document.querySelectorAll('#side, #called, .turn')].filter((e) =>
                        e.scrollHeight > e.clientHeight + 1).map((e) => e.id || e.className)
                    """
                #expect(try await browser.value(overflow) == "")
            }
        }
    }

    @Test(
        "Every number that waits finds its time within a minute, in digits for 5 m; calls come within 20 s",
        arguments: [(1_920, 1_080), (1_080, 1_920)])
    func everybody(width: Int, height: Int) async throws {
        try await PageShop.with(capacity: 4) { shop in
            try await Browser.with(width: width, height: height) { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
                for (called, waiting) in [(3, 0), (9, 8), (27, 60), (3, 200), (27, 200)] {
                    try await browser.run(Self.crowd(called: called, waiting: waiting))
                    #expect(
                        await patiently {
                            try await browser.value("document.querySelectorAll('.turn').length")
                                == "\(called <= 8 ? 2 : 6)"
                        })
                    if let keep = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"] {
                        try await browser.photograph(
                            "\(keep)/display-\(width)-\(called)-called-\(waiting)-wait.png")
                    }
                    let left = try await browser.value(Self.overflow)
                    #expect(left == "", "\(left), \(called) called, \(waiting) wait")
                    if waiting > 0 {
                        // 43 inches have 95.2 cm at the longer side.
                        let centimetres = try await browser.value(
                            "(document.querySelector('.item b').firstChild.parentElement, "
                                + "parseFloat(getComputedStyle(document.querySelector('.item b')).fontSize)"
                                + " * 0.729 * 95.2 / Math.max(innerWidth, innerHeight))")
                        #expect(try #require(Double(centimetres)) >= 2.9)
                    }
                }
                // The largest crowd for a minute.
                #expect(
                    await patiently(.seconds(62)) {
                        try await browser.value("String(crowd.waiting.size)") == "200"
                    }, "every number has been shown")
                #expect(try await browser.value("String(crowd.called.size)") == "27")
                let gap = try await browser.value("String(crowd.longestGap)")
                #expect(try #require(Double(gap)) <= 20_500, "between two times of a called number")
            }
        }
    }

    /// Boxes that are smaller than what stands in them; digits of calls are narrowed to theirs when they are drawn.
    private static let overflow = """
        [...document.querySelectorAll('#side, #called, .turn, #next, .item')].filter((e) =>
            e.scrollHeight > e.clientHeight + 2
            || !e.matches('#called, .turn') && e.scrollWidth > e.clientWidth + 2)
            .map((e) => e.id || e.className)
        """

    /// Plays a feed of so many called and waiting numbers, and notes which are seen and how often.
    private static func crowd(called: Int, waiting: Int) -> String {
        """
        const { take } = await import("/web/display.js");
        clearInterval(window.crowd?.feed);
        clearInterval(window.crowd?.watch);
        const at = (later) => new Date(Date.now() + later).toISOString().replace("Z", "+00:00");
        const since = at(-60000);
        const crowd = window.crowd = {
          waiting: new Set(), called: new Map(), longestGap: 0, next: window.crowd?.next ?? 9e15 };
        const send = () => take({ type: "turns", sequence: crowd.next++, shopName: "Market",
          languages: ["it", "en"], now: at(0), open: true, closes: at(36e6), next: [], visits: [],
          waiting: \(waiting),
          wait: { expected: at(6e5), earliest: at(3e5), latest: at(9e5), peopleAhead: \(waiting) },
          called: Array.from({ length: \(called) }, (_, i) =>
            ({ number: i + 1, kind: "ticket", since, enterBy: at(3e5) })),
          times: Array.from({ length: \(waiting) }, (_, i) => [i + 1 + \(called), i]) });
        send();
        crowd.feed = setInterval(send, 3000);
        crowd.watch = setInterval(() => {
          const now = performance.now();
          for (const item of document.querySelectorAll(".item b")) crowd.waiting.add(item.textContent);
          for (const turn of document.querySelectorAll(".turn")) {
            const before = crowd.called.get(turn.dataset.number) ?? now;
            crowd.longestGap = Math.max(crowd.longestGap, now - before);
            crowd.called.set(turn.dataset.number, now);
          }
        }, 100);
        """
    }

    /// Where the first number's digits are, as convert(1) takes it.
    private func box(_ browser: Browser) async throws -> String {
        try await browser.value(
            "(() => { const b = document.querySelector('\(Self.first) .digits')"
                + ".getBoundingClientRect(); return Math.round(b.width) + 'x' "
                + "+ Math.round(b.height) + '+' + Math.round(b.x) + '+' + Math.round(b.y) })()")
    }
}
