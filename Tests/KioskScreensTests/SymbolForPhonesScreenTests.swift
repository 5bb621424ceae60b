import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

@Suite("The symbol for phones on the screen of an issued reservation")
struct SymbolForPhonesScreenTests {
    private func draw(
        _ name: String, _ size: GridSize, _ language: String, _ appearance: Appearance = .normal,
        _ typeface: Typeface = .blocks, hasLink: Bool = true
    ) -> Frame {
        Samples.named(name).with { scene in
            // What is drawn without the link is a screen of the sample without it.
            if !hasLink { scene = scene.withReservation { $0.link = nil } }
        }.drawn(size, in: language, appearance, typeface)
    }

    @Test("A large screen has it far from the entry code's, clearly smaller, under its own heading")
    func large() throws {
        let size = GridSize(160, 50)
        for language in Languages.codes {
            for name in ["issued-with-link", "issued-with-link-printing", "issued-with-link-visit"]
            {
                let surface = draw(name, size, language).surface
                let entry = try #require(surface.place(of: Samples.qr, times: 2))
                let phones = try #require(surface.place(of: Samples.phones, times: 1))
                #expect(phones.columns * 3 <= entry.columns * 2)
                #expect(phones.column >= entry.endColumn + 40)
                let above = (0..<phones.row).map { row in
                    (phones.column..<phones.endColumn).map { surface[row, $0].text }.joined()
                }
                let heading = Languages.all[language]?.text("On your phone") ?? "On your phone"
                #expect(above.contains { $0.contains(heading) }, "\(language)")
            }
        }
    }

    @Test("Small screens, large letters and a screen to photograph are the same as without it")
    func same() throws {
        let typeface = try OwnFont.typeface()
        let panels =
            ScreensTests.sizes.filter { $0.columns < 160 }.map { ($0, Typeface.blocks) }
            + GridSize.each((64, 20), (96, 27), (67, 60)).map { ($0, typeface) }
        for (size, typeface) in panels {
            for (name, _) in Samples.linkScenes {
                #expect(
                    draw(name, size, "de", .normal, typeface)
                        == draw(name, size, "de", .normal, typeface, hasLink: false),
                    "\(name) at \(size)")
            }
        }
        let large = GridSize(160, 50)
        #expect(
            draw("issued-with-link", large, "it", .large)
                == draw("issued-with-link", large, "it", .large, hasLink: false))
        #expect(
            draw("issued-with-link-shown-only", large, "it")
                == draw("issued-with-link-shown-only", large, "it", hasLink: false))
    }
}
