import TerminalSurface

/// The place of the code reader, seen from the screen.
public enum ReaderPlace: String, Hashable, Sendable, CaseIterable {
    case left, right, below, above

    /// The direction of an arrow that leads there, as its icon is named.
    fileprivate var direction: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .below: "down"
        case .above: "up"
        }
    }
}

// The arrow that leads the customer's paper to the reader.
extension Canvas {
    /// Steps of the arrow's movement, one a second: an idle screen costs only a small repaint, and no customer with
    /// epilepsy is hurt (WCAG 2.2, 2.3.1).
    static let arrowSteps = 3

    /// Rows of the area in which the arrow moves.
    private static let arrowRows = 4

    /// Draws the arrow under the words if they leave room, and returns the area left for the words.
    mutating func drawArrow(under area: Rectangle) -> Rectangle {
        // Beside the machine's own font, whose sentence is large, the arrow has less room on a low screen.
        let further =
            typeface.hasShapes
            ? (area.rows > 20 ? 3 : area.rows > 12 ? 1 : 0) : area.rows > 12 ? 3 : 0
        let (words, room) = area.splitBottom(Self.arrowRows + further)
        guard words.rows > 4 else { return area }
        drawArrow(in: room)
        return words
    }

    mutating func drawArrow(in room: Rectangle) {
        guard let side = scene.readerPlace else { return }
        let name = "arrow-\(side.direction)"
        guard
            let shape = typeface.shape("\(name)-5").flatMap({ $0.rows < room.rows ? $0 : nil })
                ?? typeface.shape("\(name)-3")
        else {
            let place = room.centred(rows: room.rows, columns: min(3 * room.rows, room.columns))
            let arrow = Self.arrow(to: side, step: scene.arrowStep, in: place.size)
            surface.draw(arrow, row: place.row, column: place.column, theme.accent)
            return
        }
        // The arrow goes towards the reader and begins again.
        let place = room.centred(rows: shape.rows, columns: shape.columns)
        let step = min(max(scene.arrowStep, 0), Self.arrowSteps - 1)
        let (row, column) =
            switch side {
            case .below: (room.row + min(step, room.rows - shape.rows), place.column)
            case .above: (room.end - shape.rows - min(step, room.rows - shape.rows), place.column)
            case .right: (place.row, place.column + 2 * step)
            case .left: (place.row, place.column - 2 * step)
            }
        surface.draw(shape, row: row, column: column, theme.accent)
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
