import Reservations
import TerminalSurface
import Testing

@testable import KioskFlow
@testable import KioskScreens

@Suite("The one symbol on the screen of an issued reservation (rules 11)")
struct OneSymbolScreenTests {
    /// Modules of version 3, as many as a link with a code has.
    private static let symbol: QRMatrix = {
        var random = SplitMix(seed: 3)
        let side = QRMatrix.maxCodeSide
        return QRMatrix(side: side, dark: (0..<side * side).map { _ in random.next() & 1 == 1 })!
    }()

    private static let names = ["issued-printed", "issued-printing", "issued-visit"]

    private func draw(
        _ name: String, _ size: GridSize, _ language: String, isLink: Bool = true
    ) -> Frame {
        var scene = Samples.named(name)
        scene.language = language
        if isLink { scene = Self.withSymbol(scene) }
        return Screens.draw(
            scene, size: size, typeface: .blocks, wordings: Languages.all,
            qr: isLink ? Self.symbol : Samples.qr)
    }

    private static func withSymbol(_ scene: Scene) -> Scene {
        guard case .issued(let issued) = scene.state,
            case .reservation(var reservation) = issued.slip
        else { return scene }
        reservation.symbol = reservation.code.link(at: "https://clup.example.it")
        var linked = scene
        linked.state = .issued(
            Issued(
                key: issued.key, slip: .reservation(reservation), paper: issued.paper,
                closes: issued.closes))
        return linked
    }

    /// Whether a symbol is on the surface, with modules as large as a column is wide, or so many times.
    private func shows(_ surface: Surface, times factor: Int, quietZone: Int = 4) -> Bool {
        let bitmap = Bitmap(Self.symbol, quietZone: quietZone).scaled(factor)
        guard bitmap.rows <= surface.size.rows, bitmap.columns <= surface.size.columns else {
            return false
        }
        var alone = Surface(
            size: GridSize(columns: bitmap.columns, rows: bitmap.rows), style: .code)
        alone.draw(bitmap, row: 0, column: 0, .code)
        return (0...surface.size.rows - bitmap.rows).contains { row in
            (0...surface.size.columns - bitmap.columns).contains { column in
                (0..<bitmap.rows).allSatisfy { y in
                    (0..<bitmap.columns).allSatisfy { x in
                        surface[row + y, column + x] == alone[y, x]
                    }
                }
            }
        }
    }

    @Test("It is whole on every screen, in every language, and cuts no text off")
    func whole() {
        for size in ScreensTests.sizes {
            for language in Languages.codes {
                for name in Self.names {
                    let frame = draw(name, size, language)
                    // The smallest screen has room for half of the quiet zone.
                    let isTight = size == GridSize(columns: 64, rows: 20)
                    #expect(
                        isTight
                            ? shows(frame.surface, times: 1, quietZone: 2)
                            : shows(frame.surface, times: 1) || shows(frame.surface, times: 2),
                        "\(name) at \(size) in \(language)")
                    let plain = draw(name, size, language, isLink: false)
                    #expect(
                        frame.surface.lost == plain.surface.lost,
                        "\(name) at \(size) in \(language)")
                    #expect(frame.targets.count == plain.targets.count)
                }
            }
        }
    }

    @Test("A large screen says what a phone does with it")
    func words() {
        let frame = draw("issued-printed", GridSize(columns: 160, rows: 50), "en")
        let text = (0..<50).map { row in
            (0..<160).map { frame.surface[row, $0].text }.joined()
        }.joined(separator: "\n")
        #expect(text.contains("Scan the code with your phone"))
        #expect(frame.spoken.sentences.joined().contains("Scan the code with your phone"))
    }
}
