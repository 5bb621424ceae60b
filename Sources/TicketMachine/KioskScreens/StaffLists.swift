import KioskFlow
import Reservations
import TerminalSurface

// Printers, papers and events, as the staff sees them.
extension Canvas {
    mutating func drawPrinters(_ scene: Scene, _ visit: StaffVisit) {
        let (text, buttons) = staffDivided(rows: 1, height: tallButtonRows)
        let (lines, result) = text.splitBottom(2)
        setLines(printers(scene), in: lines)
        setResult(visit.print, in: result)
        let count = scene.staffFacts?.printersConfigured ?? 0
        let tests = (0..<min(count, 2)).map { index in
            Button(
                .testPrint(index),
                label: count == 1
                    ? wording.text("Test print")
                    : wording.text("Test print {n}", ["n": String(index + 1)]), isMain: index == 0)
        }
        placeGrid([back] + tests, columns: 3, height: tallButtonRows, in: buttons)
    }

    /// What has become of a paper that was asked for.
    private mutating func setResult(_ print: StaffPrint?, in area: Rectangle) {
        let (words, style): (String, Style)
        switch print?.progress {
        case nil: return
        case .under: (words, style) = (wording.text("The paper is being printed."), theme.screen)
        case .printed: (words, style) = (wording.text("The paper is printed."), theme.screen.bolded)
        case .failed(let trouble):
            (words, style) = (
                wording.text("Not printed: {reason}", ["reason": wording.cure(trouble)]),
                theme.warning
            )
        case .notStanding(.unanswered), .notStanding(.notUnderstood), .notStanding(.busy):
            (words, style) = (
                wording.text("Not printed: the backend does not answer."), theme.warning
            )
        case .notStanding:
            (words, style) = (
                wording.text("Not printed: the reservation does not stand any more."), theme.warning
            )
        }
        surface.set(words, in: area, style)
        say(words)
    }

    mutating func drawPapers(_ scene: Scene, _ visit: StaffVisit) {
        let (text, buttons) = staffDivided(rows: 1)
        let (title, list) = text.splitTop(2)
        let papers = scene.staffFacts?.papers ?? []
        if visit.print != nil {
            setResult(visit.print, in: title)
        } else {
            let words =
                papers.isEmpty
                ? wording.text("No paper was issued today.")
                : wording.text("Touch a paper to print it again.")
            surface.set(words, in: title, theme.screen.bolded)
            say(words)
        }
        let columns = 2
        let page = Page(
            visit.page, of: papers.count, size: max(1, gridRows(in: list) * columns))
        placeGrid(
            papers[page.range].map { paper in
                Button(.choosePaper(paper), label: label(paper, scene), isMain: false)
            }, columns: columns, in: list)
        placeGrid([back] + turning(page), columns: 3, in: buttons)
    }

    /// As "042  14:05  printed".
    private func label(_ paper: IssuedPaper, _ scene: Scene) -> String {
        let time = scene.clock.map { wording.time($0.at(paper.issued)) } ?? ""
        let fate =
            switch paper.fate {
            case .printed: wording.text("printed")
            case .notPrinted: wording.text("not printed")
            case .unknown: wording.text("fate unknown")
            case .givenUp: wording.text("given back")
            }
        return "\(paper.number.text)  \(time)  \(fate)"
    }

    mutating func drawReprint(_ paper: IssuedPaper) {
        let (text, buttons) = staffDivided(rows: 2, height: tallButtonRows)
        stack(
            [
                .text(
                    wording.text(
                        "Why is number {number} printed again?", ["number": paper.number.text]),
                    theme.screen.bolded),
                .ifRoom(wording.text("The paper will say that it is a copy."), theme.soft),
            ], in: text)
        placeGrid(
            ReprintReason.allCases.map {
                Button(.reprint($0), label: wording.name($0), isMain: false)
            } + [back], columns: 3, height: tallButtonRows, in: buttons)
    }

    mutating func drawEvents(_ scene: Scene, _ visit: StaffVisit) {
        let (text, buttons) = staffDivided(rows: 1)
        let events = scene.staffFacts?.events ?? []
        let page = Page(visit.page, of: events.count, size: max(1, text.rows))
        if events.isEmpty {
            surface.set(wording.text("Nothing has happened yet."), in: text, theme.screen)
        }
        var rest = text
        for event in events[page.range] {
            let line = line(event, scene)
            var words = line
            while TextWidth.of(words) > text.columns { words = String(words.dropLast()) }
            surface.put(words, row: rest.row, column: rest.column, theme.screen)
            say(line)
            rest = rest.splitTop(1).rest
        }
        placeGrid([back] + turning(page), columns: 3, in: buttons)
    }

    /// As "Fri 14:05  Giulia  test print 1".
    private func line(_ event: MachineEvent, _ scene: Scene) -> String {
        let clock = scene.clock?.at(event.at)
        let time = clock.map {
            wording.text(
                "{weekday} {time}", context: "clock",
                ["weekday": wording.shortWeekday($0.day.weekday), "time": wording.time($0)])
        }
        let who = event.person.map { PlainText.clean($0, limit: 20) }
        return [time, who, wording.name(event)].compactMap(\.self).joined(separator: "  ")
    }

    private func turning(_ page: Page) -> [Button?] {
        [
            page.index > 0
                ? Button(.turnPage(page.index - 1), label: wording.text("Newer"), isMain: false)
                : nil,
            page.isLast
                ? nil
                : Button(.turnPage(page.index + 1), label: wording.text("Older"), isMain: false),
        ]
    }
}

/// A part of a list that has room on a screen.
private struct Page {
    let index: Int
    let range: Range<Int>
    let isLast: Bool

    /// The page of this number, or the last one there is.
    init(_ wanted: Int, of count: Int, size: Int) {
        index = min(max(0, wanted), max(0, (count - 1) / size))
        range = index * size..<min(count, (index + 1) * size)
        isLast = range.upperBound >= count
    }
}

extension Wording {
    fileprivate func name(_ reason: ReprintReason) -> String {
        switch reason {
        case .unreadable: text("It cannot be read")
        case .torn: text("It is torn")
        case .neverCame: text("It never came out")
        }
    }

    fileprivate func name(_ event: MachineEvent) -> String {
        let words =
            switch event.kind {
            case .entered: text("came in")
            case .left: text("went out")
            case .wrongPIN: text("wrong PIN")
            case .testPrint: text("test print")
            case .reprint: text("printed again")
            case .putOut: text("put out of service")
            case .putIn: text("put in service")
            case .restart: text("restarted the program")
            case .fault: text("out of service", context: "event")
            case .recovered: text("in service again")
            case .printer: text("printer in trouble")
            case .printerWell: text("printer ready again")
            case .ordered: text("ordered by the shop")
            }
        let trouble = event.kind == .printer ? PrinterTrouble(rawValue: event.detail) : nil
        let detail = trouble.map { cure($0) } ?? PlainText.clean(event.detail, limit: 40)
        return detail.isEmpty ? words : "\(words): \(detail)"
    }
}
