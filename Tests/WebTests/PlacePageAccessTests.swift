import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Access to the page of a place [rules 33, 34]", .serialized)
struct PlacePageAccessTests {
    @Test(
        "Each form fits every language and size of letters, can be touched with gloves, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        let clock = try MovedClock()
        try await PageShop.full(
            shop: PlacePageChangesTests.settings + ["--demo"], options: clock.options
        ) {
            shop, called in
            let mine = try await shop.ticket()
            for _ in 0..<10 { _ = try await shop.ticket() }
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await browser.waits(for: "#offer2"))
                try await browser.speak(language)
                try await expectAccess(browser, "offers-\(language)")
                try await browser.run("document.querySelector('#open').click()")
                try await expectAccess(browser, "form-\(language)")
                try await browser.run("document.querySelector('#keep').click()")
                try await browser.run("document.querySelector('#offer0').click()")
                try await expectAccess(browser, "delay-\(language)")
                try await browser.scan(mine.typedCode.rawValue)
                #expect(await browser.waits(for: "#back"))
                try await expectAccess(browser, "delayed-\(language)")
                // The page opened again does not know the digits.
                try await browser.run("location.reload()")
                #expect(await browser.waits(for: "#back"))
                try await browser.run("document.querySelector('#back').click()")
                #expect(await browser.waits(for: "#form"))
                try await expectAccess(browser, "undo-\(language)")

                try await browser.open(#require(called[0].link))
                #expect(await patiently { try await browser.look() == "called" })
                let enterBy = try #require(try await browser.place().reservation.enterBy)
                try clock.set(enterBy.at(enterBy.moment + .seconds(1)))
                #expect(await browser.waits(for: "#back"))
                try await expectAccess(browser, "missed-\(language)")
                try await browser.run("document.querySelector('#back').click()")
                #expect(await browser.waits(for: "#form"))
                try await expectAccess(browser, "reclaim-\(language)")
            }
        }
    }

    /// The page as it is now has no fault that axe or a ruler finds; keeps pictures of its parts.
    private func expectAccess(_ browser: Browser, _ name: String) async throws {
        for (width, size) in [(320, 0), (360, 1), (320, 2), (1_280, 0), (360, 0)] {
            try await browser.resize(width, 640)
            try await browser.run("document.documentElement.dataset.size = '\(size)'")
            let wide = try await browser.value(
                "document.documentElement.scrollWidth > innerWidth + 1")
            #expect(wide == "false", "\(name) \(width) \(size)")
            let small = try await browser.value(
                "[...document.querySelectorAll('button, select, input')].filter((e) => {"
                    + "const b = e.getBoundingClientRect();"
                    + "return b.width && (b.width < 44 || b.height < 44) })"
                    + ".map((e) => e.id || e.value).join(' ')")
            #expect(small == "", "\(name) \(width) \(size)")
        }
        for (part, isTop) in [("top", true), ("end", false)] {
            try await browser.run("scrollTo(0, \(isTop ? 0 : 9_999))")
            try await browser.keepPicture("phone-\(name)-\(part)")
        }
        try await browser.run(
            Self.axe() + """
                ;const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
                window.found = found.violations.map((v) =>
                    v.id + ": " + v.nodes.map((n) => n.html).join(", ")).join("; ");
                """)
        #expect(try await browser.value("window.found") == "", "\(name)")
    }

    private static func axe() throws -> String {
        let path =
            ".build/schemathesis/lib/python3.11/site-packages/axe_playwright_python/axe.min.js"
        return try String(contentsOf: Tool.repository.appending(path: path), encoding: .utf8)
    }
}
