import BackendAPI
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The turn display in a browser", .serialized)
struct DisplayTests {
    private static let first = "#called .turn:first-child"

    private func firstNumber(_ browser: Browser) async throws -> String {
        try await browser.text("\(Self.first) .digits")
    }

    @Test("A call appears, newest first, with a mark, and its digits are large enough")
    func call() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
                for _ in 0..<3 {
                    let ticket = try await shop.ticket()
                    #expect(
                        await patiently {
                            try await firstNumber(browser) == ticket.number.text
                        })
                    #expect(try await browser.shows("\(Self.first).new .mark"))
                }
                // The pages change, so the oldest number appears too.
                #expect(await patiently { try await firstNumber(browser) == "001" })
                let scroll = "document.documentElement.scrollHeight"
                #expect(try await browser.value(scroll) == "1080")
            }
        }
    }

    @Test("Late and repeated messages change nothing: the display never goes back")
    func order() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
                let message = """
                    const { take } = await import("/web/display.js");
                    const at = new Date().toISOString().replace("Z", "+00:00");
                    const message = { type: "turns", shopName: "?", languages: ["en"], now: at,
                        open: true, next: [], visits: [], waiting: 0, called: [] };
                    """
                try await browser.run(message + "take({ ...message, sequence: 1 });")
                #expect(try await firstNumber(browser) == ticket.number.text)
                try await browser.run(
                    message + """
                        const later = 9e15;
                        const called = [{ number: 77, kind: "ticket", since: at, enterBy: at }];
                        take({ ...message, sequence: later, called });
                        take({ ...message, sequence: later });
                        take({ ...message, sequence: later - 1 });
                        """)
                #expect(try await firstNumber(browser) == "077")
            }
        }
    }

    @Test(
        "While the backend is silent, the display shows its data's age, then names the staff"
    )
    func gap() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                #expect(try await !browser.shows("#band"))
                shop.backend.signal(SIGSTOP)
                // The page's clock is set forward, unless there is time for the whole wait.
                try await browser.jump(seconds: TestLength.choose(14, long: 0))
                #expect(await patiently { try await browser.shows("#band") })
                #expect(try await browser.text("#band").contains { $0.isNumber })
                #expect(try await firstNumber(browser) == "001", "still there, with its age")
                let covered = """
                    (() => { const band = document.getElementById('band').getBoundingClientRect();
                        return ['called', 'next', 'offer'].filter((id) => {
                            const b = document.getElementById(id).getBoundingClientRect();
                            return b.left < band.right && band.left < b.right
                                && b.top < band.bottom && band.top < b.bottom }) })()
                    """
                #expect(try await browser.value(covered) == "", "the age covers no number")
                try await browser.jump(seconds: TestLength.choose(45, long: 0))
                #expect(await patiently(.seconds(90)) { try await browser.shows("#ask") })
                #expect(try await !browser.shows("#called"), "no number that may be wrong")
                // Ten minutes in all, if there is time for them; the page does nothing new in them.
                try await Task.sleep(for: TestLength.choose(.zero, long: .seconds(540)))
                shop.backend.signal(SIGCONT)
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
                #expect(await patiently { try await !browser.shows("#ask") })
                #expect(await patiently { try await !browser.shows("#band") })
            }
        }
    }

    @Test("Closed before its turn: the display shows it, and after opening again it calls")
    func closed() async throws {
        try await PageShop.with(capacity: 1) { shop in
            try await Browser.with { browser in
                for _ in 1...2 { _ = try await shop.ticket() }
                try await shop.act(StaffActionRequest(.sendHome))
                try await shop.open("display", in: browser)
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.act(
                    StaffActionRequest(.delete, number: QueueNumber(rawValue: 1)))
                #expect(
                    await patiently {
                        try await browser.text("#nobody").contains("gelten nicht mehr")
                    })
                try await shop.act(StaffActionRequest(.openAgain))
                #expect(await patiently { try await firstNumber(browser) == "002" })
            }
        }
    }

    @Test("A revoked display shows its key again, and no number")
    func revoked() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.backend.revokeDevice("display-1")
                #expect(await patiently { try await browser.shows("#enrolment") })
            }
        }
    }

    @Test("A backend that was killed is found again, and the display continues")
    func killed() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                _ = try await shop.ticket()
                #expect(await patiently { try await firstNumber(browser) == "001" })
                try await shop.backend.killAndRestart()
                let ticket = try await shop.ticket()
                #expect(
                    await patiently {
                        try await firstNumber(browser) == ticket.number.text
                    })
            }
        }
    }
}
