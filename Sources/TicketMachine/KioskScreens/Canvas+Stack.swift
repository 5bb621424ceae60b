import TerminalSurface

/// An element of a column on the screen.
enum Block {
    case line(String, Emphasis = .plain)
    /// A sentence that is left out if the others would have no empty rows with it.
    case ifRoom(String, Emphasis = .plain)
    /// A sentence that large letters may leave out for a larger number, from the top down; a voice still says it.
    case spare(String, Emphasis = .plain)
    /// A heading, in large letters if there is room for them.
    case heading(String)
    /// A number, a time or a few words, as large as the other elements allow.
    case largest(String)

    enum Emphasis { case plain, bold, accent, warning, soft }

    var words: String {
        switch self {
        case .line(let words, _), .ifRoom(let words, _), .spare(let words, _), .heading(let words),
            .largest(let words):
            words
        }
    }

    fileprivate var emphasis: Emphasis {
        switch self {
        case .line(_, let emphasis), .ifRoom(_, let emphasis), .spare(_, let emphasis): emphasis
        case .heading, .largest: .bold
        }
    }

    fileprivate var isSpare: Bool { if case .spare = self { true } else { false } }
}

extension Canvas {
    /// The words over the largest block, which say what it is: only block letters may leave them out for its size.
    func introducing(_ words: String, _ emphasis: Block.Emphasis = .plain) -> Block {
        typeface.hasShapes ? .line(words, emphasis) : .spare(words, emphasis)
    }

    /// Sets blocks below one another and shares out the free rows between them.
    ///
    /// - Parameter words: what is said aloud; nil to say the words of the blocks.
    mutating func stack(_ blocks: [Block], in whole: Rectangle, saying words: [String]? = nil) {
        spoken.sentences += words ?? blocks.map(\.words)
        // An empty row keeps the first block apart from the top band, except on the coarsest grid.
        let isUnderBand = size.rows >= 24 && headerRows > 0 && whole.row == headerRows
        let area = whole.splitTop(isUnderBand ? 1 : 0).rest
        var items = sized(blocks, in: area)
        var spare = blocks.indices.filter { blocks[$0].isSpare }
        // Sentences are left out one after the other until the numbers are as large as they should be.
        while division.isSparing, !reachesGoals(items, in: area), !spare.isEmpty {
            let left = spare.removeFirst()
            let kept = blocks.indices.filter { $0 > left || !blocks[$0].isSpare }
            items = sized(kept.map { blocks[$0] }, in: area)
        }
        for item in items {
            textRows += item.large == nil ? 0 : item.rows
            heights.all[item.block.words] = item.height
            if item.grows, item.block.words.contains(where: \.isNumber) {
                heights.numbers.insert(item.block.words)
            }
        }
        let free = max(0, area.rows - items.rows)
        // The gaps between the blocks are equal, at most two rows; the remaining rows are above and below.
        let gaps = items.count - 1
        let gap = gaps > 0 ? min(2, free / (gaps + 1)) : 0
        // If there are not enough rows for all gaps, the largest block gets those above and below it.
        var extra = gap == 0 ? min(free, gaps) : 0
        let hasLargest = items.contains(where: \.grows)
        var row = area.row + max(0, free - gap * gaps - extra) / 2
        for (index, item) in items.enumerated() {
            let room = Rectangle(
                row: row, column: area.column, rows: min(item.rows, area.end - row),
                columns: area.columns)
            draw(item, in: room)
            row += item.rows + gap
            // A single extra row goes below the largest block, because small letters have space above them in
            // a line of text.
            // Without a largest block they go below the first ones.
            let isBeside =
                !hasLargest || item.grows
                || extra > 1 && index + 1 < items.count && items[index + 1].grows
            if extra > 0, isBeside {
                row += 1
                extra -= 1
            }
        }
    }

    /// The blocks with letters as large as the area has room for.
    private func sized(_ blocks: [Block], in area: Rectangle) -> [Item] {
        var items = blocks.map { Item($0, width: area.columns, style: theme.style($0.emphasis)) }
        // A number gets its rows before an optional sentence gets space; in the machine's own font a small panel and large
        // letters have both, with a smaller number.
        let isCrowded = typeface.hasShapes && (isLarge || isSmall)
        let rows = largestRows(items, in: area)
        let needed = isCrowded ? min(rows, Self.leastNumberRows) : rows
        if items.rows + needed > area.rows { items.removeAll(where: \.isOptional) }
        enlargeHeadings(&items, in: area)
        if isLarge {
            enlargeTexts(&items, in: area)
        } else if typeface.hasShapes {
            raiseTexts(&items, in: area)
        }
        growLargest(&items, in: area)
        return items
    }

    /// Rows that a number needs beyond that of a plain line, to be larger than the sentences.
    private static let leastNumberRows = 2

    /// Whether the grid is smaller than that of the usual panel of 15 inches.
    private var isSmall: Bool { size.columns < 80 || size.rows < 25 }

    /// Whether all blocks fit and those to be enlarged are as large as they should be.
    private func reachesGoals(_ items: [Item], in area: Rectangle) -> Bool {
        items.rows <= area.rows
            && items.allSatisfy { $0.height >= normalHeights.goal(of: $0.block.words) }
    }

    /// Rows, with empty ones, that are reserved for the largest block while other texts are enlarged.
    private func rowsForLargest(_ items: [Item], in area: Rectangle) -> Int {
        guard isLarge, !division.isSentencesFirst, let item = items.first(where: \.grows) else {
            return largestRows(items, in: area)
        }
        let words = item.block.words
        // With large letters these are the rows of the goal, if the width allows letters so high.
        let room = GridSize(columns: area.columns, rows: (normalHeights.goal(of: words) + 1) / 2)
        let large = largest(words, fitting: room)
        return max(6, large?.rows ?? 0) + (division.isSparing ? 0 : 1)
    }

    /// Rows of a number or a value with normal letters, with the space around it; under a heading it may be smaller.
    private func largestRows(_ items: [Item], in area: Rectangle) -> Int {
        guard let item = items.first(where: \.grows) else { return 0 }
        guard typeface.hasShapes else { return 7 }
        let hasHeading = items.contains { if case .heading = $0.block { true } else { false } }
        let room = GridSize(
            columns: area.columns, rows: hasHeading ? TypeSize.value.rows : area.rows)
        return typeface.value(item.block.words, fitting: room, isLarge: false, lines: 2)?.rows ?? 1
    }

    /// Empty rows between the blocks; large letters of the machine's own font have some within their rows.
    private func air(_ items: [Item]) -> Int {
        division.isSparing || division.isSentencesFirst ? 1 : items.count
    }

    /// Gives large letters to headings as long as every other block still fits and the largest block keeps its rows.
    private func enlargeHeadings(_ items: inout [Item], in area: Rectangle) {
        let forLargest = rowsForLargest(items, in: area)
        for index in items.indices {
            guard case .heading(let words) = items[index].block else { continue }
            let used = items.rows - items[index].rows + air(items) + forLargest
            let room = GridSize(columns: area.columns, rows: area.rows - used)
            items[index].large = typeface.heading(words, fitting: room, isLarge: isLarge)
        }
    }

    /// Gives large letters to sentences, the important ones first, as long as every other block still fits
    /// and the largest block keeps its rows.
    private func enlargeTexts(_ items: inout [Item], in area: Rectangle) {
        let forLargest = rowsForLargest(items, in: area)
        let texts = items.indices.filter { items[$0].large == nil && !items[$0].grows }
        // A style of its own sets a sentence off from the others.
        let important = texts.filter { items[$0].style != theme.screen }
        for index in important + texts.filter({ !important.contains($0) }) {
            let used = items.rows - items[index].rows + air(items) + forLargest
            let words = items[index].block.words
            let room = GridSize(columns: area.columns, rows: area.rows - used)
            items[index].large = typeface.sentence(words, fitting: room, isLarge: true)
        }
    }

    /// Sets sentences in the machine's own font as labels if every other block has room: all of them, or those that
    /// are set off from the others. Sentences of one kind have one size.
    private func raiseTexts(_ items: inout [Item], in area: Rectangle) {
        let forLargest = rowsForLargest(items, in: area)
        let texts = items.indices.filter { items[$0].large == nil && !items[$0].grows }
        let important = texts.filter {
            items[$0].style != theme.screen && items[$0].style != theme.soft
        }
        for group in [texts, important] {
            var raised = items
            for index in group {
                let room = GridSize(columns: area.columns, rows: area.rows)
                raised[index].large = typeface.sentence(
                    items[index].block.words, fitting: room, isLarge: false)
            }
            let isWhole = group.allSatisfy { raised[$0].large != nil }
            let grown = raised.first(where: \.grows)?.rows ?? 0
            if isWhole, raised.rows - grown + forLargest + raised.count - 1 <= area.rows {
                items = raised
                return
            }
        }
    }

    private func growLargest(_ items: inout [Item], in area: Rectangle) {
        for index in items.indices {
            guard case .largest(let words) = items[index].block else { continue }
            let free = area.rows - (items.rows - items[index].rows)
            // There is an empty row for each gap, or at least over and under the largest block, if enough
            // rows remain for it.
            let enough =
                isLarge && !division.isSentencesFirst
                ? max(6, (normalHeights.goal(of: words) + 1) / 2)
                : typeface.hasShapes ? largestRows(items, in: area) : 6
            let rows = [free - items.count, free - 2, free - 1].first { $0 >= enough } ?? free
            items[index].large = largest(
                words, fitting: GridSize(columns: area.columns, rows: rows))
        }
    }

    /// A number, a time or a few words as large as there is room for.
    private func largest(_ words: String, fitting room: GridSize) -> LargeText? {
        typeface.value(words, fitting: room, isLarge: isLarge, lines: 2)
    }

    private mutating func draw(_ item: Item, in room: Rectangle) {
        if let large = item.large {
            surface.draw(large, in: room, item.style, .centre)
        } else {
            surface.set(lines: item.lines, in: room, item.style, .centre)
        }
    }
}

extension Theme {
    fileprivate func style(_ emphasis: Block.Emphasis) -> Style {
        switch emphasis {
        case .plain: screen
        case .bold: screen.bolded
        case .accent: accent
        case .warning: warning
        case .soft: soft
        }
    }
}

/// A block and the form in which it will be drawn.
private struct Item {
    let block: Block
    let style: Style
    let lines: [String]
    var large: LargeText?

    init(_ block: Block, width: Int, style: Style) {
        self.block = block
        self.style = style
        lines = TextFlow.balanced(block.words, width: width)
    }

    var rows: Int { large?.rows ?? lines.count }
    /// Height of its capitals in half rows.
    var height: Int { large?.capHeight ?? 1 }
    var isOptional: Bool { if case .ifRoom = block { true } else { false } }
    var grows: Bool { if case .largest = block { true } else { false } }
}

extension [Item] { fileprivate var rows: Int { reduce(0) { $0 + $1.rows } } }
