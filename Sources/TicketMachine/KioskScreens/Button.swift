import KioskFlow
import TerminalSurface

/// A block that can be touched and that shows what a touch does.
struct Button {
    /// The action of a touch.
    let action: UserAction
    let label: String
    let subtitle: String?
    /// Whether most people want this button, which is then the brightest block.
    let isMain: Bool
    var area = Rectangle(row: 0, column: 0, rows: 0, columns: 0)
    /// What a voice says for the label if the label is no word.
    var spoken: String?
    /// Whether the block only keeps a place free for a button of the next screen.
    var isPlaceholder = false
    var lettering = Lettering.text
    /// Its words as they are set in its area; nil until it is placed, and in the foot line.
    var setting: ButtonSetting?
    /// The name of its icon, if it has one.
    var sign: String?
    /// Its label in the foot line, the longest first, of which the first that fits is shown.
    var forms: [String] = []
    /// Whether its icon is beside the label in the foot line, and not over it.
    var hasIconBeside = false
    /// Whether its label in the foot line has large letters.
    var hasLargeWord = false
    /// Whether it leads to a part of the machine that has a fault.
    var isFaulty = false
    /// Whether the button is a line of a list; its label is not spaced out.
    var isListed = false
    /// Whether a small label is spaced out if there is room.
    var isSpaced = true

    /// How a label is written, from the smallest to the largest.
    enum Lettering: CaseIterable, Comparable { case text, label, title }

    init(_ action: UserAction, _ label: String, subtitle: String? = nil, isMain: Bool = false) {
        self.action = action
        self.label = label
        self.subtitle = subtitle
        self.isMain = isMain
    }

    var isFoot: Bool { action.isInFootLine }

    /// Columns that a block of a list needs to show its whole label in small letters.
    func listedWidth(rows: Int) -> Int {
        let words = label.split { $0 == " " || $0 == "\u{A0}" }.map { TextWidth.of(String($0)) }
        var width = words.max() ?? 0
        while width < TextWidth.of(label), TextFlow.lines(label, width: width).count > rows - 2 {
            width += 1
        }
        return width + 2
    }

    var target: TouchTarget { TouchTarget(id: action, area: area) }

    /// The lines of a small label, spaced out if there is room, so that it can be read from a distance.
    func lines(width: Int) -> [String] {
        spacedLabel(width: width).map { [$0] } ?? TextFlow.balanced(label, width: width)
    }

    /// Whether the label needs no change in so many columns, because it is spaced out or too short to be.
    fileprivate func hasRoomForSpaces(columns: Int) -> Bool {
        label.count <= 2 || spacedLabel(width: columns) != nil
    }

    private func spacedLabel(width: Int) -> String? {
        let spaced = label.split(separator: " ")
            .map { $0.map { String($0) }.joined(separator: " ") }.joined(separator: "   ")
        // Four columns keep the label apart from the marks; a label of two characters is read as a sign already.
        return isSpaced && !isListed && label.count > 2 && TextWidth.of(spaced) <= width - 4
            ? spaced : nil
    }
}

/// The words of a placed button, which a touch does not change.
struct ButtonSetting {
    /// The label in letters of more than one row; nil if it is in small ones.
    let large: LargeText?
    /// The label in small letters.
    let lines: [String]
    let largeSubtitle: LargeText?
    /// The second line in small letters.
    let subtitle: [String]

    var labelRows: Int { large?.rows ?? lines.count }
    var subtitleRows: Int { largeSubtitle?.rows ?? subtitle.count }
}

extension Canvas {
    /// A button's words in an area.
    func setting(
        of button: Button, _ lettering: Button.Lettering, in area: Rectangle
    ) -> ButtonSetting {
        let inner = inner(of: button, lettering, in: area)
        let large = label(of: button, lettering, in: area)
        let subtitle = largeSubtitle(button, in: inner, large == nil ? .text : lettering)
        return ButtonSetting(
            large: large,
            lines: large != nil
                ? []
                : typeface.hasShapes
                    ? TextFlow.balanced(button.label, width: inner.columns)
                    : button.lines(width: inner.columns),
            largeSubtitle: subtitle,
            subtitle: subtitle != nil
                ? [] : button.subtitle.map { TextFlow.balanced($0, width: inner.columns) } ?? [])
    }

    /// The area for a button's words: inside the frame and, except in a list, between the marks. Round buttons have
    /// neither, but their large letters keep clear of the corners.
    private func inner(
        of button: Button, _ lettering: Button.Lettering, in area: Rectangle
    ) -> Rectangle {
        let isBesideCorners = typeface.hasShapes && lettering != .text
        return area.inset(
            rows: typeface.hasShapes ? 0 : 1, columns: button.isListed && !isBesideCorners ? 1 : 2)
    }

    /// Columns of a block with its label in one line of the smaller large letters.
    private func labelWidth(_ button: Button) -> Int {
        let words = max(
            typeface.labelColumns(button.label) ?? .max / 8, TextWidth.of(button.subtitle ?? ""))
        return max(15, words + 4)
    }

    /// Rows of a placed button's label in large letters; 0 if it is not in large letters.
    func largeRows(_ button: Button) -> Int { button.setting?.large?.rows ?? 0 }

    /// A button's label in letters of more than one row; nil if the area has no room for them and the subtitle.
    private func label(
        of button: Button, _ lettering: Button.Lettering, in area: Rectangle
    ) -> LargeText? {
        let inner = inner(of: button, lettering, in: area)
        let subtitle = subtitleRows(button, in: inner, lettering)
        let rows = inner.rows - subtitle
        // In the machine's own font a subtitle of two lines does not stand on the lower edge.
        let isOnEdge = typeface.hasShapes && subtitle > 1
        switch lettering {
        case .text: return nil
        // A block of the least height keeps an empty row above and below its words.
        case .label where area.rows < 6 && button.subtitle != nil && !typeface.hasShapes: return nil
        case .label:
            let room = GridSize(
                columns: inner.columns, rows: isOnEdge && rows % 2 == 1 ? rows - 1 : rows)
            return typeface.label(button.label, fitting: room)
        case .title:
            if case .digit = button.action {
                return typeface.key(button.label, fitting: inner.size)
            }
            // There is an empty row before the subtitle, unless it would take the last one.
            let room = GridSize(
                columns: inner.columns, rows: rows - (rows > 5 || isOnEdge ? 1 : 0))
            // What most people want has larger letters where the cells are small.
            let isLargest = isLarge || button.isMain && captionRows > 1 && area.rows >= 12
            return typeface.title(button.label, fitting: room, isLarge: isLargest)
        }
    }

    /// The largest lettering for which all these buttons have room, so that equal buttons look equal.
    func lettering(of buttons: [(Button, Rectangle)]) -> Button.Lettering {
        Button.Lettering.allCases.last { lettering in
            buttons.allSatisfy { button, area in label(of: button, lettering, in: area) != nil }
        } ?? .text
    }

    /// Places buttons side by side. The last one, which goes on, is the widest; the labels are all large or
    /// all small, and all spaced out or none.
    ///
    /// On an upright panel the buttons are one below the other, with the one that goes on at the top.
    mutating func placeRow(_ row: [Button], in area: Rectangle) {
        guard !row.isEmpty else { return }
        guard !isUpright else {
            let rows = row.count * (uprightRows + 1) - 1
            return placeColumn(row.reversed(), in: area.splitBottom(rows).bottom)
        }
        let gap = margin
        // Three buttons are equally wide, since each needs the room for its words, and two of which none stands out.
        let columns = area.columns - gap * (row.count - 1)
        let areEqual = row.count > 2 || row.count == 2 && !row.contains(where: \.isMain)
        let share = areEqual ? columns / row.count : columns * 3 / (3 * row.count + 1)
        var places = Self.places(row.dropLast().map { _ in share }, gap: gap, in: area)
        // A lone button takes little more than half the width, under the middle of the texts.
        if row.count == 1 {
            places = [area.centred(rows: area.rows, columns: max(15, area.columns * 3 / 5))]
        }
        var lettering = lettering(of: Array(zip(row, places)))
        // Words too long for equal shares may still have capitals if each block is only as wide as its own words.
        let needed = row.map(labelWidth)
        let spare = area.columns - needed.reduce(0, +)
        if lettering == .text, row.count > 2 || row.count == 2 && !areEqual, spare >= row.count - 1
        {
            let closer = min(gap, spare / (row.count - 1))
            let fitted = Self.places(Array(needed.dropLast()), gap: closer, in: area)
            lettering = self.lettering(of: Array(zip(row, fitted)))
            if lettering != .text { places = fitted }
        }
        let isSpaced = zip(row, places).allSatisfy {
            $0.hasRoomForSpaces(columns: inner(of: $0, .text, in: $1).columns)
        }
        for (button, place) in zip(row, places) {
            var button = button
            button.isSpaced = isSpaced
            self.place(button, in: place, lettering)
        }
    }

    /// Places two to four buttons in rows of two: the first one, which leads back, is at the lower left. The others are
    /// read in their order.
    ///
    /// On an upright panel the buttons are one below the other.
    mutating func placePairs(_ buttons: [Button], in area: Rectangle) {
        let others = buttons.dropFirst()
        guard !isUpright else { return placeColumn(Array(others + buttons.prefix(1)), in: area) }
        guard buttons.count > 2 else { return placeAlike(side(buttons, in: area)) }
        let height = (area.rows - 1) / 2
        let upper = side(Array(others.prefix(2)), in: area.splitTop(height).top)
        let lower = side(
            Array(buttons.prefix(1) + others.dropFirst(2)), in: area.splitBottom(height).bottom)
        placeAlike(upper + lower)
    }

    /// Buttons of equal width side by side.
    private func side(_ row: [Button], in area: Rectangle) -> [(Button, Rectangle)] {
        let width = (area.columns - margin * (row.count - 1)) / row.count
        let widths = row.dropLast().map { _ in width }
        // Spaces between letters would have room in some of the labels only.
        let unspaced = row.map { button in
            var button = button
            button.isSpaced = false
            return button
        }
        return Array(zip(unspaced, Self.places(widths, gap: margin, in: area)))
    }

    /// Areas side by side: one of each of these widths, and one of the rest.
    static func places(_ widths: [Int], gap: Int, in area: Rectangle) -> [Rectangle] {
        var rest = area
        return widths.map { width in
            let (left, right) = rest.splitLeft(width)
            rest = right.splitLeft(gap).rest
            return left
        } + [rest]
    }

    /// Places buttons one below the other, with an empty row between them.
    mutating func placeColumn(_ column: [Button], in area: Rectangle) {
        guard !column.isEmpty else { return }
        let height = (area.rows - (column.count - 1)) / column.count
        let places = column.indices.map { index in
            Rectangle(
                row: area.row + index * (height + 1), column: area.column,
                rows: index == column.count - 1
                    ? area.end - area.row - index * (height + 1) : height, columns: area.columns)
        }
        placeAlike(Array(zip(column, places)))
    }

    mutating func draw(_ button: Button, isFocused: Bool, isPressed: Bool) {
        let style = isPressed ? theme.pressed : button.isMain ? theme.main : theme.quiet
        surface.fill(button.area, style)
        if button.forms.isEmpty {
            drawWords(button, style, isFocused: isFocused)
        } else {
            heights.all[button.label] = 1
            if isFocused, !typeface.hasShapes { drawMark(button.area, style, isFull: true) }
            drawFootWords(button, style)
        }
        drawShape(button.area, style.background, isPressed: isPressed)
    }

    private mutating func drawWords(_ button: Button, _ style: Style, isFocused: Bool) {
        let inner = inner(of: button, button.lettering, in: button.area)
        if let sign = button.sign, let icon = typeface.shape("\(sign)-foot"), button.subtitle == nil
        {
            let place = button.area.centred(rows: icon.rows, columns: icon.columns)
            heights.all[button.label] = 1
            return surface.draw(icon, row: place.row, column: place.column, style)
        }
        guard let setting = button.setting else { return }
        let label = setting.large
        heights.all[button.label] = label?.capHeight ?? 1
        if isFocused, !typeface.hasShapes {
            let widest = label?.columns ?? 0
            drawMark(button.area, style, isFull: button.isListed || widest > inner.columns - 2)
        }
        let (labelRows, subtitleRows) = (setting.labelRows, setting.subtitleRows)
        // Outlined letters have their space within their rows.
        let isApart = subtitleRows > 0 && label.map { $0.lines[0].bitmap != nil } ?? true
        let air =
            isApart && !(button.isListed && typeface.hasShapes)
                && labelRows + subtitleRows < inner.rows ? 1 : 0
        let place = inner.centred(rows: labelRows + air + subtitleRows, columns: inner.columns)
        if let label {
            surface.draw(label, in: place, style, .centre)
        } else {
            surface.set(lines: setting.lines, in: place, style.bolded, .centre)
        }
        if button.isFaulty, typeface.hasShapes, let light = typeface.shape("light-bad") {
            let column = button.area.endColumn - 2 - light.columns
            surface.draw(light, row: button.area.row, column: column, style)
        }
        let below = place.splitTop(labelRows + air).rest
        if let subtitle = setting.largeSubtitle {
            surface.draw(subtitle, in: below, style, .centre)
        } else {
            surface.set(lines: setting.subtitle, in: below, style, .centre)
        }
    }

    /// A button's second line as large as a caption, in a button with room for it and with a large label.
    private func largeSubtitle(
        _ button: Button, in inner: Rectangle, _ lettering: Button.Lettering
    ) -> LargeText? {
        guard captionRows > 1, inner.rows >= 7, lettering != .text, let subtitle = button.subtitle
        else { return nil }
        return typeface.caption(subtitle, fitting: inner.size)
    }

    private func subtitleRows(
        _ button: Button, in inner: Rectangle, _ lettering: Button.Lettering
    ) -> Int {
        guard let subtitle = button.subtitle else { return 0 }
        return largeSubtitle(button, in: inner, lettering)?.rows
            ?? TextFlow.balanced(subtitle, width: inner.columns).count
    }

    /// Rounds a block's corners; under a finger its edges lie a little deeper.
    private mutating func drawShape(_ area: Rectangle, _ colour: Colour, isPressed: Bool) {
        guard area.rows >= 2, area.columns >= 4 else { return }
        let style = Style(colour, on: theme.screen.background)
        let kind = isPressed ? "sunk" : "corner"
        for (name, row, column) in [
            ("upper-left", area.row, area.column), ("upper-right", area.row, area.endColumn - 2),
            ("lower-left", area.end - 1, area.column),
            ("lower-right", area.end - 1, area.endColumn - 2),
        ] { drawPart("\(kind)-\(name)", [row], [column], style) }
        guard isPressed else { return }
        let across = area.column + 2..<area.endColumn - 2
        drawPart("sunk-upper", [area.row], across, style)
        drawPart("sunk-lower", [area.end - 1], across, style)
        let down = area.row + 1..<area.end - 1
        drawPart("sunk-left", down, [area.column], style)
        drawPart("sunk-right", down, [area.endColumn - 1], style)
    }

    /// Draws a ring around the button that the keys have chosen, where nothing else is.
    mutating func drawRing(around button: Button) {
        guard typeface.hasShapes else { return }
        let area = button.area
        let style = Style(theme.screen.foreground, on: theme.screen.background)
        let (above, below) = ([area.row - 1], [area.end])
        let (left, right) = ([area.column - 1], [area.endColumn])
        drawPart("ring-upper", above, area.column..<area.endColumn, style)
        drawPart("ring-lower", below, area.column..<area.endColumn, style)
        drawPart("ring-left", area.row..<area.end, left, style)
        drawPart("ring-right", area.row..<area.end, right, style)
        drawPart("ring-upper-left", above, left, style)
        drawPart("ring-upper-right", above, right, style)
        drawPart("ring-lower-left", below, left, style)
        drawPart("ring-lower-right", below, right, style)
    }

    /// Draws a part of a shape at each of these places where the cells are empty and on the screen.
    private mutating func drawPart(
        _ name: String, _ rows: some Sequence<Int>, _ columns: some Collection<Int>, _ style: Style
    ) {
        guard let part = typeface.shape(name) else { return }
        for row in rows {
            for column in columns
            where surface.isFree(
                Rectangle(row: row, column: column, rows: part.rows, columns: part.columns))
            {
                surface.draw(part, row: row, column: column, style)
            }
        }
    }

    /// Marks the button chosen by the keys with a frame, because not every customer sees a colour.
    private mutating func drawMark(_ area: Rectangle, _ style: Style, isFull: Bool) {
        guard area.rows >= 3, area.columns >= 4 else { return }
        let across = String(repeating: "═", count: area.columns - 2)
        surface.put("╔" + across + "╗", row: area.row, column: area.column, style)
        surface.put("╚" + across + "╝", row: area.end - 1, column: area.column, style)
        for row in area.row + 1..<area.end - 1 {
            surface.put("║", row: row, column: area.column, style)
            surface.put("║", row: row, column: area.endColumn - 1, style)
        }
        let middle = area.row + area.rows / 2
        // The arrows would touch the label in a block of three rows or if the label is as wide as its block.
        guard area.rows > 3, !isFull else { return }
        surface.put("►", row: middle, column: area.column + 1, style)
        surface.put("◄", row: middle, column: area.endColumn - 2, style)
    }
}
