import TestSupport
import Testing

@Suite("The looks of calls for help", .serialized)
struct HelpLooksTests {
    @Test("A reader at a check-out scans while a customer calls; the band covers nothing of it")
    func reader() async throws {
        try await PageShop.with(capacity: 2) { shop, browser in
            try await shop.open("checkout", in: browser)
            let state = "document.getElementById('reader').dataset.state"
            let typing = "\(state) + ' ' + \(Self.covered)"
            await browser.expect(value: state, "idle")
            let ticket = try await shop.ticket()
            try await shop.callForHelp()
            for (width, height) in [(1_920, 1_080), (1_080, 1_920), (1_280, 800), (800, 1_280)] {
                try await browser.resize(width, height)
                let what = "\(width) x \(height)"
                await browser.expect(".help-band")
                await browser.expect(value: state, "idle")
                await browser.expect(value: Self.covered, "", in: "\(what)")
                try await browser.touch("#words")
                await browser.expect(value: state, "typing")
                await browser.expect(value: typing, "typing ", in: "\(what)")
                try await browser.scan("CLUP:1:TEST" + String(repeating: "0", count: 26))
                await browser.expect(value: state, "no")
                await browser.expect(value: Self.covered, "", in: "no, \(what)")
            }
            // Several calls take half of the screen at most.
            for (width, height) in [(1_080, 1_920), (1_920, 1_080)] {
                try await browser.resize(width, height)
                try await browser.touch("#words")
                await browser.expect(value: state, "typing")
                try await browser.run(Self.calls)
                await browser.expect(
                    value: typing, "typing ", in: "three calls, \(width) x \(height)")
                try await shop.open("checkout", in: browser, isKnown: true)
                await browser.expect(value: state, "idle")
            }

            // A touch on the band wakes no keypad, and the reader's Enter presses no button of it.
            #expect(await browser.pressHelp("going") { try await browser.shows(".help-who") })
            #expect(try await browser.value(state) != "typing")
            #expect(await browser.pressHelp("mute") { try await browser.shows(".help-muted") })
            try await browser.run("document.querySelector('.help-helped').focus()")
            try await browser.scan(ticket.code.rawValue)
            await browser.expect(value: state, "yes")
            #expect(try await browser.shows(".help-band"))
        }
    }

    @Test("On a phone, a tablet and a till no text of the staff's page is cut, in any language")
    func sizes() async throws {
        try await PageShop.with { shop, browser in
            try await shop.backend.change("--help-names", "yes")
            for _ in 1...12 { _ = try await shop.ticket() }
            try await shop.open("staff", in: browser, opens: "#queue")
            for languages in ["en,it,de,fr,es", "it", "fr,es"] {
                try await shop.backend.change("--languages", languages)
                for language in languages.split(separator: ",") {
                    let button = "document.querySelector('#languages [lang=\(language)]')"
                    await expectSoon {
                        try await browser.run("\(button)?.click()")
                        return try await browser.value("document.documentElement.lang")
                            == language
                    }
                    for (width, height) in [(360, 640), (768, 1_024), (1_280, 800)] {
                        try await browser.resize(width, height)
                        let name = "staff-\(width)x\(height)-\(language)"
                        #expect(try await browser.value(Self.cut) == "", "\(name), calm")
                        try await browser.keepPicture("\(name)-calm")
                        try await browser.run(Self.calls)
                        #expect(try await browser.value(Self.cut) == "", "\(name)")
                        try await browser.keepPicture(name)
                        try await browser.run("await window.send([])")
                    }
                }
            }
        }
    }

    /// Shows an open call, one to which a staff member goes, a muted one, and two that ended.
    private static let calls = """
        const { takeHelp } = await import("/web/help.js");
        window.sequence ??= 1e15;
        window.send = (calls) => takeHelp({
          type: "help", sequence: window.sequence++, now: "2026-11-21T10:05:42.000+01:00", calls });
        const since = "2026-11-21T10:04:12.000+01:00";
        window.send([
          { id: "1", machine: "Eingang-Parkplatz", since },
          { id: "2", machine: "Sud", since, going: "2026-11-21T10:04:30.000+01:00",
            by: "Maria Antonietta Castelluccio-Rossi" },
          { id: "3", machine: "Ingresso-principale-di-via-Roma", since, mutedUntil: "2026-11-21T10:14:30.000+01:00" },
          { id: "4", machine: "Sud", since, ended: "2026-11-21T10:05:00.000+01:00", end: "mistake" },
          { id: "5", machine: "Nord", since, ended: "2026-11-21T10:05:10.000+01:00", end: "helped", by: "Giulia" },
        ]);
        """

    /// What of the page is wider than its place.
    private static let cut = """
        (() => [...document.querySelectorAll('#staff, #staff *')]
            .filter((e) => e.getClientRects().length && !(e instanceof SVGElement) && e.tagName !== 'INPUT'
                && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'
                    || e.getBoundingClientRect().right > innerWidth))
            .map((e) => e.className || e.id || e.tagName).join(' '))()
        """

    /// What of a reader is beyond its place or the screen, behind the band or behind another part.
    static let covered = """
        (() => { const place = document.getElementById('place').getBoundingClientRect();
            const band = document.getElementById('help').getBoundingClientRect();
            const parts = ['shop', 'symbol', 'words', 'keypad', 'foot']
                .map((id) => document.getElementById(id)).filter((e) => e.getClientRects().length);
            const boxes = parts.map((e) => e.getBoundingClientRect());
            return [
                ...(band.bottom > place.top + 1 ? ['help'] : []),
                ...(place.top < 0 || place.bottom > innerHeight + 1 ? ['place'] : []),
                ...parts.filter((e) => e.id === 'words'
                    && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth))
                    .map(() => 'cut words'),
                ...parts.filter((_, i) => boxes[i].top < place.top || boxes[i].bottom > place.bottom + 1
                    || boxes[i].left < 0 || boxes[i].right > innerWidth + 1
                    || i > 0 && boxes[i].top < boxes[i - 1].bottom - 1).map((e) => e.id),
            ].join(' ') })()
        """
}
