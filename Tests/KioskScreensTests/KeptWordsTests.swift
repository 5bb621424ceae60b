import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// Each screen says on every panel and with large letters what it says on the usual panel with normal ones.
struct KeptWordsTests {
    /// The panel of 15 inches.
    private static let usual = GridSize(80, 25)

    /// A part of the names of other shops in the samples.
    private static let nearby = "Città Studi"

    /// The texts of a screen, and its line of what can be done or how long.
    private static func words(_ frame: Frame) -> Set<String> {
        Set(frame.heights.all.keys).union(frame.heights.hints)
    }

    @Test(
        "No sentence is left out on another panel in the machine's own font, or with large letters",
        arguments: [usual, GridSize(64, 20), GridSize(64, 24), GridSize(67, 60), GridSize(96, 27)])
    func own(_ size: GridSize) throws {
        let typeface = try OwnFont.typeface()
        for language in Languages.codes {
            let larger = try #require(Languages.all[language]).text("Larger")
            for (name, scene) in Samples.customerScenes {
                // Numbers of six digits fill the screen; no shop reaches them in a day.
                if name.hasSuffix("large-number") { continue }
                // On the coarsest grid the words of the invitation have the row of the question.
                let isInviting = name.hasPrefix("home-invitation") && size.rows < 24
                let question = Languages.all[language]?.text("What would you like to do?")
                let usual = Self.words(scene.drawn(Self.usual, in: language, .normal, typeface))
                for appearance in Appearance.allCases {
                    let shown = Self.words(scene.drawn(size, in: language, appearance, typeface))
                    let missing = usual.subtracting(shown).filter { words in
                        // *A+* names what it leads to, and the line about another shop may give way (rules: nearby-shop).
                        words != larger && !words.contains(Self.nearby)
                            && !(isInviting && words == question)
                    }
                    let place = "\(name) in \(language) at \(size.columns)x\(size.rows)"
                    #expect(missing.isEmpty, "\(place), \(appearance): \(missing)")
                }
            }
        }
    }
}
