import Reservations
import TestSupport
import Testing

@Suite("The question two hours before a visit, on its page [rules 39]", .serialized)
struct VisitQuestionPageTests {
    /// The page of a visit of tomorrow at ten, just before two hours before it.
    private static func nearlyAsked(
        _ body: (Browser, MovedClock, LocalMoment) async throws -> Void
    ) async throws {
        let clock = try MovedClock()
        try await PageShop.remote(
            capacity: 20, shop: ["--demo", "--phone-visits", "yes"], options: clock.options
        ) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.book("10:00", on: 1, of: shop)
                let start = try #require(try await browser.place().reservation.visit?.start)
                try clock.set(start.at(start.moment - .minutes(121)))
                #expect(
                    await patiently {
                        try await browser.place().reservation.now.moment > start.moment
                            - .minutes(122)
                    })
                #expect(try await !browser.shows("#yes"))
                try await body(browser, clock, start)
            }
        }
    }

    @Test("It is asked, answered with one touch, and the visit is called at its hour")
    func answered() async throws {
        try await Self.nearlyAsked { browser, clock, start in
            try clock.set(start.at(start.moment - .minutes(119)))
            #expect(await browser.waits(for: "#yes"))
            #expect(try await browser.text("#coming") == "Are you coming?")
            try await browser.keepPicture("visit-question")
            try await browser.speak("it")
            try await browser.keepPicture("visit-question-it")
            try await browser.press("#yes")
            #expect(await patiently { try await browser.text("#coming").contains("Grazie") })
            try clock.set(start)
            #expect(await patiently { try await browser.look() == "called" })
        }
    }

    @Test("Without an answer the visit is called at its hour, and the page asks no more")
    func unanswered() async throws {
        try await Self.nearlyAsked { browser, clock, start in
            try clock.set(start.at(start.moment - .minutes(119)))
            #expect(await browser.waits(for: "#yes"))
            try await browser.keepPicture("visit-question-open")
            try clock.set(start.at(start.moment + .minutes(1)))
            #expect(await patiently { try await browser.look() == "called" })
            #expect(try await !browser.shows("#yes"))
            try await browser.keepPicture("visit-question-called")
            try clock.set(start.at(start.moment + .minutes(11)))
            #expect(await patiently { try await browser.look() == "ended" })
            #expect(
                try await browser.value("document.getElementById('another').pathname")
                    == "/visit/TEST")
        }
    }
}
