import KioskFlow
import TerminalSurface

// Screens drawn over every other one: the warning, the languages, a terminal that is too small.
extension Canvas {
    /// The warning after 2:20 without a touch. A touch anywhere but on *No* is enough (WCAG 2.2.1).
    mutating func drawWarning() {
        drawHeader()
        let seconds = scene.warning ?? 0
        let holdsPlace = if case .offer = scene.state { true } else { false }
        let area = surface.bounds.splitTop(headerRows).rest.inset(columns: margin)
        let (above, buttons) = area.splitBottom(choiceRows + 1)
        let (content, bar) = above.splitBottom(isLarge ? 0 : 2)
        let question = text("Still there?")
        let threat =
            holdsPlace ? text("Your place will be released in") : text("This screen closes in")
        func remaining(_ seconds: Int) -> String { plural("{n} second", "{n} seconds", seconds) }
        // A voice counts down by tens, because it cannot keep up with seconds.
        stack(
            [.heading(question), .line(threat, .warning), .largest(remaining(seconds))],
            in: content, saying: [question, threat, remaining((seconds + 9) / 10 * 10)])
        drawProgress(seconds, of: Self.warningSeconds, in: bar.splitTop(1).top)
        placeRow(
            [
                Button(
                    .cancel,
                    holdsPlace ? text("No, give my place back") : text("No, I have finished")),
                Button(
                    .stay, text("Yes, I need more time"), subtitle: text("or touch anywhere"),
                    isMain: true),
            ], in: buttons.splitBottom(1).rest)
    }

    private static let warningSeconds = Int(
        (KioskTiming.inactivityTimeout - KioskTiming.warning).components.seconds)

    /// Shows each language by its own name, in one to three columns.
    mutating func drawLanguages(_ wordings: [String: Strings]) {
        drawHeader()
        drawFootOfLanguages()
        let codes = Array(scene.access.languages.prefix(10))
        guard !codes.isEmpty else { return }
        let (title, area) = surface.bounds.splitTop(headerRows).rest.splitBottom(
            footMargin + footRows + 1
        )
        .rest.inset(columns: margin).splitTop(size.rows >= 24 ? 3 : 1)
        // In maintenance mode the language is chosen for all customers.
        let isForAll = if case .staff = scene.state { true } else { false }
        let words = isForAll ? text("The language for all customers") : text("Choose your language")
        stack([.line(words, .bold)], in: title)
        // Each button has at least 5 rows with one between them, in as few columns as that allows (rules: touch-targets).
        func rows(in columns: Int) -> Int { (codes.count + columns - 1) / columns }
        let columns = (1...3).first { area.rows >= 6 * rows(in: $0) - 1 } ?? 3
        let rows = rows(in: columns)
        let gap = area.rows >= 6 * rows - 1 ? 1 : 0
        let height = (area.rows - gap * (rows - 1)) / rows
        let width = (area.columns - margin * (columns - 1)) / columns
        placeAlike(
            codes.enumerated().map { index, code in
                let name = PlainText.clean(wordings[code]?.name ?? code, limit: 20)
                return (
                    Button(.choose(language: code), name, isMain: code == scene.access.language),
                    Rectangle(
                        row: area.row + index / columns * (height + gap),
                        column: area.column + index % columns * (width + margin), rows: height,
                        columns: width)
                )
            })
    }

    /// Says that the terminal is too small, in whatever room there is; nothing can be touched.
    mutating func drawTooSmall() {
        let sentence = text(
            "The screen is too small: {columns} x {rows}. At least {wantedColumns} x {wantedRows} "
                + "are needed.",
            [
                "columns": String(size.columns), "rows": String(size.rows),
                "wantedColumns": String(Screens.smallest.columns),
                "wantedRows": String(Screens.smallest.rows),
            ])
        surface.setCentred(sentence, in: surface.bounds, theme.warning)
    }
}
