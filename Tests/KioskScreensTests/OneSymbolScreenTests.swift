import Reservations
import TerminalSurface
import Testing

@testable import KioskFlow
@testable import KioskScreens

@Suite("The one symbol on the screen of an issued reservation (rules: code-links)")
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
        let scene = Samples.named(name)
        let linked = scene.withReservation {
            $0.symbol = $0.code.link(at: "https://clup.example.it")
        }
        return (isLink ? linked : scene).drawn(
            size, in: language, qr: isLink ? Self.symbol : Samples.qr)
    }

    @Test(
        "It is whole on every screen, in every language, and cuts no text off",
        arguments: ScreensTests.sizes, Languages.codes)
    func whole(_ size: GridSize, _ language: String) {
        for name in Self.names {
            let frame = draw(name, size, language)
            // The smallest screen has room for half of the quiet zone.
            let isTight = size == Screens.smallest
            func shows(times factor: Int, quietZone: Int = QRMatrix.quietZone) -> Bool {
                frame.surface.place(of: Self.symbol, times: factor, quietZone: quietZone) != nil
            }
            #expect(
                isTight ? shows(times: 1, quietZone: 2) : shows(times: 1) || shows(times: 2),
                "\(name)")
            let plain = draw(name, size, language, isLink: false)
            #expect(frame.surface.lost == plain.surface.lost, "\(name)")
            #expect(frame.targets.count == plain.targets.count)
        }
    }

    @Test("A large screen says what a phone does with it")
    func words() {
        let frame = draw("issued-printed", GridSize(160, 50), "en")
        #expect(frame.shows("Scan the code with your phone"))
        #expect(frame.spoken.sentences.joined().contains("Scan the code with your phone"))
    }
}
