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
    /// The heights of the letters drawn so far; `textRows` counts the rows of texts in large letters.
    var heights = TextHeights()
    var textRows = 0
    private(set) var buttons: [Button] = []
    /// The texts drawn so far, to be said aloud.
    var spoken = SpokenScreen()

    init(
        _ scene: Scene, size: GridSize, themes: Themes, typeface: Typeface, wordings: [String: Strings]
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
    /// The top band: a line, with empty rows around it if there is room.
    var headerRows: Int { division.isSparing ? 0 : size.rows >= 40 ? 3 : 1 }
    /// Foot line targets are 20 x 20 mm and more: 3 rows on the coarse grid (rules 18).
    static let footRows = 3
    /// Whether the panel is higher than wide; a cell is about twice as high as wide.
    var isUpright: Bool { size.columns < 2 * size.rows }
    /// Action buttons have at least 5 rows (rules 18); with more, their words are in large letters.
    var buttonRows: Int {
        (size.rows < 25 ? 5 : size.rows < 28 ? 6 : size.rows < 40 ? 7 : 10)
            + division.furtherButtonRows
    }
    /// Rows for a screen's buttons: one row of them, or on an upright panel one below the other.
    private var choiceRows: Int { isUpright ? 2 * uprightRows + 1 : buttonRows }
    /// Rows of a button that has the width of an upright panel.
    var uprightRows: Int { (size.rows < 50 ? 6 : 8) + division.furtherButtonRows }

    var header: Rectangle { surface.bounds.splitTop(headerRows).top }
    var foot: Rectangle { surface.bounds.splitBottom(Self.footRows).bottom.inset(columns: margin) }
    /// The area between the top band and the foot line, without the empty row before the latter.
    var middle: Rectangle {
        surface.bounds.splitTop(headerRows).rest.splitBottom(Self.footRows + 1).rest
            .inset(columns: margin)
    }
    /// The middle of a screen with buttons: text above, the buttons at the lower end.
    var divided: (text: Rectangle, buttons: Rectangle) {
        let (text, buttons) = middle.splitBottom(choiceRows)
        // An empty row separates text and buttons, except on the coarsest grid.
        return (size.rows < 24 ? text : text.splitBottom(1).rest, buttons)
    }

    // MARK: Parts of every screen

    /// Draws a screen with its sentences and, below them, its buttons.
    mutating func drawScreen(
        hint: String? = nil, _ blocks: [Block], saying words: [String]? = nil,
        buttons: [Button] = []
    ) {
        drawHeader()
        drawFoot(hint: hint)
        stack(blocks, in: buttons.isEmpty ? middle : divided.text, saying: words)
        placeRow(buttons, in: divided.buttons)
        self.buttons.removeAll(where: \.isPlaceholder)
    }

    mutating func drawHeader() {
        guard headerRows > 0 else { return }
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
            nil, text("Confirm"),
            subtitle: kind == .visit
                ? text("print my visit") : text("print my ticket"), isMain: true)
        button.isPlaceholder = true
        return button
    }

    /// Draws the buttons last, when it is known which one is marked.
    mutating func finish(_ pointing: Highlight) -> Frame {
        // The keys go through the screen's own buttons first and through the foot line last.
        let targets =
            buttons.filter { !$0.isFoot }.compactMap(\.target)
            + buttons.filter(\.isFoot).compactMap(\.target)
        let wanted = targets.first { $0.id == pointing.focus }?.id
        let main = buttons.first { $0.isMain && $0.action != nil }?.action
        let focus = wanted ?? firstFocus ?? main ?? targets.first?.id
        for button in buttons {
            let isFocused = button.action == nil || button.action == focus
            let isPressed = button.action != nil && button.action == pointing.pressed
            draw(button, isFocused: isFocused, isPressed: isPressed)
        }
        return Frame(
            surface: surface, targets: targets, focus: focus, spoken: spoken(focus: focus),
            heights: heights)
    }
}
