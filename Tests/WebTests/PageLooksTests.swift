import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The looks of display and readers", .serialized)
struct PageLooksTests {
    private static let screens = [(1_920, 1_080), (1_280, 800), (1_080, 1_920), (800, 1_280)]

    @Test("A page is set in the font that its server brings, whose digits are equally wide")
    func font() async throws {
        try await PageShop.with { shop, browser in
            for role in ["display", "entrance"] {
                try await shop.open(role, in: browser)
                let loaded =
                    "[...document.fonts].filter((one) => one.status === 'loaded')"
                    + ".map((one) => one.family.replaceAll('\"', '') + one.weight).sort()"
                await browser.expect(value: loaded, "Inter500,Inter700")
                #expect(
                    try await browser.value("getComputedStyle(document.body).fontFamily")
                        == "Inter, system-ui, sans-serif")
                // Measured, since a page may name a font that it does not use.
                try await browser.run(
                    """
                    const paper = document.createElement("canvas").getContext("2d");
                    window.width = (weight, family, text) => {
                      paper.font = `${weight} 1000px ${family}`;
                      return paper.measureText(text).width;
                    };
                    """)
                for weight in [500, 700] {
                    let widths = try await browser.value(
                        "new Set([...'0123456789'].map((digit) => width(\(weight), 'Inter', digit))).size"
                    )
                    #expect(widths == "1", "\(role) \(weight)")
                    // A face without a family is the fallback.
                    let isOther = try await browser.value(
                        "width(\(weight), 'Inter', 'Città Studi') "
                            + "!== width(\(weight), 'nothing, sans-serif', 'Città Studi')")
                    #expect(isOther == "true", "\(role) \(weight)")
                }
            }
        }
    }

    @Test("Without the font a page is set in the tablet's own")
    func noFont() async throws {
        let folder = try TemporaryFolder()
        let web = Tool.repository.appending(path: "Assets/Web").path
        try FileManager.default.createDirectory(
            atPath: folder.file("Web"), withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: web)
        where !name.hasSuffix(".woff") {
            try FileManager.default.copyItem(
                atPath: "\(web)/\(name)", toPath: folder.file("Web/\(name)"))
        }
        try await PageShop.with(assets: folder.path) { shop, browser in
            try await shop.open("display", in: browser)
            let ticket = try await shop.ticket()
            await browser.expect("#called .digits", ticket.number.text)
            #expect(
                try await browser.value(
                    "[...document.fonts].some((one) => one.status === 'loaded')") == "false")
        }
    }

    @Test("However many are called, the tiles fill their place and each is balanced")
    func composition() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("display.png")
        try await PageShop.with { shop, browser in
            try await shop.open("display", in: browser, opens: "#nobody")
            for (width, height) in Self.screens {
                try await browser.resize(width, height)
                for called in [0, 1, 2, 3, 8, 30, 96] {
                    let crowd = DisplayCrowd(called: called, waiting: called, seen: 0)
                    try await browser.run(crowd.feed(languages: ["it"]))
                    let what = "\(called) called at \(width) x \(height)"
                    let filled = try #require(Double(try await browser.value(Self.filled)))
                    #expect(filled > 0.88, "\(what)")
                    let tile = try await browser.value(Self.tile)
                    try await browser.photograph(path)
                    try await browser.keepPicture("looks-\(width)-\(called)")
                    let ink = try await Tool.succeed(
                        "convert",
                        [
                            path, "-crop", tile, "+repage", "-fuzz", "12%", "-format", "%@ %h",
                            "info:",
                        ])
                    let box = try #require(ink.firstMatch(of: /\d+x(\d+)\+\d+\+(\d+) (\d+)/))
                    let high = try #require(Double(box.1))
                    let above = try #require(Double(box.2))
                    let all = try #require(Double(box.3))
                    let below = all - above - high
                    #expect(min(above, below) >= 0.03 * all, "\(what): \(ink)")
                    #expect(abs(above - below) <= 0.1 * all, "\(what): \(ink)")
                }
            }
        }
    }

    /// The part of the place of called numbers that its tiles cover.
    private static let filled = """
        (() => { const place = document.getElementById('called');
            const area = (e) => e.clientWidth * e.clientHeight;
            return [...place.children].reduce((sum, e) => sum + area(e), 0) / area(place) })()
        """

    /// The first tile without its round corners, as convert(1) takes it.
    private static let tile = """
        (() => { const tile = document.querySelector('#called > :first-child');
            const b = tile.getBoundingClientRect();
            const round = parseFloat(getComputedStyle(tile).borderRadius);
            return Math.floor(b.width - 2 * round) + 'x' + Math.floor(b.height - 2)
                + '+' + Math.ceil(b.x + round) + '+' + Math.ceil(b.y + 1) })()
        """

    @Test(
        "Nothing of a reader overflows, however the screen hangs; every refusal at a door says what to do next, and nothing of it is cut off"
    )
    func refusals() async throws {
        try await PageShop.with { shop, browser in
            for role in ["turnstile", "checkout", "entrance"] {
                try await shop.open(role, in: browser)
                for (width, height) in Self.screens {
                    try await browser.resize(width, height)
                    let element = "document.documentElement"
                    let size = "\(element).scrollWidth + 'x' + \(element).scrollHeight"
                    #expect(try await browser.value(size) == "\(width)x\(height)", "\(role)")
                    try await browser.keepPicture("\(role)-\(width)x\(height)")
                }
            }
            for (width, height) in Self.screens {
                try await browser.resize(width, height)
                for refusal in Refusal.allCases {
                    for isTyped in [false, true] {
                        try await browser.run(
                            """
                            const { refused } = await import("/web/reader.js");
                            refused({ type: "urn:clup:problem:\(refusal.rawValue)",
                              wait: { expected: "2026-11-21T10:20:00+01:00" } }, \(isTyped));
                            """)
                        let what = "\(refusal), \(width) x \(height)"
                        #expect(try await browser.value(HelpLooksTests.covered) == "", "\(what)")
                        let state = try await browser.state()
                        // The sentence that sends a customer to the staff is the next step itself.
                        guard state != "staff" else { continue }
                        #expect(["no", "wait"].contains(state), "\(what)")
                        let step = try await browser.text("#words .second")
                        #expect(step.count > 8, "\(what)")
                        // Two more languages, each with its next step too.
                        let lines = try await browser.value(
                            "[...document.querySelectorAll('#words p')].slice(2)"
                                + ".map((e) => e.textContent.includes('. '))")
                        #expect(lines == "true,true", "\(what)")
                    }
                    try await browser.keepPicture("refusal-\(width)-\(refusal.rawValue)")
                }
            }
        }
    }
}
