import KioskFlow
import TerminalSurface

// The foot line of every customer screen: language, letter size, voice, and a hint beside them.
extension Canvas {
    /// How many words of the foot line are shown.
    private enum FootForm: CaseIterable { case words, symbols, fewest }

    /// Draws *Language* first, then what *A+* and the speech button do next, in as many words as leave room
    /// for the hint in two lines.
    mutating func drawFoot(hint: String? = nil, in area: Rectangle? = nil) {
        let word = text("Language")
        // A customer who cannot read the shop's language finds the word "Language", which most people know.
        let long = word == "Language" ? word : "\(word) · Language"
        let buttons = [long, long, "Language"].map { label in
            var button = Button(.openLanguages, label)
            button.spoken = word
            return button
        }
        place(foot: zip(buttons, FootForm.allCases), hint: hint, in: area ?? foot)
    }

    /// Draws the foot line while the languages are open: *Back* is at the place of *Language*.
    mutating func drawFootOfLanguages() {
        let back = Button(.closeLanguages, text("Back"))
        place(foot: zip([back, back, back], FootForm.allCases), hint: nil, in: foot)
    }

    /// Places the first form that fits, or the last one if none does.
    private mutating func place(
        foot forms: some Sequence<(Button, FootForm)>, hint: String?, in area: Rectangle
    ) {
        let gap = max(1, margin / 2)
        for (first, form) in forms {
            let row = [(button: first, width: width([first.label]))] + footAccess(form)
            let used = row.reduce(0) { $0 + $1.width + gap }
            let room = area.splitLeft(used).rest
            let lines = hint.map { TextFlow.balanced($0, width: room.columns) } ?? []
            let fits =
                used - gap <= area.columns && lines.count <= 2
                && lines.joined(separator: " ") == (hint ?? "")
            guard fits || form == .fewest else { continue }
            let places = Self.places(row.map(\.width), gap: gap, in: area)
            for ((button, _), place) in zip(row, places) { self.place(button, in: place) }
            surface.set(
                lines: lines, in: room.centred(rows: lines.count, columns: room.columns),
                theme.soft, .right)
            return
        }
    }

    /// The buttons for letters and voice: a symbol and, if there is room, words for what the next touch does.
    /// Each is as wide as the widest of its labels, so that a finger finds it at the same place again.
    private func footAccess(_ form: FootForm) -> [(button: Button, width: Int)] {
        let letters = Appearance.allCases.map { self.letters(before: $0) }
        let ears = Voice.allCases.map { ear(before: $0) }
        func button(
            _ action: UserAction, _ sign: Sign, of all: [Sign], hasWords: Bool
        ) -> (Button, Int) {
            func label(_ sign: Sign) -> String {
                hasWords ? "\(sign.symbol) \(sign.words)" : sign.symbol
            }
            var button = Button(action, label(sign))
            button.spoken = sign.words
            return (button, width(all.map(label)))
        }
        let row = [
            button(
                .changeAppearance, self.letters(before: scene.access.appearance.next), of: letters,
                hasWords: form == .words),
            button(
                .changeVoice, ear(before: scene.access.voice.next), of: ears,
                hasWords: form != .fewest),
        ]
        return scene.access.isSpeechThere ? row : Array(row.prefix(1))
    }

    private typealias Sign = (symbol: String, words: String)

    private func letters(before next: Appearance) -> Sign {
        switch next {
        case .large: ("A+", text("Larger letters"))
        case .inverted:
            ("A◐", scene.settings.hasLightTheme ? text("White on black") : text("Black on white"))
        case .normal: ("A", text("Normal letters"))
        }
    }

    private func ear(before next: Voice) -> Sign {
        switch next {
        case .on: ("◄))", text("Listen"))
        case .louder: ("◄)))", text("Louder"))
        case .off: ("◄ ×", text("Voice off"))
        }
    }

    private func width(_ labels: [String]) -> Int {
        labels.reduce(Self.footColumns) { max($0, TextWidth.of($1) + 4) }
    }

    /// A target of the foot line is 20 mm wide: 6 columns of the coarse grid (rules 18), and one more.
    private static let footColumns = 7
}
