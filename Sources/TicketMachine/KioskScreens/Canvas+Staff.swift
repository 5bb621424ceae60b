import KioskFlow
import TerminalSurface

// Maintenance mode: its top line, the layout of its screens, its lists and its grids of buttons.
extension Canvas {
    mutating func drawStaff(_ visit: StaffSession) {
        spoken.screen = "staff-\(visit.screen.rawValue)"
        if visit.screen == .touchTest { return drawTouchTest(visit) }
        if helpCalls.isEmpty || visit.screen == .help {
            drawStaffHeader(visit)
        } else {
            drawHelpCalls(on: visit.screen)
        }
        // Each question has a screen name of its own, so that the focus of the keys starts again on it.
        if let question = visit.question {
            spoken.screen += "-question"
            return drawQuestion(question)
        }
        if let form = visit.form {
            spoken.screen += "-form"
            return drawForm(form)
        }
        switch visit.screen {
        case .overview: drawOverview(visit)
        case .printer: drawPrinters(visit)
        case .jobs: drawJobs(visit)
        case .papers:
            guard let paper = visit.chosen else { return drawReceipts(visit) }
            spoken.screen += "-question"
            drawReprint(paper)
        case .reader: drawReader(visit)
        case .screen: drawScreenTests()
        case .touchTest: break
        case .colours: drawColours()
        case .letters: drawLetters()
        case .sound: drawSound()
        case .network: drawNetwork()
        case .queue: drawQueue(visit)
        case .phones: drawPhones(visit)
        case .events: drawEvents(visit)
        case .machine: drawMachine(visit)
        case .help: drawHelpCall(visit)
        case .message: drawMessages()
        case .people:
            let member = visit.member.flatMap { name in
                scene.staffFacts?.members?.first { $0.person.name == name }
            }
            guard let member else { return drawPeople(visit) }
            spoken.screen += "-member"
            drawMember(member, visit)
        }
    }

    /// Shows which staff member is signed in and when maintenance mode ends by itself.
    private mutating func drawStaffHeader(_ visit: StaffSession) {
        let ends = text("ends in {time}", ["time": wording.countdown(scene.staffLeft ?? 0)])
        let role = visit.person.role == .manager ? " (\(text("manager")))" : ""
        drawBand(right: ends, theme.header, limit: 40) { [wording] limit in
            let name = PlainText.clean(visit.person.name, limit: limit)
            let title =
                visit.screen == .overview
                ? wording.text("Maintenance - {name}", ["name": name])
                : "\(wording.name(visit.screen)) - \(name)"
            return title + role
        }
    }

    // MARK: Layout of the screens

    /// Everything under the top line, after an empty row if there is room.
    var staffArea: Rectangle {
        let below = surface.bounds.splitTop(headerRows).rest.inset(columns: margin)
        return isTight ? below : below.splitTop(1).rest
    }

    /// Rows of the staff's buttons; on the coarsest grid they are as high as the keys of the keypad.
    var staffButtonRows: Int { size.rows < 24 ? 3 : size.rows < 40 ? 4 : 7 }

    /// Rows of buttons with a second line of words.
    var wideButtonRows: Int { max(4, staffButtonRows) }

    /// Rows of a button that is alone on a screen.
    var tallButtonRows: Int { max(5, staffButtonRows) }

    /// Columns of a page's seven buttons and *Back*.
    var staffColumns: Int { typeface.hasShapes && isUpright && hasSmallCells ? 2 : 4 }

    /// The area for text above a page's buttons.
    var staffText: Rectangle { staffDivided(rows: 8 / staffColumns, height: wideButtonRows).text }

    /// Places at most seven buttons of a page; *Back* is the first of the last row, as on every page.
    mutating func placeStaffButtons(_ buttons: [Button?]) {
        var all = buttons + Array(repeating: nil, count: 7 - buttons.count)
        all.insert(back, at: 8 - staffColumns)
        let area = staffDivided(rows: 8 / staffColumns, height: wideButtonRows).buttons
        placeGrid(all, columns: staffColumns, height: wideButtonRows, in: area)
    }

    /// The areas for text above and rows of buttons below it.
    func staffDivided(rows: Int, height: Int? = nil) -> (text: Rectangle, buttons: Rectangle) {
        let (content, buttons) = staffArea.splitBottom(rows * ((height ?? staffButtonRows) + 1) - 1)
        return (content.splitBottom(1).rest, buttons)
    }

    /// Places blocks row after row, in the largest letters for which all have room; a nil leaves its place free.
    mutating func placeGrid(
        _ buttons: [Button?], columns: Int, height: Int? = nil, in area: Rectangle
    ) {
        let height = height ?? staffButtonRows
        let gap = max(1, margin / 2)
        let widths = columnWidths(
            of: buttons, columns: columns, height: height, room: area.columns - gap * (columns - 1))
        let placed = buttons.enumerated().compactMap { index, button -> (Button, Rectangle)? in
            guard var button else { return nil }
            button.isListed = true
            let column = index % columns
            let left = widths.prefix(column).reduce(area.column) { $0 + $1 + gap }
            let place = Rectangle(
                row: area.row + index / columns * (height + 1), column: left, rows: height,
                columns: widths[column])
            return (button, place)
        }
        // *Back* has the same size on every page of the staff.
        let lettering =
            typeface.hasShapes ? min(lettering(of: placed), .label) : lettering(of: placed)
        for (button, area) in placed { place(button, in: area, lettering) }
    }

    /// Equal widths if each label fits its block; otherwise a column too narrow for its words takes from the
    /// one with most columns to spare.
    private func columnWidths(of buttons: [Button?], columns: Int, height: Int, room: Int) -> [Int]
    {
        // The last columns take what the equal shares leave, so that a grid ends where its area does.
        var widths = (0..<columns).map { room * ($0 + 1) / columns - room * $0 / columns }
        let needed = widths.indices.map { column in
            stride(from: column, to: buttons.count, by: columns)
                .compactMap { buttons[$0]?.listedWidth(rows: height) }.max() ?? 0
        }
        func spare(_ column: Int) -> Int { widths[column] - needed[column] }
        while let narrow = widths.indices.first(where: { spare($0) < 0 }),
            let wide = widths.indices.max(by: { spare($0) < spare($1) }), spare(wide) > 0
        {
            widths[wide] -= 1
            widths[narrow] += 1
        }
        return widths
    }

    // MARK: Lines

    /// Sets lines one below the other with their names in a column, in capitals if there is room; a fault is
    /// marked by a sign and by words.
    ///
    /// If there is no room for all, lines without a fault are left out, the last one first.
    mutating func setLines(_ all: [StaffLine], in area: Rectangle) {
        for line in all { say(line.sentence(wording)) }
        if setLinesLarge(all, in: area) { return }
        var lines = all
        while rows(lines, columns: area.columns) > area.rows,
            let well = lines.lastIndex(where: { $0.health != .wrong })
        { lines.remove(at: well) }
        let names = lines.map { TextWidth.of($0.name) }.max() ?? 0
        // An empty row separates the lines if there is room.
        let isApart = isUpright || typeface.hasShapes
        let air = isApart && rows(lines, columns: area.columns) * 2 <= area.rows ? 1 : 0
        var rest = area
        for line in lines {
            let style = line.health == .wrong ? theme.warning : theme.screen
            let (sign, words) = rest.splitLeft(Self.signColumns)
            let (name, text) = words.splitLeft(names + 2)
            drawLight(line.health, row: sign.row, column: sign.column)
            surface.put(line.name, row: name.row, column: name.column, style.bolded)
            let rows = surface.set(line.words, in: text, style)
            rest = rest.splitTop(max(1, rows) + air).rest
        }
    }

    /// Whether letters of three rows can be used, which only suit grids with small cells.
    var hasSmallCells: Bool { size.rows >= 40 }

    static let signColumns = 3

    /// Draws the light of a part: a shape in its colour, or a sign of two letters where there are no shapes.
    mutating func drawLight(
        _ health: StaffLine.Health, row: Int, column: Int, isLarge: Bool = false
    ) {
        let style =
            switch health {
            case .fact: theme.screen
            case .good: typeface.hasShapes ? theme.good : theme.screen
            case .wrong: theme.warning
            case .unknown: typeface.hasShapes ? theme.soft : theme.screen
            }
        if let light = typeface.shape(health.light + (isLarge ? "-2" : "")) {
            surface.draw(light, row: row, column: column, style)
        } else {
            surface.put(health.sign, row: row, column: column, style.bolded)
        }
    }

    /// Rows from one large line of a list to the next.
    private var largeLineRows: Int { typeface.hasShapes ? (hasSmallCells ? 3 : 2) : 4 }

    /// Sets all lines large; draws nothing and returns false if one has no room or no such letters.
    private mutating func setLinesLarge(_ lines: [StaffLine], in area: Rectangle) -> Bool {
        guard hasSmallCells || typeface.hasShapes, !lines.isEmpty else { return false }
        let drawn = lines.map { line in
            [line.name, line.words].compactMap { typeface.listLine($0) }
        }
        guard drawn.allSatisfy({ $0.count == 2 }) else { return false }
        let height = drawn.joined().map(\.rows).max() ?? 0
        guard (lines.count - 1) * largeLineRows + height <= area.rows else { return false }
        let names = drawn.map { $0[0].columns }.max() ?? 0
        let signs = typeface.hasShapes ? Self.signColumns + 1 : 10
        let gap = typeface.hasShapes ? 2 : 4
        guard drawn.allSatisfy({ signs + names + gap + $0[1].columns <= area.columns }) else {
            return false
        }
        for (index, (line, words)) in zip(lines, drawn).enumerated() {
            let style = line.health == .wrong ? theme.warning : theme.screen
            let row = area.row + index * largeLineRows
            if typeface.hasShapes {
                drawLight(line.health, row: row, column: area.column, isLarge: true)
            } else if let sign = typeface.listLine(line.health.sign) {
                surface.draw(sign, row: row, column: area.column, style)
            }
            surface.draw(words[0], row: row, column: area.column + signs, style)
            surface.draw(words[1], row: row, column: area.column + signs + names + gap, style)
        }
        return true
    }

    /// Rows of these lines in so many columns.
    func rows(_ lines: [StaffLine], columns: Int) -> Int {
        let width = wordColumns(lines, in: columns)
        return lines.reduce(0) { $0 + TextFlow.lines($1.words, width: width).count }
    }

    /// Columns that signs and names leave to the words.
    func wordColumns(_ lines: [StaffLine], in columns: Int) -> Int {
        columns - (lines.map { TextWidth.of($0.name) }.max() ?? 0) - 2 - Self.signColumns
    }

    /// Sets a sentence at the left, large if cells are small and there is room.
    mutating func setSentence(_ words: String, _ style: Style, in area: Rectangle) {
        say(words)
        if hasSmallCells, let lines = typeface.label(words, fitting: area.size, .left) {
            return surface.draw(lines, in: area, style)
        }
        surface.set(words, in: area, style)
    }

    /// Rows that a sentence at the left can need.
    var sentenceRows: Int { hasSmallCells ? 7 : 2 }

    /// Sets plain lines, large if all have room; lines without room are left out.
    mutating func setList(_ lines: [String], in area: Rectangle) {
        for line in lines { say(line) }
        if hasSmallCells, let large = typeface.list(lines), large.rows <= area.rows,
            large.columns <= area.columns
        {
            return surface.draw(large, in: area, theme.screen)
        }
        for (index, line) in lines.prefix(area.rows).enumerated() {
            var words = line
            while TextWidth.of(words) > area.columns {
                words = String(words.dropLast(words.hasSuffix("…") ? 2 : 1)) + "…"
            }
            surface.put(words, row: area.row + index, column: area.column, theme.screen)
        }
    }

    var back: Button { Button(.cancel, text("Back")) }

    /// The button that leads to the next page, and from the last one to the first.
    func moreButton(_ page: Page) -> Button {
        Button(.turnPage(page.isLast ? 0 : page.index + 1), text("More"))
    }

    /// *Back* and *OK* under a form; *OK* stands out once the form is complete, and the keys begin at *Back* before.
    mutating func formButtons(isComplete: Bool) -> [Button] {
        if !isComplete { firstFocus = .cancel }
        return [back, Button(.enterCode, text("OK"), isMain: isComplete)]
    }

    /// Stars for the digits of a PIN, and a mark for each that it needs at least.
    func hidden(_ pin: String) -> String {
        let missing = max(0, PINRules.lengths.lowerBound - pin.count)
        return String(repeating: "*", count: pin.count) + String(repeating: "_", count: missing)
    }
}

/// A line about a part of the machine.
struct StaffLine {
    enum Health {
        /// A fact, which can be neither good nor wrong, has no light.
        case fact
        case good, wrong, unknown

        /// A sign that shows the health without colours too.
        var sign: String {
            switch self {
            case .fact: ""
            case .good: "OK"
            case .wrong: "!!"
            case .unknown: ".."
            }
        }

        /// The name of its shape in the machine's own font.
        var light: String {
            switch self {
            case .fact: ""
            case .good: "light-good"
            case .wrong: "light-bad"
            case .unknown: "light-none"
            }
        }
    }

    let name: String
    let words: String
    let health: Health
    /// The part that a touch on the line opens, if any.
    let part: MachinePart?

    /// - Parameter health: by default that of a part that works; a line about no part is a fact.
    init(_ name: String, _ words: String, _ health: Health? = nil, part: MachinePart? = nil) {
        self.name = name
        self.words = words
        self.health = health ?? (part == nil ? .fact : .good)
        self.part = part
    }

    func sentence(_ wording: Strings) -> String { wording.fact(name, words) }
}

/// The part of a list that fits on a screen.
struct Page {
    let index: Int
    let range: Range<Int>
    let isLast: Bool

    /// The page of this number, or the last page if there are fewer.
    init(_ wanted: Int, of count: Int, size: Int) {
        index = min(max(0, wanted), max(0, (count - 1) / size))
        range = index * size..<min(count, (index + 1) * size)
        isLast = range.upperBound >= count
    }
}
