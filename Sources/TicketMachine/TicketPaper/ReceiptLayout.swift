internal import CPango
internal import KioskScreens
internal import Reservations

/// An element and its place, in points from the top left corner of the roll.
enum ReceiptItem {
    case text(LaidOutText, x: Double, y: Double)
    /// A frame from margin to margin, which begins at `y` and has this height.
    case frame(y: Double, height: Double)
    /// A line from margin to margin.
    case rule(y: Double)
    /// A symbol with modules of this many points; its quiet zone is left free around it.
    case symbol(QRMatrix, x: Double, y: Double, module: Double)
}

/// A paper whose elements have their places; drawing makes no more decisions.
struct ReceiptLayout {
    /// Width in points; `height` has the same unit.
    let width: Double
    let height: Double
    /// Length of the page in hundredths of a millimetre.
    let length: Int

    private let grid: DotGrid
    private let items: [ReceiptItem]

    /// The shortest paper that a cutter and a hand can take, and the longest that is reasonable.
    private static let lengthsHundredthsMm = 4_000...40_000

    init(
        _ content: ReceiptContent, on media: RollMedia, with typesetter: Typesetter
    ) throws(ReceiptRendererError) {
        guard let grid = DotGrid(media) else { throw .mediaUnusable(media) }
        self.grid = grid
        width = DotGrid.points(media.width)

        // If there is too much text, the symbols for calendars and for phones are left out first, and then the last sentences;
        // number, symbol and code always stay.
        var content = content
        var facts = min(content.facts.count, ReceiptComposer.maxFacts)
        var instructions = min(content.instructions.count, ReceiptComposer.maxInstructions)
        while true {
            var composer = ReceiptComposer(grid: grid, typesetter: typesetter)
            try composer.compose(content, facts: facts, instructions: instructions)
            let needed = Int((composer.y / 72 * 25.4).rounded(.up)) * 100
            guard needed > Self.lengthsHundredthsMm.upperBound,
                facts + instructions > 0 || content.symbolForPhones != nil
                    || content.symbolForCalendars != nil
            else {
                length = min(
                    max(needed, Self.lengthsHundredthsMm.lowerBound),
                    Self.lengthsHundredthsMm.upperBound)
                height = DotGrid.points(length)
                items = composer.items
                return
            }
            if content.symbolForCalendars != nil {
                content.symbolForCalendars = nil
            } else if content.symbolForPhones != nil {
                content.symbolForPhones = nil
            } else if instructions > 0 {
                instructions -= 1
            } else {
                facts -= 1
            }
        }
    }

    func draw(on cairo: OpaquePointer) {
        cairo_set_source_rgb(cairo, 0, 0, 0)
        // Letters that extend beyond their line are cut at the margin.
        cairo_rectangle(cairo, grid.left, 0, grid.usableWidth, height)
        cairo_clip(cairo)
        for item in items {
            switch item {
            case .text(let text, let x, let y): text.draw(on: cairo, x: x, y: y)
            case .frame(let y, let height): frame(on: cairo, y: y, height: height)
            case .rule(let y): rule(on: cairo, y: y)
            case .symbol(let matrix, let x, let y, let module):
                symbol(matrix, on: cairo, x: x, y: y, module: module)
            }
        }
    }

    /// Draws four lines, three dots wide.
    private func frame(on cairo: OpaquePointer, y: Double, height: Double) {
        let line = 3 * grid.dot
        cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE)
        for top in [y, y + height - line] {
            cairo_rectangle(cairo, grid.left, top, grid.usableWidth, line)
        }
        for left in [grid.left, grid.left + grid.usableWidth - line] {
            cairo_rectangle(cairo, left, y, line, height)
        }
        cairo_fill(cairo)
        cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT)
    }

    /// Draws a line two dots high, because one dot is too pale on thermal paper.
    private func rule(on cairo: OpaquePointer, y: Double) {
        cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE)
        cairo_rectangle(cairo, grid.left, y, grid.usableWidth, 2 * grid.dot)
        cairo_fill(cairo)
    }

    /// The inset of a rectangle at each side, in dots: every dot that a shape touches is painted (PDF 32000-1
    /// 10.6.5), and cairo rounds to 1/256 point.
    private static let inset = 0.02

    /// Draws a rectangle for each run of dark modules, so that there are no seams within it and whole dots at its ends.
    private func symbol(
        _ matrix: QRMatrix, on cairo: OpaquePointer, x: Double, y: Double, module: Double
    ) {
        cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE)
        let inset = Self.inset * grid.dot
        for row in 0..<matrix.side {
            var column = 0
            while column < matrix.side {
                guard matrix.isDark(row: row, column: column) else {
                    column += 1
                    continue
                }
                let start = column
                while matrix.isDark(row: row, column: column) { column += 1 }
                cairo_rectangle(
                    cairo, x + Double(start) * module + inset, y + Double(row) * module + inset,
                    Double(column - start) * module - 2 * inset, module - 2 * inset)
            }
        }
        cairo_fill(cairo)
    }
}

/// The printer's dots in points of the page; the first dot begins at the roll's left edge.
struct DotGrid {
    let dot: Double
    /// The first printable dot from the left edge; `dots` counts the printable dots.
    let firstDot: Int
    let dots: Int

    /// Returns nil for media on which nothing can be printed.
    init?(_ media: RollMedia) {
        // A symbol needs 20 mm at 203 dpi; no roll for tickets is wider than 300 mm.
        let widths = 2_000...30_000
        guard widths.contains(media.width), (0...30_000).contains(media.leftMargin),
            (0...30_000).contains(media.rightMargin), (100...1_200).contains(media.resolution),
            widths.contains(media.width - media.leftMargin - media.rightMargin)
        else { return nil }
        dot = 72 / Double(media.resolution)
        let right = Self.points(media.width - media.rightMargin)
        firstDot = Int((Self.points(media.leftMargin) / dot).rounded(.up))
        dots = Int((right / dot).rounded(.down)) - firstDot
    }

    var left: Double { Double(firstDot) * dot }
    var usableWidth: Double { Double(dots) * dot }

    /// The next place on the grid, at or below this one.
    func aligned(_ y: Double) -> Double { (y / dot).rounded(.up) * dot }

    static func points(_ hundredthsOfMillimetre: Int) -> Double {
        Double(hundredthsOfMillimetre) * 72 / 2_540
    }
}
