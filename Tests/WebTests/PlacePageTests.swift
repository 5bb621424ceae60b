import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place in a browser [rules 33]", .serialized)
struct PlacePageTests {
    private static let options = ["--phones", "127.0.0.1:0"]

    /// A shop of two places, which are taken.
    private func full(_ body: (PageShop, [Reservation]) async throws -> Void) async throws {
        try await PageShop.with(capacity: 2, options: Self.options) { shop in
            var called: [Reservation] = []
            for _ in 0..<2 { called.append(try await shop.ticket()) }
            try await body(shop, called)
        }
    }

    private func look(_ browser: Browser) async throws -> String {
        try await browser.value("document.body.dataset.look")
    }

    private func free(_ number: QueueNumber, in shop: PageShop) async throws {
        try await shop.act(StaffActionRequest(.delete, number: number))
    }

    @Test("It follows the place from the line to the shop, and never shows a code for the door")
    func follows() async throws {
        try await full { shop, called in
            let first = try await shop.ticket()
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.text("#number") == mine.number.text })
                #expect(await patiently { try await browser.text("#second").contains("1") })
                #expect(try await look(browser) == "planned")
                try await browser.keepPicture("phone-planned")
                try await free(first.number, in: shop)
                #expect(await patiently { try await !browser.text("#second").contains("1") })
                try await free(called[0].number, in: shop)
                #expect(await patiently { try await look(browser) == "called" })
                #expect(try await browser.text("#alarm").contains(mine.number.text))
                try await browser.keepPicture("phone-called")
                let page = try await browser.value("document.documentElement.outerHTML")
                #expect(!page.contains("CLUP:1") && !page.contains(mine.typedCode.rawValue))
                try await shop.act(StaffActionRequest(.letIn, number: mine.number))
                #expect(await patiently { try await look(browser) == "calm" })
                try await browser.keepPicture("phone-inside")
            }
        }
    }

    @Test("WebKit, the engine of iPhones, follows the place, gives it back and takes it back")
    func webKit() async throws {
        try await full { shop, called in
            let mine = try await shop.ticket()
            try await Browser.with(.webKit, width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.text("#number") == mine.number.text })
                #expect(await patiently { try await browser.shows("#range") })
                try await browser.keepPicture("phone-webkit")
                try await browser.run("document.querySelector('#open').click()")
                try await browser.run(
                    "document.querySelector('#code').value = '\(mine.typedCode.rawValue)';"
                        + "document.querySelector('#send').click()")
                #expect(await patiently { try await look(browser) == "ended" })
                #expect(await patiently { try await browser.shows("#mayUndo") })
                try await browser.run("document.querySelector('#open').click()")
                #expect(await patiently { try await look(browser) == "planned" })
                try await free(called[0].number, in: shop)
                #expect(await patiently { try await look(browser) == "called" })
                try await browser.keepPicture("phone-webkit-called")
                let width = "document.documentElement.scrollWidth <= innerWidth + 1"
                #expect(try await browser.value(width) == "true")
            }
        }
    }

    @Test("The place is given back with the ten digits, and taken back within two minutes")
    func givesBack() async throws {
        try await full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.shows("#open") })
                try await browser.run("document.querySelector('#open').scrollIntoView()")
                try await browser.touch("#open")
                #expect(await patiently { try await browser.shows("#code") })
                try await browser.scan("0000000000")
                #expect(await patiently { try await browser.shows("#error") })
                try await browser.keepPicture("phone-wrong-digits")
                try await browser.run("document.querySelector('#code').select()")
                try await browser.scan(mine.typedCode.rawValue)
                #expect(await patiently { try await look(browser) == "ended" })
                #expect(await patiently { try await browser.shows("#mayUndo") })
                try await browser.keepPicture("phone-given-back")
                try await browser.run("document.querySelector('#open').scrollIntoView()")
                try await browser.touch("#open")
                #expect(await patiently { try await look(browser) == "planned" })
                #expect(try await browser.text("#number") == mine.number.text)
            }
        }
    }

    @Test("Without a network it shows the last state with its age, also when it is opened again")
    func offline() async throws {
        try await full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.shows("#range") })
                let worker = "navigator.serviceWorker.controller?.state"
                #expect(await patiently { try await browser.value(worker) == "activated" })
                await shop.backend.drain()
                try await browser.jump(seconds: 70)
                #expect(await patiently { try await browser.shows("#notice") })
                #expect(await patiently { try await browser.text("#age").contains("1") })
                try await browser.run("location.reload()")
                #expect(await patiently { try await browser.text("#number") == mine.number.text })
                #expect(try await browser.shows("#range"))
                #expect(await patiently { try await browser.shows("#notice") })
                try await browser.keepPicture("phone-offline")
            }
        }
    }

    @Test("A link that opens nothing, and none at all, are explained")
    func unknown() async throws {
        try await full { shop, called in
            let link = try #require(called[0].link)
            try await Browser.with(width: 360, height: 640) { browser in
                for end in ["", "#", "#\(link.suffix(38).dropLast())7", "#\(link.suffix(38))7"] {
                    try await browser.open("\(shop.backend.phones)/t\(end)")
                    #expect(await patiently { try await browser.shows("#hint") }, "\(end)")
                    #expect(await patiently { try await !browser.shows("#number") }, "\(end)")
                }
                try await browser.keepPicture("phone-unknown")
            }
        }
    }

    @Test(
        "It fits every language and size of letters, can be touched with gloves, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        let axe = try String(
            contentsOf: Tool.repository.appending(
                path:
                    ".build/schemathesis/lib/python3.11/site-packages/axe_playwright_python/axe.min.js"
            ), encoding: .utf8)
        try await full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.shows("#range") })
                try await browser.run(
                    "const l = document.querySelector('#languages'); l.value = '\(language)';"
                        + "l.dispatchEvent(new Event('change'))")
                try await browser.run("document.querySelector('#open').click()")
                for (width, size) in [(360, 0), (320, 0), (360, 1), (320, 2), (1_280, 0)] {
                    try await browser.resize(width, 640)
                    try await browser.run("document.documentElement.dataset.size = '\(size)'")
                    #expect(try await browser.shows("#form"))
                    let wide = try await browser.value(
                        "document.documentElement.scrollWidth > innerWidth + 1")
                    #expect(wide == "false", "\(width) \(size)")
                    let small = try await browser.value(
                        "[...document.querySelectorAll('button, select, input')].filter((e) => {"
                            + "const b = e.getBoundingClientRect();"
                            + "return b.width && (b.width < 44 || b.height < 44) })"
                            + ".map((e) => e.id || e.value).join(' ')")
                    #expect(small == "", "\(width) \(size)")
                }
                try await browser.resize(360, 640)
                try await browser.keepPicture("phone-form-\(language)")
                try await browser.run(
                    axe + """
                        ;const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
                        window.found = found.violations.map((v) =>
                            v.id + ": " + v.nodes.map((n) => n.html).join(", ")).join("; ");
                        """)
                #expect(try await browser.value("window.found") == "")
            }
        }
    }
}
