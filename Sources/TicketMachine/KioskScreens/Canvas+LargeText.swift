import KioskFlow
import TerminalSurface

/// How a grid is divided on a screen.
struct ScreenLayout: Hashable {
    /// Whether sentences are as large as there is room for, and numbers first.
    var isLarge = false
    /// Rows that buttons get beyond those of normal letters.
    var furtherButtonRows = 0
    /// Whether the top band, and sentences that can be done without, give their rows to larger letters.
    var isSparing = false

    /// To be tried in turn, from what is nearest to the normal one.
    static let large = [false, true].flatMap { isSparing in
        [0, 1, 2, 4].map {
            ScreenLayout(isLarge: true, furtherButtonRows: $0, isSparing: isSparing)
        }
    }
}

/// How high the capitals on a screen are, in half rows of the grid; a line of the terminal's own letters has 1.
struct TextHeights: Hashable {
    /// Of sentences, numbers and buttons, by their words.
    var all: [String: Int] = [:]
    /// Which of them are a number, a time or what else is to be read from a few steps away.
    var numbers: Set<String> = []

    /// Half rows from which on a number is large for everybody.
    private static let largeNumberHalfRows = 24

    /// What a text is to have at least with large letters, where these are the heights of normal ones: a number is
    /// half as large again.
    func goal(of words: String) -> Int {
        let height = all[words] ?? 1
        guard numbers.contains(words) else { return height }
        return max(height, min((3 * height + 1) / 2, Self.largeNumberHalfRows))
    }

    /// How many numbers are not as large as they should be.
    func missed(beside normal: TextHeights) -> Int {
        numbers.count { (all[$0] ?? 0) < normal.goal(of: $0) }
    }

    /// Whether any text is smaller here than with normal letters.
    func isSmaller(than normal: TextHeights) -> Bool {
        all.contains { words, height in height < normal.all[words] ?? 1 }
    }
}

extension Screens {
    /// Draws a frame; with large letters by the division that leaves nothing out, makes nothing smaller and the numbers
    /// half as large again, and of several such by the one that has the most large letters.
    ///
    /// A surface is large: normal letters, which leave no choice, are drawn without a copy of it.
    static func frame(
        _ canvas: inout Canvas, _ pointing: Highlight, draw: (inout Canvas) -> Void
    ) -> Frame {
        guard canvas.access.appearance != .normal else {
            draw(&canvas)
            return canvas.finish(pointing)
        }
        let empty = canvas
        draw(&canvas)
        var best = canvas.finish(pointing)
        let normal = best.heights
        var least = (missed: normal.missed(beside: normal), rows: canvas.largeRows)
        for division in ScreenLayout.large {
            // Sentences are left out for a number only.
            if division.isSparing, least.missed == 0 { break }
            var canvas = empty
            canvas.division = division
            canvas.normalHeights = normal
            draw(&canvas)
            let frame = canvas.finish(pointing)
            let rank = (missed: frame.heights.missed(beside: normal), rows: canvas.largeRows)
            guard frame.surface.isWhole, !frame.heights.isSmaller(than: normal),
                (rank.missed, -rank.rows) < (least.missed, -least.rows)
            else { continue }
            (best, least) = (frame, rank)
        }
        return best
    }
}

extension Surface {
    /// Whether everything asked for can be seen.
    fileprivate var isWhole: Bool { lost == 0 && covered == 0 }
}

extension Canvas {
    /// Whether the customer wants large letters, and they are what is drawn.
    var isLarge: Bool { division.isLarge }

    /// Rows of large letters on the screen, those of its buttons too.
    fileprivate var largeRows: Int { buttons.reduce(textRows) { $0 + $1.largeRows } }
}

extension Theme {
    /// For large letters: all texts heavy, and none softer than the others.
    var emphasized: Theme {
        var theme = self
        for place in Self.places { theme[keyPath: place.style].bold = true }
        theme.soft = theme.screen
        return theme
    }
}
