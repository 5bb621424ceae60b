import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Notices that the worker of the page shows [rules: notices]", .showsNotices, .serialized)
struct PushedNoticeTests {
    private struct Shown: Decodable, Equatable {
        let title: String
        let body: String
        let tag: String
        let lang: String
        let capability: String
        let isSilent: Bool
    }

    private static let languages = ["it", "en", "de", "fr", "es"]

    /// Delivers a push to the worker of the page, which is the first of this browser, and waits until what is shown
    /// satisfies the condition. Chromium may forget a notice that is asked for while it is about to be shown, so that
    /// the push is delivered once more.
    private func push(
        _ data: String, to browser: Browser, at address: String,
        until condition: ([Shown]) -> Bool
    ) async throws -> [Shown] {
        var last: [Shown] = []
        for _ in 0..<15 {
            try await browser.devTools(
                "ServiceWorker.deliverPushMessage",
                ["origin": address, "registrationId": "0", "data": data])
            let isShown = await patiently(.seconds(4)) {
                last = try await shown(in: browser)
                return condition(last)
            }
            if isShown { break }
        }
        return last
    }

    /// The notices that the browser shows.
    private func shown(in browser: Browser) async throws -> [Shown] {
        try await browser.run(
            """
            // A page that was opened with the link of a symbol has more than one worker.
            const all = await navigator.serviceWorker.getRegistrations();
            const shown = (await Promise.all(all.map((one) => one.getNotifications()))).flat();
            window.shown = JSON.stringify(shown.map(({ title, body, tag, lang, data, silent }) =>
              ({ title, body, tag, lang, capability: data.capability || "", isSilent: !!silent })));
            """)
        return try await JSONDecoder().decode(
            [Shown].self, from: Data(browser.value("window.shown").utf8))
    }

    @Test(
        "A push that is not understood shows a plain notice; each kind in each language has the number, the shop and the time, and replaces the former; one that comes after a newer one of its place does not replace it; a touch on one shows the place's open window, or opens its page"
    )
    func kinds() async throws {
        try await NoticesPageTests.waiting(isNew: true) { shop, called, place, browser in
            let mine = String(try #require(place.link).suffix(38))
            let capability = try #require(Capability(rawValue: mine))
            let phones = shop.backend.phones
            try await browser.open(#require(place.link))
            await browser.expectWorker()
            try await browser.devTools("ServiceWorker.enable")
            func closeAll() async throws {
                try await browser.run(
                    """
                    for (const one of await (await navigator.serviceWorker.ready).getNotifications()) one.close();
                    """)
                await expectSoon { try await shown(in: browser).isEmpty }
            }
            let plain = (
                title: "Your place in the queue", body: "There is news. Touch here to see it."
            )
            let start = "{\"capability\":\"\(mine)\",\"kind\""
            for (data, title, body, isOfPlace) in [
                ("", plain.title, plain.body, false), ("no JSON", plain.title, plain.body, false),
                ("null", plain.title, plain.body, false), ("[1]", plain.title, plain.body, false),
                ("{\"kind\":\"called\"}", plain.title, plain.body, false),
                (
                    "\(start):\"toString\",\"number\":7,\"language\":\"xx\"}",
                    "007 · \(plain.title)", plain.body, true
                ),
                (
                    "\(start):\"called\",\"number\":\"7\",\"shopName\":1,\"language\":2,\"time\":\"now\"}",
                    "It is your turn", "Please come in.", true
                ),
            ] {
                try await closeAll()
                let last = try await push(data, to: browser, at: phones) { !$0.isEmpty }
                let notice = try #require(last.first, "\(data)")
                #expect(notice.title == title && notice.body == body, "\(data)")
                #expect(notice.capability == (isOfPlace ? mine : ""), "\(data)")
                #expect((notice.tag == "place") == !isOfPlace, "\(data)")
            }
            try await closeAll()

            let time = place.issued
            func message(
                _ kind: NoticeKind, in language: String = "en", made: Int64 = 1
            ) throws -> String {
                let hasTime = [.called, .later, .missed].contains(kind)
                let message = NoticeMessage(
                    kind, of: capability, number: place.number, shopName: "Citt\u{E0} & Co",
                    language: language, time: hasTime ? time : nil,
                    made: Moment(milliseconds: made))
                return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
            }
            let clock = String("\(time)".dropFirst(11).prefix(5))
            let french = String(clock.drop { $0 == "0" }).replacingOccurrences(of: ":", with: "h")
            for language in Self.languages {
                var titles: Set<String> = []
                for kind in NoticeKind.allCases {
                    let hasTime = [.called, .later, .missed].contains(kind)
                    let last = try await push(
                        message(kind, in: language), to: browser, at: phones
                    ) {
                        $0.contains { $0.lang == language && !titles.contains($0.title) }
                    }
                    let name = "\(kind) \(language)"
                    #expect(last.count == 1, "\(name)")
                    let notice = try #require(last.first, "\(name)")
                    #expect(notice.title.hasPrefix("\(place.number.text) · "), "\(notice)")
                    #expect(notice.tag == capability.rawValue.prefix(12), "\(name)")
                    #expect(notice.capability == capability.rawValue, "\(name)")
                    #expect(notice.body.hasSuffix("\nCitt\u{E0} & Co"), "\(name)")
                    #expect(!notice.body.contains("{") && !notice.isSilent, "\(name)")
                    #expect(
                        notice.body.contains(language == "fr" ? french : clock) == hasTime,
                        "\(notice)")
                    if language == "en", kind == .called {
                        #expect(notice.title.hasSuffix("It is your turn"))
                        #expect(notice.body.hasPrefix("Please come in by \(clock)."))
                    }
                    if language == "de", kind == .soon {
                        #expect(notice.title.hasSuffix("Sie sind gleich an der Reihe"))
                        #expect(
                            notice.body.hasPrefix(
                                "Ihre Nummer wird in etwa zwei Minuten aufgerufen."))
                    }
                    if language == "it", kind == .cancelled || kind == .givenBack {
                        let word = kind == .cancelled ? "annullata" : "disdetto"
                        #expect(notice.title.hasSuffix(word))
                    }
                    titles.insert(notice.title)
                }
                #expect(titles.count == NoticeKind.allCases.count, "\(language)")
            }

            let turn = try await push(message(.called, made: 2), to: browser, at: phones) {
                $0.contains { $0.title.hasSuffix("It is your turn") }
            }
            let first = try #require(turn.first)
            #expect(turn.count == 1 && !first.isSilent)
            let last = try await push(message(.soon, made: 1), to: browser, at: phones) {
                $0.contains(where: \.isSilent)
            }
            let second = try #require(last.first)
            #expect(last.count == 1 && second.title == first.title && second.body == first.body)
            #expect(second.capability == capability.rawValue && second.tag == first.tag)
            // One that is newer than both replaces it, and is heard.
            let newest = try await push(message(.missed, made: 3), to: browser, at: phones) {
                $0.contains { $0.title.hasSuffix("Your turn has passed") }
            }
            #expect(newest.count == 1 && newest.first?.isSilent == false)

            let other = String(try #require(called[0].link).suffix(38))
            let page = phones + "/t"
            // A script is no page with a policy of its own: the worker runs in it, with a browser of the test's.
            try await browser.open("\(phones)/worker.js")
            for (windows, refuses, wanted, expected) in [
                ([], false, mine, "open /t#\(mine)"),
                (["\(page)#\(other)"], false, mine, "open /t#\(mine)"),
                (["\(page)#\(other)", "\(page)#\(mine.lowercased())"], false, mine, "focus 1"),
                (["\(page)#\(mine)"], true, mine, "open /t#\(mine)"),
                (["\(phones)/j#\(mine)"], false, "", "open /t"),
                (["\(page)#\(other)"], false, "", "focus 0"),
            ] {
                let urls = String(decoding: try JSONEncoder().encode(windows), as: UTF8.self)
                try await browser.run(
                    """
                    const handlers = {};
                    const done = [];
                    const windows = \(urls).map((url, index) => ({ url, async focus() {
                      if (\(refuses)) throw new Error("refused");
                      done.push(`focus ${index}`);
                      return this;
                    } }));
                    const clients = { matchAll: async () => windows,
                      openWindow: async (url) => { done.push(`open ${url}`); } };
                    const text = await (await fetch("/worker.js")).text();
                    new Function("self", text)({ clients, addEventListener(name, act) { handlers[name] = act; } });
                    let work;
                    handlers.notificationclick({ waitUntil(promise) { work = promise; },
                      notification: { close() { done.push("close"); }, data: { capability: "\(wanted)" } } });
                    await work;
                    window.done = done.join();
                    """)
                #expect(try await browser.value("window.done") == "close,\(expected)")
            }
        }
    }

    @Test(
        "A subscription that the browser changes while no page is open is sent again for each place that had notices, the former one is ended, and what is too old or unknown is forgotten",
        arguments: [true, false])
    func changedSubscription(isGiven: Bool) async throws {
        try await NoticesPageTests.waiting { shop, _, _, browser in
            let phones = shop.backend.phones
            // A script is no page with a policy of its own: the worker runs in it, with a registration of the test's.
            try await browser.open("\(phones)/worker.js")
            try await browser.run(
                """
                await caches.delete("clup-notices");
                const cache = await caches.open("clup-notices");
                const keep = (path, at) => cache.put(path, new Response(JSON.stringify({
                  at, own: path.split("/").pop(), pushKey: "\(FakePush.key)",
                  body: { capability: path, endpoint: "old", p256dh: "p", auth: "a", language: "it" },
                })));
                await keep("/notices/t/KNOWN", Date.now());
                await keep("/notices/t/ENDED", Date.now());
                await keep("/notices/t/OLD", Date.now() - 90 * 86400000);
                await keep("/notices/orders/ORDER", Date.now());
                const text = await (await fetch("/worker.js")).text();
                const done = [];
                window.fetch = async (path, { body }) => {
                  const { capability, endpoint, auth, language } = JSON.parse(body);
                  done.push([path.split("/").pop(), capability, endpoint, auth, language].join(" "));
                  return new Response(null, { status: /ENDED/.test(capability) ? 404 : 204 });
                };
                const made = { toJSON: () => ({ endpoint: "new", keys: { p256dh: "P", auth: "A" } }) };
                const pushManager = { subscribe: async ({ applicationServerKey }) => {
                  done.push(`subscribe ${applicationServerKey.length}`);
                  return made;
                } };
                const handlers = {};
                new Function("self", text)({ registration: { scope: "\(phones)/t", pushManager },
                  addEventListener(name, act) { handlers[name] = act; } });
                let work;
                handlers.pushsubscriptionchange({ waitUntil(promise) { work = promise; },
                  newSubscription: \(isGiven) ? made : null });
                await work;
                const left = (await cache.keys()).map(({ url }) => new URL(url).pathname);
                const kept = await (await cache.match("/notices/t/KNOWN")).json();
                window.done = JSON.stringify([...done, ...left.sort(), `${kept.own} ${kept.body.endpoint} ${kept.body.auth}`]);
                """)
            let done = try await JSONDecoder().decode(
                [String].self, from: Data(browser.value("window.done").utf8))
            let known = "/notices/t/KNOWN"
            let ended = "/notices/t/ENDED"
            #expect(
                done == (isGiven ? [] : ["subscribe 65"]) + [
                    "subscription-end \(known) old  ",
                    "subscription \(known) new A it",
                    "subscription-end \(ended) old  ",
                    "subscription \(ended) new A it",
                    "/notices/orders/ORDER", known, "KNOWN new A",
                ])
        }
    }

    @Test(
        "Each state of an order has a notice with its number, name and shop, which replaces the former and opens its page [Click-And-Collect UC9, Click-And-Collect UC12]"
    )
    func orders() async throws {
        try await PageShop.with(
            shop: ["--desks", "2"], options: ["--phones", "127.0.0.1:0"], width: 360, height: 640,
            isNew: true
        ) { shop, browser in
            let order = try #require(try await shop.backend.announceOrders(["4711"]).first)
            try await browser.permitNotices("granted", at: shop.backend.phones)
            try await browser.openOrder(order, of: shop)
            await browser.expectWorker()
            try await browser.devTools("ServiceWorker.enable")
            var titles: Set<String> = []
            let hash = try await browser.value("location.hash.slice(1)")
            let capability = try #require(OrderCapability(rawValue: hash))
            for kind in OrderNoticeKind.allCases {
                let message = OrderNoticeMessage(
                    kind, of: capability, reference: "4711",
                    number: kind.state.isHere ? PickupNumber(rawValue: 17) : nil,
                    desk: kind == .called ? 2 : nil, shopName: "Citt\u{E0}",
                    language: "it", made: Moment(milliseconds: 1))
                let data = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
                let last = try await push(data, to: browser, at: shop.backend.phones) {
                    $0.contains { !titles.contains($0.title) }
                }
                let notice = try #require(last.first, "\(kind)")
                #expect(last.count == 1 && notice.lang == "it")
                #expect(notice.title.hasPrefix("C-017 · ") == kind.state.isHere, "\(notice)")
                #expect(notice.body.hasSuffix("Ordine 4711, Citt\u{E0}"), "\(notice)")
                #expect(!(notice.title + notice.body).contains("{"), "\(notice)")
                #expect(notice.title.hasSuffix("ritiri 2") == (kind == .called), "\(notice)")
                titles.insert(notice.title)
            }
            #expect(titles.count == OrderNoticeKind.allCases.count)
        }
    }
}
