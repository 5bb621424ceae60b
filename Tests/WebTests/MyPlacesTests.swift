import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The list of the places that a phone knows [UC6, UC7]", .serialized)
struct MyPlacesTests {
    @Test(
        "UC6: a customer sees all reservations, is asked before the ticket is deleted, reads that it is, and sees it no more",
        arguments: [("en", 360), ("it", 1_280)])
    func ticket(language: String, width: Int) async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.resize(width, width == 360 ? 640 : 800)
            try await browser.joinRemotely(shop)
            let number = try await browser.text("#number")
            let link = try await browser.value("location.href")
            // The only place of a phone needs no list.
            #expect(await browser.waits(for: "#calendar"))
            #expect(try await !browser.shows("#myPlaces"))
            try await browser.book("10:00", on: 1, of: shop)
            #expect(await browser.waits(for: "#myPlaces"))
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(2))
            try await browser.speak(language)
            #expect(try await browser.value("location.pathname") == "/places")
            #expect(try await browser.placesLine("number")[0] == number)
            #expect(
                try await browser.placesLine("when")[0].contains(
                    language == "en" ? "between" : "tra"))
            #expect(
                try await browser.placesLine("when")[1]
                    == (language == "en" ? "tomorrow, at 10:00" : "domani, alle 10:00"))
            try await browser.keepPicture("my-places-\(language)")

            try await browser.askAboutPlace(1)
            let question = try await browser.text("#list .words")
            #expect(question.contains("Citt\u{E0}") && question.contains(number), "\(question)")
            #expect(try await browser.focusedPart().hasSuffix("ask"))
            try await browser.keepPicture("my-places-question-\(language)")
            try await browser.press("#list .keep")
            #expect(await patiently { try await browser.focusedPart() == "opener" })
            #expect(await browser.listsPlaces(2))

            try await browser.askAboutPlace(1)
            try await browser.press("#list .yes")
            #expect(await browser.waits(for: "#done"))
            let words = language == "en" ? "your place is cancelled" : "il tuo posto è disdetto"
            #expect(try await browser.text("#done").hasSuffix(words))
            #expect(try await browser.focusedPart() == "done")
            #expect(await browser.listsPlaces(1))
            try await browser.keepPicture("my-places-deleted-\(language)")
            try await browser.run("location.reload()")
            #expect(await browser.listsPlaces(1))
            try await browser.open(link)
            #expect(await patiently { try await browser.look() == "ended" })
        }
    }

    @Test(
        "UC7: a customer finds the visits from the list of shops, is asked before one is deleted, reads that it is, and its day is free",
        arguments: ["en", "de"])
    func visit(language: String) async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.book("11:00", on: 3, of: shop)
            try await browser.book("10:00", on: 2, of: shop)
            try await browser.open(shop.list)
            #expect(await browser.waits(for: "#myPlaces"))
            try await browser.keepPicture("my-places-way-\(language)")
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(2))
            try await browser.speak(language)
            // The soonest is first.
            #expect(try await browser.placesLine("when")[0].contains("10:00"))
            try await browser.askAboutPlace(1)
            let question = try await browser.text("#list .words")
            #expect(
                question.hasPrefix(language == "en" ? "Give up your visit on " : "Ihren Termin am ")
            )
            #expect(question.contains("10:00"), "\(question)")
            #expect(
                try await browser.text("#list .yes")
                    == (language == "en" ? "Give up my visit" : "Meinen Termin absagen"))
            try await browser.keepPicture("my-visits-question-\(language)")
            try await browser.press("#list .yes")
            #expect(await browser.waits(for: "#done"))
            let done = try await browser.text("#done")
            #expect(
                done.hasPrefix(language == "en" ? "Your visit on " : "Ihr Termin am "), "\(done)")
            #expect(
                done.hasSuffix(
                    language == "en" ? " at 10:00 is cancelled" : " um 10:00 Uhr ist abgesagt"))
            #expect(await browser.listsPlaces(1))
            #expect(try await browser.placesLine("when")[0].contains("11:00"))
            try await browser.keepPicture("my-visits-deleted-\(language)")
            try await browser.book("10:00", on: 2, of: shop)
        }
    }

    @Test(
        "A touch opens the page with the entry code; a customer with five visits is led to the list"
    )
    func ways() async throws {
        try await PageShop.withPhone { shop, _, browser in
            for day in 1...5 { try await browser.book("10:00", on: day, of: shop) }
            try await browser.openSlots(of: shop)
            try await browser.openDay(6)
            try await browser.touchSlot("15:00")
            #expect(await browser.waits(forFirst: "You already have five visits booked"))
            #expect(await browser.waits(for: "#myPlaces"))
            try await browser.keepPicture("my-places-way-five")
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(5))
            try await browser.press("#list li:nth-child(2) .go")
            #expect(await browser.waits(for: "#modules"))
            #expect(try await browser.value("location.pathname") == "/t")
            try await browser.run("history.back()")
            #expect(await browser.listsPlaces(5))
        }
    }

    @Test("What is called stands first and is marked; what is over is shown once, with the reason")
    func states() async throws {
        try await PageShop.withPhone { shop, line, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.joinRemotely(shop)
            let number = try #require(
                QueueNumber(rawValue: Int(try await browser.text("#number")) ?? 0))
            for reservation in line.dropFirst(4) { try await shop.free(reservation.number) }
            try await browser.openPlaces(of: shop, count: 2)
            #expect(await patiently { try await browser.placesLine("asked")[0] != "" })
            try await browser.keepPicture("my-places-asked")
            #expect(try await browser.placesLine("asked")[0] == "Are you coming?")
            try await browser.press("#list li:first-child .go")
            #expect(await browser.waits(for: "#yes"))
            try await browser.press("#yes")
            #expect(await patiently { try await !browser.shows("#yes") })
            try await browser.openPlaces(of: shop, count: 2)
            for reservation in line.prefix(4) { try await shop.free(reservation.number) }
            try await browser.jump(seconds: 31)
            let look = "document.querySelector('#list li').dataset.look"
            #expect(await patiently { try await browser.value(look) == "called" })
            #expect(try await browser.placesLine("first")[0] == "Please come in")
            #expect(try await browser.text("#said").contains("Please come in"))
            try await browser.keepPicture("my-places-called")
            try await shop.act(StaffActionRequest(.letIn, number: number))
            try await browser.jump(seconds: 31)
            #expect(await patiently { try await browser.value(look) == "inside" })
            #expect(try await browser.placesLine("first")[0] == "You are inside")
            #expect(try await !browser.shows("#list li:first-child .opener"))
            try await browser.keepPicture("my-places-inside")

            // It is given up elsewhere.
            try await browser.run(
                """
                const visit = JSON.parse(localStorage.getItem("clup-places"))
                  .find(({ view }) => view.reservation.kind === "visit");
                const { status } = await fetch("/v1/public/withdrawal", { method: "POST",
                  headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
                  body: JSON.stringify({ capability: visit.capability, code: visit.entry.typedCode }) });
                if (status !== 204) throw new Error(status);
                """)
            try await browser.jump(seconds: 31)
            #expect(
                await patiently {
                    try await browser.placesLine("first").last?.hasSuffix("is cancelled") == true
                })
            try await browser.keepPicture("my-places-over")
            try await browser.run("location.reload()")
            #expect(await browser.listsPlaces(1))
        }
    }

    @Test(
        "Every form of the list fits every language and size of letters, can be touched, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        try await PageShop.withPhone { shop, line, browser in
            try await browser.open(shop.places)
            try await browser.speak(language)
            #expect(await browser.waits(for: "#empty"))
            try await browser.expectAccess("my-places-empty", in: language)
            try await browser.joinRemotely(shop)
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.open(#require(line[0].link))
            #expect(await patiently { try await browser.look() == "called" })
            try await browser.openPlaces(of: shop, count: 3)
            try await browser.speak(language)
            try await browser.expectAccess("my-places", in: language)
            try await browser.darken()
            try await browser.askAboutPlace(2)
            try await browser.expectAccess("my-places-dark", in: language)
            try await browser.run("document.querySelectorAll('#list .keep')[1].click()")
            try await browser.askAboutPlace(1)
            try await browser.expectAccess("my-places-remove", in: language)
            try await browser.run("dispatchEvent(new Event('offline'))")
            try await browser.press("#list li:first-child .yes")
            #expect(await browser.waits(for: "#done"))
            try await browser.expectAccess("my-places-removed", in: language)
        }
    }
}
