import Foundation
import TestSupport
import Testing

/// The files that Chromium saves are read by icalendar (PyPI), which shares no code with the product.
@Suite("A visit in the phone's own calendar [rules: own-calendar]", .serialized)
struct VisitCalendarTests {
    @Test(
        "One touch saves the booked visit as a file that a calendar takes, named after its day; without a network a sentence says so, and the button works later; it has its words in each language"
    )
    func adds() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.require("#visitCalendar button")
            #expect(try await browser.text("#visitCalendar button") == "Add to my calendar")
            // The button for tickets, whose file does not come from the server, is not there too.
            #expect(try await !browser.shows("#calendar"))
            try await browser.cutNetwork(true)
            try await browser.press("#visitCalendar button")
            let lost = "There is no connection right now. Please try again later."
            await browser.expect("#visitCalendar p", lost)
            #expect(try await browser.text("#visitCalendar button") == "Add to my calendar")
            try await browser.cutNetwork(false)

            let place = try await browser.place()
            let visit = try #require(place.reservation.visit)
            let (name, event) = try await browser.saveEvent()
            #expect(name == "visit-\(visit.start.day).ics")
            #expect(event.method == "PUBLISH" && event.sequence == 0)
            #expect(event.start == Int(visit.start.moment.milliseconds / 1_000))
            #expect(event.end == Int(visit.end.moment.milliseconds / 1_000))
            #expect(event.id == "\(place.reservation.id)@127.0.0.1")
            #expect(event.page == (try await browser.value("location.href")))
            #expect(event.summary == "Visit: \(place.reservation.shopName)")
            // On the screen the name has hyphens at which it is not broken.
            let words = try await browser.text("#visitCalendar p")
            #expect(
                words != lost && words.contains(name.replacing("-", with: "\u{2011}")), "\(words)")
            // Who has lost the file gets it again; the texts are those of the page's language.
            try await browser.speak("it")
            await browser.expect("#visitCalendar button", "Aggiungi al mio calendario")
            let (again, italian) = try await browser.saveEvent()
            #expect(again == "visita-\(visit.start.day).ics" && italian.id == event.id)
            #expect(italian.summary == "Visita: \(place.reservation.shopName)")

            for (language, words) in [
                ("it", "Aggiungi al mio calendario"), ("de", "In meinen Kalender eintragen"),
                ("fr", "Ajouter à mon agenda"), ("es", "Añadir a mi calendario"),
                ("en", "Add to my calendar"),
            ] {
                try await browser.speak(language)
                await browser.expect("#visitCalendar button", words)
            }
        }
    }

    @Test(
        "A visit that was moved and never put into the calendar is offered to be put there; after a further move the calendar is updated: the same event, with a higher number, at the new time; one that was given up is removed from the calendar, if this phone has put it there; a ticket has no such button, while its place is waited for and when it is given back"
    )
    func moves() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.joinRemotely(shop)
            #expect(try await !browser.shows("#visitCalendar"))
            try await browser.giveUpVisit()
            // The part that has the button is there by now.
            await browser.expect(value: "document.getElementById('visitCalendar') !== null", "true")
            #expect(try await !browser.shows("#visitCalendar"))

            try await browser.book("10:00", on: 2, of: shop)
            try await browser.moveVisit(to: "10:00", on: 1)
            await browser.expect("#visitCalendar button", "Add to my calendar")
            let (_, first) = try await browser.saveEvent()
            #expect(first.sequence == 1)
            try await browser.moveVisit(to: "11:15", on: 2)
            await browser.expect("#visitCalendar button", "Update my calendar")
            // What the phone remembers outlives the window.
            try await browser.reload()
            await browser.expect("#visitCalendar button", "Update my calendar")
            let (_, second) = try await browser.saveEvent()
            #expect(second.id == first.id && second.sequence == 2 && second.method == "PUBLISH")
            #expect(second.start == first.start + 86_400 + 4_500)
            await browser.expect("#visitCalendar button", "Add to my calendar")
            // On the same day the page keeps its address.
            try await browser.moveVisit(to: "12:00", on: 2)
            await browser.expect("#visitCalendar button", "Update my calendar")
            let (_, third) = try await browser.saveEvent()
            #expect(third.sequence == 3 && third.start == second.start + 2_700)

            try await browser.giveUpVisit()
            await browser.expect("#visitCalendar button", "Remove it from my calendar")
            // What was said of the former file is said no more.
            #expect(try await browser.text("#visitCalendar p") == "")
            let (_, last) = try await browser.saveEvent()
            #expect(last.id == third.id && last.sequence == third.sequence + 1)
            #expect(last.method == "CANCEL" && last.status == "CANCELLED" && last.alarms.isEmpty)
            #expect(
                try await browser.text("#visitCalendar p").hasSuffix(
                    "If the visit is still in your calendar after that, delete it there."))

            try await browser.book("10:00", on: 2, of: shop)
            try await browser.require("#visitCalendar button")
            try await browser.giveUpVisit()
            await browser.expect("#another")
            #expect(try await !browser.shows("#visitCalendar"))
        }
    }
}

extension Browser {
    /// Touches the button for the calendar; returns the file's name and its event once it is saved.
    @discardableResult
    fileprivate func saveEvent() async throws -> (name: String, event: ReadEvent) {
        // A folder of its own: a second file of a name would get another name.
        let folder = try TemporaryFolder()
        try await devTools(
            "Page.setDownloadBehavior", ["behavior": "allow", "downloadPath": folder.path])
        try await press("#visitCalendar button")
        var saved: (name: String, file: Data)?
        // The name is there before the whole file is.
        let isSaved = try await eventually {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            saved = files.first { $0.hasSuffix(".ics") }.flatMap { name in
                FileManager.default.contents(atPath: folder.file(name)).map { (name, $0) }
            }
            return saved?.file.suffix(15) == Data("END:VCALENDAR\r\n".utf8)
        }
        guard isSaved, let (name, file) = saved else {
            throw TestSupportError("no file: \(try await text("#visitCalendar"))")
        }
        return (name, try await ReadEvent.read(file))
    }

    /// Moves the visit of the page; returns once the page shows its new time.
    fileprivate func moveVisit(to time: String, on day: Int) async throws {
        try await openMove()
        try await openDay(day)
        try await touchSlot(time)
        await expect("#first", "Move your visit to")
        try await press("#act")
        await expect("#range", "at \(time)")
        try await require("#visitCalendar button")
    }

    /// Gives the place of the page back.
    fileprivate func giveUpVisit() async throws {
        try await require("#open")
        try await press("#open", opens: "#send")
        try await press("#send")
        await expect(look: "ended")
    }
}
