import Glibc
import QRCode
import TestSupport
import Testing

@Suite("The invitation on the turn display", .serialized)
struct DisplayInvitationTests {
    private static let link = "https://queue.example.it/j#CITT0123456789ABCDEF"
    static var rows: [String] { get throws { try QRCode.matrix(of: link).rows } }

    @Test("A phone reads it on every screen, and nothing is cut off or overlaps")
    func readable() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
                let folder = try TemporaryFolder()
                for (width, height) in DisplaySizeTests.screens {
                    try await browser.resize(width, height)
                    for var crowd in DisplaySizeTests.crowds {
                        crowd.invitation = try Self.rows
                        let shown = ["it", "en", "de", "fr", "es"].map { ($0, false) }
                        for (language, isForOrders) in shown + [("it", true), ("es", true)] {
                            crowd.isForOrders = isForOrders
                            try await browser.run(crowd.feed(languages: [language]))
                            let what =
                                "\(width)x\(height), \(language), \(isForOrders), \(crowd.called) called, "
                                + "\(crowd.waiting) wait"
                            let overflow = try await browser.value(DisplaySizeTests.overflow)
                            #expect(overflow == "", "\(what)")
                            let covered = try await browser.value(Self.covered)
                            #expect(covered == "", "\(what)")
                            #expect(
                                try await browser.value(
                                    "document.querySelectorAll('.turn').length")
                                    == "\(crowd.seen)", "\(what)")
                            let share = try await browser.value(Self.share)
                            let least = crowd.waiting + crowd.visits == 0 ? 0.28 : 0.14
                            #expect(try #require(Double(share)) >= least, "\(what)")
                            if crowd.waiting > 0 {
                                let list = try await browser.value(DisplaySizeTests.listDigits)
                                #expect(try #require(Double(list)) >= 2.9, "cm, \(what)")
                            }
                        }
                        let path = folder.file("display.png")
                        try await browser.photograph(path)
                        #expect(
                            try await Picture.qrCodes(inFile: path) == [Self.link],
                            "\(width)x\(height), \(crowd.called) called, \(crowd.waiting) wait")
                        try await browser.keepPicture(
                            "display-\(width)-invitation-\(crowd.called)-\(crowd.waiting)")
                    }
                }
            }
        }
    }

    @Test("Called numbers are as large with it as without it")
    func calledNumbers() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
                for (width, height) in DisplaySizeTests.screens {
                    try await browser.resize(width, height)
                    for var crowd in DisplaySizeTests.crowds where crowd.called > 0 {
                        try await browser.run(crowd.feed(languages: ["de"]))
                        let before = try await browser.value(Self.digits)
                        crowd.invitation = try Self.rows
                        try await browser.run(crowd.feed(languages: ["de"]))
                        #expect(
                            try await browser.value(Self.digits) == before,
                            "\(width)x\(height), \(crowd.called) called, \(crowd.waiting) wait")
                    }
                }
            }
        }
    }

    @Test("It is drawn again only for a new one, and goes when there is none or the message is old")
    func whenShown() async throws {
        try await PageShop.with { shop in
            try await Browser.with { browser in
                try await shop.open("display", in: browser)
                #expect(await patiently { try await browser.shows("#nobody") })
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
                #expect(await patiently { try await browser.shows("#band") })
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
    }

    /// The symbol's side with its quiet zone, as a share of the screen's shorter side; 0 unless it is a square.
    private static let share = """
        (() => { const b = document.getElementById('invitation').getBoundingClientRect();
            return Math.abs(b.width - b.height) < 0.5 ? b.width / Math.min(innerWidth, innerHeight) : 0 })()
        """

    /// The parts that the symbol or its words lie over or reach out of.
    private static let covered = """
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
    private static let digits = """
        [document.getElementById('board').dataset.list, ...[...document.querySelectorAll('.turn .digits span')]
            .map((e) => `${e.style.fontSize} ${e.style.transform}`)].join()
        """
}
