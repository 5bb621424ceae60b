import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page for joining the queue at the door [rules 35]", .serialized)
struct JoinPageTests {
    /// The entry code as a reader reads it from a picture of the page.
    private func expectReadable(_ browser: Browser) async throws -> EntryCode {
        #expect(try await browser.shows("#modules"))
        try await browser.run(
            "document.querySelector('#modules').scrollIntoView({ block: 'center' })")
        var code: EntryCode?
        _ = await patiently {
            code = try await browser.entryCodes().first.flatMap(EntryCode.init)
            return code != nil
        }
        return try #require(code)
    }

    @Test(
        "A customer sees the time, takes the place, and is let in with the code on the phone; it is shown until they leave"
    )
    func joins() async throws {
        try await PageShop.atDoor { shop, called in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openOffer(of: shop)
                let range = try await browser.text("#range")
                #expect(range.contains("between") || range.contains("any moment"), "\(range)")
                #expect(try await browser.text("#second") == "You would be next")
                #expect(
                    try await browser.text("#kept") == "This place is kept for you for 3 minutes.")
                try await browser.keepPicture("join-offer")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                #expect(try await browser.value("location.pathname") == "/t")
                let number = try #require(Int(try await browser.text("#number")))
                #expect(number == called[1].number.rawValue + 1)
                let entry = try #require(try await browser.place().entry)
                #expect(try await browser.text("#entryDigits") == entry.typedCode.grouped)
                let waiting = try await expectReadable(browser)
                try await browser.keepPicture("join-waiting")

                try await shop.free(called[0].number)
                #expect(await patiently { try await browser.look() == "called" })
                #expect(try await browser.text("#hint") == "Show this code at the entrance.")
                let width = try await browser.value(
                    "document.querySelector('#modules').getBoundingClientRect().width * 25 / 33")
                #expect(try #require(Double(width)) >= 0.5 * 360)
                try await browser.darken()
                #expect(try await expectReadable(browser) == waiting)
                try await browser.keepPicture("join-called-dark")

                try await Browser.with { door in
                    try await shop.open("entrance", in: door)
                    let state = "document.getElementById('reader').dataset.state"
                    #expect(await patiently { try await door.value(state) == "idle" })
                    try await door.scan(waiting.rawValue)
                    #expect(await patiently { try await door.value(state) == "yes" })
                }
                #expect(await patiently { try await browser.look() == "calm" })
                #expect(try await browser.text("#hint").contains("you need the code to leave"))
                #expect(try await expectReadable(browser) == waiting)
                try await browser.keepPicture("join-inside")
            }
        }
    }

    @Test("WebKit, the engine of iPhones, joins and shows the code")
    func webKit() async throws {
        try await PageShop.atDoor { shop, _ in
            try await Browser.with(.webKit, width: 360, height: 640) { browser in
                try await browser.open(try #require(try await shop.invitation()))
                #expect(await browser.waits(for: "#decline"))
                try await browser.keepPicture("join-webkit-offer")
                try await browser.run("document.querySelector('#act').click()")
                #expect(await browser.waits(for: "#modules"))
                try await browser.keepPicture("join-webkit-place")
                _ = try await expectReadable(browser)
            }
        }
    }

    @Test("The code is on no other device, and on this one also without a network")
    func keepsCode() async throws {
        try await PageShop.atDoor { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.join(shop)
                let link = try await browser.value("location.href")
                let code = try await browser.text("#entryDigits")
                try await Browser.with(width: 360, height: 640) { other in
                    try await other.open(link)
                    #expect(await other.waits(for: "#range"))
                    try await other.lets(timersRun: 1_000)
                    #expect(try await !other.shows("#entry"))
                    #expect(try await other.place().entry == nil)
                    let page = try await other.value("document.documentElement.outerHTML")
                    #expect(!page.contains(code))
                }
                let worker = "navigator.serviceWorker.controller?.state"
                #expect(await patiently { try await browser.value(worker) == "activated" })
                await shop.backend.drain()
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#modules"))
                #expect(try await browser.text("#entryDigits") == code)
                try await browser.jump(seconds: 70)
                #expect(await browser.waits(for: "#age"))
                #expect(try await browser.shows("#modules"))
                try await browser.keepPicture("join-offline")
            }
        }
    }

    @Test(
        "The phone that has the code lets people ahead and gives the place back without digits, and may join again"
    )
    func changes() async throws {
        try await PageShop.atDoor(shop: ["--delays", "yes"]) { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.join(shop)
                let number = try await browser.text("#number")
                for _ in 0..<2 { _ = try await shop.ticket() }
                #expect(await browser.waits(for: "#offer0"))
                try await browser.press("#offer0")
                #expect(await browser.waits(for: "#send"))
                #expect(try await !browser.shows("#code"))
                try await browser.press("#send")
                #expect(await browser.waits(for: "#back"))
                try await browser.press("#back")
                #expect(await patiently { try await browser.text("#second") == "You are next" })

                #expect(await browser.waits(for: "#open"))
                try await browser.press("#open")
                #expect(await browser.waits(for: "#send"))
                #expect(try await !browser.shows("#code"))
                #expect(try await browser.text("#effect").contains("cannot undo this"))
                try await browser.keepPicture("join-form")
                try await browser.press("#send")
                #expect(await patiently { try await browser.look() == "ended" })
                #expect(try await !browser.shows("#entry"))
                #expect(try await !browser.shows("#back"))
                try await browser.keepPicture("join-given-back")
                try await browser.join(shop)
                #expect(try await browser.text("#number") > number)
            }
        }
    }

    @Test("A customer who says no has no place, and the next one gets the same time")
    func declines() async throws {
        try await PageShop.atDoor { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openOffer(of: shop)
                try await browser.press("#decline")
                #expect(
                    await patiently {
                        try await browser.text("#first") == "You have no place in the queue"
                    })
                #expect(try await !browser.shows("#choice"))
                try await browser.keepPicture("join-declined")
                let next = try await shop.ticket()
                #expect(next.wait.peopleAhead == 0)
            }
        }
    }

    @Test("An offer that has run out is asked for again; one that the server has given away is too")
    func expires() async throws {
        let clock = try MovedClock()
        try await PageShop.atDoor(shop: ["--demo"], options: clock.options) { shop, called in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openOffer(of: shop)
                try await browser.jump(seconds: 130)
                #expect(
                    await patiently {
                        let kept = try await browser.text("#kept")
                        return kept.hasSuffix("for 1 minute.") || kept.hasSuffix("seconds.")
                    })
                try await browser.jump(seconds: 200)
                #expect(await patiently { try await browser.text("#act") == "Ask again" })
                try await browser.keepPicture("join-expired")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#decline"))

                let issued = called[0].issued
                try clock.set(issued.at(issued.moment + .seconds(1_200)))
                try await browser.press("#act")
                #expect(await patiently { try await browser.text("#act") == "Ask again" })
                try await browser.press("#act")
                #expect(await browser.waits(for: "#decline"))
            }
        }
    }

    @Test(
        "A lost answer is repeated with its key: there is one place; a reload shows the same offer")
    func lostAnswers() async throws {
        try await PageShop.atDoor { shop, called in
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.openOffer(of: shop)
                let range = try await browser.text("#range")
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#decline"))
                #expect(try await browser.text("#range") == range)
                // The calls arrive, and their answers do not.
                try await browser.run(
                    """
                    window.real = window.fetch;
                    window.fetch = async (...call) => { await real(...call); throw new TypeError("lost") };
                    """)
                try await browser.press("#act")
                #expect(await patiently { try await browser.text("#act") == "Try again" })
                #expect(try await browser.text("#kept").contains("You may already have the place"))
                try await browser.keepPicture("join-unsure")
                try await browser.run("window.fetch = window.real")
                try await browser.press("#act")
                #expect(await browser.waits(for: "#modules"))
                let number = try await browser.place().reservation.number
                #expect(number.rawValue == called[1].number.rawValue + 1)
                #expect(try await shop.ticket().number.rawValue == number.rawValue + 1)
            }
        }
    }

    @Test("A phone that has a place is shown it, in this window and in another one")
    func alreadyWaiting() async throws {
        try await PageShop.atDoor { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                let link = try #require(try await shop.invitation())
                try await browser.join(shop)
                let number = try await browser.text("#number")
                for isNew in [false, true] {
                    if isNew { _ = try await browser.openWindow() }
                    try await browser.open(link)
                    #expect(await patiently { try await browser.text("#act") == "Show my place" })
                    #expect(
                        try await browser.text("#first")
                            == "You already have a place in the queue: number \(number)")
                    try await browser.keepPicture("join-already")
                    try await browser.press("#act")
                    #expect(await browser.waits(for: "#modules"))
                    #expect(try await browser.text("#number") == number)
                }
            }
        }
    }

    @Test("A link without an invitation, and with one that is none, are explained")
    func noInvitation() async throws {
        try await PageShop.atDoor { shop, _ in
            try await Browser.with(width: 360, height: 640) { browser in
                for (end, words) in [
                    ("", "Scan the code at the door"), ("#TEST", "Scan the code at the door"),
                    ("#TEST0123456789ABCDEF", "This code has expired"),
                ] {
                    try await browser.open("\(shop.backend.phones)/j\(end)")
                    try await browser.speak("en")
                    #expect(
                        await patiently { try await browser.text("#first") == words }, "\(end)")
                    #expect(try await !browser.shows("#choice"))
                }
                try await browser.keepPicture("join-none")
            }
        }
    }
}
