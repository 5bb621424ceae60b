import TerminalSurface

/// The place of the code reader, seen from the screen.
public enum ReaderPlace: String, Hashable, Sendable, CaseIterable { case left, right, below, above }

// The arrow that leads the customer's paper to the reader.
extension Canvas {
    /// Steps of the arrow's movement, one a second: an idle screen costs only a small repaint, and no customer with
    /// epilepsy is hurt (WCAG 2.2, 2.3.1).
    static let arrowSteps = 3

    /// Draws the arrow if the words leave room, and returns the area left for the words.
    ///
    /// - Parameter width: the width of the longest line.
    mutating func drawArrows(beside width: Int, in area: Rectangle) -> Rectangle {
        let side = min(24, (area.columns - width) / 2 - 1)
        guard side >= 3, area.rows > 1 else { return area }
        let (left, rest) = area.inset(rows: area.rows > 5 ? 1 : 0).splitLeft(side)
        let right = rest.splitRight(side).right
        let places =
            switch scene.readerPlace {
            case .left: [left]
            case .right: [right]
            case .below, .above: [left, right]
            }
        for place in places {
            let arrow = Self.arrow(to: scene.readerPlace, step: scene.arrowStep, in: place.size)
            surface.draw(arrow, row: place.row, column: place.column, theme.warning)
        }
        return Rectangle(
            row: area.row, column: area.column + side, rows: area.rows,
            columns: area.columns - 2 * side)
    }

    /// An arrow on its way to a side of a room, as dots of the whole room.
    static func arrow(to place: ReaderPlace, step: Int, in room: GridSize) -> Bitmap {
        // The arrow is drawn downwards. It moves along the part of the room that it leaves free: a third, at least a
        // dot.
        let isUpright = place == .below || place == .above
        let length = isUpright ? 2 * room.rows : room.columns
        let breadth = isUpright ? room.columns : 2 * room.rows
        // A long thin arrow would look like a line.
        let longest = min(length - max(1, length / 3), 2 * breadth + 1)
        let head = min(longest, (breadth + 1) / 2)
        // A shaft of one dot would make a small head look like a diamond.
        let size = longest - head < 2 ? head : longest
        let way = length - size
        var bitmap = Bitmap(width: room.columns, height: 2 * room.rows)
        let offset = way * min(max(step, 0), arrowSteps - 1) / (arrowSteps - 1)
        for along in 0..<size {
            // The shaft is a third as wide as the head, which ends in a point.
            let half = along < size - head ? head / 3 : size - 1 - along
            for across in (breadth - 1) / 2 - half...(breadth - 1) / 2 + half {
                let far = offset + along
                switch place {
                case .below: bitmap[far, across] = true
                case .above: bitmap[length - 1 - far, across] = true
                case .right: bitmap[across, far] = true
                case .left: bitmap[across, length - 1 - far] = true
                }
            }
        }
        return bitmap
    }
}
