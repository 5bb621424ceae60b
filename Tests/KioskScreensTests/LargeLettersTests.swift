import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// The texts that *A+* enlarges, compared screen by screen with normal letters.
struct LargeLettersTests {
    /// The grids of panels, and how many of about 240 numbers and times in five languages have no room to be half as large
    /// again.
    static let panels = [
        (columns: 80, rows: 25, shortfalls: 0), (87, 25, 0), (80, 24, 7), (160, 50, 2),
        (100, 30, 14), (66, 53, 28), (67, 58, 10), (90, 80, 1), (67, 21, 44), (64, 20, 48),
        (68, 20, 50), (64, 23, 48), (101, 28, 30),
    ]

    /// A number of an order has two more characters than one of the queue.
    private static let pickupNumber = Samples.arrived().number.text

    /// Digits that a customer types, the number of an order, and numbers of six digits, which no shop reaches in a day, fill
    /// a screen's width. Telephone numbers have as many digits, and are as large as they can be with every size of letters.
    private static func isWide(_ name: String, _ words: String) -> Bool {
        words == pickupNumber || name.hasPrefix("scanning") || name.hasSuffix("-typed")
            || name.hasSuffix("large-number")
            || name == "home-calling-20"
            || name.hasPrefix("help-unreachable") || name == "help-closed"
    }

    /// Whether a screen differs from another one in a sentence or two only, so that it is not counted again.
    private static func isVariant(_ name: String) -> Bool {
        name.hasSuffix("-no-printer") || name.hasSuffix("-no-reader-ever")
    }

    @Test("No text is smaller; a number and a time are half as large again", arguments: panels)
    func heights(_ panel: (columns: Int, rows: Int, shortfalls: Int)) {
        var numbers = 0
        var shortfalls: [String] = []
        for language in Languages.codes {
            for (name, scene) in Samples.customerScenes {
                func heights(_ appearance: Appearance) -> TextHeights {
                    scene.drawn(GridSize(panel.columns, panel.rows), in: language, appearance)
                        .heights
                }
                let (normal, large) = (heights(.normal), heights(.large))
                for (words, height) in normal.all {
                    let place = "\(name) in \(language): \(words)"
                    // A sentence in the terminal's own letters may give its row to a number.
                    guard let grown = large.all[words] else {
                        #expect(
                            height == 1 && !normal.numbers.contains(words)
                                || words.hasPrefix("A+"), "\(place) is gone")
                        continue
                    }
                    #expect(grown >= height, "\(place) has \(height), then \(grown)")
                    guard normal.numbers.contains(words), !Self.isWide(name, words) else {
                        continue
                    }
                    numbers += 1
                    if grown < normal.goal(of: words) {
                        shortfalls.append("\(place) has \(height), then \(grown)")
                    }
                }
            }
        }
        #expect(numbers > 200)
        #expect(shortfalls.count <= panel.shortfalls, "\(shortfalls)")
    }

    /// Panels with the machine's own font: of the texts of all screens in five languages, the share in percent that has
    /// no room to be half as large again, and the share that stays in plain letters, whose capitals have 6 mm. On the
    /// small panels these are the words of the foot line and below labels. No words are left out for larger ones.
    static let ownFontPanels = [
        (name: "1280x800", missed: 89, plain: 55), ("1920x1080", 53, 30), ("1080x1920", 40, 17),
        ("1024x768", 82, 53),
    ]

    @Test(
        "In the machine's own font nothing is cut or smaller; what has room is half as large again",
        arguments: ownFontPanels)
    func ownFont(_ panel: (name: String, missed: Int, plain: Int)) throws {
        let typeface = try OwnFont.typeface()
        let grid = try #require(
            Pictures.panels[panel.name].flatMap { PanelFont($0, coarsest: Screens.smallest) }
        ).grid
        var (texts, missed, plain) = (0, 0, 0)
        for language in Languages.codes {
            for (name, scene) in Samples.customerScenes where !Self.isVariant(name) {
                let (normal, large) = (
                    scene.drawn(grid, in: language, .normal, typeface),
                    scene.drawn(grid, in: language, .large, typeface)
                )
                #expect(large.isWhole, "\(name)")
                #expect(!large.heights.isSmaller(than: normal.heights), "\(name) in \(language)")
                let missedTexts = large.heights.missedTexts(beside: normal.heights)
                texts += normal.heights.all.count
                missed += missedTexts.all + large.heights.missed(beside: normal.heights)
                plain += missedTexts.plain
            }
        }
        #expect(texts > 1_000)
        #expect(100 * missed <= panel.missed * texts, "\(missed) of \(texts)")
        #expect(100 * plain <= panel.plain * texts, "\(plain) of \(texts)")
    }

    @Test("From 12 rows on a number is large enough for all, and half as large again below")
    func goals() {
        let normal = TextHeights(
            all: ["8": 1, "9": 14, "10": 20, "11": 30, "Done": 7],
            numbers: ["8", "9", "10", "11"])
        #expect(["8", "9", "10", "11", "Done"].map(normal.goal) == [2, 21, 24, 30, 7])
    }

    @Test("Sentences that large block letters omit are still spoken")
    func spoken() {
        for (name, scene) in Samples.customerScenes {
            func sentences(_ appearance: Appearance) -> [String] {
                scene.drawn(GridSize(80, 25), appearance).spoken.sentences
            }
            #expect(sentences(.large) == sentences(.normal), "\(name)")
        }
    }
}
