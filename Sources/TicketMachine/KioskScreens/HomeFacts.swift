import KioskFlow
import Reservations
import TerminalSurface

// What Home tells of the queue, as lines of text or in large numbers.

/// What Home tells: how old it is, what stands side by side, and what stands below.
struct HomeFacts {
    var age: String?
    var sides: [Fact] = []
    var below: String?

    struct Fact {
        let label: String
        var value: String?
        /// Numbers that are called; they are cut to what has room.
        var numbers: [QueueNumber] = []
    }
}

extension Canvas {
    /// What is called now on the left, what waits on the right.
    func homeFacts(_ scene: Scene) -> HomeFacts {
        guard let queue = scene.queue else { return HomeFacts() }
        var facts = HomeFacts()
        facts.age = scene.queueAge.map { wording.asOf(secondsAgo: $0) }
        if !queue.calling.isEmpty {
            // What is old must not say "now".
            let label =
                facts.age == nil ? wording.text("Now calling") : wording.text("Last called")
            facts.sides.append(
                HomeFacts.Fact(label: label, value: queue.calling[0].text, numbers: queue.calling))
        }
        if !queue.ticketAvailable {
            facts.sides.append(
                HomeFacts.Fact(label: wording.text("No tickets are left for today.")))
        } else if let estimate = queue.wait {
            let wait = Wait(estimate: estimate, told: queue.now)
            if wait.isNow, facts.age == nil {
                facts.sides.append(
                    HomeFacts.Fact(label: wording.text("No wait at the moment")))
                return facts
            }
            facts.sides.append(
                HomeFacts.Fact(
                    label: wording.text("Wait for a ticket"),
                    value: wait.isNow ? wording.text("none") : wording.waitForTicket(wait)))
        }
        if queue.waiting > 0 {
            facts.below = wording.plural(
                "{n} person is waiting.", "{n} people are waiting.", queue.waiting)
        } else if queue.wait.map({ $0.peopleAhead == 0 }) ?? true {
            // Who decides at a machine just now holds a place and is ahead: the wait alone is true then.
            facts.below = wording.text("Nobody is waiting.")
        }
        return facts
    }

    /// The newest of the numbers called, as many as fit, and how many more there are.
    private func called(_ numbers: [QueueNumber], fits: (String) -> Bool) -> String {
        // More than six are looked up on the display, not here.
        for count in stride(from: min(6, numbers.count), through: 1, by: -1) {
            let shown = numbers.prefix(count).map(\.text).joined(separator: " ")
            let rest = numbers.count - count
            let text =
                rest == 0
                ? shown
                : wording.plural(
                    "{numbers} and {n} more", "{numbers} and {n} more", rest,
                    ["numbers": shown])
            if fits(text) || count == 1 { return text }
        }
        return ""
    }

    // MARK: As lines

    /// Lines of a text left and one right, of one between them too, or of one alone in the middle.
    func factLines(_ facts: HomeFacts, columns: Int) -> [[String]] {
        func line(_ fact: HomeFacts.Fact, _ value: String) -> String {
            wording.text(
                "{label}: {value}", context: "fact", ["label": fact.label, "value": value])
        }
        let sides = facts.sides.map { fact in
            guard let value = fact.value else { return fact.label }
            guard !fact.numbers.isEmpty else { return line(fact, value) }
            return line(
                fact, called(fact.numbers) { TextWidth.of(line(fact, $0)) <= columns })
        }
        func fits(_ texts: [String]) -> Bool {
            texts.map(TextWidth.of).reduce(0, +) + 3 * (texts.count - 1) <= columns
        }
        var lines = facts.age.map { [[$0]] } ?? []
        if let below = facts.below, sides.count == 2, fits([sides[0], below, sides[1]]) {
            return lines + [[sides[0], below, sides[1]]]
        }
        if !sides.isEmpty { lines += fits(sides) ? [sides] : sides.map { [$0] } }
        // On the coarsest grid three lines are what the buttons leave.
        if let below = facts.below, lines.count < 3 { lines.append([below]) }
        return lines
    }

    mutating func drawFactLines(
        _ lines: [[String]], isOld: Bool, in area: Rectangle
    ) {
        var rest = area
        for (index, line) in lines.enumerated() {
            // How old it is stands first, and is not to be overlooked.
            let style = isOld && index == 0 ? theme.warning : theme.screen.bolded
            if let first = line.first, let last = line.last, line.count > 1 {
                surface.set(first, in: rest, style)
                surface.set(last, in: rest, style, .right)
                // Between the two, not in the middle of the screen: it must not touch either.
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

    /// Rows of cells for a number: as tall as three lines and more of text.
    private var numberRows: Int { size.rows < 40 ? 4 : 7 }

    /// The label, and air under it where there is room.
    private var labelRows: Int { size.rows < 40 ? 1 : 2 }

    func largeFactRows(_ facts: HomeFacts) -> Int {
        (facts.age == nil ? 0 : 1) + labelRows + numberRows + (facts.below == nil ? 0 : 2)
    }

    /// Each under its label; what is called on the left, what waits on the right.
    mutating func drawLargeFacts(_ facts: HomeFacts, in area: Rectangle) {
        var rest = area
        if let age = facts.age {
            surface.set(age, in: rest, theme.warning, .centre)
            rest = rest.splitTop(1).rest
        }
        let (sides, below) = rest.splitTop(labelRows + numberRows)
        let width = (sides.columns - 2 * margin) / max(1, facts.sides.count)
        for (index, fact) in facts.sides.enumerated() {
            let column = sides.column + index * (width + 2 * margin)
            let place = Rectangle(
                row: sides.row, column: column, rows: sides.rows, columns: width)
            drawLargeFact(fact, in: place)
        }
        if let text = facts.below {
            surface.set(text, in: below.splitTop(1).rest, theme.screen.bolded, .centre)
        }
    }

    private mutating func drawLargeFact(_ fact: HomeFacts.Fact, in area: Rectangle) {
        let room = GridSize(columns: area.columns, rows: numberRows)
        let style = theme.screen.bolded
        let (label, number) = area.splitTop(labelRows)
        var words = fact.label
        guard var value = fact.value else {
            return surface.setCentred(words, in: area, style)
        }
        if !fact.numbers.isEmpty {
            // The newest, and how many more there are beside the label: three keep them large.
            let fitting = (1...min(3, fact.numbers.count)).last { count in
                let text = fact.numbers.prefix(count).map(\.text).joined(separator: " ")
                return large(text, fitting: room) != nil
            }
            value = fact.numbers.prefix(fitting ?? 1).map(\.text).joined(separator: " ")
            let rest = fact.numbers.count - (fitting ?? 1)
            if rest > 0 {
                words = wording.plural(
                    "{label}, and {n} more", "{label}, and {n} more", rest, ["label": words])
            }
        }
        surface.set(words, in: label, theme.screen, .centre)
        if let bitmap = large(value, fitting: room) {
            let place = number.centred(rows: bitmap.rows, columns: bitmap.columns)
            return surface.draw(bitmap, row: place.row, column: place.column, theme.screen)
        }
        // The digits at least, their unit under them.
        let parts = value.split(separator: " ", maxSplits: 1)
        let above = GridSize(columns: room.columns, rows: room.rows - 1)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isNumber || $0 == "–" }),
            let digits = large(String(parts[0]), fitting: above)
        else { return surface.setCentred(value, in: number, style) }
        let place = number.centred(rows: digits.rows + 1, columns: number.columns)
        surface.draw(
            digits, row: place.row, column: place.column + (place.columns - digits.columns) / 2,
            theme.screen)
        surface.set(String(parts[1]), in: place.splitTop(digits.rows).rest, style, .centre)
    }

    /// Digits as large as fits; letters in one line beside them.
    private func large(_ words: String, fitting room: GridSize) -> Bitmap? {
        // Large digits have one dash.
        let text = words.replacing("–", with: "-")
        return BigDigits.largest(text, fitting: room)
            ?? BigDigits.largest(amount: text, fitting: room)
            ?? BigText.largest(text, fitting: room)?.first
            ?? SmallCapitals.lines(text, fitting: room)?.first
    }
}

extension Surface {
    /// Sets a text into the middle of a rectangle.
    mutating func setCentred(_ text: String, in area: Rectangle, _ style: Style) {
        let lines = TextFlow.balanced(text, width: area.columns)
        set(
            lines: lines, in: area.centred(rows: lines.count, columns: area.columns), style,
            .centre)
    }
}
