import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place in a browser [rules 33]", .serialized)
struct PlacePageTests {
    @Test(
        "It follows the place from the line to the shop, and never shows a code for the door; a touch hands the phone's calendar a file with the place and a reminder for the way; a link that opens nothing, and none at all, are explained"
    )
    func follows() async throws {
        try await PageShop.full { shop, called, browser in
            let first = try await shop.ticket()
            let mine = try await shop.ticket()
            try await browser.open(#require(mine.link))
            await browser.expect("#number", mine.number.text)
            await browser.expect("#second", has: "1")
            #expect(try await browser.look() == "planned")
            try await browser.keepPicture("phone-planned")
            try await browser.speak("en")
            try await browser.require("#calendar")
            #expect(try await browser.text("#calendar") == "Add to my calendar")
            try await browser.run(
                """
                const real = URL.createObjectURL;
                URL.createObjectURL = (file) => {
                  file.text().then((text) => { window.file = text; });
                  return real(file);
                };
                """)
            try await browser.press("#minutes button[value=\"20\"]")
            try await browser.press("#calendar")
            await expectSoon { try await browser.value("window.file") != "" }
            let file = try await browser.value("window.file")
            #expect(file.hasPrefix("BEGIN:VCALENDAR\r\n"), "\(file)")
            #expect(file.contains("\r\nSUMMARY:\(mine.number.text) · Citt\u{E0}\r\n"), "\(file)")
            #expect(file.contains("\r\nTRIGGER:-PT20M\r\n"), "\(file)")

            try await shop.free(first.number)
            await expectSoon { try await !browser.text("#second").contains("1") }
            try await shop.free(called[0].number)
            await browser.expect(look: "called")
            #expect(try await browser.text("#alarm").contains(mine.number.text))
            let page = try await browser.value("document.documentElement.outerHTML")
            #expect(!page.contains("CLUP:1") && !page.contains(mine.typedCode.rawValue))
            try await shop.act(StaffActionRequest(.letIn, number: mine.number))
            await browser.expect(look: "calm")

            let link = try #require(called[0].link)
            for end in ["", "#", "#\(link.suffix(38).dropLast())7", "#\(link.suffix(38))7"] {
                try await browser.open("\(shop.backend.phones)/t\(end)")
                await browser.expect("#hint", in: end)
                await browser.expect(no: "#number", in: end)
            }
        }
    }
}
