import KioskFlow
import TerminalSurface

/// How much of a screen stands in large letters: of two ways to divide a grid the greater is better.
struct Largeness: Comparable {
    /// Numbers and times that are not as high as they should be at least.
    var smallNumbers = 0
    /// Rows of large letters.
    var rows = 0

    static func < (one: Largeness, other: Largeness) -> Bool {
        (other.smallNumbers, one.rows) < (one.smallNumbers, other.rows)
    }
}

extension Screens {
    /// Rows that buttons get beyond those of normal letters, to be tried in turn.
    private static let furtherRows = [0, 2, 4]

    /// Draws a frame; with large letters in the way that has the most of them and leaves nothing out.
    ///
    /// A surface is large: normal letters, which leave no choice, are drawn without a copy of it.
    static func frame(
        _ canvas: inout Canvas, _ pointing: Pointing, draw: (inout Canvas) -> Void
    ) -> Frame {
        guard canvas.isLarge else {
            draw(&canvas)
            return canvas.finish(pointing)
        }
        let empty = canvas
        func drawn(_ further: Int) -> (frame: Frame, largeness: Largeness) {
            var canvas = empty
            canvas.furtherButtonRows = further
            draw(&canvas)
            return (canvas.finish(pointing), canvas.wholeLargeness)
        }
        var best = drawn(0)
        for further in furtherRows.dropFirst() {
            let other = drawn(further)
            if other.frame.surface.isWhole, other.largeness > best.largeness { best = other }
        }
        return best.frame
    }
}

extension Surface {
    /// Whether everything asked for can be seen.
    fileprivate var isWhole: Bool { lost == 0 && covered == 0 }
}

extension Canvas {
    /// Whether the customer wants large letters.
    var isLarge: Bool { access.appearance != .normal }

    /// What has been put on the screen, with its buttons.
    fileprivate var wholeLargeness: Largeness {
        buttons.reduce(into: largeness) { $0.rows += $1.largeRows }
    }
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
