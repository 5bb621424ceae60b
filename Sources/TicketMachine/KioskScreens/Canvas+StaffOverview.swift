import KioskFlow
import Reservations
import TerminalSurface

// The first screen of maintenance mode: a light for each part, and what to do about a fault.
extension Canvas {
    mutating func drawOverview(_ visit: StaffSession) {
        let isNarrow = staffColumns == 2
        let height = isNarrow ? 5 : hasSmallCells ? 6 : 3
        // Three columns have room for large labels if cells are small.
        let columns = isNarrow ? 2 : hasSmallCells ? 3 : 4
        let (content, buttons) = staffDivided(rows: 12 / columns, height: height)
        let parts = [backend()] + printers() + [reader(), clock()] + body() + [papers()]
        // An open call for help is in the top line, which leads to it.
        let lines = [service()] + missing() + parts
        let wrong = lines.filter { $0.health == .wrong }
        // A touch on a fault leads to its remedy. Parts without a fault need less room, but each is shown.
        let most = max(1, (content.rows + 1) / (height + 1))
        func rest(under shown: Int) -> Rectangle { content.splitTop(shown * (height + 1)).rest }
        let well = lines.filter { $0.health != .wrong }
        let isRoomy = wrong.count <= most && holds(well, in: rest(under: wrong.count))
        let withNames = (content.rows - nameRows(lines, in: content)) / (height + 1)
        let page = Page(
            visit.page, of: wrong.count, size: isRoomy ? most : max(1, min(most, withNames)))
        let shown = Array(wrong[page.range])
        placeGrid(
            shown.compactMap { line in
                line.part.map { part in
                    var button = Button(
                        .staff(.showPart(part)), "\(line.health.sign) \(line.sentence(wording))")
                    if typeface.hasShapes {
                        button = Button(.staff(.showPart(part)), line.sentence(wording))
                        button.isFaulty = true
                    }
                    return button
                }
            }, columns: 1, height: height, in: content)
        if !shown.isEmpty { say(shown.map { $0.sentence(wording) }.joined(separator: "\n")) }
        setLights(
            lines.filter { line in !shown.contains { $0.part == line.part } },
            in: rest(under: shown.count))
        var all = visit.screens.map { screen -> Button? in
            let isWrong = wrong.contains { $0.part?.screen == screen }
            let name = wording.name(screen)
            let mark = isWrong && !typeface.hasShapes ? "! " : ""
            var button = Button(.openStaff(screen), mark + name)
            button.isFaulty = isWrong
            return button
        }
        all += Array(repeating: nil, count: 11 - all.count)
        if wrong.count > shown.count { all[10] = moreButton(page) }
        // *Sign out* is where all other screens have *Back*.
        all.insert(Button(.leaveStaff, text("Sign out")), at: 12 - columns)
        placeGrid(all, columns: columns, height: height, in: buttons)
    }

    /// The two halves of an area side by side, each with half of the lines; on an upright panel one area with all.
    private func halves(
        _ lines: [StaffLine], of area: Rectangle
    ) -> [(lines: [StaffLine], area: Rectangle)] {
        guard !isUpright else { return [(lines, area)] }
        let (left, right) = area.splitLeft((area.columns - margin) / 2)
        let half = (lines.count + 1) / 2
        return [
            (Array(lines.prefix(half)), left),
            (Array(lines.dropFirst(half)), right.splitLeft(margin).rest),
        ]
    }

    private func holds(_ lines: [StaffLine], in area: Rectangle) -> Bool {
        halves(lines, of: area).allSatisfy {
            rows($0.lines, columns: $0.area.columns) <= $0.area.rows
        }
    }

    /// Sets all lights with words if there is room for all words; otherwise by their names alone.
    private mutating func setLights(_ lines: [StaffLine], in area: Rectangle) {
        guard !holds(lines, in: area) else {
            for half in halves(lines, of: area) { setLines(half.lines, in: half.area) }
            return
        }
        for line in lines { say(line.sentence(wording)) }
        for (line, place) in zip(lines, namePlaces(lines, columns: area.columns)) {
            let style = line.health == .wrong ? theme.warning : theme.screen
            let row = area.row + place.row
            let column = area.column + place.column
            drawLight(line.health, row: row, column: column)
            surface.put(
                line.name, row: row, column: column + Self.signColumns, style.bolded, within: area)
        }
    }

    /// The places of the lights' names in so many columns, one after the other.
    private func namePlaces(_ lines: [StaffLine], columns: Int) -> [GridPosition] {
        var next = GridPosition(row: 0, column: 0)
        return lines.map { line in
            let width = Self.signColumns + TextWidth.of(line.name)
            if next.column + width > columns { next = GridPosition(row: next.row + 1, column: 0) }
            defer { next = GridPosition(row: next.row, column: next.column + width + 2) }
            return next
        }
    }

    /// Rows that the names of all lights but one need.
    private func nameRows(_ lines: [StaffLine], in area: Rectangle) -> Int {
        (namePlaces(Array(lines.dropFirst()), columns: area.columns).last?.row ?? -1) + 1
    }

    var staffFacts: StaffFacts { scene.staffFacts ?? StaffFacts() }

    func backend() -> StaffLine {
        let (words, health): (String, StaffLine.Health) =
            switch staffFacts.backend {
            case .asked: (text("checking"), .unknown)
            case .silent: (text("no answer: check the network"), .wrong)
            case .answers(let latency): (wording.milliseconds(latency), .good)
            }
        return StaffLine(text("Backend"), words, health, part: .backend)
    }

    /// A line for each configured printer, and one for the paper of all of them.
    func printers() -> [StaffLine] {
        let printers = staffFacts.printers
        guard !printers.isEmpty else {
            return [
                StaffLine(text("Printer"), text("none", context: "printer"), part: .printer(0))
            ]
        }
        let lines = printers.enumerated().map { index, printer in
            let (words, health): (String, StaffLine.Health) =
                switch printer.condition {
                case nil: (text("checking"), .unknown)
                case .some(let condition):
                    condition.trouble.map { (wording.remedy($0), .wrong) } ?? (text("ready"), .good)
                }
            return StaffLine(
                wording.printer(index, of: printers.count), words, health, part: .printer(index))
        }
        return lines + [paper()]
    }

    private func paper() -> StaffLine {
        let conditions = staffFacts.printers.compactMap(\.condition)
        func line(_ words: String, _ health: StaffLine.Health) -> StaffLine {
            StaffLine(text("Paper"), words, health, part: .paper)
        }
        if conditions.contains(where: \.paperLow) {
            return line(text("nearly used up: have a roll ready"), .wrong)
        }
        if conditions.contains(where: { $0.trouble == .noPaper }) {
            return line(text("used up: put in a new roll"), .wrong)
        }
        // A printer that reports nothing of itself reports nothing of its paper either.
        let isKnown = conditions.contains { $0.trouble != .offline && $0.trouble != .silent }
        return isKnown ? line(text("loaded"), .good) : line(text("not known"), .unknown)
    }

    private func reader() -> StaffLine {
        let name = text("Reader")
        guard scene.readerPlace != nil else {
            return StaffLine(name, text("none", context: "reader"), part: .reader)
        }
        guard scene.isReaderThere else {
            return StaffLine(name, text("not connected: plug it in again"), .wrong, part: .reader)
        }
        let read = staffFacts.lastRead
        let time = ["time": read?.at.map { wording.time($0) } ?? "-"]
        let words =
            switch read?.kind {
            case nil: text("nothing read yet")
            case .entryCode, .orderCode, .typedCode: text("read at {time}", time)
            case .badge: text("a badge at {time}", time)
            case .symbolForPhones: text("a symbol for phones at {time}", time)
            case .symbolForCalendars: text("a symbol for calendars at {time}", time)
            case .barcode, .other: text("unknown code, {time}", time)
            }
        return StaffLine(name, words, part: .reader)
    }

    func clock() -> StaffLine {
        func line(_ words: String, _ health: StaffLine.Health) -> StaffLine {
            StaffLine(text("Clock"), words, health, part: .clock)
        }
        guard let offset = staffFacts.clockOffset else {
            return line(text("nothing to compare"), .unknown)
        }
        let seconds = offset.wholeSeconds
        guard abs(seconds) > HealthThresholds.clockOffset else { return line(text("right"), .good) }
        let values = ["n": String(abs(seconds))]
        return line(
            seconds > 0
                ? text("{n} s fast: call the administrator", values)
                : text("{n} s slow: call the administrator", values),
            .wrong)
    }

    private func body() -> [StaffLine] {
        let body = staffFacts.body
        let checking = (text("checking"), StaffLine.Health.unknown)
        var (disk, key, version) = (checking, checking, checking)
        if let body {
            disk = (text("not known"), .unknown)
            if let free = body.diskFree {
                let values = ["n": String(free)]
                disk =
                    free >= HealthThresholds.diskFree
                    ? (text("{n} % free", values), .good)
                    : (text("{n} % free: call the administrator", values), .wrong)
            }
            let age = body.keyDays.map {
                $0 == 0 ? text("made today") : plural("{n} day old", "{n} days old", $0)
            }
            key = (age ?? String(body.fingerprint.prefix(11)), .good)
            version =
                body.isUpdateWaiting
                ? (text("new version: restart the program"), .wrong) : (body.version, .good)
        }
        return [
            StaffLine(text("Disk"), disk.0, disk.1, part: .disk),
            StaffLine(text("Key"), key.0, key.1, part: .key),
            StaffLine(text("Version"), version.0, version.1, part: .version),
        ]
    }

    /// A line for each paper that may be missing; its customer may still be in front of the machine.
    private func missing() -> [StaffLine] {
        (staffFacts.papers ?? []).filter { $0.outcome == .unknown }.map { paper in
            let time = scene.clock.map { wording.time($0.at(paper.issued)) }
            return StaffLine(
                [paper.number.text, time].compactMap(\.self).joined(separator: ", "),
                text("did the ticket come out?"), .wrong, part: .missing(paper))
        }
    }

    private func papers() -> StaffLine {
        func line(_ words: String, _ health: StaffLine.Health) -> StaffLine {
            StaffLine(text("Tickets"), words, health, part: .papers)
        }
        guard let papers = staffFacts.papers else { return line(text("checking"), .unknown) }
        let missing = papers.count { $0.outcome.isMissing && $0.outcome != .unknown }
        let unknown = papers.count { $0.outcome == .unknown }
        let all = ["n": String(papers.count), "m": String(missing), "k": String(unknown)]
        if unknown > 0 {
            return line(text("today: {n}, not printed: {m}, not known: {k}", all), .wrong)
        }
        return missing > 0
            ? line(text("today: {n}, not printed: {m}", all), .wrong)
            : line(text("today: {n}", all), .good)
    }

    /// Whether customers are served, and if not, why.
    func service() -> StaffLine {
        let isPutOut = scene.isPutOut
        return StaffLine(
            text("Service"), isPutOut ? text("customers see: out of service") : text("in service"),
            isPutOut ? .wrong : .good, part: .service)
    }
}

extension Strings {
    /// A screen of maintenance mode, as its button names it.
    func name(_ screen: StaffScreen) -> String {
        switch screen {
        case .overview: text("Overview")
        case .printer: text("Printer")
        case .papers: text("Tickets")
        case .reader: text("Reader")
        case .screen: text("Screen")
        case .network: text("Network")
        case .queue: text("Queue")
        case .events: text("Events")
        case .machine: text("Machine")
        case .phones: text("Phones")
        case .people: text("People")
        case .help: text("Help")
        case .jobs: text("Print jobs")
        case .touchTest: text("Touch test")
        case .colours: text("Colours")
        case .letters: text("Letters")
        case .sound: text("Sound")
        case .message: text("Message")
        }
    }

    /// A printer by its number if there are several.
    func printer(_ index: Int, of count: Int) -> String {
        count == 1 ? text("Printer") : text("Printer {n}", ["n": String(index + 1)])
    }

    /// A duration, for example "12 ms".
    func milliseconds(_ time: Duration) -> String { "\(max(1, time.wholeMilliseconds)) ms" }

    /// The printer's fault, and its remedy.
    func remedy(_ trouble: PrinterTrouble) -> String {
        switch trouble {
        case .noPaper: text("no paper: put in a new roll")
        case .jam: text("jammed: open it, take the paper out")
        case .coverOpen: text("open: close the cover")
        case .absent: text("there is no printer")
        case .offline, .silent: text("no answer: check power and cable")
        case .stopped: text("stopped: start it again")
        case .other: text("error: check its lights")
        }
    }
}
