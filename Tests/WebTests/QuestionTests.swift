import Glibc
import TestSupport
import Testing

@Suite(
    "The question whether a customer is coming, on the page of the place [rules: coming-question]",
    .serialized)
struct QuestionTests {
    @Test(
        "It is asked when the turn comes near, although its part was lost at first, also in a page that opens without a network, and answered with one touch; without a network it says so"
    )
    func answered() async throws {
        try await PageShop.remoteWithLine { shop, line, browser in
            try await browser.joinRemotely(shop)
            #expect(try await browser.place().reservation.answerBy == nil)
            #expect(try await !browser.shows("#question"))
            #expect(try await browser.requests(of: "/question.js") == "0")
            try await browser.block("*/question.js")
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            await expectSoon { try await browser.place().reservation.answerBy != nil }
            try await browser.lets(timersRun: 1_000)
            #expect(try await browser.text("#range") != "")
            try await browser.block()
            await browser.expect("#yes")
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
            await browser.expectWorker()
            shop.backend.signal(SIGSTOP)
            try await browser.reload(opens: "#notice")
            await browser.expect("#yes")
            shop.backend.signal(SIGCONT)
            await browser.expect(no: "#notice")

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
}
