import TestSupport
import Testing

@Suite(
    "The page of orders without a network, without memory, and with answers that are late (rules: order-pages)",
    .serialized)
struct OrderPageRobustnessTests {
    @Test(
        "Without a network the phone still shows the code; with it the customer reads that the order is back on the shelf, and where to turn"
    )
    func offline() async throws {
        try await OrderPageTests.with(["1"], known: 1) { shop, orders, browser in
            try await browser.speak("en")
            #expect(await browser.keepsPages(" /arrival.js /notices.js /orders"))
            let link = try await shop.requiredInvitation()
            try await browser.open(link, opens: "#iAmHere")
            try await browser.cutNetwork(true)
            try await browser.press("#iAmHere")
            await browser.expect(
                "#error", begins: "No connection: we do not know whether the shop has heard")
            try await browser.reload(opens: "#entryDigits")
            await browser.expect("#notice", has: "last information")
            #expect(try await browser.orderCodes() == [orders[0].code.rawValue])
            try await browser.cutNetwork(false)
            try await browser.open(link, opens: "#iAmHere")
            try await browser.press("#iAmHere")
            await browser.expect("#number", "C-001")
            let desk = try await shop.desk()
            try await shop.take(.fetch, .ready, .putBack, of: orders[0], at: 1, with: desk)
            await browser.expect("#range", "Put aside for you again")
            #expect(try await browser.text("#hint").contains("ask at a collection desk"))
            #expect(try await browser.shows("#entry"))
        }
    }

    @Test(
        "Answers to an arrival that are lost are asked for again with its key; after three the page says so, until it knows [faults 70]",
        arguments: [1, 3])
    func lostAnswers(lost: Int) async throws {
        try await OrderPageTests.with(["1"], known: 1) { shop, orders, browser in
            try await browser.speak("en")
            try await browser.open(shop.requiredInvitation(), opens: "#iAmHere")
            try await browser.loseAnswers(to: "arrival", while: "window.keys.length <= \(lost)")
            try await browser.press("#iAmHere")
            if lost == 3 {
                await browser.expect("#error", begins: "No connection: we do not know")
            }
            await expectSoon { try await browser.text("#number") == "C-001" }
            #expect(try await !browser.shows("#error"))
            #expect(try await browser.value("window.keys.length") == "\(min(lost + 1, 3))")
            #expect(try await browser.value("new Set(window.keys).size") == "1")
            let arrivals: [[String: String]] = try await Checker.rows(
                of: "SELECT actor FROM pickup_event WHERE state = 'arrived'",
                database: shop.backend.database)
            #expect(arrivals.count == 1)
        }
    }

    @Test(
        "A phone that keeps nothing still shows the order and its code; an answer that was overtaken changes nothing; what was removed stays so; what the server no longer knows is said to be so"
    )
    func hardships() async throws {
        try await OrderPageTests.with(["1"], known: 0) { shop, orders, browser in
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    if (location.search === "?full") {
                      Storage.prototype.getItem = () => null;
                      Storage.prototype.setItem = () => { throw new Error("full"); };
                    }
                    const real = window.fetch;
                    window.change = async (path, answer) => answer;
                    window.fetch = async (path, options) => window.change(path, await real(path, options));
                    """
                ])
            let page = "\(shop.backend.phones)/orders"
            let code = orders[0].code.rawValue
            func asksAgain() async throws {
                try await browser.run("window.dispatchEvent(new Event('online'))")
                try await browser.lets(timersRun: 2_000)
            }
            try await browser.open("\(page)?full#\(code)", opens: "#entryDigits")
            try await browser.speak("en")
            try await asksAgain()
            #expect(try await browser.text("#range") == "Ready to be collected")
            #expect(try await browser.shows("#entryDigits"))

            try await browser.open("\(page)?again#\(code)", opens: "#entryDigits")
            try await browser.speak("en")
            try await browser.open(shop.requiredInvitation(), opens: "#iAmHere")
            // The answer to a look before the arrival comes after it.
            try await browser.run(
                """
                window.late = 0;
                window.change = async (path, answer) => {
                  if (!path.endsWith("/order") || window.late++) return answer;
                  await new Promise((done) => { window.release = done; });
                  return answer;
                };
                window.dispatchEvent(new Event("online"));
                """)
            let isHeld = "typeof window.release"
            await browser.expect(value: isHeld, "function")
            try await browser.press("#iAmHere")
            await browser.expect("#number", "C-001")
            try await browser.run("window.release()")
            try await browser.lets(timersRun: 1_000)
            #expect(try await browser.text("#number") == "C-001")

            try await browser.run(
                """
                window.change = async (path, answer) => path.endsWith("/order")
                  ? new Response(JSON.stringify({ type: "urn:clup:problem:not-found" }), { status: 404 }) : answer;
                """)
            try await asksAgain()
            let unknown = "We do not know this order"
            await browser.expect("#first", unknown)
            #expect(try await !browser.shows("#entry"))
            // It is removed while it is asked for once more.
            try await browser.run(
                """
                window.release = null;
                window.change = async (path, answer) => {
                  if (path.endsWith("/order")) await new Promise((done) => { window.release = done; });
                  return answer;
                };
                window.dispatchEvent(new Event("online"));
                """)
            await browser.expect(value: isHeld, "function")
            for _ in 1...2 { try await browser.press("#remove") }
            await browser.expect("#empty")
            try await browser.run("window.release()")
            try await browser.lets(timersRun: 1_000)
            #expect(try await browser.shows("#empty"))
            try await browser.reload(opens: "#empty")
        }
    }
}
