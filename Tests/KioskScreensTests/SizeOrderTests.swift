import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// The sizes of texts, compared on one screen and from grid to grid, for every screen and language.
struct SizeOrderTests {
    private func heights(
        _ scene: Scene, _ size: GridSize, _ language: String, _ appearance: Appearance
    ) -> TextHeights {
        var scene = scene
        scene.language = language
        scene.appearance = appearance
        return Screens.draw(
            scene, size: size, wordings: Languages.all, qr: Samples.qr,
            symbolForPhones: Samples.symbolForPhones(scene), invitation: Samples.invitation(scene)
        ).heights
    }

    @Test(
        "A number or time is larger than every other text of its screen",
        arguments: ScreensTests.sizes, [Appearance.normal, .large])
    func numbers(_ size: GridSize, _ appearance: Appearance) {
        // Numbers of six digits fill a screen's width; Home has words and digits in one line.
        let scenes = Samples.customerScenes.filter { name, scene in
            scene.state != .home && !name.hasSuffix("large-number")
        }
        var numbers = 0
        for language in Languages.codes {
            for (name, scene) in scenes {
                let heights = heights(scene, size, language, appearance)
                guard let least = heights.numbers.compactMap({ heights.all[$0] }).min() else {
                    continue
                }
                numbers += 1
                let larger = heights.all.filter { words, height in
                    height > least && !heights.numbers.contains(words)
                }
                #expect(larger.isEmpty, "\(name) in \(language) at \(size): \(least), \(larger)")
            }
        }
        #expect(numbers > 100)
    }

    @Test("A text is no smaller on a finer grid of the same shape", arguments: Languages.codes)
    func grids(_ language: String) {
        for (name, scene) in Samples.scenes {
            var least: [String: Int] = [:]
            for (columns, rows) in [(64, 20), (80, 25), (160, 50)] {
                let size = GridSize(columns: columns, rows: rows)
                for (words, height) in heights(scene, size, language, .normal).all {
                    #expect(
                        height >= least[words] ?? 0, "\(words) of \(name) in \(language) at \(size)"
                    )
                    least[words] = height
                }
            }
        }
    }
}
