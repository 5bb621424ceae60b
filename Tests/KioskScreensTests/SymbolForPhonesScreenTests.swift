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
        var scene = Samples.named(name)
        scene.language = language
        scene.appearance = appearance
        return Screens.draw(
            scene, size: size, typeface: typeface, wordings: Languages.all, qr: Samples.qr,
            symbolForPhones: hasLink ? Samples.phones : nil)
    }

    /// The place of a symbol whose modules are as large as a column is wide, or so many times.
    private func place(
        of symbol: QRMatrix, times factor: Int, on surface: Surface
    ) -> Rectangle? {
        let bitmap = Bitmap(symbol).scaled(factor)
        var alone = Surface(
            size: GridSize(columns: bitmap.columns, rows: bitmap.rows), style: .code)
        alone.draw(bitmap, row: 0, column: 0, .code)
        for row in 0...max(0, surface.size.rows - bitmap.rows) {
            for column in 0...max(0, surface.size.columns - bitmap.columns) {
                let isHere = (0..<bitmap.rows).allSatisfy { y in
                    (0..<bitmap.columns).allSatisfy { x in
                        surface[row + y, column + x] == alone[y, x]
                    }
                }
                if isHere {
                    return Rectangle(
                        row: row, column: column, rows: bitmap.rows, columns: bitmap.columns)
                }
            }
        }
        return nil
    }

    @Test("A large screen has it far from the entry code's, clearly smaller, under its own heading")
    func large() throws {
        let size = GridSize(columns: 160, rows: 50)
        for language in Languages.codes {
            for name in ["issued-with-link", "issued-with-link-printing", "issued-with-link-visit"]
            {
                let surface = draw(name, size, language).surface
                let entry = try #require(place(of: Samples.qr, times: 2, on: surface))
                let phones = try #require(place(of: Samples.phones, times: 1, on: surface))
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
        let panels: [(GridSize, Typeface)] =
            ScreensTests.sizes.filter { $0.columns < 160 }.map { ($0, .blocks) }
            + (try [(64, 20), (96, 27), (67, 60)].map { columns, rows in
                (GridSize(columns: columns, rows: rows), try OwnFont.typeface())
            })
        for (size, typeface) in panels {
            for (name, _) in Samples.linkScenes {
                #expect(
                    draw(name, size, "de", .normal, typeface)
                        == draw(name, size, "de", .normal, typeface, hasLink: false),
                    "\(name) at \(size)")
            }
        }
        let large = GridSize(columns: 160, rows: 50)
        #expect(
            draw("issued-with-link", large, "it", .large)
                == draw("issued-with-link", large, "it", .large, hasLink: false))
        #expect(
            draw("issued-with-link-shown-only", large, "it")
                == draw("issued-with-link-shown-only", large, "it", hasLink: false))
    }
}
