import KioskFlow
import Reservations
import TerminalSurface

// Home: what the customer can do, and the state of the queue, shown before any touch.
extension Canvas {
    mutating func drawHome() {
        drawHeader()
        drawFoot(hint: text("What would you like to do?"))
        let facts = homeFacts()
        // Numbers are large, to be read from a few steps away, if the buttons keep their large letters.
        let areLarge = (isLarge || size.rows >= 28) && facts.sides.contains { $0.value != nil }
        let lines = areLarge ? [] : factLines(facts, columns: middle.columns)
        spoken.sentences += factLines(facts, columns: .max).joined()
        for fact in facts.sides where fact.value != nil {
            heights.numbers.insert(fact.label)
            heights.all[fact.label] = 1
        }
        // There is an empty row over and under the facts, unless they have two lines on the coarsest grid.
        let air = size.rows >= 24 || !areLarge && lines.count < 2 ? 1 : 0
        let rows = areLarge ? largeFactRows(facts) : lines.count
        let above = division.isSparing ? 0 : air
        let (top, buttons) = middle.splitTop(rows + above + air + (rows == 0 ? 1 : 0))
        if areLarge {
            drawLargeFacts(facts, in: top.splitTop(above).rest.splitBottom(air).rest)
        } else {
            drawFactLines(lines, isOld: facts.age != nil, in: top.inset(rows: air))
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
            lettering(of: [(first, area.splitBottom(share).rest.splitBottom(1).rest)])
                != .text
        }
        // With large letters the lower button may grow as long as the upper one keeps its large letters.
        let grown = share + division.furtherButtonRows
        let (upper, lower) = area.splitBottom(
            area.rows - grown > 5 && isMainLarge(grown) ? grown : share)
        placeAlike([(first, upper.splitBottom(1).rest)])
        placeAlike([(second, lower)])
    }
}

/// The facts on Home: their age, those side by side, and the one below.
struct HomeFacts {
    var age: String?
    var sides: [Fact] = []
    var below: String?

    struct Fact {
        let label: String
        var value: String?
        /// The called numbers; only as many as there is room for are shown.
        var numbers: [QueueNumber] = []
    }
}

extension Canvas {
    /// The facts about the queue: the called number on the left, the wait on the right.
    func homeFacts() -> HomeFacts {
        guard let queue = scene.service.queue else { return HomeFacts() }
        var facts = HomeFacts()
        facts.age = scene.queueAge.map { wording.asOf(secondsAgo: $0) }
        if !queue.calling.isEmpty {
            // An old report must not say "now".
            let label = facts.age == nil ? text("Now calling") : text("Last called")
            facts.sides.append(
                HomeFacts.Fact(label: label, value: queue.calling[0].text, numbers: queue.calling))
        }
        if !queue.ticketAvailable {
            facts.sides.append(HomeFacts.Fact(label: text("No tickets are left for today.")))
        } else if let estimate = queue.wait {
            let wait = Wait(estimate: estimate, quotedAt: queue.now)
            if wait.isNow, facts.age == nil {
                facts.sides.append(HomeFacts.Fact(label: text("No wait at the moment")))
                return facts
            }
            facts.sides.append(
                HomeFacts.Fact(
                    label: text("Waiting time"),
                    value: wait.isNow ? text("none") : wording.waitForTicket(wait)))
        }
        if queue.waiting > 0 {
            facts.below = plural("{n} person is waiting.", "{n} people are waiting.", queue.waiting)
        } else if queue.wait.map({ $0.peopleAhead == 0 }) ?? true {
            // A customer who decides at a machine just now holds a place and is ahead; only the wait is shown then.
            facts.below = text("Nobody is waiting.")
        }
        return facts
    }

    /// The newest of the called numbers, as many as fit, and how many more there are.
    private func called(_ numbers: [QueueNumber], fits: (String) -> Bool) -> String {
        // Home shows at most six numbers; customers find the others on the display.
        for count in stride(from: min(6, numbers.count), through: 1, by: -1) {
            let shown = numbers.prefix(count).map(\.text).joined(separator: " ")
            let rest = numbers.count - count
            let text =
                rest == 0
                ? shown
                : plural(
                    "{numbers} and {n} more", "{numbers} and {n} more", rest, ["numbers": shown])
            if fits(text) || count == 1 { return text }
        }
        return ""
    }

    // MARK: As lines

    /// The lines of the facts: each has one text in the middle, two at its ends, or a third between those.
    func factLines(_ facts: HomeFacts, columns: Int) -> [[String]] {
        func line(_ fact: HomeFacts.Fact, _ value: String) -> String {
            wording.fact(fact.label, value)
        }
        let sides = facts.sides.map { fact in
            guard let value = fact.value else { return fact.label }
            guard !fact.numbers.isEmpty else { return line(fact, value) }
            return line(fact, called(fact.numbers) { TextWidth.of(line(fact, $0)) <= columns })
        }
        func fits(_ texts: [String]) -> Bool {
            texts.map(TextWidth.of).reduce(0, +) + 3 * (texts.count - 1) <= columns
        }
        var lines = facts.age.map { [[$0]] } ?? []
        if let below = facts.below, sides.count == 2, fits([sides[0], below, sides[1]]) {
            return lines + [[sides[0], below, sides[1]]]
        }
        if !sides.isEmpty { lines += fits(sides) ? [sides] : sides.map { [$0] } }
        // On the coarsest grid the buttons leave three lines.
        if let below = facts.below, lines.count < 3 { lines.append([below]) }
        return lines
    }

    mutating func drawFactLines(_ lines: [[String]], isOld: Bool, in area: Rectangle) {
        var rest = area
        for (index, line) in lines.enumerated() {
            // The age of an old report is first, in the colour of warnings, so that it is not overlooked.
            let style = isOld && index == 0 ? theme.warning : theme.screen.bolded
            if let first = line.first, let last = line.last, line.count > 1 {
                surface.set(first, in: rest, style)
                surface.set(last, in: rest, style, .right)
                // The text is between the other two, not in the middle of the screen, so that it touches neither.
                let between = rest.splitLeft(TextWidth.of(first)).rest
                    .splitRight(TextWidth.of(last)).rest
                for text in line.dropFirst().dropLast() {
                    surface.set(text, in: between, style, .centre)
                }
            } else {
                surface.set(lines: line, in: rest.splitTop(1).top, style, .centre)
            }
            rest = rest.splitTop(1).rest
        }
    }

    // MARK: As large numbers

    /// Rows of cells for a number: at least three rows; with large letters as many as its goal needs.
    private var numberRows: Int {
        let rows = size.rows < 24 ? 3 : size.rows < 40 ? 4 : 7
        guard isLarge else { return rows }
        return heights.numbers.reduce(rows) { max($0, (normalHeights.goal(of: $1) + 1) / 2) }
    }

    /// Rows of the label, with an empty row under it if there is room.
    private var labelRows: Int { size.rows < 40 || division.isSparing ? 1 : 2 }

    /// Whether facts are one below the other: with large letters on an upright panel.
    private var areStacked: Bool { isLarge && isUpright }

    func largeFactRows(_ facts: HomeFacts) -> Int {
        (facts.age == nil ? 0 : 1) + (areStacked ? max(1, facts.sides.count) : 1)
            * (labelRows + numberRows) + (facts.below == nil || division.isSparing ? 0 : 2)
    }

    /// Draws each fact under its label: the called number on the left, the wait on the right.
    mutating func drawLargeFacts(_ facts: HomeFacts, in area: Rectangle) {
        var rest = area
        if let age = facts.age {
            surface.set(age, in: rest, theme.warning, .centre)
            rest = rest.splitTop(1).rest
        }
        let rows = labelRows + numberRows
        for (index, fact) in facts.sides.enumerated() {
            if areStacked, index > 0 { rest = rest.splitTop(rows).rest }
            drawLargeFact(fact, in: place(of: index, among: facts.sides.count, in: rest))
        }
        if let text = facts.below, !division.isSparing {
            surface.set(text, in: rest.splitTop(rows + 1).rest, theme.screen.bolded, .centre)
        }
    }

    /// Places facts side by side; with large letters the wait, which has a unit, has twice the columns of a number.
    private func place(of index: Int, among count: Int, in area: Rectangle) -> Rectangle {
        let row = area.splitTop(labelRows + numberRows).top
        guard count > 1, !areStacked else { return row }
        let columns = row.columns - 2 * margin
        let left = columns / (isLarge ? 3 : 2)
        return index == 0
            ? row.splitLeft(left).left
            : Rectangle(
                row: row.row, column: row.column + left + 2 * margin, rows: row.rows,
                columns: isLarge ? columns - left : left)
    }

    private mutating func drawLargeFact(_ fact: HomeFacts.Fact, in area: Rectangle) {
        let room = GridSize(columns: area.columns, rows: numberRows)
        let style = theme.screen.bolded
        let (label, number) = area.splitTop(labelRows)
        var words = fact.label
        guard var value = fact.value else { return surface.setCentred(words, in: area, style) }
        if !fact.numbers.isEmpty {
            // At most the three newest numbers are shown, to keep them large; the label counts the others.
            let goal = normalHeights.goal(of: fact.label)
            let fitting = (1...min(3, fact.numbers.count)).last { count in
                let text = fact.numbers.prefix(count).map(\.text).joined(separator: " ")
                return large(text, fitting: room).map { !isLarge || $0.capHeight >= goal } ?? false
            }
            value = fact.numbers.prefix(fitting ?? 1).map(\.text).joined(separator: " ")
            let rest = fact.numbers.count - (fitting ?? 1)
            if rest > 0 {
                let longer = plural(
                    "{label}, and {n} more", "{label}, and {n} more", rest, ["label": words])
                if TextWidth.of(longer) <= label.columns { words = longer }
            }
        }
        surface.set(words, in: label, theme.screen, .centre)
        let (line, unit) = self.pieces(of: value, fitting: room)
        guard let height = line.height else { return surface.setCentred(value, in: number, style) }
        heights.all[fact.label] = height
        let rows = line.map(\.rows).max() ?? 0
        let place = number.centred(rows: rows + (unit == nil ? 0 : 1), columns: line.columns)
        var column = place.column
        for piece in line {
            // Words share their base line with the digits.
            let row = place.row + rows - piece.rows
            if let figure = piece.figure {
                surface.draw(figure, row: row, column: column, style)
            } else {
                surface.put(piece.words, row: row, column: column, style)
            }
            column += piece.columns
        }
        if let unit {
            let below = Rectangle(
                row: place.row + rows, column: number.column, rows: 1, columns: number.columns)
            surface.set(unit, in: below, style, .centre)
        }
    }

    /// A value in large letters, or at least its digits in large letters with the unit in a row below. With large
    /// text, words of one row may also be before, between and behind the digits. The line has no bitmap if nothing
    /// of it fits.
    private func pieces(
        of value: String, fitting room: GridSize
    ) -> (line: [FactSegment], unit: String?) {
        func piece(_ words: some StringProtocol, _ room: GridSize) -> FactSegment {
            FactSegment(words: String(words), figure: large(String(words), fitting: room))
        }
        var ways: [(line: [FactSegment], unit: String?)] = [([piece(value, room)], nil)]
        let isDigit = { (character: Character) in character.isNumber || character == "–" }
        let digits = value.prefix(while: isDigit)
        let unit = value[digits.endIndex...]
        if !digits.isEmpty, unit.first == " ", !unit.contains(where: isDigit) {
            let above = GridSize(columns: room.columns, rows: room.rows - 1)
            ways.append(([piece(digits, above)], String(unit.dropFirst())))
        }
        ways.removeAll { $0.line.height == nil }
        guard isLarge else { return ways.first ?? ([], nil) }
        for rows in stride(from: room.rows, through: 3, by: -1) {
            var rest = value[...]
            var line: [FactSegment] = []
            while let first = rest.first {
                let run = rest.prefix { isDigit($0) == isDigit(first) }
                rest = rest.dropFirst(run.count)
                line.append(
                    isDigit(first)
                        ? piece(run, GridSize(columns: room.columns, rows: rows))
                        : FactSegment(words: String(run), figure: nil))
            }
            guard line.columns <= room.columns else { continue }
            ways.append((line, nil))
            break
        }
        return ways.max { $0.line.height ?? 0 < $1.line.height ?? 0 } ?? ([], nil)
    }

    /// A value in one line, as large as there is room for; large digits have only one dash.
    private func large(_ words: String, fitting room: GridSize) -> Figure? {
        let words = words.replacing("–", with: "-")
        return typeface.value(words, fitting: room, isLarge: isLarge, lines: 1)?.lines.first
    }
}

/// A part of a fact's value: a drawing of its words, or the words themselves.
private struct FactSegment {
    let words: String
    let figure: Figure?

    var rows: Int { figure?.rows ?? 1 }
    var columns: Int { figure?.columns ?? TextWidth.of(words) }
}

extension [FactSegment] {
    fileprivate var columns: Int { reduce(0) { $0 + $1.columns } }
    /// The height of the largest drawing; nil if there is none.
    fileprivate var height: Int? { compactMap(\.figure?.capHeight).max() }
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
