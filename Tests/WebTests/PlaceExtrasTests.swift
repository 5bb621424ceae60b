import Foundation
import Reservations
import TestSupport
import Testing

@Suite("What the page of a place offers besides [rules 33]", .serialized)
struct PlaceExtrasTests {
    @Test("A touch hands the phone's calendar a file with the place and a reminder for the way")
    func calendar() async throws {
        try await PageShop.full { shop, _ in
            let mine = try await shop.ticket()
            try await Browser.with(width: 360, height: 640) { browser in
                try await browser.open(#require(mine.link))
                try await browser.speak("en")
                #expect(await browser.waits(for: "#calendar"))
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
                #expect(await patiently { try await browser.value("window.file") != "" })
                let file = try await browser.value("window.file")
                #expect(file.hasPrefix("BEGIN:VCALENDAR\r\n"), "\(file)")
                #expect(
                    file.contains("\r\nSUMMARY:\(mine.number.text) · Citt\u{E0}\r\n"), "\(file)")
                #expect(file.contains("\r\nTRIGGER:-PT20M\r\n"), "\(file)")
            }
        }
    }
}
