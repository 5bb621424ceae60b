import TestSupport
import Testing

@Suite("Suggestions on the page for booking a visit [rules: slot-suggestions]", .serialized)
struct VisitSuggestionPageTests {
    @Test(
        "Scenario: the requested visit is not available, and another shop is, at the same time [UC5]; another hour of the day and another day are taken with one touch, and the way back leads to the slots; who has a place that day is shown it, whichever shop was suggested [UC5.2]; suggestions are for everybody; a suggested time that does not fit the customer's own calendar is grey, and can be taken; without a network the page says that the time is full, and the other times stay; the length alone of a visit is changed, and it keeps its slot; the slot is free after all [UC5.1]: it is offered at once"
    )
    func anotherShop() async throws {
        // Phones may book one visit at a time in the shop, and two others with visits are half a kilometre and a little
        // more away; tomorrow at 17:00 is booked by another customer.
        let visits = ["--phone-visits", "yes", "--visit-share", "100"]
        try await PageShop.remote(
            capacity: 2, shop: visits + ["--position", "45.4800,9.2200"]
        ) { shop, other in
            for (name, tag, latitude) in [
                ("BCD Shop", "BCDS", "45.4845"), ("Lambrate", "LAMB", "45.4900"),
            ] {
                try await shop.add(
                    name, tag: tag, "--hours", "Mon-Sun 00:00-24:00", "--phone-visits", "yes",
                    "--visit-share", "100", "--position", "\(latitude),9.2200")
            }
            try await other.book("17:00", on: 1, of: shop)
            try await Browser.phone { browser in
                // The other shops are known a few seconds after they were added.
                await expectSoon {
                    try await browser.open(shop.list)
                    return try await browser.listed().count == 3
                }
                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.run(
                    "window.net = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network'))"
                )
                try await browser.touchSlot("17:00")
                await browser.expect(
                    "#picker [role=alert]",
                    "There are no places left at 17:00. Please choose another time below.")
                #expect(try await browser.shows("#slots .slots button"))

                try await other.openMove()
                try await other.openDay(1)
                let own = "document.querySelector('#slots button[aria-current]')"
                #expect(try await other.value("\(own).disabled") == "true")
                try await other.choose("stay", 90)
                await other.expect(value: "\(own).disabled", "false")
                try await other.run("\(own).click()")
                await other.expect("#first", "New details of your visit")
                #expect(try await other.text("#range") == "1 hour 30 minutes")
                try await other.press("#act", opens: "#modules")
                #expect(try await other.text("#range") == "at 17:00")
                // The page knows the end of the visit, which the server gives with the slot.
                let end = try await other.value(
                    "JSON.parse(localStorage.getItem('clup-places'))[0].view.reservation.visit.end")
                #expect(end.contains("T18:30:00"), "\(end)")

                try await browser.run("window.fetch = window.net")
                try await other.press("#open", opens: "#send")
                try await other.press("#send")
                await other.expect(look: "ended")
                try await browser.touchSlot("17:00")
                try await browser.expectOffer("at 17:00")
                try await browser.press("#decline", opens: "#slots .slots button")
                try await browser.pressAnotherDay()
                try await other.book("17:00", on: 1, of: shop)

                try await browser.openCheck(of: shop)
                try await browser.give(
                    browser.calendar(["DTSTART:DAYT163000\nDURATION:PT30M\nSUMMARY:Dentist"]))
                try await browser.choose("way", 10)
                try await browser.touchSlot("17:00")
                try await browser.require("#picker .near button")
                let grey = """
                    [...document.querySelectorAll('#picker > div:not(#slots) button[data-busy]')]
                        .map((one) => one.firstChild.textContent).join(' ')
                    """
                #expect(try await browser.value(grey) == "16:30 16:45")
                try await browser.press("#picker > div:not(#slots) button[data-busy]")
                #expect(
                    try await browser.pickerAlert()
                        == "16:30 does not fit your day. Dentist, 16:30 to 17:00.")
                // The other suggestions stay.
                #expect(try await browser.shows("#picker .near button"))
                try await browser.pressPicker("Choose 16:30 anyway")
                try await browser.expectOffer("at 16:30")
                try await browser.press("#decline", opens: "#slots .slots button")
                try await browser.pressAnotherDay()

                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.touchSlot("17:00")
                await browser.expect("#picker .near button")
                #expect(
                    try await browser.pickerAlert()
                        == "There are no places left at 17:00. Here are other possibilities:")
                let near = try await browser.text("#picker .near")
                #expect(near.contains("BCD Shop") && near.contains("500\u{A0}m · 17:00"), "\(near)")
                #expect(
                    near.contains("Lambrate") && near.contains("1.1\u{A0}km · 17:00"), "\(near)")
                // The day after tomorrow at the same time is suggested too, and other times of the day.
                let times = try await browser.text("#picker > div:not(#slots)")
                #expect(times.contains("16:30") && times.contains("17:30"), "\(times)")
                #expect(times.contains("The same time on another day"), "\(times)")
                try await browser.expectAccess("visit-suggestions")

                try await browser.press("#picker .days:not(#slots .days) button", opens: "#decline")
                #expect(try await browser.text("#range") == "at 17:00")
                #expect(try await browser.text("#first") != "tomorrow")
                for isFirst in [true, false] {
                    try await browser.goBack()
                    try await browser.require("#slots .slots button")
                    #expect(try await browser.pickerAlert().isEmpty)
                    try await browser.touchSlot("17:00")
                    try await browser.require("#picker .near button")
                    guard isFirst else { break }
                    try await browser.press(
                        "#picker > div:not(#slots) .slots button", opens: "#decline")
                    #expect(try await browser.text("#range") == "at 16:30")
                }
                try await browser.press("#picker .near button", opens: "#decline")
                #expect(try await browser.value("location.pathname") == "/visit/BCDS")
                #expect(try await browser.text("#shop") == "BCD Shop")
                #expect(try await browser.text("#range").contains("17:00"))
                try await browser.press("#act", opens: "#modules")
                #expect(try await browser.text("#shop") == "BCD Shop")

                try await browser.openSlots(of: shop)
                try await browser.openDay(1)
                try await browser.touchSlot("17:00")
                await browser.expect("#picker .near button")
                try await browser.press("#picker .near button")
                await browser.expect("#first", begins: "You already have a place on ")
            }
        }
    }
}
