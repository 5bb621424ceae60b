import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Pages of calls for help without sound, connection or right", .serialized)
struct HelpConnectionTests {
    @Test("A browser that forbids sounds is asked for a touch, and then makes them")
    func touchForSound() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 360, height: 640, playsUntouched: false) { browser in
                try await shop.open("staff", in: browser)
                #expect(await patiently { try await browser.shows(".help-quiet") })
                try await browser.keepPicture("staff-quiet-360x640")
                try await browser.countSounds()
                try await browser.touch("#calm")
                #expect(await patiently { try await !browser.shows(".help-quiet") })
                try await shop.callForHelp()
                #expect(await patiently { try await browser.notes() >= 6 })
            }
        }
    }

    @Test("A page of the staff without a connection says so, a button that fails too")
    func noConnection() async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: 360, height: 640) { browser in
                try await shop.open("staff", in: browser)
                try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                shop.backend.signal(SIGSTOP)
                #expect(await patiently { try await browser.shows(".help-lost") })
                #expect(try await browser.text(".help-lost").contains("Keine Verbindung"))
                #expect(
                    await browser.pressHelp("going") {
                        try await browser.text(".help-going") == "Einen Moment"
                    })
                #expect(await patiently { try await browser.shows(".help-failure") })
                #expect(try await browser.shows(".help-going"))
                try await browser.keepPicture("staff-lost-360x640")
                shop.backend.signal(SIGCONT)
                #expect(await patiently { try await !browser.shows(".help-lost") })
                #expect(
                    await browser.pressHelp("going") { try await browser.shows(".help-who") })

                // Killed while no customer calls: it is not said that none does.
                #expect(
                    await browser.pressHelp("helped") { try await !browser.shows(".help-band") })
                await shop.backend.drain()
                #expect(await patiently { try await browser.shows(".help-lost") })
                #expect(try await !browser.shows("#calm"))
                try await shop.backend.start()
                try await shop.callForHelp()
                #expect(await patiently { try await browser.shows(".help-band") })
                #expect(try await !browser.shows(".help-lost"))

                try await shop.backend.revokeDevice("staff-1")
                #expect(await patiently { try await browser.shows("#enrolment") })
            }
        }
    }

    @Test("No other reader and no display shows a call")
    func others() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.callForHelp()
                for role in ["entrance", "turnstile", "display"] {
                    try await shop.open(role, in: browser)
                    let shown = role == "display" ? "#board" : "#reader"
                    #expect(await patiently { try await browser.shows(shown) })
                    try await browser.lets(timersRun: 1_500)
                    #expect(try await !browser.shows("#help"), "\(role)")
                }
            }
        }
    }
}
