import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite(
    "The question whether a customer is coming, on the page of the place [rules 37]", .serialized)
struct QuestionTests {
    /// A page of a place that was taken elsewhere and waits for long; all of the line are given to the body.
    private func waiting(
        shop settings: [String] = [], options: [String] = [],
        _ body: (PageShop, [Reservation], Browser) async throws -> Void
    ) async throws {
        try await PageShop.remoteWithLine(shop: settings, options: options) { shop, line in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.joinRemotely(shop)
                #expect(try await browser.place().reservation.answerBy == nil)
                #expect(try await !browser.shows("#question"))
                try await body(shop, line, browser)
            }
        }
    }

    @Test(
        "It is asked when the turn comes near, and answered with one touch; without a network it says so"
    )
    func answered() async throws {
        try await waiting { shop, line, browser in
            let parts = "performance.getEntriesByName(location.origin + '/question.js').length"
            #expect(try await browser.value(parts) == "0")
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            #expect(await browser.waits(for: "#yes"))
            let answerBy = try #require(try await browser.place().reservation.answerBy)
            #expect(try await browser.text("#coming") == "Are you coming?")
            #expect(
                try await browser.text("#question p").contains("from \(answerBy.time) on."))
            let aloud = "document.querySelector('#question + [aria-live]').textContent"
            #expect(await patiently { try await browser.value(aloud).contains("Are you coming?") })
            #expect(
                try await browser.value(
                    "document.querySelector('#yes').getBoundingClientRect().bottom <= innerHeight")
                    == "true")
            try await browser.keepPicture("question")

            try await browser.devTools("Network.enable")
            try await browser.devTools("Network.setBlockedURLs", ["urls": ["*/coming"]])
            try await browser.press("#yes")
            #expect(
                await patiently {
                    try await browser.text("#question [role=alert]").contains("did not arrive")
                })
            try await browser.keepPicture("question-failed")
            try await browser.devTools("Network.setBlockedURLs", ["urls": [String]()])
            try await browser.press("#yes")
            #expect(await patiently { try await browser.text("#coming").contains("Thank you") })
            #expect(try await !browser.shows("#yes"))
            #expect(try await browser.value("document.activeElement.id") == "coming")
            #expect(try await browser.place().reservation.answerBy == nil)
            try await browser.keepPicture("question-thanks")
            #expect(await patiently(.seconds(20)) { try await !browser.shows("#question") })
            #expect(try await browser.value("document.activeElement.id") == "turn")
            try await shop.free(line[0].number)
            #expect(await patiently { try await browser.look() == "called" })
        }
    }

    @Test(
        "Without an answer the place goes to others when its turn has come, and the page leads to the shops"
    )
    func unanswered() async throws {
        let clock = try MovedClock()
        try await waiting(shop: ["--demo"], options: clock.options) { shop, line, browser in
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            #expect(await browser.waits(for: "#yes"))
            let issued = line[0].issued
            try await shop.act(StaffActionRequest(.delete, number: line[0].number))
            try await Task.sleep(for: .seconds(1))
            // A place inside is free, and the turn has come.
            #expect(try await browser.look() == "planned")
            try clock.set(issued.at(issued.moment + .seconds(17 * 60)))
            #expect(await browser.waits(forFirst: "Your place was given to others"))
            #expect(try await browser.text("#hint").contains("no answer came"))
            #expect(try await browser.text("#another") == "Take a new place")
            for part in ["#yes", "#entry"] { #expect(try await !browser.shows(part), "\(part)") }
            try await browser.keepPicture("question-unanswered")
            try await browser.speak("it")
            #expect(await browser.waits(forFirst: "Il tuo posto è andato ad altri"))
            try await browser.run("location.reload()")
            #expect(await browser.waits(forFirst: "Il tuo posto è andato ad altri"))
            #expect(await browser.waits(for: "#another"))
            try await browser.press("#another")
            #expect(await patiently { try await browser.value("location.pathname") == "/shops" })
        }
    }

    @Test(
        "The question is asked in a page that opens without a network, and a part that was lost is loaded again"
    )
    func lostPart() async throws {
        try await waiting { shop, line, browser in
            try await browser.devTools("Network.enable")
            try await browser.devTools("Network.setBlockedURLs", ["urls": ["*/question.js"]])
            for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
            #expect(
                await patiently { try await browser.place().reservation.answerBy != nil })
            try await Task.sleep(for: .seconds(1))
            #expect(try await browser.text("#range") != "")
            try await browser.devTools("Network.setBlockedURLs", ["urls": [String]()])
            #expect(await patiently(.seconds(30)) { try await browser.shows("#yes") })
            let worker = "navigator.serviceWorker.controller?.state"
            #expect(await patiently { try await browser.value(worker) == "activated" })
            await shop.backend.drain()
            try await browser.run("location.reload()")
            #expect(await browser.waits(for: "#notice"))
            #expect(await browser.waits(for: "#yes"))
            try await browser.keepPicture("question-offline")
        }
    }
}
