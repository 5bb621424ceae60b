import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place in a browser [rules 33]", .serialized)
struct PlacePageTests {
    @Test("It follows the place from the line to the shop, and never shows a code for the door")
    func follows() async throws {
        try await PageShop.full { shop, called in
            let first = try await shop.ticket()
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.text("#number") == mine.number.text })
                #expect(await patiently { try await browser.text("#second").contains("1") })
                #expect(try await browser.look() == "planned")
                try await browser.keepPicture("phone-planned")
                try await shop.free(first.number)
                #expect(await patiently { try await !browser.text("#second").contains("1") })
                try await shop.free(called[0].number)
                #expect(await patiently { try await browser.look() == "called" })
                #expect(try await browser.text("#alarm").contains(mine.number.text))
                try await browser.keepPicture("phone-called")
                let page = try await browser.value("document.documentElement.outerHTML")
                #expect(!page.contains("CLUP:1") && !page.contains(mine.typedCode.rawValue))
                try await shop.act(StaffActionRequest(.letIn, number: mine.number))
                #expect(await patiently { try await browser.look() == "calm" })
                try await browser.keepPicture("phone-inside")
            }
        }
    }

    @Test(
        "WebKit, the engine of iPhones, follows the place, lets two ahead, gives it back and takes it back"
    )
    func webKit() async throws {
        try await PageShop.full(shop: ["--delays", "yes"]) { shop, called in
            let mine = try await shop.ticket()
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await Browser.with(.webKit, width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.text("#number") == mine.number.text })
                #expect(await patiently { try await browser.shows("#range") })
                try await browser.keepPicture("phone-webkit")
                try await browser.run("document.querySelector('#offer0').click()")
                try await browser.run(
                    "document.querySelector('#code').value = '\(mine.typedCode.rawValue)';"
                        + "document.querySelector('#send').click()")
                #expect(await patiently { try await browser.text("#second").contains("2") })
                #expect(await patiently { try await browser.shows("#back") })
                try await browser.keepPicture("phone-webkit-delayed")
                try await browser.run("document.querySelector('#back').click()")
                #expect(await patiently { try await !browser.text("#second").contains("2") })
                try await browser.run("document.querySelector('#open').click()")
                try await browser.run(
                    "document.querySelector('#code').value = '\(mine.typedCode.rawValue)';"
                        + "document.querySelector('#send').click()")
                #expect(await patiently { try await browser.look() == "ended" })
                #expect(await patiently { try await browser.shows("#mayUndo") })
                try await browser.run("document.querySelector('#back').click()")
                #expect(await patiently { try await browser.look() == "planned" })
                try await shop.free(called[0].number)
                #expect(await patiently { try await browser.look() == "called" })
                try await browser.keepPicture("phone-webkit-called")
                let width = "document.documentElement.scrollWidth <= innerWidth + 1"
                #expect(try await browser.value(width) == "true")
            }
        }
    }

    @Test("The place is given back with the ten digits, and taken back within two minutes")
    func givesBack() async throws {
        try await PageShop.full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.shows("#open") })
                try await browser.press("#open")
                #expect(await patiently { try await browser.shows("#code") })
                try await browser.scan("0000000000")
                #expect(await patiently { try await browser.shows("#error") })
                try await browser.keepPicture("phone-wrong-digits")
                try await browser.run("document.querySelector('#code').select()")
                try await browser.scan(mine.typedCode.rawValue)
                #expect(await patiently { try await browser.look() == "ended" })
                #expect(await patiently { try await browser.shows("#mayUndo") })
                try await browser.keepPicture("phone-given-back")
                try await browser.press("#back")
                #expect(await patiently { try await browser.look() == "planned" })
                #expect(try await browser.text("#number") == mine.number.text)
            }
        }
    }

    @Test("Without a network it shows the last state with its age, also when it is opened again")
    func offline() async throws {
        try await PageShop.full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                #expect(await patiently { try await browser.shows("#range") })
                let worker = "navigator.serviceWorker.controller?.state"
                #expect(await patiently { try await browser.value(worker) == "activated" })
                await shop.backend.drain()
                try await browser.jump(seconds: 70)
                #expect(await patiently { try await browser.shows("#notice") })
                #expect(await patiently { try await browser.isMinutesOld() })
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
        try await PageShop.full { shop, called in
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
}
