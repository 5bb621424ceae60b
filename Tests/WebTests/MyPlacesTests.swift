import Reservations
import TestSupport
import Testing

@Suite("The list of the places that a phone knows [UC6, UC7]", .serialized)
struct MyPlacesTests {
    @Test(
        "UC6: a customer sees all reservations, is asked before the ticket is deleted, reads that it is, and sees it no more; every form of the list is for everybody"
    )
    func ticket() async throws {
        try await PageShop.withPhone { shop, line, browser in
            try await browser.open(shop.places, in: "en", opens: "#empty")
            try await browser.expectAccess("my-places-empty")
            try await browser.joinRemotely(shop)
            let number = try await browser.text("#number")
            let link = try await browser.value("location.href")
            // The only place of a phone needs no list.
            try await browser.require("#calendar")
            #expect(try await !browser.shows("#myPlaces"))
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.require("#myPlaces")
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(2))
            #expect(try await browser.value("location.pathname") == "/places")
            for (language, width, between, tomorrow) in [
                ("en", 360, "between", "tomorrow, "),
                ("it", 1_280, "tra", "domani, "),
            ] {
                try await browser.resize(width, width == 360 ? 640 : 800)
                try await browser.speak(language)
                #expect(try await browser.placesLine("number")[0] == number)
                let when = try await browser.placesLine("when")
                #expect(when[0].contains(between) && when[1].hasPrefix(tomorrow), "\(when)")
                // With its date, for who looks at it on a picture the next day.
                let parts = when[1].split(separator: ", ")
                #expect(parts.count == 3 && parts[1].contains(/\d/), "\(when)")
                #expect(parts.last?.hasSuffix("10:00") == true, "\(when)")
                try await browser.keepPicture("my-places-\(language)")

                try await browser.askAboutPlace(1)
                let question = try await browser.text("#list .words")
                #expect(question.contains("Citt\u{E0}") && question.contains(number), "\(question)")
                #expect(try await browser.focusedPart().hasSuffix("ask"))
                try await browser.keepPicture("my-places-question-\(language)")
                try await browser.press("#list .keep")
                await expectSoon { try await browser.focusedPart() == "opener" }
                #expect(await browser.listsPlaces(2))
            }

            try await browser.askAboutPlace(1)
            try await browser.press("#list .yes", opens: "#done")
            #expect(try await browser.focusedPart() == "done")
            #expect(try await browser.text("#done").hasSuffix("il tuo posto è disdetto"))
            try await browser.speak("en")
            #expect(try await browser.text("#done").hasSuffix("your place is cancelled"))
            #expect(await browser.listsPlaces(1))
            try await browser.reload()
            #expect(await browser.listsPlaces(1))
            try await browser.open(link)
            await browser.expect(look: "ended")

            try await browser.joinRemotely(shop)
            try await browser.open(#require(line[0].link))
            await browser.expect(look: "called")
            try await browser.openPlaces(of: shop, count: 3)
            try await browser.expectAccess("my-places")
            try await browser.darken()
            try await browser.askAboutPlace(2)
            try await browser.expectAccess("my-places-dark")
            try await browser.run("document.querySelectorAll('#list .keep')[1].click()")
            try await browser.askAboutPlace(1)
            try await browser.expectAccess("my-places-remove")
            try await browser.run("dispatchEvent(new Event('offline'))")
            try await browser.press("#list li:first-child .yes", opens: "#done")
            try await browser.expectAccess("my-places-removed")
        }
    }

    @Test("A place that the browser has forgotten is found by its cookie, with its code")
    func forgotten() async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.joinRemotely(shop)
            let number = try await browser.text("#number")
            try await browser.run("localStorage.clear()")
            try await browser.open(shop.places, in: "en", opens: "#list li")
            await expectSoon { try await browser.placesLine("number") == [number] }
            #expect(try await browser.text("#list .go") == "Show my entry code")
            try await browser.press("#list a", opens: "#entry")
            #expect(try await browser.text("#number") == number)
            // Another device has none.
            try await Browser.phone { other in
                try await other.open(shop.places, in: "en", opens: "#empty")
                try await other.lets(timersRun: 1_000)
                #expect(try await other.shows("#empty"))
            }
        }
    }

    @Test(
        "UC7: a customer finds the visits from the list of shops, is asked before one is deleted, reads that it is, and its day is free"
    )
    func visit() async throws {
        try await PageShop.withPhone { shop, _, browser in
            try await browser.book("11:00", on: 3, of: shop)
            try await browser.book("10:00", on: 2, of: shop)
            try await browser.open(shop.list, opens: "#myPlaces")
            try await browser.press("#myPlaces")
            #expect(await browser.listsPlaces(2))
            // The soonest is first.
            #expect(try await browser.placesLine("when")[0].contains("10:00"))
            try await browser.askAboutPlace(1)
            for (language, begin, yes) in [
                ("de", "Ihren Termin am ", "Meinen Termin absagen"),
                ("en", "Give up your visit on ", "Give up my visit"),
            ] {
                try await browser.speak(language)
                let question = try await browser.text("#list .words")
                #expect(question.hasPrefix(begin) && question.contains("10:00"), "\(question)")
                #expect(try await browser.text("#list .yes") == yes)
                try await browser.keepPicture("my-visits-question-\(language)")
            }
            try await browser.press("#list .yes", opens: "#done")
            for (language, begin, end) in [
                ("de", "Ihr Termin am ", " um 10:00 Uhr ist abgesagt"),
                ("en", "Your visit on ", " at 10:00 is cancelled"),
            ] {
                try await browser.speak(language)
                let done = try await browser.text("#done")
                #expect(done.hasPrefix(begin) && done.hasSuffix(end), "\(done)")
                try await browser.keepPicture("my-visits-deleted-\(language)")
            }
            #expect(await browser.listsPlaces(1))
            #expect(try await browser.placesLine("when")[0].contains("11:00"))
            try await browser.book("10:00", on: 2, of: shop)
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
            await expectSoon { try await browser.placesLine("asked")[0] != "" }
            #expect(try await browser.placesLine("asked")[0] == "Are you coming?")
            try await browser.press("#list li:first-child .go", opens: "#yes")
            try await browser.press("#yes")
            await browser.expect(no: "#yes")
            try await browser.openPlaces(of: shop, count: 2)
            for reservation in line.prefix(4) { try await shop.free(reservation.number) }
            try await browser.jump(seconds: 31)
            let look = "document.querySelector('#list li').dataset.look"
            await browser.expect(value: look, "called")
            #expect(try await browser.placesLine("first")[0] == "Please come in")
            #expect(try await browser.text("#said").contains("Please come in"))
            try await shop.act(StaffActionRequest(.letIn, number: number))
            try await browser.jump(seconds: 31)
            await browser.expect(value: look, "inside")
            #expect(try await browser.placesLine("first")[0] == "You are inside")
            #expect(try await !browser.shows("#list li:first-child .opener"))

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
            await expectSoon {
                try await browser.placesLine("first").last?.hasSuffix("is cancelled") == true
            }
            try await browser.reload()
            #expect(await browser.listsPlaces(1))
        }
    }
}
