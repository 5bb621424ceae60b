import Foundation
import Reservations
import TestSupport
import Testing

/// The files that Chromium saves are read by icalendar (PyPI), which shares no code with the product.
@Suite("A visit in the phone's own calendar [rules 39]", .serialized)
struct VisitCalendarTests {
    private static func with(body: (PageShop, Browser) async throws -> Void) async throws {
        try await PageShop.remote(capacity: 20, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await body(shop, browser)
            }
        }
    }

    @Test("One touch saves the booked visit as a file that a calendar takes, named after its day")
    func adds() async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            #expect(await browser.waits(for: "#visitCalendar button"))
            #expect(try await browser.eventButton() == "Add to my calendar")
            // The button for tickets, whose file does not come from the server, is not there too.
            #expect(try await !browser.shows("#calendar"))
            try await browser.keepPicture("calendar-add")
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
            #expect(words.contains(name.replacing("-", with: "\u{2011}")), "\(words)")
            try await browser.keepPicture("calendar-added")
            // Who has lost the file gets it again; the texts are those of the page's language.
            try await browser.speak("it")
            #expect(await browser.waitsForEventButton("Aggiungi al mio calendario"))
            let (again, italian) = try await browser.saveEvent()
            #expect(again == "visita-\(visit.start.day).ics" && italian.id == event.id)
            #expect(italian.summary == "Visita: \(place.reservation.shopName)")
            try await browser.keepPicture("calendar-added-it")
            try await browser.darken()
            try await browser.keepPicture("calendar-added-dark")
            try await browser.resize(1_280, 800)
            try await browser.keepPicture("calendar-added-wide")
        }
    }

    @Test(
        "After a move the calendar is updated: the same event, with a higher number, at the new time"
    )
    func moves() async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            #expect(await browser.waits(for: "#visitCalendar button"))
            let (_, first) = try await browser.saveEvent()
            try await browser.moveVisit(to: "11:15", on: 2)
            #expect(await browser.waitsForEventButton("Update my calendar"))
            // What the phone remembers outlives the window.
            try await browser.run("location.reload()")
            #expect(await browser.waitsForEventButton("Update my calendar"))
            try await browser.keepPicture("calendar-update")
            let (_, second) = try await browser.saveEvent()
            #expect(second.id == first.id && second.sequence == 1 && second.method == "PUBLISH")
            #expect(second.start == first.start + 86_400 + 4_500)
            #expect(await browser.waitsForEventButton("Add to my calendar"))
            // On the same day the page keeps its address.
            try await browser.moveVisit(to: "12:00", on: 2)
            #expect(await browser.waitsForEventButton("Update my calendar"))
            let (_, third) = try await browser.saveEvent()
            #expect(third.sequence == 2 && third.start == second.start + 2_700)
        }
    }

    @Test("A visit that was moved and never put into the calendar is offered to be put there")
    func movesUnknown() async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.moveVisit(to: "11:15", on: 2)
            #expect(await browser.waitsForEventButton("Add to my calendar"))
            #expect(try await browser.saveEvent().event.sequence == 1)
        }
    }

    @Test("A visit that was given up is removed from the calendar, if this phone has put it there")
    func givesUp() async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            #expect(await browser.waits(for: "#visitCalendar button"))
            let (_, first) = try await browser.saveEvent()
            try await browser.giveUpVisit()
            #expect(await browser.waitsForEventButton("Remove it from my calendar"))
            // What was said of the former file is said no more.
            #expect(try await browser.text("#visitCalendar p") == "")
            try await browser.keepPicture("calendar-remove")
            let (_, last) = try await browser.saveEvent()
            #expect(last.id == first.id && last.sequence == first.sequence + 1)
            #expect(last.method == "CANCEL" && last.status == "CANCELLED" && last.alarms.isEmpty)
            #expect(
                try await browser.text("#visitCalendar p").hasSuffix(
                    "If the visit is still in your calendar after that, delete it there."))
            try await browser.keepPicture("calendar-removed")

            try await browser.book("10:00", on: 2, of: shop)
            #expect(await browser.waits(for: "#visitCalendar button"))
            try await browser.giveUpVisit()
            #expect(await browser.waits(for: "#another"))
            #expect(try await !browser.shows("#visitCalendar"))
        }
    }

    @Test("Without a network a sentence says so, and the button stays and works later")
    func offline() async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            #expect(await browser.waits(for: "#visitCalendar button"))
            try await browser.connect(false)
            try await browser.press("#visitCalendar button")
            let words = "There is no connection right now. Please try again later."
            #expect(await patiently { try await browser.text("#visitCalendar p") == words })
            #expect(try await browser.eventButton() == "Add to my calendar")
            try await browser.keepPicture("calendar-offline")
            try await browser.connect(true)
            #expect(try await browser.saveEvent().event.sequence == 0)
            #expect(try await browser.text("#visitCalendar p") != words)
        }
    }

    @Test("A ticket has no such button, while its place is waited for and when it is given back")
    func ticket() async throws {
        try await Self.with { shop, browser in
            try await browser.openRemoteOffer(of: shop)
            try await browser.press("#act")
            #expect(await browser.waits(for: "#modules"))
            #expect(try await !browser.shows("#visitCalendar"))
            try await browser.giveUpVisit()
            // The part that has the button is there by now.
            let part = "document.getElementById('visitCalendar') !== null"
            #expect(await patiently { try await browser.value(part) == "true" })
            #expect(try await !browser.shows("#visitCalendar"))
        }
    }

    @Test(
        "The button has its words in each language and fits the screen with the largest letters",
        arguments: [
            ("en", "Add to my calendar"), ("it", "Aggiungi al mio calendario"),
            ("de", "In meinen Kalender eintragen"), ("fr", "Ajouter à mon agenda"),
            ("es", "Añadir a mi calendario"),
        ])
    func languages(language: String, words: String) async throws {
        try await Self.with { shop, browser in
            try await browser.book("10:00", on: 1, of: shop)
            try await browser.speak(language)
            #expect(await browser.waitsForEventButton(words))
            try await browser.saveEvent()
            try await browser.run(
                "document.getElementById('size').click(); document.getElementById('size').click()")
            let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            #expect(try await browser.value(wide) == "false")
            let height = "document.querySelector('#visitCalendar button').offsetHeight >= 44"
            #expect(try await browser.value(height) == "true")
            try await browser.run(
                "document.getElementById('visitCalendar').scrollIntoView({ block: 'center' })")
            try await browser.keepPicture("calendar-large-\(language)")
        }
    }
}

extension Browser {
    /// What the button for the calendar says.
    fileprivate func eventButton() async throws -> String {
        try await text("#visitCalendar button")
    }

    fileprivate func waitsForEventButton(_ words: String) async -> Bool {
        await patiently { try await eventButton() == words }
    }

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
        guard await waits(for: "#move") else { throw TestSupportError("it cannot be moved") }
        try await press("#move")
        guard await waits(for: ".days button") else { throw TestSupportError("no days") }
        try await openDay(day)
        try await touchSlot(time)
        guard await waits(forFirst: "Move your visit to") else {
            throw TestSupportError("no question: \(try await text("main"))")
        }
        try await press("#act")
        guard await patiently(until: { try await text("#range") == "at \(time)" }),
            await waits(for: "#visitCalendar button")
        else { throw TestSupportError("not moved: \(try await text("main"))") }
    }

    /// Gives the place of the page back.
    fileprivate func giveUpVisit() async throws {
        guard await waits(for: "#open") else { throw TestSupportError("it cannot be given up") }
        try await press("#open")
        guard await waits(for: "#send") else { throw TestSupportError("there is no question") }
        try await press("#send")
        guard await patiently(until: { try await look() == "ended" }) else {
            throw TestSupportError("not given up: \(try await text("main"))")
        }
    }

    /// Takes the page's network away, or gives it back.
    fileprivate func connect(_ isConnected: Bool) async throws {
        try await devTools("Network.enable")
        try await devTools(
            "Network.emulateNetworkConditions",
            [
                "offline": !isConnected, "latency": 0, "downloadThroughput": -1,
                "uploadThroughput": -1,
            ])
    }
}
