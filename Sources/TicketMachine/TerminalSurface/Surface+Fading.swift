extension Surface {
    /// This surface while what is in an area comes out below the upper edge of it, over another surface.
    ///
    /// - Parameter percent: how much of it is out.
    public func slidingOut(of area: Rectangle, over former: Surface, percent: Int) -> Surface {
        let area = area.intersection(bounds)
        guard former.size == size, area.rows > 0 else { return self }
        let hidden = area.rows - area.rows * percent / 100
        var moved = self
        moved.mapCells { _, index in
            let (row, column) = (index / size.columns, index % size.columns)
            guard area.contains(GridPosition(row: row, column: column)) else { return cell(index) }
            let source = row + hidden
            return source < area.end ? self[source, column] : former.cell(index)
        }
        return moved
    }

    /// This surface while it appears over another one: where the two differ, a cell has its new text already, in colours
    /// between the former ground and the colours to come.
    ///
    /// Only colours that a terminal of 256 colours has anyway are used, because xterm paints its whole window again for
    /// each colour that is changed.
    ///
    /// - Parameter percent: how much of the way is done.
    public func fading(from former: Surface, percent: Int) -> Surface {
        guard former.size == size else { return self }
        var faded = self
        var known: [Style: Colour] = [:]
        func colour(_ start: Colour, _ end: Colour) -> Colour {
            guard start != end else { return end }
            if let known = known[Style(start, on: end)] { return known }
            let exact = Colour(
                [(start.red, end.red), (start.green, end.green), (start.blue, end.blue)]
                    .reduce(0) { sum, channel in
                        let way = (Int(channel.1) - Int(channel.0)) * percent / 100
                        return sum << 8 | UInt32(Int(channel.0) + way)
                    })
            let index = XtermPalette.nearest(to: exact, of: 256) { _ in false }
            let shown = XtermPalette.colour(index, of: 256)
            known[Style(start, on: end)] = shown
            return shown
        }
        faded.mapCells { cell, index in
            let old = former.cell(index)
            guard cell != old else { return cell }
            let style = cell.style
            var between = cell
            between.style = Style(
                colour(old.style.background, style.foreground),
                on: colour(old.style.background, style.background), bold: style.bold)
            return between
        }
        return faded
    }
}
