import KioskFlow
import TerminalSurface

// The foot line of every customer screen: language, letters, voice; and a hint beside them.
extension Canvas {
    /// How much of the foot line's words there is room for.
    private enum FootForm: CaseIterable {
        case words, symbols, fewest
    }

    /// *Language* first, then what *A+* and the ear do next, in as many words as leave room for the
    /// hint in at most three lines.
    mutating func drawFoot(hint: String? = nil, in area: Rectangle? = nil) {
        let word = wording.text("Language")
        // Who cannot read the shop's language finds the word most people know.
        let long = word == "Language" ? word : "\(word) · Language"
        let buttons = [long, long, "Language"].map { label in
            var button = Button(.openLanguages, label: label, isMain: false)
            button.spoken = word
            return button
        }
        place(foot: zip(buttons, FootForm.allCases), hint: hint, in: area ?? foot)
    }

    /// The foot line where the languages are open: *Back* stands where *Language* was.
    mutating func drawFootOfLanguages() {
        let back = Button(.closeLanguages, label: wording.text("Back"), isMain: false)
        place(foot: zip([back, back, back], FootForm.allCases), hint: nil, in: foot)
    }

    /// Places the first of the forms that fits, or the last one.
    private mutating func place(
        foot forms: some Sequence<(Button, FootForm)>, hint: String?, in area: Rectangle
    ) {
        let gap = max(1, margin / 2)
        for (first, form) in forms {
            let row = [first] + footAccess(form)
            let widths = row.map { max(Self.footColumns, TextWidth.of($0.label) + 4) }
            let used = widths.reduce(0) { $0 + $1 + gap }
            let room = area.splitLeft(used).rest
            let lines = hint.map { TextFlow.lines($0, width: room.columns) } ?? []
            let fits =
                used - gap <= area.columns && lines.count <= area.rows
                && lines.joined(separator: " ") == (hint ?? "")
            guard fits || form == .fewest else { continue }
            var rest = area
            for (button, width) in zip(row, widths) {
                let (place, right) = rest.splitLeft(width)
                self.place(button, in: place)
                rest = right.splitLeft(gap).rest
            }
            surface.set(
                lines: lines, in: room.centred(rows: lines.count, columns: room.columns),
                theme.soft, .right)
            return
        }
    }

    /// What the next touch does, by a symbol and, where there is room, its words.
    private func footAccess(_ form: FootForm) -> [Button] {
        let (letters, lettersWords) =
            switch access.appearance.next {
            case .large: ("A+", wording.text("Larger letters"))
            case .inverted: ("A◐", wording.text("Black on white"))
            case .normal: ("A", wording.text("Normal letters"))
            }
        let (ear, earWord) =
            switch access.voice.next {
            case .on: ("◄))", wording.text("Listen"))
            case .louder: ("◄)))", wording.text("Louder"))
            case .off: ("◄ ×", wording.text("Silence"))
            }
        var appearance = Button(
            .changeAppearance, label: form == .words ? "\(letters) \(lettersWords)" : letters,
            isMain: false)
        appearance.spoken = lettersWords
        var voice = Button(
            .changeVoice, label: form == .fewest ? ear : "\(ear) \(earWord)", isMain: false)
        voice.spoken = earWord
        return [appearance] + (access.isSpeechThere ? [voice] : [])
    }

    /// A target of the foot line is 20 mm wide: 6 columns of the coarse grid (rules 18), and one more.
    private static let footColumns = 7
}
