import Glibc
import QRCode
import TestSupport
import Testing

@Suite("The invitation on the turn display", .serialized)
struct DisplayInvitationTests {
    static let link = "https://queue.example.it/j#CITT0123456789ABCDEF"
    static var rows: [String] { get throws { try QRCode.matrix(of: link).rows } }

    @Test("It is drawn again only for a new one, and goes when there is none or the message is old")
    func whenShown() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            #expect(try await !browser.shows("#invitation"))
            var crowd = DisplayCrowd(called: 1, waiting: 5, seen: 1)
            crowd.invitation = try Self.rows
            try await browser.run(crowd.feed(languages: ["de"]))
            #expect(try await browser.shows("#invitation"))
            #expect(try await browser.text("#invitation-words") == "Mit dem Handy anstellen")
            try await browser.run(
                """
                window.drawn = 0;
                new MutationObserver((all) => { window.drawn += all.length; })
                  .observe(document.querySelector("#invitation path"), { attributes: true });
                """)
            for _ in 0..<3 { try await browser.run(crowd.feed(languages: ["de"])) }
            #expect(try await browser.value("window.drawn") == "0")
            crowd.invitation = try QRCode.matrix(of: Self.link.replacing("0", with: "9")).rows
            try await browser.run(crowd.feed(languages: ["de"]))
            #expect(try await browser.value("window.drawn") == "1")

            try await browser.run("clearInterval(window.crowd.feed);")
            shop.backend.signal(SIGSTOP)
            try await browser.jump(seconds: 16)
            await browser.expect("#band")
            #expect(try await !browser.shows("#invitation"))
            #expect(try await !browser.shows("#invitation-words"))
            shop.backend.signal(SIGCONT)
            try await browser.run(crowd.feed(languages: ["de"]))
            #expect(try await browser.shows("#invitation"))
            crowd.invitation = nil
            try await browser.run(crowd.feed(languages: ["de"]))
            #expect(try await !browser.shows("#invitation"))
            #expect(try await !browser.shows("#invitation-words"))
        }
    }

    /// The symbol's side with its quiet zone, as a share of the screen's shorter side; 0 unless it is a square.
    static let share = """
        (() => { const b = document.getElementById('invitation').getBoundingClientRect();
            return Math.abs(b.width - b.height) < 0.5 ? b.width / Math.min(innerWidth, innerHeight) : 0 })()
        """

    /// The parts that the symbol or its words lie over or reach out of.
    static let covered = """
        (() => { const box = (id) => document.getElementById(id).getBoundingClientRect();
            const symbol = box('invitation'); const words = box('invitation-words'); const tile = box('offer');
            const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            const isOut = (a) => a.left < tile.left || a.right > tile.right || a.top < tile.top || a.bottom > tile.bottom
                || tile.bottom > innerHeight;
            return [...['called', 'next', 'offer-title', 'offer-wait', 'invitation-words']
                .filter((id) => isOver(symbol, box(id))), ...['offer-wait', 'offer-title'].filter((id) => isOver(words, box(id))),
                ...['invitation', 'invitation-words', 'offer-title', 'offer-wait'].filter((id) => isOut(box(id)))
                    .map((id) => `${id} out of the tile`)].join() })()
        """

    /// The sizes of the called numbers' digits, with the width of the list.
    static let digits = """
        [document.getElementById('board').dataset.list, ...[...document.querySelectorAll('.turn .digits span')]
            .map((e) => `${e.style.fontSize} ${e.style.transform}`)].join()
        """
}
