import Reservations
import TestSupport
import Testing

@Suite("The question two hours before a visit, on its page [rules: coming-question]", .serialized)
struct VisitQuestionPageTests {
    /// Sets the clock to two minutes before the question, and then to one after it is asked.
    private func ask(_ browser: Browser, _ clock: MovedClock) async throws -> LocalMoment {
        let start = try #require(try await browser.place().reservation.visit?.start)
        try clock.set(start.at(start.moment - .minutes(121)))
        await expectSoon {
            try await browser.place().reservation.now.moment > start.moment - .minutes(122)
        }
        #expect(try await !browser.shows("#yes"))
        try clock.set(start.at(start.moment - .minutes(119)))
        await browser.expect("#yes")
        return start
    }

    @Test(
        "It is asked, answered with one touch, and the visit is called at its hour; without an answer it is too, and the page asks no more"
    )
    func answered() async throws {
        let clock = try MovedClock()
        try await PageShop.visits(shop: ["--demo"], options: clock.options) { shop, browser in
            try await browser.book("10:00", on: 2, of: shop)
            let second = try await browser.value("location.href")
            try await browser.book("10:00", on: 1, of: shop)
            let start = try await ask(browser, clock)
            #expect(try await browser.text("#coming") == "Are you coming?")
            try await browser.speak("it")
            try await browser.press("#yes")
            await browser.expect("#coming", has: "Grazie")
            try clock.set(start)
            await browser.expect(look: "called")

            try await browser.open(second, opens: "#move")
            let next = try await ask(browser, clock)
            try clock.set(next.at(next.moment + .minutes(1)))
            await browser.expect(look: "called")
            #expect(try await !browser.shows("#yes"))
            try clock.set(next.at(next.moment + .minutes(11)))
            await browser.expect(look: "ended")
            let another = "document.getElementById('another').pathname"
            #expect(try await browser.value(another) == "/visit/TEST")
        }
    }
}
