import TerminalSurface

/// Something that stands in a column of things.
enum Block {
    /// A sentence.
    case text(String, Style)
    /// A sentence that is left out where the others have no air without it.
    case ifRoom(String, Style)
    /// Large letters where there is room for them.
    case heading(String)
    /// As large as what the others leave: a number, a time, a few words.
    case largest(String)

    var words: String {
        switch self {
        case .text(let words, _), .ifRoom(let words, _), .heading(let words), .largest(let words):
            words
        }
    }
}

extension Canvas {
    /// Sets blocks below one another with the free rows shared out between them.
    ///
    /// - Parameter words: what is said aloud; nil: what stands there.
    mutating func stack(_ blocks: [Block], in whole: Rectangle, saying words: [String]? = nil) {
        spoken.sentences += words ?? blocks.map(\.words)
        // What stands first keeps a row from the top band, but on the coarsest grid.
        let area = whole.splitTop(size.rows >= 24 && whole.row == headerRows ? 1 : 0).rest
        var items = blocks.map { Item($0, width: area.columns, screen: theme.screen) }
        // A number has 6 rows and air before what could be left out has any.
        let needed = items.contains(where: \.grows) ? 7 : 0
        if items.rows + needed > area.rows { items.removeAll(where: \.isOptional) }
        enlargeHeadings(&items, in: area)
        if isLarge { enlargeTexts(&items, in: area) }
        growLargest(&items, in: area)
        for item in items {
            largeness.rows += item.large == nil ? 0 : item.rows
            // A wait is read from two steps away with letters of 6 rows.
            if item.grows, item.large == nil || item.rows < 6 { largeness.smallNumbers += 1 }
        }
        let free = max(0, area.rows - items.rows)
        // Even air between the blocks, at most two rows, and what is left above and below.
        let gaps = items.count - 1
        let gap = gaps > 0 ? min(2, free / (gaps + 1)) : 0
        // Where there is not a row for each gap, those beside the largest have it.
        var extra = gap == 0 ? min(free, gaps) : 0
        var row = area.row + max(0, free - gap * gaps - extra) / 2
        for (index, item) in items.enumerated() {
            let room = Rectangle(
                row: row, column: area.column, rows: min(item.rows, area.end - row),
                columns: area.columns)
            draw(item, in: room)
            row += item.rows + gap
            // A single row stands below it: a line of text has air over its small letters.
            let isBeside =
                item.grows
                || extra > 1 && index + 1 < items.count && items[index + 1].grows
            if extra > 0, isBeside {
                row += 1
                extra -= 1
            }
        }
    }

    /// Gives large letters to headings as long as everything else has its room, and what is to be
    /// larger still has 7 rows for it.
    private func enlargeHeadings(_ items: inout [Item], in area: Rectangle) {
        let forLargest = items.contains(where: \.grows) ? 7 : 0
        for index in items.indices {
            guard case .heading(let words) = items[index].block else { continue }
            let used = items.rows - items[index].rows + items.count + forLargest
            let room = GridSize(columns: area.columns, rows: area.rows - used)
            items[index].large =
                BigText.largest(words, fitting: room, lines: 2)
                ?? SmallCapitals.lines(words, fitting: room, most: 2)
        }
    }

    /// Gives large letters to sentences, the important ones first, as long as everything else has its
    /// room and what is to be larger still has 7 rows for it.
    private func enlargeTexts(_ items: inout [Item], in area: Rectangle) {
        let forLargest = items.contains(where: \.grows) ? 7 : 0
        let texts = items.indices.filter { items[$0].large == nil && !items[$0].grows }
        let important = texts.filter { items[$0].isImportant(beside: theme.screen) }
        for index in important + texts.filter({ !important.contains($0) }) {
            let used = items.rows - items[index].rows + items.count + forLargest
            let words = items[index].block.words
            let room = GridSize(columns: area.columns, rows: area.rows - used)
            let lines = BigText.lines(words, columns: room.columns) ?? []
            let fits = !lines.isEmpty && lines.reduce(-1) { $0 + $1.rows + 1 } <= room.rows
            items[index].large = fits ? lines : SmallCapitals.lines(words, fitting: room, most: 2)
        }
    }

    private func growLargest(_ items: inout [Item], in area: Rectangle) {
        for index in items.indices {
            guard case .largest(let words) = items[index].block else { continue }
            let free = area.rows - (items.rows - items[index].rows)
            // Air for every gap, or at least over and under it, as long as 6 rows are left.
            let rows = [free - items.count, free - 2, free - 1].first { $0 >= 6 } ?? free
            let room = GridSize(columns: area.columns, rows: rows)
            items[index].large =
                (BigDigits.largest(words, fitting: room)
                ?? BigDigits.largest(amount: words, fitting: room)).map { [$0] }
                ?? BigText.largest(words, fitting: room, lines: 2)
                ?? SmallCapitals.lines(words, fitting: room, most: 2)
        }
    }

    private mutating func draw(_ item: Item, in room: Rectangle) {
        guard let large = item.large else {
            surface.set(lines: item.lines, in: room, item.style, .centre)
            return
        }
        var row = room.row
        for line in large {
            surface.draw(
                line, row: row, column: room.column + (room.columns - line.columns) / 2,
                item.style)
            row += line.rows + 1
        }
    }
}

/// A block with the form it has got so far.
private struct Item {
    let block: Block
    let style: Style
    let lines: [String]
    var large: [Bitmap]?

    init(_ block: Block, width: Int, screen: Style) {
        self.block = block
        switch block {
        case .text(let words, let style), .ifRoom(let words, let style):
            lines = TextFlow.balanced(words, width: width)
            self.style = style
        case .heading(let words), .largest(let words):
            lines = TextFlow.balanced(words, width: width)
            style = screen.bolded
        }
    }

    var rows: Int { large.map { $0.reduce(0) { $0 + $1.rows } + $0.count - 1 } ?? lines.count }
    var isOptional: Bool { if case .ifRoom = block { true } else { false } }
    /// Whether it stands out from the other sentences.
    func isImportant(beside plain: Style) -> Bool { style != plain }
    var grows: Bool { if case .largest = block { true } else { false } }
}

extension [Item] {
    fileprivate var rows: Int { reduce(0) { $0 + $1.rows } }
}
