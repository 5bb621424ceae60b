import BackendAPI
import Reservations
import TestSupport
import Testing

@Suite(
    "Notices in Firefox, which may be closed [rules: notices]", .serialized)
struct FirefoxNoticeTests {
    /// What notices of a call say, by the language of the page.
    private static let words = ["it": "Tocca a te", "de": "an der Reihe"]

    /// A phone whose customer has asked for notices of the place that is called next, in a shop that pushes them to the
    /// phone's push service. The body gets the place, and the reservations whose customers take the shop's two places.
    private func withNotices(
        language: String = "it",
        body: (FirefoxPhone, PageShop, Reservation, [Reservation]) async throws -> Void
    ) async throws {
        try await FirefoxPhone.with(language: language) { phone in
            let options = ["--push-services", phone.pushService]
            try await PageShop.full(options: options) { shop, called in
                let mine = try await shop.ticket()
                try await phone.open(#require(mine.link))
                try await phone.askForNotices()
                try await body(phone, shop, mine, called)
            }
        }
    }

    /// One message was pushed, the browser read it, and it shows the call in the page's language.
    private func expectCall(
        of place: Reservation, on phone: FirefoxPhone, in language: String = "it"
    ) async throws {
        await expectSoon { try await phone.posts().last?.acknowledged != nil }
        let posts = try await phone.posts()
        #expect(posts.map(\.status) == [201], "\(posts)")
        #expect(posts.map(\.acknowledged) == [100], "\(posts)")
        #expect(posts.allSatisfy { $0.urgency == "high" && ($0.ttl.flatMap { Int($0) } ?? 0) > 0 })
        await expectSoon { try await !phone.notifications().isEmpty }
        let shown = try await phone.notifications()
        #expect(shown.count == 1 && shown.first?.isOpen == true)
        let text = shown.map { "\($0.title) \($0.body)" }.joined()
        #expect(text.contains(place.number.text), "\(text)")
        #expect(try text.contains(#require(Self.words[language])), "\(text)")
    }

    @Test("The page is closed: the call is shown, and touching it opens the page of the place")
    func pageClosed() async throws {
        try await withNotices { phone, shop, mine, called in
            try await phone.closePage()
            try await shop.free(called[0].number)
            try await expectCall(of: mine, on: phone)
            try await phone.touchNotification()
            let link = try #require(mine.link)
            await expectSoon { try await phone.pages().contains(link) }
            await expectSoon { try await phone.notifications().allSatisfy { !$0.isOpen } }
        }
    }

    @Test("The page is open: it shows the call, and so does a notification")
    func pageOpen() async throws {
        try await withNotices(language: "de") { phone, shop, mine, called in
            try await shop.free(called[0].number)
            await phone.expect(look: "called")
            try await expectCall(of: mine, on: phone, in: "de")
        }
    }

    @Test("The browser has ended: it shows the call when it is started again")
    func browserEnded() async throws {
        try await withNotices { phone, shop, mine, called in
            try await phone.switchOff()
            try await shop.free(called[0].number)
            await expectSoon { try await phone.posts().count == 1 }
            #expect(try await phone.posts().map(\.acknowledged) == [nil])
            try await phone.switchOn()
            try await expectCall(of: mine, on: phone)
        }
    }

    @Test("A customer who wants no more notices gets none, and others still do")
    func givenUp() async throws {
        try await withNotices { phone, shop, mine, called in
            let other = try await shop.ticket()
            try await phone.subscribe(to: other, at: "/push/other")
            try await phone.giveUpNotices()
            try await shop.free(called[0].number)
            await phone.expect(look: "called")
            try await shop.free(called[1].number)
            await expectSoon { try await !phone.posts().isEmpty }
            #expect(try await phone.posts().map(\.path) == ["/push/other"])
            #expect(try await phone.notifications().isEmpty)
        }
    }
}

extension FirefoxPhone {
    /// What the customer presses for notices, and again for no more of them.
    private static let noticesButton = "#notify"
    private static let subscription =
        "navigator.serviceWorker.getRegistration('/t').then((r) => r.pushManager.getSubscription())"

    /// Asks for notices as the customer does; returns once the backend has the subscription.
    fileprivate func askForNotices() async throws {
        guard await waits(for: Self.noticesButton) else {
            throw TestSupportError("no button for notices: \(try await text("main"))")
        }
        let offer = try await text(Self.noticesButton)
        try await waitForAnswer(to: .subscription) {
            // A part of the page that comes late may move the button away from under the finger, and a push service that is
            // slow to answer is tried again; meanwhile the button says something else.
            if try await text(Self.noticesButton) == offer { try await press(Self.noticesButton) }
        }
        let endpoint = try await value("\(Self.subscription).then((s) => s.endpoint)")
        guard endpoint.hasPrefix("\(pushService)/push/") else {
            throw TestSupportError("endpoint \(endpoint)")
        }
    }

    /// Wants no more notices; returns once the backend knows that.
    fileprivate func giveUpNotices() async throws {
        try await press(Self.noticesButton)
        try await waitForAnswer(to: .subscriptionEnd)
    }

    /// Waits until the backend has carried out a call of the page; until then `ask` is done again and again.
    private func waitForAnswer(
        to call: PublicCall, ask: () async throws -> Void = {}
    ) async throws {
        let answers =
            "performance.getEntriesByType('resource').some((e) => e.name.endsWith('\(call.path)')"
            + " && e.responseStatus >= 200 && e.responseStatus < 300)"
        let isAnswered = await patiently {
            if try await value(answers) == "true" { return true }
            try await ask()
            return false
        }
        guard isAnswered else {
            let page =
                "[location.href, document.readyState, navigator.onLine, document.body.innerText,"
                + " ...performance.getEntriesByType('resource').map((e) => e.name + ' ' + e.responseStatus)]"
                + ".join('\\n')"
            throw TestSupportError("no answer to \(call.path): \(try await value(page))")
        }
    }

    /// Subscribes to notices of one more place with this browser's keys, at a push resource of no browser.
    fileprivate func subscribe(to place: Reservation, at path: String) async throws {
        guard let capability = place.link?.split(separator: "#").last else {
            throw TestSupportError("the place has no link")
        }
        try await run(
            """
            const { keys } = (await \(Self.subscription)).toJSON();
            const answer = await fetch("\(PublicCall.subscription.path)", { method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ capability: "\(capability)", endpoint: "\(pushService)\(path)",
                p256dh: keys.p256dh, auth: keys.auth, language: "it" }) });
            if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
            """)
    }
}
