import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Access to notices on the page of a place [rules 36]", .serialized)
struct NoticesPageAccessTests {
    @Test(
        "Each state fits every language and size of letters, can be touched with gloves, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func access(language: String) async throws {
        try await NoticesPageTests.waiting { shop, _, mine, browser in
            func expect(_ state: String) async throws {
                try await browser.expectAccess("notices-\(state)", in: language)
                try await browser.run("document.documentElement.dataset.size = '2'")
                try await browser.run(
                    "document.querySelector('#notices').scrollIntoView({ block: 'center' })")
                try await browser.keepPicture("notices-\(state)-\(language)-large")
                try await browser.run("document.documentElement.dataset.size = '0'")
            }
            try await browser.open(#require(mine.link))
            try await browser.speak(language)
            #expect(await browser.waits(for: "#notify"))
            try await expect("off")
            let off = try await browser.noticesText()
            try await browser.press("#notify")
            #expect(await patiently { try await browser.value("window.fake.kept('calls')") != "" })
            #expect(
                await patiently { try await browser.noticesText().split(separator: "|").count == 3 }
            )
            try await expect("on")
            let on = try await browser.noticesText()
            try await browser.fake("status", "429")
            try await browser.press("#notify")
            #expect(
                await patiently {
                    let text = try await browser.noticesText()
                    return text != on && text.split(separator: "|").count == 3
                })
            try await expect("still-on")
            try await browser.fake("status", "204")
            try await browser.press("#notify")
            #expect(await patiently { try await browser.noticesText() == off })
            try await browser.fake("status", "429")
            try await browser.press("#notify")
            #expect(
                await patiently {
                    try await browser.value(
                        "document.querySelector('#notices ~ [role=status]').hidden") == "false"
                })
            try await expect("failed")
            try await browser.fake("status", "422")
            try await browser.press("#notify")
            #expect(await patiently { try await !browser.shows("#notify") })
            try await browser.darken()
            try await expect("impossible")
            let impossible = try await browser.noticesText()
            try await browser.permitNotices("denied", at: shop.backend.phones)
            #expect(await patiently { try await browser.noticesText() != impossible })
            try await expect("denied")
        }
    }
}
