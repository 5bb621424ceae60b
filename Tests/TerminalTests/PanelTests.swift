import TerminalSurface
import Testing

@Suite("Letters for a panel")
struct PanelTests {
    private let coarsest = GridSize(columns: 64, rows: 20)
    /// A panel of 10.1 inches.
    private let small = Panel(width: 1280, height: 800, millimetres: (217, 136))

    private func letters(_ panel: Panel) throws -> PanelFont {
        try #require(PanelFont(panel, coarsest: coarsest))
    }

    @Test(
        "Capitals are 5 to 7 mm high if the panel has room for 64 x 20 of them",
        arguments: [
            // The panels are 15.6 inches wide, 15 inches, 22 inches wide and 24 inches wide.
            (Panel(width: 1920, height: 1080, millimetres: (344, 194)), 50...60),
            (Panel(width: 1024, height: 768, millimetres: (304, 228)), 50...60),
            (Panel(width: 1920, height: 1080, millimetres: (476, 268)), 55...60),
            (Panel(width: 1920, height: 1200, millimetres: (518, 324)), 55...60),
        ])
    func largeEnough(panel: Panel, expected: ClosedRange<Int>) throws {
        let letters = try letters(panel)
        #expect(expected.contains(try #require(letters.capitalHeight)))
        #expect(letters.grid.holds(coarsest))
    }

    @Test("A small panel has the largest letters of which 64 x 20 fit")
    func smallPanel() throws {
        let letters = try letters(small)
        #expect(letters.pixelSize == 40)
        #expect(letters.capitalHeight == 39)
        #expect(letters.readingDistance == 319)
    }

    @Test("Without millimetres the grid is that of an ordinary terminal, or coarser")
    func unknownSize() throws {
        let letters = try letters(Panel(width: 1280, height: 800))
        #expect(letters.pixelSize == 32)
        #expect(letters.grid == GridSize(columns: 80, rows: 25))
        #expect(letters.capitalHeight == nil && letters.readingDistance == nil)
    }

    @Test("A wall has at most as many letters as the screens were drawn for")
    func wall() throws {
        let letters = try letters(Panel(width: 3840, height: 2160, millimetres: (1872, 1053)))
        #expect(GridSize(columns: 160, rows: 50).holds(letters.grid))
    }

    @Test("Each size of text is at least half as large again as the one before, in millimetres")
    func typeSizes() throws {
        for (smaller, larger) in zip(TypeSize.allCases, TypeSize.allCases.dropFirst()) {
            #expect(2 * larger.capitals >= 3 * smaller.capitals, "\(larger)")
        }
        #expect(
            try TypeSize.allCases.map(letters(small).capitalHeight) == [39, 63, 97, 168, 405, 608])
        #expect(try letters(Panel(width: 1280, height: 800)).capitalHeight(.value) == nil)
    }

    @Test("Letters have no seams on every panel")
    func seamless() throws {
        for width in stride(from: 640, through: 3840, by: 61) {
            for height in stride(from: 480, through: 2160, by: 53) {
                for millimetres in [nil, (217, 136), (344, 194), (518, 324)] as [(Int, Int)?] {
                    let panel = Panel(
                        width: width, height: height,
                        millimetres: millimetres.map { (across: $0.0, down: $0.1) })
                    let size = try letters(panel).pixelSize
                    #expect(PanelFont.seamless.contains(size), "\(size) at \(width) x \(height)")
                }
            }
        }
    }

    @Test("The space beside the letters is distributed, and nothing is outside")
    func margins() throws {
        for width in stride(from: 640, through: 2560, by: 97) {
            for height in stride(from: 480, through: 1920, by: 89) {
                let panel = Panel(width: width, height: height, millimetres: (300, 200))
                guard let letters = PanelFont(panel, coarsest: coarsest) else { continue }
                #expect(letters.left >= 0 && letters.top >= 0)
                #expect(2 * letters.left < width / 2 && 2 * letters.top < height / 2)
            }
        }
    }

    @Test("A picture too small for the screens has no letters")
    func tooSmall() {
        #expect(PanelFont(Panel(width: 200, height: 100), coarsest: coarsest) == nil)
    }

    @Test("A turned panel's millimetres are turned with its pixels")
    func turned() {
        #expect(Panel(width: 1080, height: 1920, millimetres: (476, 268)).millimetres == 268)
    }

    @Test("xrandr's answer gives the first screen that shows something")
    func xrandr() {
        let text = """
            Screen 0: minimum 8 x 8, current 1280 x 800, maximum 32767 x 32767
            HDMI-1 disconnected (normal left inverted right x axis y axis)
            DP-1 connected (normal left inverted right x axis y axis)
            DSI-1 connected primary 1280x800+0+0 (normal left inverted right x axis y axis) 217mm x 136mm
               1280x800      60.00*+
            """
        #expect(Panel(xrandr: text) == Panel(width: 1280, height: 800, millimetres: (217, 136)))
        #expect(
            Panel(xrandr: "screen connected 1280x800+0+0 0mm x 0mm")
                == Panel(width: 1280, height: 800))
        for rubbish in [
            "", "Can't open display", "A connected 0x0+0+0", "A connected x+", "A connected 1280x",
        ] {
            #expect(Panel(xrandr: rubbish) == nil)
        }
    }
}
