import KioskFlow
import Reservations
import TerminalSurface

// Home: what the customer can do, and the state of the queue, shown before any touch.
extension Canvas {
    mutating func drawHome() {
        drawHeader()
        drawFoot()
        var facts = homeFacts()
        spoken.sentences += facts.sentences(wording)
        sayNearby()
        // An empty row keeps the facts apart from the top line, except on the coarsest grid.
        let above = size.rows >= 24 && !division.isSparing ? 1 : 0
        let (strip, rest) = middle.splitTop(above).rest.splitTop(stripRows)
        let (hint, buttons) = rest.splitTop(hintRows)
        // The age of an old report is in the colour of warnings, so that it is not overlooked.
        if let age = facts.age {
            setHint(age, in: hint, theme.warning)
        } else if hintRows > 0, !hasHintOfInvitation, let line = hintOfNearby {
            setHint(line, in: hint)
        } else if hintRows > 0, !hasHintOfInvitation, let news = facts.news {
            // It is why the button below offers something else.
            setHint(news, in: hint, theme.screen)
            facts.tiles.removeAll { $0.label == news }
        } else if hintRows > 0, !hasHintOfInvitation {
            setHint(text("What would you like to do?"), in: hint)
        }
        draw(facts.tiles, in: strip)
        // A touch always asks for a ticket, because one may have become free; the label names what a touch
        // leads to now.
        let isVisit = scene.queue?.isTicketAvailable == false
        let main = Button(
            .getTicket, isVisit ? text("Book a visit") : text("Get a ticket"),
            subtitle: isVisit
                ? text("at the next free time, for one person")
                : text("for today, for one person"), isMain: true)
        let hasDesk = scene.shop?.hasDesk == true
        let hasRoomForWords = isUpright && !isLarge
        let second = Button(
            .findReservation, text("My ticket"),
            // Beside a third button there is no room for it.
            subtitle: hasDesk && !hasRoomForWords
                ? nil
                : scene.allowsDelays
                    ? text("see how long you still have to wait, get more time or cancel")
                    : text("see how long you still have to wait, or cancel"))
        let third = Button(
            .collectOrder, text("Collect an order"),
            subtitle: hasRoomForWords ? text("ordered online or by phone") : nil)
        placeChoices(
            main, hasDesk ? [second, third] : [second],
            in: invitation.map { draw(invitation: $0, in: buttons, over: hint) } ?? buttons)
    }

    /// Places what most people want over what some want, each in letters as large as there is room for.
    private mutating func placeChoices(_ main: Button, _ others: [Button], in area: Rectangle) {
        if others.count > 1, isUpright {
            // What most people want keeps more than half of the rows, and the larger letters.
            let height = max(5, area.rows / 5)
            let (upper, lower) = area.splitBottom(others.count * (height + 1) - 1)
            placeAlike([(main, upper.splitBottom(1).rest)])
            let places = others.indices.map { index in
                Rectangle(
                    row: lower.row + index * (height + 1), column: lower.column, rows: height,
                    columns: lower.columns)
            }
            let placed = Array(zip(others, places))
            let lettering = min(.label, lettering(of: placed))
            for (button, place) in placed { self.place(button, in: place, lettering) }
            return
        }
        let share = max(5, area.rows * 2 / 5)
        func isMainLarge(_ share: Int) -> Bool {
            lettering(of: [(main, area.splitBottom(share).rest.splitBottom(1).rest)]) != .text
        }
        // With large letters the lower buttons may grow as long as the upper one keeps its large letters.
        let grown = share + division.furtherButtonRows
        let (upper, lower) = area.splitBottom(
            area.rows - grown > 5 && isMainLarge(grown) ? grown : share)
        placeAlike([(main, upper.splitBottom(1).rest)])
        let width = (lower.columns - margin * (others.count - 1)) / others.count
        let places = Self.places(others.dropLast().map { _ in width }, gap: margin, in: lower)
        // What most people want has the larger letters.
        if typeface.hasShapes, !isLarge, captionRows == 1, others.count == 1 {
            place(others[0], in: lower, .label)
        } else {
            placeAlike(Array(zip(others, places)))
        }
    }
}

/// The facts on Home: their age, and a tile for each.
struct HomeFacts {
    var age: String?
    /// What changes what the customer can do; also a tile, if the line over the buttons has no room for it.
    var news: String?
    var tiles: [Tile] = []

    struct Tile {
        let label: String
        /// A value in large letters; without one the label is a sentence.
        var value: String?
        /// Whether the value is a dash, because there is none.
        var isMissing = false
        /// The called numbers; only as many as there is room for are shown.
        var numbers: [QueueNumber] = []
        /// What a voice says; nil for the label and the value.
        var said: String?
    }

    func sentences(_ wording: Strings) -> [String] {
        let said = tiles.map { tile in
            tile.said ?? tile.value.map { wording.fact(tile.label, $0) } ?? tile.label
        }
        return [age].compactMap { $0 } + said.filter { !$0.isEmpty }
    }
}

extension Canvas {
    /// The facts about the queue: the called numbers, how many people wait, and how long a new ticket waits.
    func homeFacts() -> HomeFacts {
        guard let queue = scene.queue else { return HomeFacts() }
        var facts = HomeFacts()
        facts.age = scene.queueAge.map { wording.asOf(secondsAgo: $0) }
        // An old report must not say "now".
        let calling = facts.age == nil ? text("Now calling") : text("Last called")
        let called = queue.calling.map(\.text).joined(separator: " ")
        facts.tiles.append(
            HomeFacts.Tile(
                label: calling, value: called.isEmpty ? "–" : called, isMissing: called.isEmpty,
                numbers: queue.calling, said: called.isEmpty ? "" : nil))
        // A customer who decides at a machine just now holds a place and is ahead, but does not wait.
        let isNow = queue.isTicketAvailable && queue.wait?.isNow == true && facts.age == nil
        let hasNoneWaiting =
            !isNow && queue.waiting == 0 && queue.wait?.isFirst ?? true
        facts.tiles.append(
            HomeFacts.Tile(
                label: text("Waiting"), value: String(queue.waiting),
                said: queue.waiting > 0
                    ? plural(
                        "{n} person is waiting.", "{n} people are waiting.", queue.waiting)
                    : hasNoneWaiting ? text("Nobody is waiting.") : ""))
        if !queue.isTicketAvailable {
            let news = text("No tickets are left for today.")
            facts.news = news
            facts.tiles.append(HomeFacts.Tile(label: news))
        } else if let wait = queue.wait {
            facts.tiles.append(
                HomeFacts.Tile(
                    label: text("Waiting time"),
                    value: wait.isNow ? text("none") : wording.waitForTicket(wait),
                    said: isNow ? text("No wait at the moment") : nil))
        }
        return facts
    }

    // MARK: The strip of facts

    private var stripLabelRows: Int {
        max(captionRows, size.rows < 40 || division.isSparing ? 1 : 2)
    }

    /// Rows of cells for a fact's value; with large letters as many as its goal needs.
    private var stripValueRows: Int {
        let rows = size.rows < 28 ? 2 : size.rows < 40 ? 4 : 7
        guard isLarge else { return rows }
        let wanted = normalHeights.numbers.reduce(rows + 1) {
            max($0, (normalHeights.goal(of: $1) + 1) / 2)
        }
        // Both buttons keep at least 5 rows, with one between them.
        return max(
            rows, min(wanted, (middle.rows - hintRows - 11) / stripLines - stripLabelRows))
    }

    /// With large letters on the coarsest grid the facts have the row of the hint.
    private var hintRows: Int { isLarge && isTight && scene.queueAge == nil ? 0 : captionRows }

    /// With large letters on a high upright panel the wait is under the two numbers.
    private var stripLines: Int { isLarge && isUpright && size.rows >= 56 ? 2 : 1 }

    private var stripRows: Int { stripLines * (stripLabelRows + stripValueRows) }

    /// The places of the facts: two numbers, one, and the wait, which has a unit, if it is there.
    private func stripPlaces(_ count: Int, in area: Rectangle) -> [Rectangle] {
        let gap = margin
        if count == 2 { return Self.places([(area.columns - gap) / 2], gap: gap, in: area) }
        if stripLines == 2 {
            let (upper, lower) = area.splitTop(area.rows / 2)
            return Self.places([(upper.columns - gap) * 5 / 8], gap: gap, in: upper) + [lower]
        }
        // Shares of which the first has room for 18 letters on the coarsest grid.
        let room = area.columns - 2 * gap
        return Self.places([room * 18 / 56, room * 11 / 56], gap: gap, in: area)
    }

    private mutating func draw(_ tiles: [HomeFacts.Tile], in area: Rectangle) {
        let places = Array(zip(tiles, stripPlaces(tiles.count, in: area)))
        // All values have the same size, the largest in which each has room; large letters are as large as they can be.
        let rows =
            isLarge && !typeface.hasShapes
            ? stripValueRows
            : places.compactMap { tile, place in
                tile.value.map { _ in
                    value(of: tile, columns: place.columns, rows: stripValueRows).rows
                }
            }.min() ?? 1
        // All labels have the same size too.
        let hasCaptions = places.allSatisfy { tile, place in
            let room = place.splitTop(stripLabelRows).top.size
            return tile.value == nil || typeface.caption(tile.label, fitting: room) != nil
        }
        for (tile, place) in places {
            draw(tile, rows: rows, hasCaption: hasCaptions, in: place)
        }
    }

    private mutating func draw(
        _ tile: HomeFacts.Tile, rows: Int, hasCaption: Bool, in area: Rectangle
    ) {
        guard tile.value != nil else {
            return surface.setCentred(tile.label, in: area, theme.screen.bolded)
        }
        let (label, number) = area.splitTop(stripLabelRows)
        let value = value(of: tile, columns: area.columns, rows: rows)
        var words = tile.label
        if value.hidden > 0 {
            let longer = plural(
                "{label}, and {n} more", "{label}, and {n} more", value.hidden, ["label": words])
            let isFitting =
                hasCaption
                ? typeface.caption(longer, fitting: label.size) != nil
                : TextWidth.of(longer) <= label.columns
            let shorter = "\(words) +\(value.hidden)"
            if isFitting {
                words = longer
            } else if TextWidth.of(shorter) <= label.columns {
                words = shorter
            }
        }
        if hasCaption, let line = typeface.caption(words, fitting: label.size) {
            surface.draw(line, in: label, theme.soft, .centre)
        } else {
            surface.set(lines: [words], in: label, theme.soft, .centre)
        }
        if tile.value?.contains(where: \.isNumber) == true { heights.numbers.insert(tile.label) }
        if !tile.isMissing { heights.all[tile.label] = value.height }
        let place = number.centred(rows: value.rows, columns: value.columns)
        var column = place.column
        for segment in value.line {
            // Words share their base line with the digits.
            let row = place.row + value.rows - segment.rows
            if let figure = segment.figure {
                surface.draw(figure, row: row, column: column, theme.screen)
            } else {
                surface.put(segment.words, row: row, column: column, theme.screen.bolded)
            }
            column += segment.columns
        }
    }

    /// A tile's value in the largest letters for which there is room; of called numbers the newest ones.
    private func value(of tile: HomeFacts.Tile, columns: Int, rows: Int) -> TileValue {
        let room = GridSize(columns: columns, rows: rows)
        func set(_ words: String) -> TileValue? {
            let figure = rows > 1 ? large(words, fitting: room) : nil
            let whole = figure.map { TileValue(line: [TileSegment(words: words, figure: $0)]) }
            // With large letters at least the digits are large.
            let parts =
                isLarge && rows > 1 && !typeface.hasShapes
                ? segments(of: words, fitting: room) : nil
            let ways = [whole, parts.map { TileValue(line: $0) }].compactMap { $0 }
            if let best = ways.max(by: { $0.height < $1.height }) { return best }
            return TextWidth.of(words) <= columns ? TileValue(words) : nil
        }
        guard !tile.numbers.isEmpty else {
            let words = tile.value ?? ""
            return set(words) ?? TileValue(words)
        }
        // Home shows at most six numbers; customers find the others on the display.
        let most = min(6, tile.numbers.count)
        func words(_ count: Int) -> String {
            tile.numbers.prefix(count).map(\.text).joined(separator: " ")
        }
        // In the machine's own font no number is left out so that the others are larger.
        if typeface.hasShapes, rows > 1 {
            for count in (1...most).reversed() where large(words(count), fitting: room) != nil {
                var value = set(words(count)) ?? TileValue(words(count))
                value.hidden = tile.numbers.count - count
                return value
            }
        }
        var best = TileValue(tile.numbers[0].text)
        for count in 1...most {
            let words = words(count)
            guard var value = set(words), value.rows >= best.rows || count == 1 else { break }
            value.hidden = tile.numbers.count - count
            best = value
        }
        return best
    }
}

extension Canvas {
    private func large(_ words: String, fitting room: GridSize) -> Figure? {
        typeface.value(
            words, fitting: room, isLarge: isLarge, lines: 1)?.lines[0]
    }

    /// A value with its digits in large letters and its words in plain ones beside them; nil if it does not fit.
    private func segments(of value: String, fitting room: GridSize) -> [TileSegment]? {
        let isDigit = { (character: Character) in character.isNumber || character == "–" }
        for rows in stride(from: room.rows, through: 3, by: -1) {
            var rest = value[...]
            var line: [TileSegment] = []
            while let first = rest.first {
                let run = String(rest.prefix { isDigit($0) == isDigit(first) })
                rest = rest.dropFirst(run.count)
                let place = GridSize(columns: room.columns, rows: rows)
                line.append(
                    TileSegment(
                        words: run, figure: isDigit(first) ? large(run, fitting: place) : nil))
            }
            let value = TileValue(line: line)
            if value.height > 1, value.columns <= room.columns { return line }
        }
        return nil
    }
}

/// A fact's value as it is drawn.
private struct TileValue {
    var line: [TileSegment]
    /// How many called numbers are not shown.
    var hidden = 0

    init(line: [TileSegment]) { self.line = line }

    init(_ words: String) { line = [TileSegment(words: words, figure: nil)] }

    var rows: Int { line.map(\.rows).max() ?? 1 }
    var columns: Int { line.reduce(0) { $0 + $1.columns } }
    /// The height of the largest letters in half rows.
    var height: Int { line.compactMap(\.figure?.capHeight).max() ?? 1 }
}

/// A part of a fact's value: a drawing of its words, or the words themselves.
private struct TileSegment {
    let words: String
    let figure: Figure?

    var rows: Int { figure?.rows ?? 1 }
    var columns: Int { figure?.columns ?? TextWidth.of(words) }
}

extension Strings {
    /// A label and its value, for example "Printer: ready".
    func fact(_ label: String, _ value: String) -> String {
        text("{label}: {value}", context: "fact", ["label": label, "value": value])
    }
}

extension Surface {
    mutating func setCentred(_ text: String, in area: Rectangle, _ style: Style) {
        let lines = TextFlow.balanced(text, width: area.columns)
        set(
            lines: lines, in: area.centred(rows: lines.count, columns: area.columns), style,
            .centre)
    }
}
