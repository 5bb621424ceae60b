import KioskFlow
import Reservations
import TerminalSurface

/// A screen while it is drawn: the surface, the buttons so far, and the layout of this grid.
struct Canvas {
    let scene: Scene
    let wording: Strings
    let theme: Theme
    let typeface: Typeface
    var surface: Surface
    var division = ScreenLayout()
    /// The heights of normal letters on this screen, set while large ones are drawn.
    var normalHeights = TextHeights()
    /// The button that the keys choose first if it is not the brightest one.
    var firstFocus: UserAction?
    /// The symbol of the issued reservation's link.
    var symbolForPhones: QRMatrix?
    /// The symbol of the invitation, which Home shows.
    var invitation: QRMatrix?
    /// Whether another shop may have the row of the hint.
    var hasNearbyLine = true
    /// What a touch on the top band means; nil for nothing.
    var band: TouchTarget?
    /// The heights of the letters drawn so far; `textRows` counts the rows of texts in large letters.
    var heights = TextHeights()
    var textRows = 0
    private(set) var buttons: [Button] = []
    /// The texts drawn so far, to be said aloud.
    var spoken = SpokenScreen()

    init(
        _ scene: Scene, size: GridSize, themes: Themes, typeface: Typeface,
        wordings: [String: Strings]
    ) {
        self.scene = scene
        wording = wordings[scene.access.language] ?? .english
        theme = themes.theme(for: scene.access.appearance, isLight: scene.settings.hasLightTheme)
        self.typeface = typeface
        surface = Surface(size: size, style: theme.screen)
    }

    func text(_ text: String, context: String? = nil, _ values: [String: String] = [:]) -> String {
        wording.text(text, context: context, values)
    }

    func plural(_ one: String, _ other: String, _ number: Int, _ values: [String: String] = [:])
        -> String
    { wording.plural(one, other, number, values) }

    // MARK: Layout of a grid

    var size: GridSize { surface.size }
    /// Columns left free at both sides.
    var margin: Int { max(1, size.columns / 32) }
    /// The top line, with empty rows around it if there is room.
    var headerRows: Int {
        if division.isSparing { return hasHelpBand ? 1 : 0 }
        return size.rows >= 40 ? 3 : 1
    }
    /// Foot line targets are 20 x 20 mm and more: 3 rows on the coarse grid (rules: touch-targets).
    var footRows: Int {
        guard typeface.hasShapes, size.rows >= 40 else { return 3 }
        // A large word has two rows below its icon.
        return isLarge && isUpright ? 5 : 4
    }
    /// Whether the panel is higher than wide; a cell is about twice as high as wide.
    var isUpright: Bool { size.columns < 2 * size.rows }
    /// Action buttons have at least 5 rows (rules: touch-targets); with more, their words are in large letters.
    var buttonRows: Int {
        // Titles of the machine's own font have three rows, so they are in the middle of an odd number.
        let rows =
            typeface.hasShapes
            ? (size.rows < 25 ? 5 : size.rows < 40 ? 7 : 11)
            : (size.rows < 25 ? 5 : size.rows < 28 ? 6 : size.rows < 40 ? 7 : 10)
        return rows + division.furtherButtonRows
    }
    /// Rows for a screen's buttons: one row of them, or on an upright panel one below the other.
    var choiceRows: Int { choiceRows(of: 2) }
    /// Rows for so many buttons; more than two, one below the other or in pairs, leave the text some rows.
    func choiceRows(of count: Int, inPairs: Bool = false) -> Int {
        if isUpright {
            return count > 2 ? count * (uprightRows - 1) - 1 : 2 * (uprightRows + 1) - 1
        }
        guard inPairs, count > 2 else { return buttonRows }
        return 2 * max(5, min(buttonRows, (middle.rows - 8) / 2)) + 1
    }
    /// Rows of a button that has the width of an upright panel.
    var uprightRows: Int {
        (size.rows < 50 ? 6 : 8) + (typeface.hasShapes ? 1 : 0) + division.furtherButtonRows
    }

    var header: Rectangle { surface.bounds.splitTop(headerRows).top }
    /// Rows between the foot line and the edge of the screen, where a finger meets the frame of a panel.
    var footMargin: Int { typeface.hasShapes && size.rows >= 27 ? 1 : 0 }
    var foot: Rectangle {
        surface.bounds.splitBottom(footMargin).rest.splitBottom(footRows).bottom
            .inset(columns: margin)
    }
    /// The area between the top band and the foot line, without the empty row before the latter.
    var middle: Rectangle {
        surface.bounds.splitTop(headerRows).rest.splitBottom(footMargin + footRows + 1).rest
            .inset(columns: margin)
    }
    /// The middle of a screen with buttons: text above, a line for a hint, the buttons at the lower end.
    var divided: (text: Rectangle, hint: Rectangle, buttons: Rectangle) { divided(choiceRows) }
    private func divided(
        _ choiceRows: Int
    ) -> (text: Rectangle, hint: Rectangle, buttons: Rectangle) {
        let (above, buttons) = middle.splitBottom(choiceRows)
        let (text, hint) = above.splitBottom(captionRows)
        return (text, hint, buttons)
    }
    /// The line for a hint on a screen without buttons: over the foot line.
    private var hintOverFoot: Rectangle { middle.splitBottom(captionRows).bottom }
    /// Rows of a hint, and of the name of a fact: two, where the cells are small or the customer wants large letters.
    var captionRows: Int {
        typeface.hasShapes && (size.rows >= 40 || isLarge && !division.isSparing) ? 2 : 1
    }

    private static let timeoutSeconds = Int(KioskTiming.inactivityTimeout.components.seconds)

    // MARK: Parts of every screen

    /// Draws a screen with its sentences and, below them, its buttons.
    ///
    /// - Parameters:
    ///   - isQuestion: whether the hint is what the buttons answer.
    ///   - inPairs: whether three or four buttons are in two rows, because they have much to say.
    mutating func drawScreen(
        hint: String? = nil, isQuestion: Bool = false, left: Int? = nil, _ blocks: [Block],
        saying words: [String]? = nil,
        buttons: [Button] = [], inPairs: Bool = false
    ) {
        drawHeader()
        drawFoot()
        let choiceRows = choiceRows(of: buttons.count, inPairs: inPairs)
        let divided = divided(choiceRows)
        // With large letters a number may need the row of the time that is left; the warning says it later.
        let hint = left != nil && division.isSparing ? nil : hint
        let line = buttons.isEmpty ? hintOverFoot : divided.hint
        if let hint, let left {
            // The time that is left as words, and beside them as a bar.
            heights.hints.insert(hint)
            let large = typeface.caption(hint, fitting: line.size, .left)
            let (words, bar) = line.splitLeft((large?.columns ?? TextWidth.of(hint)) + 2)
            if let large {
                surface.draw(large, in: words, theme.soft)
            } else {
                surface.set(lines: [hint], in: words, theme.soft)
            }
            drawProgress(
                left, of: Self.timeoutSeconds, in: bar.centred(rows: 1, columns: bar.columns))
        } else if let hint {
            setHint(hint, in: line, isQuestion ? theme.screen.bolded : nil)
        }
        let whole = hint == nil ? middle : middle.splitBottom(captionRows).rest
        // Without a hint its row may be used on the coarsest grid.
        let text =
            hint == nil && (isTight || division.isSparing)
            ? middle.splitBottom(choiceRows).rest : divided.text
        stack(blocks, in: buttons.isEmpty ? whole : text, saying: words)
        if inPairs {
            placePairs(buttons, in: divided.buttons)
        } else {
            placeRow(buttons, in: divided.buttons)
        }
        self.buttons.removeAll(where: \.isPlaceholder)
    }

    /// Sets the one line that says what can be done here, or how long.
    mutating func setHint(_ words: String, in area: Rectangle, _ style: Style? = nil) {
        heights.hints.insert(words)
        if let line = typeface.caption(words, fitting: area.size) {
            let place = area.centred(rows: line.rows, columns: area.columns)
            return surface.draw(line, in: place, style ?? theme.soft, .centre)
        }
        surface.set(
            lines: TextFlow.lines(words, width: area.columns).prefix(1).map { $0 }, in: area,
            style ?? theme.soft, .centre)
    }

    /// Draws a bar for a time that runs out: as long as the part that is left.
    mutating func drawProgress(_ left: Int, of whole: Int, in area: Rectangle) {
        let line = area.splitTop(1).top
        guard line.columns >= 4, line.rows > 0, whole > 0 else { return }
        let filled = (line.columns * min(max(left, 0), whole) + whole - 1) / whole
        let rest = Style(theme.quiet.background, on: theme.screen.background)
        for column in 0..<line.columns {
            let style = column < filled ? theme.accent : rest
            let name = column == 0 ? "bar-left" : column == line.columns - 1 ? "bar-right" : "bar"
            let place = (row: line.row, column: line.column + column)
            if let part = typeface.shape(name) {
                surface.draw(part, row: place.row, column: place.column, style)
            } else {
                surface.put("▄", row: place.row, column: place.column, style)
            }
        }
    }

    mutating func drawHeader() {
        guard headerRows > 0 else { return }
        if hasHelpBand { return drawHelpBand(in: header) }
        let clock = scene.clock.map(wording.weekdayAndTime) ?? ""
        let shop = scene.shop?.shopName ?? ""
        drawBand(right: clock, theme.header.bolded, limit: size.columns) {
            PlainText.clean(shop, limit: $0)
        }
    }

    /// Draws the top band. Its left text is the one text of this line from outside; it gets the highest limit with
    /// which the right one stays.
    mutating func drawBand(
        right: String, _ style: Style, limit: Int, left: (_ limit: Int) -> String
    ) {
        surface.fill(header, theme.header)
        let line = header.centred(rows: 1, columns: header.columns).inset(columns: margin)
        surface.put(right, row: line.row, column: line.endColumn - TextWidth.of(right), style)
        let room = line.columns - TextWidth.of(right) - 2
        let fitting = (0...limit).reversed().lazy.map(left).first { TextWidth.of($0) <= room }
        surface.put(fitting ?? left(0), row: line.row, column: line.column, theme.header.bolded)
    }

    mutating func place(_ button: Button, in area: Rectangle, _ lettering: Button.Lettering = .text)
    {
        var placed = button
        placed.area = area
        placed.lettering = lettering
        if placed.forms.isEmpty { placed.setting = setting(of: placed, lettering, in: area) }
        buttons.append(placed)
    }

    /// Places buttons in the largest letters for which all have room, so that equal buttons look equal.
    mutating func placeAlike(_ buttons: [(Button, Rectangle)]) {
        let lettering = lettering(of: buttons)
        for (button, area) in buttons { place(button, in: area, lettering) }
    }

    /// A block at the place that *Confirm* has on the next screen.
    func placeholder(for kind: ReservationKind) -> Button {
        var button = Button(
            .confirm, text("Confirm"),
            subtitle: kind == .visit
                ? text("print my visit") : text("print my ticket"), isMain: true)
        button.isPlaceholder = true
        return button
    }

    /// A block at the place that *I am here* has on the screen of an order.
    var placeholderOfArrival: Button {
        var button = Button(
            .arrive, text("I am here"), subtitle: text("print my number"), isMain: true)
        button.isPlaceholder = true
        return button
    }

    /// The frame with the buttons, which are drawn last, when it is known which one is marked.
    func frame(_ pointing: Highlight = Highlight()) -> Frame {
        var canvas = self
        return canvas.finish(pointing)
    }

    private mutating func finish(_ pointing: Highlight) -> Frame {
        // The keys go through the screen's own buttons first and through the foot line last.
        let targets =
            buttons.filter { !$0.isFoot }.map(\.target)
            + buttons.filter(\.isFoot).map(\.target)
        let wanted = targets.first { $0.id == pointing.focus }?.id
        let main = buttons.first(where: \.isMain)?.action
        let focus = wanted ?? firstFocus ?? main ?? targets.first?.id
        for button in buttons {
            let isFocused = button.action == focus
            draw(button, isFocused: isFocused, isPressed: button.action == pointing.pressed)
            if isFocused, pointing.hasKeys { drawRing(around: button) }
        }
        return Frame(
            surface: surface, targets: targets, focus: focus, spoken: spoken(focus: focus),
            heights: heights, band: band, entrance: entrance)
    }

    /// Nothing moves in block letters, for the staff, in large letters or in high contrast; the terminal's fixed
    /// colours are too few between those of a light theme.
    private var entrance: Entrance {
        guard typeface.hasShapes, scene.state.isForCustomers, scene.access.appearance == .normal,
            !scene.settings.hasLightTheme, scene.warning == nil, !scene.isHelpShown
        else { return .atOnce }
        if case .issued = scene.state { return .slidingOut(middle) }
        return .fading
    }
}
