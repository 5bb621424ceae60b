import Reservations
import TerminalSurface

// The invitation: the symbol on Home with which a customer joins the queue on a phone (rules: joining).
extension Canvas {
    /// Rows for the words below the symbol, in the terminal's own letters.
    private static let rowsOfWords = 2

    /// Whether the words of the invitation are in the row of the hint.
    var hasHintOfInvitation: Bool { invitation != nil && !isLarge && typeface.hasShapes && isTight }

    /// Draws the symbol beside the buttons, or below them on an upright panel, and returns the place for the
    /// buttons: all of it if there is no room for the symbol. The words are under the symbol; on the coarsest grid it
    /// needs all rows there, and they are in the row of the hint above, which is empty then.
    mutating func draw(
        invitation: QRMatrix, in area: Rectangle, over hint: Rectangle
    ) -> Rectangle {
        let isUnderWords = hasHintOfInvitation
        let rowsBelow = isUnderWords ? 0 : Self.rowsOfWords
        let least = isUpright ? area.rows * 2 / 3 : area.columns * 3 / 5
        let room =
            isUpright
            ? GridSize(columns: area.columns / 2, rows: area.rows - least)
            : GridSize(columns: area.columns - least, rows: area.rows - rowsBelow)
        guard !isLarge, let symbol = Figure.symbol(invitation, typeface, fitting: room) else {
            return area
        }
        let words = text("Or join the queue with your phone")
        say(text("You can also join the queue with your phone: scan the code on this screen."))
        if isUpright {
            let (buttons, below) = area.splitBottom(symbol.rows + 1)
            let (left, beside) = below.splitBottom(symbol.rows).bottom.splitLeft(symbol.columns)
            surface.draw(symbol, row: left.row, column: left.column, .code)
            stack([.line(words)], in: beside.splitLeft(margin).rest, saying: [])
            return buttons
        }
        let (buttons, beside) = area.splitRight(symbol.columns)
        let place = beside.centred(rows: symbol.rows + rowsBelow, columns: symbol.columns)
        surface.draw(symbol, row: place.row, column: place.column, .code)
        guard !isUnderWords else {
            surface.set(lines: [words], in: hint, theme.screen, .right)
            return buttons.splitRight(margin).rest
        }
        surface.set(
            lines: TextFlow.balanced(words, width: place.columns),
            in: place.splitTop(symbol.rows).rest, theme.screen, .centre)
        return buttons.splitRight(margin).rest
    }
}
