import Foundation
import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// Home has room for a third button and for a symbol with which a customer joins the queue on a phone.
@Suite("Room on Home")
struct HomeRoomTests {
    static let words = "Mit dem Telefon anstellen"

    static func home(
        _ size: GridSize, _ typeface: Typeface, hasThird: Bool = true, hasSymbol: Bool = true,
        language: String = "de", _ appearance: Appearance = .normal
    ) -> Frame {
        var scene = Samples.scene(.home)
        scene.language = language
        scene.appearance = appearance
        let canvas = Canvas(
            scene, size: size, themes: .standard, typeface: typeface, wordings: Languages.all)
        return Screens.laidOut(canvas) { canvas in
            canvas.drawHome(
                third: hasThird ? Button(.confirm, canvas.text("Book a visit")) : nil,
                join: hasSymbol ? JoinSymbol(symbol: Samples.qr, words: words) : nil)
        }.frame()
    }

    static let grids = [
        GridSize(columns: 64, rows: 20), GridSize(columns: 64, rows: 24),
        GridSize(columns: 96, rows: 27), GridSize(columns: 67, rows: 60),
        GridSize(columns: 80, rows: 24), GridSize(columns: 160, rows: 50),
    ]

    @Test(
        "A third button and a symbol do not overlap, and no button is lower than five rows",
        arguments: grids, [false, true])
    func room(_ size: GridSize, _ hasShapes: Bool) throws {
        let typeface = hasShapes ? try OwnFont.typeface() : .blocks
        for language in Languages.codes {
            for appearance in Appearance.allCases {
                let frame = Self.home(size, typeface, language: language, appearance)
                let places = frame.targets.map(\.area)
                #expect(frame.choices == [.getTicket, .findReservation, .confirm])
                for target in frame.targets where frame.choices.contains(target.id) {
                    #expect(target.area.rows >= 5 && target.area.columns >= 15, "\(target)")
                }
                for (index, place) in places.enumerated() {
                    #expect(
                        places[(index + 1)...].allSatisfy { $0.intersection(place).isEmpty },
                        "\(language) \(appearance) \(size)")
                }
            }
        }
    }

    @Test("With the machine's own font every panel has room for the symbol", arguments: grids[..<4])
    func symbol(_ size: GridSize) throws {
        let typeface = try OwnFont.typeface()
        let frame = Self.home(size, typeface)
        let white = (0..<size.rows).flatMap { row in
            (0..<size.columns).filter { frame.surface[row, $0].style == .code }.map { (row, $0) }
        }
        let rows = Set(white.map(\.0)), columns = Set(white.map(\.1))
        // 25 modules and the quiet zone of four at each side, two to a cell across and four down.
        #expect(columns.count >= 17 && rows.count >= 9, "\(columns.count) x \(rows.count)")
        let symbol = Rectangle(
            row: rows.min() ?? 0, column: columns.min() ?? 0, rows: rows.count,
            columns: columns.count)
        #expect(frame.targets.allSatisfy { $0.area.intersection(symbol).isEmpty })
        // The words are in letters of the font where it has all pieces for them.
        #expect(frame.surface.lost == 0 && frame.surface.covered == 0)
        #expect(frame.spoken.sentences.contains(Self.words))
    }
}
