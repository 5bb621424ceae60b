import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The turn display in a browser", .serialized)
struct DisplayTests {
    private static let first = "#called .turn:first-child .digits"

    @Test(
        "A call appears, newest first, with a mark, and its digits are large enough; late and repeated messages change nothing: the display never goes back"
    )
    func order() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            for _ in 0..<3 {
                let ticket = try await shop.ticket()
                await browser.expect(Self.first, ticket.number.text)
                #expect(try await browser.shows("#called .turn:first-child.new .mark"))
            }
            // The pages change, so the oldest number appears too.
            await browser.expect(Self.first, "001")
            let scroll = "document.documentElement.scrollHeight"
            #expect(try await browser.value(scroll) == "1080")
            let ticket = try await shop.ticket()
            await browser.expect(Self.first, ticket.number.text)
            let message = """
                const { take } = await import("/web/display.js");
                const at = new Date().toISOString().replace("Z", "+00:00");
                const message = { type: "turns", shopName: "?", languages: ["en"], now: at,
                    open: true, next: [], visits: [], waiting: 0, called: [] };
                """
            try await browser.run(message + "take({ ...message, sequence: 1 });")
            #expect(try await browser.text(Self.first) == ticket.number.text)
            try await browser.run(
                message + """
                    const later = 9e15;
                    const called = [{ number: 77, kind: "ticket", since: at, enterBy: at }];
                    take({ ...message, sequence: later, called });
                    take({ ...message, sequence: later });
                    take({ ...message, sequence: later - 1 });
                    """)
            #expect(try await browser.text(Self.first) == "077")
        }
    }

    @Test(
        "While the backend is silent, the display shows its data's age, then names the staff; one that was killed is found again, and the display continues; a display that is revoked shows its key again, and no number"
    )
    func gap() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser)
            _ = try await shop.ticket()
            await browser.expect(Self.first, "001")
            #expect(try await !browser.shows("#band"))
            shop.backend.signal(SIGSTOP)
            // The page's clock is set forward, unless there is time for the whole wait.
            try await browser.jump(seconds: TestLength.choose(14, long: 0))
            await browser.expect("#band")
            #expect(try await browser.text("#band").contains { $0.isNumber })
            #expect(try await browser.text(Self.first) == "001", "still there, with its age")
            let covered = """
                (() => { const band = document.getElementById('band').getBoundingClientRect();
                    return ['called', 'next', 'offer'].filter((id) => {
                        const b = document.getElementById(id).getBoundingClientRect();
                        return b.left < band.right && band.left < b.right
                            && b.top < band.bottom && band.top < b.bottom }) })()
                """
            #expect(try await browser.value(covered) == "", "the age covers no number")
            try await browser.jump(seconds: TestLength.choose(45, long: 0))
            await expectSoon { try await browser.shows("#ask") }
            #expect(try await !browser.shows("#called"), "no number that may be wrong")
            // Ten minutes in all, if there is time for them; the page does nothing new in them.
            try await Task.sleep(for: TestLength.choose(.zero, long: .seconds(540)))
            shop.backend.signal(SIGCONT)
            let ticket = try await shop.ticket()
            await browser.expect(Self.first, ticket.number.text)
            await browser.expect(no: "#ask")
            await browser.expect(no: "#band")

            try await shop.backend.killAndRestart()
            let next = try await shop.ticket()
            await browser.expect(Self.first, next.number.text)
            try await shop.backend.revokeDevice("display-1")
            await browser.expect("#enrolment")
        }
    }

    @Test("Closed before its turn: the display shows it, and after opening again it calls")
    func closed() async throws {
        try await PageShop.with(capacity: 1) { shop, browser in
            for _ in 1...2 { _ = try await shop.ticket() }
            try await shop.act(StaffActionRequest(.sendHome))
            try await shop.open("display", in: browser)
            await browser.expect(Self.first, "001")
            try await shop.act(StaffActionRequest(.delete, number: QueueNumber(rawValue: 1)))
            await browser.expect("#nobody", has: "gelten nicht mehr")
            try await shop.act(StaffActionRequest(.openAgain))
            await browser.expect(Self.first, "002")
        }
    }
}
