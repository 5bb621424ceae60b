import KioskFlow
import Reservations
import TerminalSurface

// Home: what the customer can do, and the state of the queue, shown before any touch.
extension Canvas {
    mutating func drawHome() {
        drawHeader()
        drawFoot()
        let facts = homeFacts()
        spoken.sentences += facts.sentences(wording)
        // An empty row keeps the facts apart from the top line, except on the coarsest grid.
        let above = size.rows >= 24 && !division.isSparing ? 1 : 0
        let (strip, rest) = middle.splitTop(above).rest.splitTop(stripRows)
        draw(facts.tiles, in: strip)
        let (hint, buttons) = rest.splitTop(1)
        // The age of an old report is in the colour of warnings, so that it is not overlooked.
        if let age = facts.age {
            setHint(age, in: hint, theme.warning)
        } else {
            setHint(text("What would you like to do?"), in: hint)
        }
        // A touch always asks for a ticket, because one may have become free; the label names what a touch
        // leads to now.
        let isVisit = scene.service.queue?.ticketAvailable == false
        let main = Button(
            .getTicket, isVisit ? text("Book a visit") : text("Get a ticket"),
            subtitle: isVisit
                ? text("at the next free time, for one person")
                : text("for today, for one person"), isMain: true)
        placeChoices(
            main,
            Button(
                .findReservation, text("Cancel a reservation"),
                subtitle: text("or see how long you still have to wait")), in: buttons)
    }

    /// Places what most people want over what some want, each in letters as large as there is room for.
    private mutating func placeChoices(_ first: Button, _ second: Button, in area: Rectangle) {
        let share = max(5, area.rows * 2 / 5)
        func isMainLarge(_ share: Int) -> Bool {
            lettering(of: [(first, area.splitBottom(share).rest.splitBottom(1).rest)]) != .text
        }
        // With large letters the lower button may grow as long as the upper one keeps its large letters.
        let grown = share + division.furtherButtonRows
        let (upper, lower) = area.splitBottom(
            area.rows - grown > 5 && isMainLarge(grown) ? grown : share)
        placeAlike([(first, upper.splitBottom(1).rest)])
        // What most people want has the larger letters.
        if typeface.hasShapes, !isLarge {
            place(second, in: lower, .label)
        } else {
            placeAlike([(second, lower)])
        }
    }
}

/// The facts on Home: their age, and a tile for each.
struct HomeFacts {
    var age: String?
    var tiles: [Tile] = []

    struct Tile {
        let label: String
        /// A value in large letters; without one the label is a sentence.
        var value: String?
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
        guard let queue = scene.service.queue else { return HomeFacts() }
        var facts = HomeFacts()
        facts.age = scene.queueAge.map { wording.asOf(secondsAgo: $0) }
        // An old report must not say "now".
        let calling = facts.age == nil ? text("Now calling") : text("Last called")
        let called = queue.calling.map(\.text).joined(separator: " ")
        facts.tiles.append(
            HomeFacts.Tile(
                label: calling, value: called.isEmpty ? "–" : called, numbers: queue.calling,
                said: called.isEmpty ? "" : nil))
        // A customer who decides at a machine just now holds a place and is ahead, but does not wait.
        let isNobody = queue.waiting == 0 && queue.wait.map { $0.peopleAhead == 0 } ?? true
        facts.tiles.append(
            HomeFacts.Tile(
                label: text("Waiting"), value: String(queue.waiting),
                said: queue.waiting > 0
                    ? plural(
                        "{n} person is waiting.", "{n} people are waiting.", queue.waiting)
                    : isNobody ? text("Nobody is waiting.") : ""))
        if !queue.ticketAvailable {
            facts.tiles.append(HomeFacts.Tile(label: text("No tickets are left for today.")))
        } else if let estimate = queue.wait {
            let wait = Wait(estimate: estimate, quotedAt: queue.now)
            facts.tiles.append(
                HomeFacts.Tile(
                    label: text("Waiting time"),
                    value: wait.isNow ? text("none") : wording.waitForTicket(wait),
                    said: wait.isNow && facts.age == nil ? text("No wait at the moment") : nil))
        }
        return facts
    }

    // MARK: The strip of facts

    private var stripLabelRows: Int { size.rows < 40 || division.isSparing ? 1 : 2 }

    /// Rows of cells for a fact's value; with large letters as many as its goal needs.
    private var stripValueRows: Int {
        let rows = size.rows < 28 ? 2 : size.rows < 40 ? 4 : 7
        guard isLarge else { return rows }
        return heights.numbers.reduce(rows + 1) { max($0, (normalHeights.goal(of: $1) + 1) / 2) }
    }

    private var stripRows: Int { stripLabelRows + stripValueRows }

    /// The places of the three facts: two numbers, one, and the wait, which has a unit.
    private func stripPlaces(in area: Rectangle) -> [Rectangle] {
        let gap = margin
        let share = (area.columns - 2 * gap) / 10
        return Self.places([3 * share, 2 * share], gap: gap, in: area)
    }

    private mutating func draw(_ tiles: [HomeFacts.Tile], in area: Rectangle) {
        let places = Array(zip(tiles, stripPlaces(in: area)))
        // All values have the same size: the largest in which each has room.
        let rows = places.compactMap { tile, place in
            tile.value.map { _ in value(of: tile, columns: place.columns, rows: stripValueRows).rows }
        }.min() ?? 1
        for (tile, place) in places { draw(tile, rows: rows, in: place) }
    }

    private mutating func draw(_ tile: HomeFacts.Tile, rows: Int, in area: Rectangle) {
        guard tile.value != nil else {
            return surface.setCentred(tile.label, in: area, theme.screen.bolded)
        }
        let (label, number) = area.splitTop(stripLabelRows)
        let value = value(of: tile, columns: area.columns, rows: rows)
        var words = tile.label
        if value.hidden > 0 {
            let longer = plural(
                "{label}, and {n} more", "{label}, and {n} more", value.hidden, ["label": words])
            if TextWidth.of(longer) <= label.columns { words = longer }
        }
        surface.set(lines: [words], in: label, theme.soft, .centre)
        heights.numbers.insert(tile.label)
        heights.all[tile.label] = value.large?.capHeight ?? 1
        if let large = value.large {
            surface.draw(
                large, in: number.centred(rows: large.rows, columns: number.columns),
                theme.screen, .centre)
        } else {
            surface.set(
                lines: [value.words], in: number.centred(rows: 1, columns: number.columns),
                theme.screen.bolded, .centre)
        }
    }

    /// A tile's value in the largest letters for which there is room; of called numbers the newest ones.
    private func value(of tile: HomeFacts.Tile, columns: Int, rows: Int) -> TileValue {
        let room = GridSize(columns: columns, rows: rows)
        func set(_ words: String) -> TileValue? {
            let large = rows > 1
                ? typeface.value(words, fitting: room, isLarge: isLarge, lines: 1) : nil
            guard large != nil || TextWidth.of(words) <= columns else { return nil }
            return TileValue(words: words, large: large)
        }
        guard !tile.numbers.isEmpty else {
            let words = tile.value ?? ""
            return set(words) ?? TileValue(words: words)
        }
        // Home shows at most six numbers; customers find the others on the display.
        var best = TileValue(words: tile.numbers[0].text)
        for count in 1...min(6, tile.numbers.count) {
            let words = tile.numbers.prefix(count).map(\.text).joined(separator: " ")
            guard var value = set(words), value.rows >= best.rows || count == 1 else { break }
            value.hidden = tile.numbers.count - count
            best = value
        }
        return best
    }
}

/// A fact's value as it is drawn: in large letters, or in plain ones.
private struct TileValue {
    var words: String
    var large: LargeText?
    /// How many called numbers are not shown.
    var hidden = 0

    var rows: Int { large?.rows ?? 1 }
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
