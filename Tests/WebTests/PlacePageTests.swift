import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place in a browser [rules: place-page]", .serialized)
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

    @Test(
        "The range is read aloud once, again when it has moved by five minutes, and when it has come, but not with each minute; a link behind which mails and messages wrote something opens its place"
    )
    func aloud() async throws {
        try await PageShop.full { shop, _, browser in
            _ = try await shop.ticket()
            let mine = try await shop.ticket()
            let link = try #require(mine.link)
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    const Real = WebSocket;
                    window.WebSocket = class extends Real {
                      constructor(...all) {
                        super(...all);
                        window.socket = this;
                        this.addEventListener("message", ({ data }) => { window.last = JSON.parse(data); });
                      }
                    };
                    """
                ])
            for end in ["?utm_source=mail", ").", ""] {
                try await browser.open("about:blank")
                try await browser.open(link + end, in: "en")
                await browser.expect("#number", mine.number.text)
                await browser.expect("#range", in: end)
            }
            await browser.expect(value: "Boolean(window.last)", "true")
            // From here the test says what comes.
            try await browser.run(
                """
                const said = document.getElementById("said");
                const heard = [];
                window.heard = heard;
                new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
                const take = window.socket.onmessage;
                window.socket.onmessage = null;
                window.fetch = () => new Promise(() => {});
                const { reservation } = window.last;
                const [zone, sign, hours, minutes] = /Z$|([+-])(\\d\\d):(\\d\\d)$/.exec(reservation.now);
                const offset = Number(`${sign || ""}1`) * (Number(hours || 0) * 60 + Number(minutes || 0)) * 60000;
                window.come = async (...times) => {
                  for (const time of times) {
                    const at = (minute) => new Date(Date.parse(reservation.now) + offset + minute * 60000)
                      .toISOString().slice(0, 19) + zone;
                    const wait = { ...reservation.wait, earliest: at(time), latest: at(time + 15) };
                    take({ data: JSON.stringify({ ...window.last, reservation: { ...reservation, wait } }) });
                    await Promise.resolve();
                  }
                  return heard.splice(0).join("|");
                };
                """)
            func heard(_ minutes: Int...) async throws -> String {
                let times = minutes.map(String.init).joined(separator: ",")
                try await browser.run("window.answer = await window.come(\(times));")
                return try await browser.value("window.answer")
            }
            // Far from what the server says.
            _ = try await heard(300)
            let first = try await heard(60)
            #expect(first.hasPrefix("Your turn will come between "), "\(first)")
            #expect(try await heard(61, 62, 63, 64, 63, 61) == "")
            let later = try await heard(65)
            #expect(later.hasPrefix("Your turn will come between ") && later != first)
            #expect(try await heard(64, 61, 64) == "")
            #expect(try await heard(-1).hasSuffix("any moment now"))
            #expect(try await heard(-1, -2) == "")
        }
    }
}
