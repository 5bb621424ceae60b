import KioskFlow
import TerminalSurface

/// The layout of a screen on its grid.
struct ScreenLayout: Hashable {
    /// Whether sentences are as large as there is room for, with numbers enlarged first.
    var isLarge = false
    /// Rows that buttons get beyond those they have with normal letters.
    var furtherButtonRows = 0
    /// Whether the top band and, in block letters, the sentences that can be left out give their rows to larger letters.
    var isSparing = false
    /// Whether sentences are enlarged before numbers.
    var isSentencesFirst = false

    /// The layouts for large letters in the order in which they are tried, the one nearest to the normal layout first.
    static func large(_ typeface: Typeface) -> [ScreenLayout] {
        [false, true].flatMap { isSparing in
            // Numbers of the machine's own font are large already, and a screen that is low has no room for both.
            (typeface.hasShapes ? [true, false] : [false]).flatMap { isSentencesFirst in
                (typeface.hasShapes ? [0, 2] : [0, 1, 2, 4]).map {
                    ScreenLayout(
                        isLarge: true, furtherButtonRows: $0, isSparing: isSparing,
                        isSentencesFirst: isSentencesFirst)
                }
            }
        }
    }
}

/// The heights of capitals on a screen, in half rows of the grid; a line of the terminal's own letters has 1.
struct TextHeights: Hashable {
    /// Heights of sentences, numbers and buttons, by their words.
    var all: [String: Int] = [:]
    /// The texts that are numbers, times or other texts read from a few steps away.
    var numbers: Set<String> = []
    /// The lines that say what can be done, or how long; they have no part in the choice of a layout by heights.
    var hints: Set<String> = []

    /// Half rows from which on a number is large enough for every reader.
    private static let largeNumberHalfRows = 24

    /// The least height of a text with large letters if these are the heights with normal letters: a number
    /// is half as large again.
    func goal(of words: String) -> Int {
        let height = all[words] ?? 1
        guard numbers.contains(words) else { return height }
        return max(height, min((3 * height + 1) / 2, Self.largeNumberHalfRows))
    }

    /// How many numbers are smaller than they should be.
    func missed(beside normal: TextHeights) -> Int {
        numbers.count { (all[$0] ?? 0) < normal.goal(of: $0) }
    }

    /// How many of the other texts are not half as large again, and how many of them are left out or in plain letters.
    func missedTexts(beside normal: TextHeights) -> (all: Int, plain: Int) {
        let missed = normal.all.filter { words, height in
            !normal.numbers.contains(words) && (all[words] ?? 0) < (3 * height + 1) / 2
        }
        return (missed.count, missed.keys.count { (all[$0] ?? 0) <= 1 })
    }

    /// Whether every text of the others is here and as large, or a number that is large enough for every reader.
    func keeps(_ others: TextHeights) -> Bool {
        others.all.allSatisfy { words, height in
            let enough = numbers.contains(words) ? min(height, Self.largeNumberHalfRows) : height
            return all[words] ?? 0 >= enough
        }
    }

    /// Whether every text and line of the others is here too.
    func hasWords(of others: TextHeights) -> Bool {
        others.hints.isSubset(of: hints) && others.all.keys.allSatisfy { all[$0] != nil }
    }

    /// Whether any text is smaller here than with normal letters.
    func isSmaller(than normal: TextHeights) -> Bool {
        all.contains { words, height in height < normal.all[words] ?? 1 }
    }
}

extension Screens {
    /// Draws a screen without its buttons. For large letters it takes the layout that leaves nothing out, makes nothing
    /// smaller and the numbers half as large again; with the machine's own font it is the one with the fewest sentences
    /// in plain letters, and then the one with the most texts half as large again. Among several such layouts it takes
    /// the one with the most large letters.
    ///
    /// With normal letters there is only one layout. Another shop has no part in the choice, so that no button changes when
    /// its line comes or goes; it is left out if there is no room (rules: nearby-shop).
    static func laidOut(_ empty: Canvas, draw: (inout Canvas) -> Void) -> Canvas {
        guard empty.scene.access.appearance != .normal, empty.presentNearby != nil else {
            return chosen(empty, draw)
        }
        var without = empty
        without.hasNearbyLine = false
        without = chosen(without, draw)
        var canvas = empty
        canvas.division = without.division
        canvas.normalHeights = without.normalHeights
        draw(&canvas)
        let frame = canvas.frame()
        let isGood =
            frame.surface.lost == 0 && frame.surface.covered == 0
            && !frame.heights.isSmaller(than: canvas.normalHeights)
            && frame.targets == without.frame().targets
        return isGood ? canvas : without
    }

    private static func chosen(_ empty: Canvas, _ draw: (inout Canvas) -> Void) -> Canvas {
        var best = empty
        draw(&best)
        guard empty.scene.access.appearance != .normal else { return best }
        let normal = best.frame().heights
        let countsTexts = empty.typeface.hasShapes
        func rank(_ heights: TextHeights, rows: Int) -> (plain: Int, missed: Int, rows: Int) {
            let numbers = heights.missed(beside: normal)
            let texts = countsTexts ? heights.missedTexts(beside: normal) : (all: 0, plain: 0)
            return (texts.plain, numbers + texts.all, -rows)
        }
        var least = rank(normal, rows: best.largeRows)
        for division in ScreenLayout.large(empty.typeface) {
            // Sentences are left out only to enlarge others.
            if division.isSparing, least.missed == 0 { break }
            var canvas = empty
            canvas.division = division
            canvas.normalHeights = normal
            draw(&canvas)
            let frame = canvas.frame()
            let reached = rank(frame.heights, rows: canvas.largeRows)
            // With the machine's own font no word is left out for larger ones.
            let isWhole =
                frame.surface.lost == 0 && frame.surface.covered == 0
                && (!countsTexts || frame.heights.hasWords(of: normal))
            guard isWhole, !frame.heights.isSmaller(than: normal), reached < least else { continue }
            (best, least) = (canvas, reached)
        }
        return best
    }
}

extension Canvas {
    /// Whether the customer asked for large letters and the screen is drawn with them.
    var isLarge: Bool { division.isLarge }

    /// Rows of large letters on the screen, including those of its buttons.
    fileprivate var largeRows: Int { buttons.reduce(textRows) { $0 + largeRows($1) } }
}

extension Theme {
    /// The theme for large letters: all texts bold, and none softer than the others.
    var emphasized: Theme {
        var theme = self
        for place in Self.places { theme[keyPath: place.style].bold = true }
        theme.soft = theme.screen
        return theme
    }
}
