import Reservations
import TestSupport
import Testing

@Suite(
    "The question whether a customer is coming, on the page of the place [rules 37]", .serialized)
struct QuestionTests {
    /// A page of a place that was taken elsewhere and waits for long; all of the line are given to the body.
    private func waiting(
        asks: Bool = true, _ body: (PageShop, [Reservation], Browser) async throws -> Void
    ) async throws {
        try await PageShop.remoteWithLine(asks: asks) { shop, line, browser in
            try await browser.joinRemotely(shop)
            #expect(try await browser.place().reservation.answerBy == nil)
            #expect(try await !browser.shows("#question"))
            try await body(shop, line, browser)
        }
    }

    @Test(
        "It is asked when the turn comes near, and answered with one touch; without a network it says so"
    )
    func answered() async throws {
        try await waiting { shop, line, browser in
            #expect(try await browser.requests(of: "/question.js") == "0")
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            await browser.expect("#yes")
            #expect(try await browser.place().reservation.answerBy != nil)
            #expect(try await browser.text("#coming") == "Are you coming?")
            #expect(try await browser.text("#question p").hasPrefix("If you cannot come"))
            let aloud = "document.querySelector('#question + [aria-live]').textContent"
            await expectSoon { try await browser.value(aloud).contains("Are you coming?") }
            #expect(
                try await browser.value(
                    "document.querySelector('#yes').getBoundingClientRect().bottom <= innerHeight")
                    == "true")
            try await browser.darken()
            try await browser.expectAccess("remote-question")

            try await browser.block("*/coming")
            try await browser.press("#yes")
            await browser.expect("#question [role=alert]", has: "did not arrive")
            try await browser.block()
            try await browser.press("#yes")
            await browser.expect("#coming", has: "Thank you")
            #expect(try await !browser.shows("#yes"))
            #expect(try await browser.focusedPart() == "coming")
            #expect(try await browser.place().reservation.answerBy == nil)
            await expectSoon { try await !browser.shows("#question") }
            #expect(try await browser.focusedPart() == "turn")
            try await shop.free(line[0].number)
            await browser.expect(look: "called")
        }
    }

    @Test("A shop that does not ask shows no question, and calls as ever")
    func notAsked() async throws {
        try await waiting(asks: false) { shop, line, browser in
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            await expectSoon { try await browser.place().reservation.wait?.peopleAhead == 0 }
            #expect(try await !browser.shows("#question"))
            try await shop.free(line[0].number)
            await browser.expect(look: "called")
        }
    }

    @Test(
        "The question is asked in a page that opens without a network, and a part that was lost is loaded again"
    )
    func lostPart() async throws {
        try await waiting { shop, line, browser in
            try await browser.block("*/question.js")
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            await expectSoon { try await browser.place().reservation.answerBy != nil }
            try await browser.lets(timersRun: 1_000)
            #expect(try await browser.text("#range") != "")
            try await browser.block()
            await expectSoon { try await browser.shows("#yes") }
            await browser.expectWorker()
            await shop.backend.drain()
            try await browser.reload(opens: "#notice")
            await browser.expect("#yes")
        }
    }

    @Test("Without an answer the place is called at its turn, and the page asks no more")
    func unanswered() async throws {
        try await waiting { shop, line, browser in
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            await browser.expect("#yes")
            try await shop.free(line[0].number)
            await browser.expect(look: "called")
            #expect(try await !browser.shows("#question"))
        }
    }
}
