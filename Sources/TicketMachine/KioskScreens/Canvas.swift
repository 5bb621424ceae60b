import KioskFlow
import Reservations
import TerminalSurface

/// A screen while it is drawn: the surface, the buttons so far, and the layout of this grid.
struct Canvas {
    var surface: Surface
    let theme: Theme
    let wording: Strings
    /// The letter size, colours and voice that the customer has chosen.
    let access: Access
    /// The layout of the grid.
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

    struct Access {
        var appearance = Appearance.normal
        var voice = Voice.off
        var isSpeechThere = false
        /// Whether letters are dark on light for a customer who has not changed the colours.
        var hasLightTheme = false
    }

    init(size: GridSize, theme: Theme, wording: Strings, access: Access) {
        surface = Surface(size: size, style: theme.screen)
        self.theme = theme
        self.wording = wording
        self.access = access
    }

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
    var foot: Rectangle {
        surface.bounds.splitBottom(Self.footRows).bottom.inset(columns: margin)
    }
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

    /// Draws the shop's name and its clock.
    mutating func drawHeader(_ scene: Scene) {
        guard headerRows > 0 else { return }
        surface.fill(header, theme.header)
        let line = header.centred(rows: 1, columns: header.columns).inset(columns: margin)
        let clock = scene.clock.map {
            wording.text(
                "{weekday} {time}", context: "clock",
                ["weekday": wording.shortWeekday($0.day.weekday), "time": wording.time($0)])
        }
        let right = clock ?? ""
        surface.put(
            right, row: line.row, column: line.endColumn - TextWidth.of(right),
            theme.header.bolded)
        // The shop's name is the one text of this line from outside; it is cut so that the clock stays.
        let room = line.columns - TextWidth.of(right) - 2
        var name = PlainText.clean(scene.shop?.shopName ?? "", limit: room)
        while TextWidth.of(name) > room { name = PlainText.clean(name, limit: name.count - 1) }
        surface.put(name, row: line.row, column: line.column, theme.header.bolded)
    }

    mutating func place(
        _ button: Button, in area: Rectangle, _ lettering: Button.Lettering = .text
    ) {
        var placed = button
        placed.area = area
        placed.lettering = lettering
        buttons.append(placed)
    }

    /// A block at the place that *Confirm* has on the next screen.
    func placeholder(for kind: ReservationKind) -> Button {
        var button = Button(
            nil, label: wording.text("Confirm"),
            subtitle: kind == .visit
                ? wording.text("print my visit") : wording.text("print my ticket"), isMain: true)
        button.isPlaceholder = true
        return button
    }

    /// Removes blocks that only kept a place free in a row.
    mutating func dropPlaceholders() { buttons.removeAll(where: \.isPlaceholder) }

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
