import KioskFlow
import TerminalSurface

/// The layout of a screen on its grid.
struct ScreenLayout: Hashable {
    /// Whether sentences are as large as there is room for, with numbers enlarged first.
    var isLarge = false
    /// Rows that buttons get beyond those they have with normal letters.
    var furtherButtonRows = 0
    /// Whether the top band and the sentences that can be left out give their rows to larger letters.
    var isSparing = false

    /// The layouts for large letters in the order in which they are tried, the one nearest to the normal layout first.
    static let large = [false, true].flatMap { isSparing in
        [0, 1, 2, 4].map {
            ScreenLayout(isLarge: true, furtherButtonRows: $0, isSparing: isSparing)
        }
    }
}

/// The heights of capitals on a screen, in half rows of the grid; a line of the terminal's own letters has 1.
struct TextHeights: Hashable {
    /// Heights of sentences, numbers and buttons, by their words.
    var all: [String: Int] = [:]
    /// The texts that are numbers, times or other texts read from a few steps away.
    var numbers: Set<String> = []

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

    /// Whether any text is smaller here than with normal letters.
    func isSmaller(than normal: TextHeights) -> Bool {
        all.contains { words, height in height < normal.all[words] ?? 1 }
    }
}

extension Screens {
    /// Draws a frame. For large letters it takes the layout that leaves nothing out, makes nothing smaller
    /// and the numbers half as large again; among several such layouts, the one with the most large letters.
    ///
    /// A surface takes much memory: with normal letters, for which there is only one layout, it is not copied.
    static func frame(
        _ canvas: inout Canvas, _ pointing: Highlight, draw: (inout Canvas) -> Void
    ) -> Frame {
        guard canvas.scene.access.appearance != .normal else {
            draw(&canvas)
            return canvas.finish(pointing)
        }
        let empty = canvas
        draw(&canvas)
        var best = canvas.finish(pointing)
        let normal = best.heights
        var least = (missed: normal.missed(beside: normal), rows: canvas.largeRows)
        for division in ScreenLayout.large {
            // Sentences are left out only to enlarge a number.
            if division.isSparing, least.missed == 0 { break }
            var canvas = empty
            canvas.division = division
            canvas.normalHeights = normal
            draw(&canvas)
            let frame = canvas.finish(pointing)
            let rank = (missed: frame.heights.missed(beside: normal), rows: canvas.largeRows)
            let isWhole = frame.surface.lost == 0 && frame.surface.covered == 0
            guard isWhole, !frame.heights.isSmaller(than: normal),
                (rank.missed, -rank.rows) < (least.missed, -least.rows)
            else { continue }
            (best, least) = (frame, rank)
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
