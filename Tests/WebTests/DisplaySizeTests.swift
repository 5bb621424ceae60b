import Foundation
import TestSupport
import Testing

@Suite("What can be read on the display, and from which distance", .serialized)
struct DisplaySizeTests {
    private static let first = "#called .turn:first-child .digits"
    static let screens = [(1_920, 1_080), (1_280, 720), (1_080, 1_920), (720, 1_280)]

    @Test(
        "The digits are 18 cm high on a 43-inch screen, however it hangs, and none is cut off",
        arguments: [(1_920, 1_080, 0.34), (1_080, 1_920, 0.19)])
    func digits(width: Int, height: Int, share: Double) async throws {
        try await PageShop.with(capacity: 4, width: width, height: height) { shop, browser in
            try await shop.open("display", in: browser)
            for _ in 0..<13 { _ = try await shop.ticket() }
            await expectSoon {
                try await browser.value("document.querySelectorAll('#next .item').length")
                    != "0"
            }
            // After the marks of a new call the digits have the accent on a dark tile.
            try await browser.jump(seconds: 11)
            await browser.expect(no: ".turn.new")
            let folder = try TemporaryFolder()
            let path = folder.file("display.png")
            let box = try await browser.value(Self.box)
            let drawn = try #require(Double(try await browser.value(Self.drawnHeight)))
            try await browser.photograph(path)
            try await browser.keepPicture("display-\(width)x\(height)")
            let rows = try await Tool.succeed(
                "convert",
                [
                    path, "-crop", box, "+repage", "-fuzz", "20%", "-fill", "black", "+opaque",
                    "#ffc933", "-trim", "-format", "%h", "info:",
                ])
            let tall = try #require(Int(rows.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(Double(tall) >= share * Double(height), "\(tall) pixels")
            // The outermost rows of round digits are mixed with the ground.
            #expect(Double(tall) >= drawn * 0.98, "\(tall) of \(drawn) pixels are seen")
            #expect(try await browser.value(Self.overflow) == "")
        }
    }

    /// What is measured of a crowd that the display shows.
    private struct Looks: Decodable {
        let turns: Int
        /// The boxes that are smaller than their content.
        let overflow: [String]
        /// The smallest digits of the list in centimetres; nil without a list.
        let list: Double?
        /// Texts of the list that are higher than their row, and the rows.
        let cut: Int
        let rows: Int
        let digits: String
        let covered: String
        let share: Double
    }

    private func looks(of crowd: DisplayCrowd, in language: String, _ browser: Browser) async throws
        -> Looks
    {
        try await browser.run(
            crowd.feed(languages: [language]) + """
                window.looks = JSON.stringify({
                  turns: document.querySelectorAll(".turn").length, overflow: \(Self.overflow),
                  list: \(crowd.waiting > 0 ? Self.listDigits : "null"), \(Self.listRows), digits: \(DisplayInvitationTests.digits),
                  covered: \(DisplayInvitationTests.covered), share: \(DisplayInvitationTests.share),
                });
                """)
        return try await JSONDecoder().decode(
            Looks.self, from: Data(browser.value("window.looks").utf8))
    }

    @Test(
        "Nothing is cut off or overlaps, in every language, on every screen; a phone reads the invitation, beside which called numbers are as large as without it"
    )
    func overflow() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            let folder = try TemporaryFolder()
            for (width, height) in Self.screens {
                try await browser.resize(width, height)
                for var crowd in Self.crowds {
                    for language in ["it", "en", "de", "fr", "es"] {
                        var digits = ""
                        for invites in ["no", "customers"]
                            + (["it", "es"].contains(language) ? ["orders"] : [])
                        {
                            crowd.invitation =
                                invites == "no" ? nil : try DisplayInvitationTests.rows
                            crowd.isForOrders = invites == "orders"
                            let looks = try await looks(of: crowd, in: language, browser)
                            let what =
                                "\(width)x\(height), \(language), \(crowd), invites \(invites)"
                            #expect(looks.turns == crowd.seen, "\(what)")
                            #expect(looks.overflow == [], "\(what)")
                            #expect(looks.cut == 0, "\(what)")
                            if crowd.waiting >= 30 { #expect(looks.rows >= 3, "\(what)") }
                            if let list = looks.list { #expect(list >= 2.9, "cm, \(what)") }
                            #expect((looks.list != nil) == (crowd.waiting > 0), "\(what)")
                            if invites == "no" {
                                digits = looks.digits
                                continue
                            }
                            #expect(looks.covered == "", "\(what)")
                            let least = crowd.waiting + crowd.visits == 0 ? 0.28 : 0.14
                            #expect(looks.share >= least, "\(what)")
                            if language == "de", crowd.called > 0 {
                                #expect(looks.digits == digits, "\(what)")
                            }
                        }
                        try await browser.keepPicture(
                            "display-\(width)-\(language)-\(crowd.called)-\(crowd.waiting)")
                    }
                    let path = folder.file("display.png")
                    try await browser.photograph(path)
                    #expect(
                        try await Picture.qrCodes(inFile: path) == [DisplayInvitationTests.link],
                        "\(width)x\(height), \(crowd)")
                }
            }
            // The check finds text that is too wide or too high for its cell.
            for (part, change) in [
                ("p", "textContent = 'W'.repeat(200)"),
                (".digits span", "textContent = '8'.repeat(20)"),
                ("p", "style.fontSize = '90vh'"),
            ] {
                try await browser.run(Self.crowds[1].feed(languages: ["en"]))
                // In one script, because the page soon draws its turns again.
                let found = try await browser.value(
                    """
                    (() => {
                      const part = document.querySelector('.turn \(part)');
                      part.\(change);
                      return \(Self.overflow);
                    })()
                    """)
                #expect(found.contains("turn"), "\(change)")
            }
        }
    }

    @Test(
        "With orders that are called to desks no row of the list is cut, and it has three at least")
    func orders() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            for (width, height) in Self.screens {
                try await browser.resize(width, height)
                for (orders, invites) in [(1, false), (1, true), (4, false), (4, true), (9, true)] {
                    var crowd = DisplayCrowd(called: 3, waiting: 30, visits: 3, seen: 2)
                    crowd.orders = orders
                    crowd.invitation = invites ? try DisplayInvitationTests.rows : nil
                    let looks = try await looks(of: crowd, in: "de", browser)
                    let what = "\(width)x\(height), \(crowd), invites \(invites)"
                    #expect(looks.overflow == [], "\(what)")
                    #expect(looks.cut == 0, "\(what)")
                    #expect(looks.rows >= 3, "\(looks.rows) rows, \(what)")
                    try await browser.keepPicture("display-\(width)-orders-\(orders)-\(invites)")
                }
            }
        }
    }

    @Test(
        "Every waiting number is shown with its time within a minute, every called one within 20 s")
    func everybody() async throws {
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser)
            for (width, height) in Self.screens {
                // A window of its own, because its time stops afterwards.
                _ = try await browser.openWindow()
                try await browser.resize(width, height)
                try await shop.open("display", in: browser, isKnown: true, opens: "#nobody")
                var crowd = DisplayCrowd(called: 27, waiting: 200, seen: 6)
                // The list has the least room while there is an invitation.
                crowd.invitation = try DisplayInvitationTests.rows
                try await browser.run(crowd.feed(languages: ["it", "en"]) + Self.watch)
                try await browser.pass(seconds: 60)
                let what = "\(width)x\(height)"
                #expect(try await browser.value("String(crowd.waiting.size)") == "200", "\(what)")
                #expect(try await browser.value("String(crowd.called.size)") == "27", "\(what)")
                let gap = try await browser.value("String(crowd.longestGap)")
                #expect(try #require(Double(gap)) <= 20_500, "of a called number, \(what)")
                #expect(try await browser.value("crowd.backwards") == "", "\(what)")
            }
        }
    }

    static let crowds = [
        DisplayCrowd(called: 1, waiting: 5, visits: 2, seen: 1),
        DisplayCrowd(called: 3, waiting: 0, seen: 2),
        DisplayCrowd(called: 3, waiting: 30, visits: 3, seen: 2),
        DisplayCrowd(called: 9, waiting: 8, seen: 6),
        DisplayCrowd(called: 3, waiting: 200, seen: 2),
        DisplayCrowd(called: 27, waiting: 30, visits: 3, seen: 6),
        DisplayCrowd(called: 27, waiting: 200, visits: 12, seen: 6),
        DisplayCrowd(called: 120, waiting: 300, first: 1_201, seen: 18),
        DisplayCrowd(called: 0, waiting: 0, seen: 0),
    ]

    /// The boxes that are smaller than their content.
    static let overflow = """
        [...document.querySelectorAll('#side, #head, #next-title, #next, .item, #offer, #offer-wait, #invitation-words, #called, .turn, .turn p')]
            .filter((e) => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2)
            .filter((e) => !e.matches('.turn p') || e.scrollWidth > e.clientWidth + 2)
            .map((e) => e.id || e.className || 'turn p')
        """

    /// Records which numbers are shown and how often, and waiting numbers whose time is before an earlier one's.
    private static let watch = """
        ;Object.assign(crowd, { waiting: new Set(), called: new Map(), longestGap: 0, backwards: "" });
        setInterval(() => {
          const now = performance.now();
          let last = "";
          for (const item of document.querySelectorAll(".item")) {
            crowd.waiting.add(item.querySelector("b").textContent);
            const time = item.querySelector("span").textContent;
            if (time < last) crowd.backwards += `${time} after ${last} `;
            last = time;
          }
          for (const turn of document.querySelectorAll(".turn")) {
            const before = crowd.called.get(turn.dataset.number) ?? now;
            crowd.longestGap = Math.max(crowd.longestGap, now - before);
            crowd.called.set(turn.dataset.number, now);
          }
        }, 100);
        """

    /// The area of the first number's digits with a small margin, as convert(1) takes it.
    private static let box = """
        (() => { const b = document.querySelector('\(first)').getBoundingClientRect();
            const more = b.height * 0.05;
            return Math.round(b.width) + 'x' + Math.round(b.height + 2 * more)
                + '+' + Math.round(b.x) + '+' + Math.round(Math.max(0, b.y - more)) })()
        """

    /// The height of the first number's digits in the font: drawn and counted, as the browser's measures are rounded
    /// outwards.
    private static let drawnHeight = """
        (() => { const line = document.querySelector('\(first) span');
            const sheet = Object.assign(document.createElement('canvas'), { width: 1500, height: 700 });
            const paper = sheet.getContext('2d');
            const { fontSize, fontFamily } = getComputedStyle(line);
            paper.font = `bold ${fontSize} ${fontFamily}`;
            paper.fillText(line.textContent, 0, 600);
            const { data } = paper.getImageData(0, 0, 1500, 700);
            let rows = 0;
            for (let y = 0; y < 700; y += 1) {
                const row = data.subarray(y * 6000, (y + 1) * 6000);
                if (row.some((value, index) => index % 4 === 3 && value > 127)) rows += 1;
            }
            return rows })()
        """

    /// How many texts of the list are higher than their row, and how many rows there are.
    private static let listRows = """
        cut: [...document.querySelectorAll('.item > *')].filter((e) => {
            const paper = document.createElement('canvas').getContext('2d');
            const { fontSize, fontFamily, fontWeight } = getComputedStyle(e);
            paper.font = `${fontWeight} ${fontSize} ${fontFamily}`;
            const { actualBoundingBoxAscent, actualBoundingBoxDescent } = paper.measureText(e.textContent);
            return actualBoundingBoxAscent + actualBoundingBoxDescent > e.parentElement.clientHeight;
        }).length,
        rows: new Set([...document.querySelectorAll('.item')].map((e) => e.offsetTop)).size
        """

    /// The height of the smallest digits of the list; a screen of 43 inches has 95.2 cm at its longer side.
    static let listDigits = """
        Math.min(...[...document.querySelectorAll('.item > *')].map((e) => {
            const paper = document.createElement('canvas').getContext('2d');
            const { fontSize, fontFamily, fontWeight } = getComputedStyle(e);
            paper.font = `${fontWeight} ${fontSize} ${fontFamily}`;
            return paper.measureText('1').actualBoundingBoxAscent * 95.2 / Math.max(innerWidth, innerHeight);
        }))
        """
}
