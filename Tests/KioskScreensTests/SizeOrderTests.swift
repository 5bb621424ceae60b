import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// The sizes of texts, compared on one screen and from grid to grid, for every screen and language.
struct SizeOrderTests {
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
                let heights = scene.drawn(size, in: language, appearance).heights
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
            for size in GridSize.each((64, 20), (80, 25), (160, 50)) {
                for (words, height) in scene.drawn(size, in: language, .normal).heights.all {
                    #expect(
                        height >= least[words] ?? 0, "\(words) of \(name) in \(language) at \(size)"
                    )
                    least[words] = height
                }
            }
        }
    }
}
