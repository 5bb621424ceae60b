import KioskFlow
import TerminalSurface

// The foot line of every customer screen: language, letter size, voice and help, always at the same places.
extension Canvas {
    /// Places of the foot line from left to right.
    private static let footPlaces = 4

    /// Draws *Language* first, then what *A+* and the speech button do next.
    mutating func drawFoot(in area: Rectangle? = nil) {
        place(foot: languageButton, in: area ?? foot)
    }

    private var languageButton: Button {
        let word = text("Language")
        var language = Button(.openLanguages, word)
        language.sign = "language"
        // A customer who cannot read the shop's language finds the word "Language", which most people know.
        language.forms = word == "Language" ? [word] : ["\(word) · Language", word]
        if !typeface.hasShapes { language.forms.append("Language") }
        return language
    }

    /// Draws the foot line while the languages are open: *Back* is at the place of *Language*.
    mutating func drawFootOfLanguages() {
        var back = Button(.closeLanguages, text("Back"))
        back.sign = "arrow-left"
        back.forms = [back.label]
        place(foot: back, in: foot)
    }

    private mutating func place(foot first: Button, in area: Rectangle) {
        let gap = max(1, margin / 2)
        let width = min(
            Self.maxFootColumns, (area.columns - (Self.footPlaces - 1) * gap) / Self.footPlaces)
        // The last place takes what the equal shares leave, so that the foot line ends where the screen's buttons do.
        let line =
            width < Self.maxFootColumns
            ? area
            : area.splitLeft(
                Self.footPlaces * (width + gap) - gap
            ).left
        let places = Self.places(
            Array(repeating: width, count: Self.footPlaces - 1), gap: gap, in: line)
        let access =
            [letters(before: scene.access.appearance.next)]
            + (scene.access.isSpeechThere ? [voice(before: scene.access.voice.next)] : [])
        // A machine without a voice leaves its place empty; the screens of help and of the staff leave that of help empty.
        let hasHelp = scene.state.isForCustomers && !scene.isHelpShown
        let buttons =
            Array(zip([first] + access, places)) + (hasHelp ? [(helpButton, places[3])] : [])
        // The icons are at the same places on every screen, whatever is in the first place.
        let usual = [(languageButton, places[0])] + buttons.dropFirst()
        let isBeside = (usual + buttons.prefix(1)).allSatisfy { besideIcon($0, in: $1) != nil }
        let isWordLarge =
            isLarge && buttons.allSatisfy { largeWord($0, isBeside: isBeside, in: $1) != nil }
        for (button, place) in buttons {
            var button = button
            button.hasIconBeside = isBeside
            button.hasLargeWord = isWordLarge
            self.place(button, in: place)
        }
    }

    /// The longest label that has room beside the icon.
    private func besideIcon(_ button: Button, in area: Rectangle) -> String? {
        guard let sign = button.sign, let icon = typeface.shape("\(sign)-foot") else { return nil }
        return button.forms.first { icon.columns + 1 + TextWidth.of($0) <= area.columns - 4 }
    }

    /// The word in large letters, beside the icon or below it; nil if there is no room.
    private func largeWord(
        _ button: Button, isBeside: Bool, in area: Rectangle
    ) -> LargeText? {
        guard let sign = button.sign, let icon = typeface.shape("\(sign)-foot")
        else { return nil }
        let room =
            isBeside
            ? GridSize(columns: area.columns - icon.columns - 5, rows: area.rows)
            : GridSize(columns: area.columns - 2, rows: area.rows - icon.rows)
        return button.forms.lazy.compactMap { typeface.label($0, fitting: room) }
            .first { $0.lines.count == 1 }
    }

    private var helpButton: Button {
        footButton(.help(.open), "help", "?", text("Help"), text("Help"))
    }

    private func letters(before next: Appearance) -> Button {
        switch next {
        case .large:
            footButton(.changeAppearance, "larger", "A+", text("Larger"), text("Larger letters"))
        case .inverted:
            footButton(
                .changeAppearance, "contrast", "A◐", text("Contrast"),
                scene.settings.hasLightTheme ? text("White on black") : text("Black on white"))
        case .normal:
            footButton(.changeAppearance, "normal", "A", text("Normal"), text("Normal letters"))
        }
    }

    private func voice(before next: Voice) -> Button {
        switch next {
        case .on: footButton(.changeVoice, "listen", "◄))", text("Listen"), text("Listen"))
        case .louder: footButton(.changeVoice, "louder", "◄)))", text("Louder"), text("Louder"))
        case .off:
            footButton(.changeVoice, "silent", "◄ ×", text("Voice off"), text("Voice off"))
        }
    }

    /// A button with an icon, or with a symbol of characters where there are no icons, and a word.
    private func footButton(
        _ action: UserAction, _ icon: String, _ symbol: String, _ word: String, _ spoken: String
    ) -> Button {
        var button = Button(action, word)
        button.sign = icon
        button.spoken = spoken
        button.forms = typeface.hasShapes ? [word] : ["\(symbol) \(word)", word, symbol]
        return button
    }

    /// Wider buttons would be far from their words on a wide screen.
    private static let maxFootColumns = 30

    /// Draws a button of the foot line: its icon over its word, or beside it if there is room.
    mutating func drawFootWords(_ button: Button, _ style: Style) {
        let area = button.area
        let inner = area.inset(columns: 1)
        let label = button.forms.first { TextWidth.of($0) <= inner.columns } ?? ""
        let middle = area.row + area.rows / 2
        guard let sign = button.sign, let icon = typeface.shape("\(sign)-foot"),
            let small = area.rows > 3 ? icon : typeface.shape("\(sign)-2")
        else {
            let words = Rectangle(row: middle, column: area.column, rows: 1, columns: area.columns)
            surface.set(lines: [label], in: words, style.bolded, .centre)
            return
        }
        if button.hasLargeWord,
            let word = largeWord(button, isBeside: button.hasIconBeside, in: area)
        {
            let columns = button.hasIconBeside ? icon.columns + 1 + word.columns : icon.columns
            let rows = button.hasIconBeside ? icon.rows : icon.rows + word.rows
            let place = area.centred(rows: rows, columns: columns)
            surface.draw(icon, row: place.row, column: place.column, style)
            let room =
                button.hasIconBeside
                ? Rectangle(
                    row: area.row + (area.rows - word.rows) / 2,
                    column: place.column + icon.columns + 1, rows: word.rows, columns: word.columns)
                : Rectangle(
                    row: place.row + icon.rows, column: area.column + 1, rows: word.rows,
                    columns: area.columns - 2)
            surface.draw(word, in: room, style, .centre)
            heights.all[button.label] = word.capHeight
        } else if button.hasIconBeside, let long = besideIcon(button, in: area) {
            let line = icon.columns + 1 + TextWidth.of(long)
            let column = area.column + (area.columns - line) / 2
            let upper = area.row + (area.rows - icon.rows) / 2
            surface.draw(icon, row: upper, column: column, style)
            surface.put(
                long, row: upper + icon.rows / 2, column: column + icon.columns + 1, style.bolded)
        } else {
            surface.draw(
                small, row: area.row, column: area.column + (area.columns - small.columns) / 2,
                style)
            let words = Rectangle(
                row: area.row + small.rows, column: area.column, rows: 1, columns: area.columns)
            surface.set(lines: [label], in: words, style.bolded, .centre)
        }
    }
}
