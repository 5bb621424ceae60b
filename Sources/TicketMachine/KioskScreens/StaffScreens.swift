import KioskFlow
import TerminalSurface

// Maintenance mode: its top line, its buttons, and the screens that are lists of lines.
extension Canvas {
    mutating func drawStaff(_ scene: Scene, _ visit: StaffVisit) {
        spoken.screen = "staff-\(visit.screen.rawValue)"
        drawStaffHeader(scene, visit)
        switch visit.screen {
        case .overview: drawOverview(scene)
        case .printer: drawPrinters(scene, visit)
        case .papers:
            if let paper = visit.chosen { drawReprint(paper) } else { drawPapers(scene, visit) }
        case .events: drawEvents(scene, visit)
        case .machine: drawMachine(scene, visit)
        }
    }

    /// Who is in, and when maintenance mode ends by itself.
    private mutating func drawStaffHeader(_ scene: Scene, _ visit: StaffVisit) {
        surface.fill(header, theme.header)
        let line = header.centred(rows: 1, columns: header.columns).inset(columns: margin)
        let left = scene.staffLeft ?? 0
        let ends = wording.text(
            "ends in {time}", ["time": "\(left / 60):\((left % 60).twoDigits)"])
        surface.put(
            ends, row: line.row, column: line.endColumn - TextWidth.of(ends), theme.header)
        let room = line.columns - TextWidth.of(ends) - 2
        var title = ""
        for limit in stride(from: 40, through: 0, by: -1) {
            title = wording.text(
                "Maintenance - {name}",
                ["name": PlainText.clean(visit.person.name, limit: limit)])
            if TextWidth.of(title) <= room { break }
        }
        surface.put(title, row: line.row, column: line.column, theme.header.bolded)
    }

    // MARK: How the screens are divided

    /// Everything under the top line, an empty row above where there is room.
    private var staffArea: Rectangle {
        let below = surface.bounds.splitTop(headerRows).rest.inset(columns: margin)
        return size.rows < 24 ? below : below.splitTop(1).rest
    }

    /// Rows of the staff's buttons; on the coarsest grid as the keys of the keypad have them.
    private var staffButtonRows: Int { size.rows < 24 ? 3 : size.rows < 40 ? 4 : 7 }

    /// Rows of buttons whose words need more than a line.
    var tallButtonRows: Int { max(5, staffButtonRows) }

    /// Text above, rows of buttons below it.
    func staffDivided(rows: Int, height: Int? = nil) -> (text: Rectangle, buttons: Rectangle) {
        let (text, buttons) = staffArea.splitBottom(
            rows * ((height ?? staffButtonRows) + 1) - 1)
        return (text.splitBottom(1).rest, buttons)
    }

    /// Equal blocks, row after row; a place without a button stays free.
    mutating func placeGrid(
        _ buttons: [Button?], columns: Int, height: Int? = nil, in area: Rectangle
    ) {
        let height = height ?? staffButtonRows
        let gap = max(1, margin / 2)
        let width = (area.columns - gap * (columns - 1)) / columns
        for (index, button) in buttons.enumerated() {
            guard var button else { continue }
            button.isListed = true
            place(
                button,
                in: Rectangle(
                    row: area.row + index / columns * (height + 1),
                    column: area.column + index % columns * (width + gap), rows: height,
                    columns: width))
        }
    }

    /// Rows of buttons that an area has room for.
    func gridRows(in area: Rectangle) -> Int { max(1, (area.rows + 1) / (staffButtonRows + 1)) }

    // MARK: Lines

    /// Lines one below the other, their names in a column; what is wrong is said by a sign and by words.
    ///
    /// Where there is no room for all, what is well is left out from the last on.
    mutating func setLines(_ all: [StaffLine], in area: Rectangle) {
        var lines = all
        while rows(lines, columns: area.columns) > area.rows,
            let well = lines.lastIndex(where: { $0.health == .good })
        {
            lines.remove(at: well)
        }
        let names = lines.map { TextWidth.of($0.name) }.max() ?? 0
        var rest = area
        for line in lines {
            let style = line.health == .wrong ? theme.warning : theme.screen
            let (sign, words) = rest.splitLeft(3)
            let (name, text) = words.splitLeft(names + 2)
            surface.put(line.health.sign, row: sign.row, column: sign.column, style.bolded)
            surface.put(line.name, row: name.row, column: name.column, style.bolded)
            let rows = surface.set(line.words, in: text, style)
            rest = rest.splitTop(max(1, rows)).rest
            say("\(line.name): \(line.words)")
        }
    }

    private func rows(_ lines: [StaffLine], columns: Int) -> Int {
        let names = lines.map { TextWidth.of($0.name) }.max() ?? 0
        return lines.reduce(0) {
            $0 + TextFlow.lines($1.words, width: columns - names - 5).count
        }
    }

    // MARK: Screens

    private mutating func drawMachine(_ scene: Scene, _ visit: StaffVisit) {
        let (text, buttons) = staffDivided(rows: 2)
        let body = scene.staffFacts?.body
        setLines(
            [
                StaffLine(
                    wording.text("Machine"), .good,
                    PlainText.clean(scene.shop?.machine.rawValue ?? "-", limit: 30)),
                StaffLine(
                    wording.text("Shop"), .good, PlainText.clean(scene.shop?.name ?? "-", limit: 40)
                ),
                StaffLine(wording.text("Key"), .good, body?.fingerprint ?? "-"),
                StaffLine(wording.text("Version"), .good, body?.version ?? "-"),
                service(scene),
            ], in: text)
        let restart =
            visit.isAsked
            ? Button(.restartProgram, label: wording.text("Yes, restart"), isMain: true)
            : Button(.restartProgram, label: wording.text("Restart the program"), isMain: false)
        placeGrid(
            [
                Button(
                    .putOutOfService,
                    label: scene.isPutOut
                        ? wording.text("Put in service") : wording.text("Put out of service"),
                    isMain: !visit.isAsked), restart,
                back, Button(.openLanguages, label: wording.text("Language"), isMain: false),
            ], columns: 2, in: buttons)
    }

    /// Whether customers are served, and why not.
    func service(_ scene: Scene) -> StaffLine {
        StaffLine(
            wording.text("Service"), scene.isPutOut ? .wrong : .good,
            scene.isPutOut
                ? wording.text("customers see: out of service")
                : wording.text("customers are served"))
    }

    /// The way to the overview.
    var back: Button { Button(.cancel, label: wording.text("Back"), isMain: false) }
}

/// A line about a part of the machine.
struct StaffLine {
    enum Health {
        case good, wrong, unknown

        /// Seen without colours too.
        var sign: String {
            switch self {
            case .good: "OK"
            case .wrong: "!!"
            case .unknown: ".."
            }
        }
    }

    let name: String
    let health: Health
    let words: String

    init(_ name: String, _ health: Health, _ words: String) {
        self.name = name
        self.health = health
        self.words = words
    }
}

extension Int {
    /// Seconds as a clock shows them.
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
